"""Arrows in the plane: what to draw, which window holds it, and where the labels find room.

The window is one of a small set, so that the picture's axes stay put while a reader works. Its axes
have equal scales, which lets the head of an arrow be turned by an angle taken from the numbers.
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pandas as pd

SIZES = tuple(m * 10.0**e for e in range(-2, 9) for m in (1, 1.5, 2, 3, 4, 6, 8))
ORIGINS = (0.1, 0.5, 0.9)
"""Where the origin may stand in the window, along each axis, as a share of its side."""
_MARGIN = 0.06
_PIXELS, _LETTER, _LINE, _GAP = 260, 7.2, 16, 9
"""The side of the window, a letter, a line of text and its distance from an arrow, in pixels."""
COLUMNS = ["name", "role", "x", "y", "x2", "y2", "angle", "zero", "label", "lx", "ly", "side"]


@dataclass(frozen=True, slots=True)
class Arrow:
    """An arrow: its name, the role that gives it its colour, its value, and its two ends."""

    name: str
    role: str
    value: str
    start: tuple[float, float]
    end: tuple[float, float]

    @property
    def label(self) -> str:
        """What stands beside it."""
        return f"{self.name} = {self.value}"


@dataclass(frozen=True, slots=True)
class Window:
    """A square of the plane that contains the origin: its lower left corner and its side."""

    left: float
    bottom: float
    size: float


def arrow(name: str, role: str, value: str, start: np.ndarray, vector: np.ndarray) -> Arrow:
    """Return the arrow that leads from `start` along `vector`."""
    x, y, x2, y2 = (float(number) for number in (*start, *(start + vector)))
    return Arrow(name, role, value, (x, y), (x2, y2))


def window(arrows: Iterable[Arrow]) -> Window:
    """Return the smallest window of the set that holds the arrows and the origin."""
    points = np.array([(0.0, 0.0)] + [p for arrow in arrows for p in (arrow.start, arrow.end)])
    low, high = points.min(axis=0), points.max(axis=0)
    for size in SIZES:
        left, bottom = (_corner(a, b, size) for a, b in zip(low, high, strict=True))
        if left is not None and bottom is not None:
            return Window(left, bottom, size)
    return Window(-SIZES[-1] / 2, -SIZES[-1] / 2, SIZES[-1])


def _corner(low: float, high: float, size: float) -> float | None:
    margin = (_MARGIN - 1e-9) * size
    for origin in ORIGINS:
        start = -origin * size
        if start + margin <= min(low, 0) and high <= start + size - margin:
            return start
    return None


def rows(arrows: Sequence[Arrow], where: Window) -> pd.DataFrame:
    """Return one row an arrow: its ends, the angle of its head, its label and the label's place.

    `angle` is in degrees, clockwise from straight up. A vector that is exactly 0 has no direction:
    its row is marked `zero` and is drawn as a ring.
    """
    table, taken = [], []
    for one in arrows:
        place = min(_places(one, where), key=lambda place: _crowding(place, taken, arrows, where))
        taken.append(place)
        dx, dy = np.subtract(one.end, one.start)
        angle, zero = math.degrees(math.atan2(dx, dy)), dx == dy == 0
        lx, ly = place.anchor
        table.append(
            (one.name, one.role, *one.start, *one.end, angle, zero, one.label, lx, ly, place.side)
        )
    return pd.DataFrame(table, columns=COLUMNS)


class _Place(NamedTuple):
    """Where a label could stand: its anchor, which side of the anchor, its box, how far-fetched."""

    anchor: tuple[float, float]
    side: str
    box: tuple[float, float, float, float]
    cost: float


def _places(one: Arrow, where: Window) -> Iterator[_Place]:
    """Yield places beside the middle, nearer the ends, and at the tip, on both sides."""
    pixel = where.size / _PIXELS
    start, vector = np.array(one.start), np.subtract(one.end, one.start)
    length = float(np.hypot(*vector))
    along = vector / length if length else np.array([0.0, 1.0])
    across = np.array([along[1], -along[0]])
    for rank, share in enumerate((0.5, 0.7, 0.3, 0.85, 1.0)):
        for turn, direction in enumerate((across, -across, along)):
            if direction is along and share < 1:
                continue
            anchor = start + share * vector + direction * _GAP * pixel
            yield _place(anchor, _side(direction), len(one.label), pixel, rank + 0.5 * turn)


def _side(direction: np.ndarray) -> str:
    if abs(direction[0]) > 0.4:
        return "right" if direction[0] > 0 else "left"
    return "over" if direction[1] > 0 else "under"


def _place(anchor: np.ndarray, side: str, letters: int, pixel: float, cost: float) -> _Place:
    width, height = letters * _LETTER * pixel, _LINE * pixel
    x = anchor[0] - {"right": 0.0, "left": width}.get(side, width / 2)
    y = anchor[1] - {"over": 0.0, "under": height}.get(side, height / 2)
    return _Place((float(anchor[0]), float(anchor[1])), side, (x, y, x + width, y + height), cost)


def _crowding(
    place: _Place, taken: Sequence[_Place], arrows: Sequence[Arrow], where: Window
) -> float:
    """How bad a place is: covered labels, crossed arrows, letters outside, then distance."""
    left, bottom, right, top = place.box
    covered = sum(
        left < other.box[2]
        and other.box[0] < right
        and bottom < other.box[3]
        and other.box[1] < top
        for other in taken
    )
    share = np.linspace(0, 1, 25)[:, None]
    crossed = 0
    for one in arrows:
        points = np.array(one.start) + share * np.subtract(one.end, one.start)
        inside = (points > (left, bottom)) & (points < (right, top))
        crossed += bool(inside.all(axis=1).any())
    beyond = max(where.left - left, right - where.left - where.size, 0.0)
    beyond += max(where.bottom - bottom, top - where.bottom - where.size, 0.0)
    return 20 * covered + 8 * crossed + 100 * beyond / where.size + place.cost


def circles(centre: np.ndarray, radii: Sequence[float], names: Sequence[str]) -> pd.DataFrame:
    """Return circles as closed lines: `name`, `x`, `y`, `order`."""
    turn = np.linspace(0, 2 * np.pi, 73)
    cx, cy = (float(number) for number in centre)
    tables = [pd.DataFrame({"name": [], "x": [], "y": [], "order": []})] + [
        pd.DataFrame(
            {
                "name": name,
                "x": cx + radius * np.cos(turn),
                "y": cy + radius * np.sin(turn),
                "order": np.arange(len(turn)),
            }
        )
        for radius, name in zip(radii, names, strict=True)
    ]
    return pd.concat(tables[1:] or tables, ignore_index=True)
