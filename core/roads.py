"""A parcel on a road of stations, without and with a bypass (article 2, section 1.1).

The parcel is a picture of 64 pixels. Station `l` hands on `F_l(h) = g·Q_l·h`, where `Q_l` is a
fixed random orthogonal matrix: it scrambles the pixels and keeps their size, so `g` is the share of
the size that is handed on. Without a bypass `h ← F_l(h)`; with one `h ← h + F_l(h)`, so that
`h_n = h_0 + Σ F_l(h_l)` (article 1, section 3.3). The stations are the same on both roads.
"""

import functools
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core import datasets
from core.limits import one_of, within

SHARE_HIGH, SHARE_STEP = 1.5, 0.05
STATIONS_HIGH = 20
MIDDLE = ("F(x)", "0", "-x")


@dataclass(frozen=True, slots=True)
class Road:
    """A road: the share `g`, how many stations, what the middle one returns, the digit sent."""

    share: float = 0.2
    stations: int = 20
    middle: str = "F(x)"
    digit: int = 3

    def __post_init__(self) -> None:
        """Refuse what the road cannot be."""
        within("share", self.share, 0, SHARE_HIGH)
        within("stations", self.stations, 1, STATIONS_HIGH)
        one_of("middle", self.middle, MIDDLE)
        within("digit", self.digit, 0, 9)

    @property
    def middle_station(self) -> int:
        """The number of the station in the middle, counted from 1."""
        return (self.stations + 1) // 2


def parcel(digit: int) -> NDArray[np.float64]:
    """Return the first picture of a digit in the bundled data: 64 pixels between 0 and 1."""
    data = datasets.load("digits")
    return data.train_x[data.train_y == digit][0].astype(float)


@functools.cache
def scramblers() -> NDArray[np.float64]:
    """Return `Q_1 … Q_20`, each 64 × 64, orthogonal and drawn uniformly; always the same."""
    drawn = np.random.default_rng(0).normal(size=(STATIONS_HIGH, 64, 64))
    q, r = np.linalg.qr(drawn)
    return q * np.sign(np.diagonal(r, axis1=1, axis2=2))[:, None, :]


def station(road: Road, number: int, h: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return `F(h)` of one station: `g·Q·h`, or what the middle one returns instead."""
    if number == road.middle_station and road.middle == "0":
        return np.zeros_like(h)
    if number == road.middle_station and road.middle == "-x":
        return -h
    return road.share * scramblers()[number - 1] @ h


@functools.lru_cache(maxsize=64)
def drive(road: Road) -> Mapping[str, NDArray[np.float64]]:
    """Return what is on the road after 0 … n stations, `(n + 1, 64)` for each kind of road."""
    plain = residual = parcel(road.digit)
    trip = {"plain": [plain], "residual": [residual]}
    for number in range(1, road.stations + 1):
        plain = station(road, number, plain)
        residual = residual + station(road, number, residual)
        trip["plain"].append(plain)
        trip["residual"].append(residual)
    return {who: np.array(pictures) for who, pictures in trip.items()}


def size(sent: NDArray[np.float64], arrived: NDArray[np.float64]) -> float:
    """Return `‖arrived‖ / ‖sent‖`."""
    return float(np.linalg.norm(arrived) / np.linalg.norm(sent))


def likeness(sent: NDArray[np.float64], arrived: NDArray[np.float64]) -> float:
    """Return the cosine between two pictures: 1 the same, 0 unrelated; NaN if nothing arrived."""
    product = float(np.linalg.norm(sent) * np.linalg.norm(arrived))
    return float(sent @ arrived / product) if product else float("nan")


def snippet(road: Road) -> str:
    """Return a PyTorch program that sends the parcel down both roads and prints what arrives."""
    picture = (parcel(road.digit) * 16).round().astype(int).reshape(8, 8)
    fault = {"0": "torch.zeros_like(h)", "-x": "-h"}.get(road.middle)
    middle = f"    if l == {road.middle_station}:\n        return {fault}\n" if fault else ""
    return f"""import numpy as np
import torch

parcel = torch.tensor({picture.tolist()}).double().flatten() / 16

drawn = np.random.default_rng(0).normal(size=({STATIONS_HIGH}, 64, 64))
q, r = np.linalg.qr(drawn)
Q = torch.from_numpy(q * np.sign(np.diagonal(r, axis1=1, axis2=2))[:, None, :])


def F(l, h):
{middle}    return {road.share!r} * Q[l - 1] @ h


plain = residual = parcel
for l in range(1, {road.stations} + 1):
    plain = F(l, plain)
    residual = residual + F(l, residual)

for name, arrived in (("plain", plain), ("residual", residual)):
    size = arrived.norm() / parcel.norm()
    likeness = parcel @ arrived / (parcel.norm() * arrived.norm())
    print(name, size.item(), likeness.item())
"""
