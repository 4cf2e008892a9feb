"""Overview: what arrives at the end of the two roads, what is drawn, and where each door leads."""

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from core import numbers
from core.columns import Columns
from core.roads import Road, drive, likeness, size

SHOWN = 6
PITCH, PICTURE = 11, 8
"""From one picture to the next, and the width of one, in pixels of the picture."""
TOP = {"plain": 2.5, "residual": 18.5}
"""Where the pictures of either road begin, in the same pixels from the top."""
LEGIBLE, FAINT, SWOLLEN = 0.5, 0.045, 10.0

PRESETS: Mapping[str, Mapping[str, object]] = {
    "weak": {"ov_share": 0.2, "ov_stations": 20, "ov_middle": "F(x)"},
    "closed": {"ov_share": 0.2, "ov_stations": 20, "ov_middle": "0"},
    "cancel": {"ov_share": 0.2, "ov_stations": 20, "ov_middle": "-x"},
    "strong": {"ov_share": 1.0, "ov_stations": 20, "ov_middle": "F(x)"},
}

ARTICLES: Mapping[str, tuple[str, str]] = {
    "residual_explorer": ("2, 5, 7", "1.1 – 1.2, 5.1"),
    "gradient_multiplier": ("3.1 – 3.4", "1.3, 2.1 – 2.3"),
    "worked_example": ("3.2 – 3.3, 4, 7, 8", "2.1 – 2.3"),
    "layernorm_placement": ("6, 8, 9.3, 9.4", "3.3"),
    "live_training": ("7", "4.1 – 4.3, 5.1 – 5.4"),
}
"""Which sections of article 1 and of article 2 each lesson covers."""

QUESTIONS: Mapping[str, tuple[str, Mapping[str, float]]] = {
    "parameters": ("live_training", {}),
    "always": ("gradient_multiplier", {"gm_a": -0.9, "gm_n": 20}),
    "layernorm": ("layernorm_placement", {}),
    "both": ("layernorm_placement", {}),
}
"""The questions of article 1, section 9: lesson and state that show the answer."""

DEGRADATION = pd.DataFrame(
    {"layers": [18, 34], "plain": [27.94, 28.54], "residual": [27.88, 25.03]}
)
"""He et al. (2015), table 2: ImageNet validation error in %, top-1, ten crops."""


@dataclass(frozen=True, slots=True)
class Arrival:
    """What arrives at the end of a road: its size, its likeness to what was sent, and a verdict."""

    size: float
    likeness: float

    @property
    def kind(self) -> str:
        """`nothing`, `faint`, `swollen`, else `legible` or `scrambled`: a phrase for each."""
        if self.size == 0:
            return "nothing"
        if self.size < FAINT:
            return "faint"
        if self.size > SWOLLEN:
            return "swollen"
        return "legible" if self.likeness >= LEGIBLE else "scrambled"


def arrivals(road: Road) -> dict[str, Arrival]:
    """Return what arrives on either road."""
    return {
        who: Arrival(size(pictures[0], pictures[-1]), likeness(pictures[0], pictures[-1]))
        for who, pictures in drive(road).items()
    }


def moral(plain: Arrival, residual: Arrival) -> str:
    """Return which sentence sums the two roads up: the key after `moral.`.

    `harm` is said where the plain road is nearer to the size that was sent, by its ratio to it.
    """
    if residual.kind == "legible":
        return "bypass"
    if residual.kind == "nothing":
        return "cancelled"
    kept = plain.size > 0 and abs(math.log(plain.size)) < abs(math.log(residual.size))
    return "harm" if kept else "drowned"


def shown(road: Road) -> NDArray[np.int64]:
    """Return after which stations the parcel is shown: at most six, the first and last included."""
    return np.unique(np.linspace(0, road.stations, SHOWN).round().astype(int))


def _ink(road: Road) -> tuple[NDArray, ...]:
    """Return road (0 or 1), slot, pixel and its value, for every pixel that is shown."""
    ink = np.stack([pictures[shown(road)] for pictures in drive(road).values()])
    return (*np.indices(ink.shape, dtype=np.int8).reshape(3, -1), ink.ravel().astype(np.float32))


def pixels(road: Road) -> pd.DataFrame:
    """Return the pictures along both roads: `who`, `slot`, `station`, `row`, `column`, `ink`.

    `ink` is the pixel's value; what is beyond −1 … 1 is drawn as if it were ±1.
    """
    who, slot, pixel, ink = _ink(road)
    return pd.DataFrame(
        {
            "who": np.array(list(TOP))[who],
            "slot": slot,
            "station": shown(road)[slot],
            "row": pixel // 8,
            "column": pixel % 8,
            "ink": ink,
        }
    )


def visible(road: Road) -> dict[str, NDArray]:
    """Return what of the pixels is drawn, those whose ink is at least one of 256 shades.

    `x` and `y` say where, `hue` is the road or `negative`, `amount` is the ink without its sign.
    """
    everything = _ink(road)
    drawn = np.abs(everything[-1]) >= 1 / 256
    who, slot, pixel, ink = (column[drawn] for column in everything)
    top = np.array(list(TOP.values()), np.float32)[who]
    return {
        "x": slot * PITCH + pixel % 8 + np.float32(0.5),
        "y": top + pixel // 8 + np.float32(0.5),
        "hue": np.array([*TOP, "negative"])[np.where(ink < 0, 2, who)],
        "amount": np.minimum(np.abs(ink), 1),
    }


def stops(road: Road) -> Columns:
    """Return one row a picture: `who`, `slot`, `station`, `size` and `likeness` as they are read.

    `passed` says how many stations lie before it, `fault` what the middle one returns if it is
    among them and out of order.
    """
    at = shown(road)
    rows = []
    for who, pictures in drive(road).items():
        for slot, (before, stop) in enumerate(zip([0, *at[:-1]], at, strict=True)):
            broken = road.middle != "F(x)" and before < road.middle_station <= stop
            rows.append(
                {
                    "who": who,
                    "slot": slot,
                    "station": int(stop),
                    "size": numbers.text(size(pictures[0], pictures[stop]), 2),
                    "likeness": numbers.text(likeness(pictures[0], pictures[stop]), 2),
                    "passed": int(stop - before),
                    "fault": road.middle.replace("-", "−") if broken else "",
                }
            )
    return {name: [row[name] for row in rows] for name in rows[0]}
