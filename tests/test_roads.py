"""The roads: closed forms, autograd and the printed program as oracles."""

import contextlib
import io
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as draw

from core import overview, roads
from core.limits import Refused
from core.roads import Road
from tests.test_overview import ROADS


def test_stations_scramble_and_keep_the_size() -> None:
    for q in roads.scramblers():
        assert q.T @ q == pytest.approx(np.eye(64), abs=1e-12)
    assert roads.size(np.ones(64), roads.scramblers()[0] @ np.ones(64)) == pytest.approx(1)


@given(draw.integers(1, 30), draw.integers(1, 20))
def test_the_plain_road_hands_on_the_power_of_its_share(step: int, n: int) -> None:
    arrived = overview.arrivals(Road(round(0.05 * step, 2), n))["plain"]
    assert arrived.size == pytest.approx(float(Fraction(step, 20) ** n), rel=1e-9)


def test_the_articles_power() -> None:
    """Article 1, section 3.1: 0.5^20 ≈ 9.54e-7."""
    assert overview.arrivals(Road(0.5, 20))["plain"].size == pytest.approx(9.5367e-7, rel=1e-4)


@given(ROADS)
def test_with_a_bypass_the_parcel_is_a_term_of_a_sum(road: Road) -> None:
    """Article 1, section 3.3: x_n = x_0 + Σ F_l(x_l)."""
    pictures = roads.drive(road)["residual"]
    added = [roads.station(road, k + 1, h) for k, h in enumerate(pictures[:-1])]
    scale = 1 + np.abs(pictures).max()
    assert pictures[-1] == pytest.approx(pictures[0] + np.sum(added, axis=0), abs=1e-12 * scale)


def test_over_many_draws_the_size_grows_as_the_closed_form() -> None:
    """For uniform Q: E‖h + gQh‖² = (1 + g²)·‖h‖²."""
    g, h = 0.5, roads.parcel(3)
    grown = [roads.size(h, h + g * q @ h) ** 2 for q in roads.scramblers()]
    assert np.mean(grown) == pytest.approx(
        1 + g * g, abs=4 * float(np.std(grown)) / math.sqrt(len(grown))
    )


@pytest.mark.parametrize("who", ["plain", "residual"])
def test_a_gradient_meets_the_same_stations_on_the_way_back(who: str) -> None:
    """Its size on the plain road is g^n whatever the gradient is; autograd is the oracle."""
    from core.backend import torch

    road = Road(0.5, 6)
    start = torch.from_numpy(roads.parcel(3)).requires_grad_()
    h, matrix = start, np.eye(64)
    for q in roads.scramblers()[: road.stations]:
        h = 0.5 * torch.from_numpy(q) @ h + (h if who == "residual" else 0)
        matrix = (0.5 * q + (np.eye(64) if who == "residual" else 0)) @ matrix
    upstream = np.random.default_rng(1).normal(size=64)
    (gradient,) = torch.autograd.grad(h, start, torch.from_numpy(upstream))
    assert gradient.numpy() == pytest.approx(matrix.T @ upstream, abs=1e-12)
    assert h.detach().numpy() == pytest.approx(roads.drive(road)[who][-1], abs=1e-12)
    if who == "plain":
        assert roads.size(upstream, gradient.numpy()) == pytest.approx(0.5**6)


@pytest.mark.parametrize(
    "road", [Road(), Road(0.5, 7, "0", 8), Road(1.0, 20, "-x", 0), Road(1.5, 1)], ids=str
)
def test_the_program_prints_the_numbers_on_screen(road: Road) -> None:
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(roads.snippet(road), {})
    for line, (who, arrival) in zip(
        printed.getvalue().splitlines(), overview.arrivals(road).items(), strict=True
    ):
        name, size, likeness = line.split()
        assert name == who
        assert float(size) == pytest.approx(arrival.size, rel=1e-9)
        assert float(likeness) == pytest.approx(arrival.likeness, nan_ok=True, abs=1e-9)


@pytest.mark.parametrize(
    "bad",
    [{"share": 1.51}, {"share": math.nan}, {"stations": 0}, {"stations": 21}, {"digit": 10}],
    ids=str,
)
def test_what_cannot_be_is_refused(bad: dict) -> None:
    with pytest.raises(Refused):
        Road(**bad)
    with pytest.raises(Refused):
        Road(middle="x")
