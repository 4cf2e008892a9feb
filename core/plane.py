"""Arrows in the plane: what to draw, which window holds it, and where the labels find room.

The window is one of a small set, so that the picture's axes stay put while a reader works. It goes
to the chart as data, beside the arrows, so that the chart's specification never changes. Its axes
have equal scales, which lets the head of an arrow be turned by an angle taken from the numbers.
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from core.columns import Columns, columns

SIZES = tuple(m * 10.0**e for e in range(-2, 25) for m in (1, 1.5, 2, 3, 4, 6, 8))
ORIGINS = (0.1, 0.3, 0.5, 0.7, 0.9)
"""Where the origin may stand in the window, along each axis, as a share of its side."""
_MARGIN = 0.04
_GOOD = 10
_PIXELS, _LETTER, _LINE, _GAP = 260, 7.2, 16, 9
"""The side of the window, a letter, a line of text and its distance from an arrow, in pixels."""
COLUMNS = ["name", "role", "value", "x", "y", "x2", "y2", "angle", "zero"]
COLUMNS += ["label", "lx", "ly", "side"]

Point = tuple[float, float]
Box = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class Arrow:
    """An arrow: its name, the role that gives it its colour, its value, and its two ends.

    `labelled` says whether name and value, the name alone, or nothing stands beside it.
    """

    name: str
    role: str
    value: str
    start: Point
    end: Point
    labelled: str = "fully"

    @property
    def label(self) -> str:
        """What stands beside it."""
        return {"fully": f"{self.name} = {self.value}", "name": self.name, "not": ""}[self.labelled]


@dataclass(frozen=True, slots=True)
class Window:
    """A square of the plane that contains the origin: its lower left corner and its side."""

    left: float
    bottom: float
    size: float

    @property
    def columns(self) -> Columns:
        """The window as the one row of a table."""
        return {"left": [self.left], "bottom": [self.bottom], "size": [self.size]}


def tables(
    arrows: Sequence[Arrow], where: Window | None = None, around: Columns | None = None
) -> dict[str, Columns]:
    """Return the tables of a plane that shows arrows: `rows`, `circles` and `window`."""
    where = where or window(ends(arrows))
    around = around or circles((0, 0), [], [])
    return {"rows": rows(arrows, where), "circles": around, "window": where.columns}


def arrow(
    name: str, role: str, value: str, start: Any, vector: Any, labelled: str = "fully"
) -> Arrow:
    """Return the arrow that leads from `start` along `vector`, both of two numbers."""
    x, y, x2, y2 = (float(number) for number in (*start, *(start + vector)))
    return Arrow(name, role, value, (x, y), (x2, y2), labelled)


def window(points: Iterable[Point]) -> Window:
    """Return the smallest window of the set that holds the points and the origin."""
    xs, ys = zip((0.0, 0.0), *points, strict=True)
    for size in SIZES:
        left, bottom = _corner(min(xs), max(xs), size), _corner(min(ys), max(ys), size)
        if left is not None and bottom is not None:
            return Window(left, bottom, size)
    return Window(-SIZES[-1] / 2, -SIZES[-1] / 2, SIZES[-1])


def _corner(low: float, high: float, size: float) -> float | None:
    margin = (_MARGIN - 1e-9) * size
    for origin in ORIGINS:
        start = -origin * size
        if start + margin <= low and high <= start + size - margin:
            return start
    return None


def ends(arrows: Iterable[Arrow]) -> list[Point]:
    """Return where the arrows start and end."""
    return [point for one in arrows for point in (one.start, one.end)]


def rows(arrows: Sequence[Arrow], where: Window) -> Columns:
    """Return one row an arrow: its ends, the angle of its head, its label and the label's place.

    `angle` is in degrees, clockwise from straight up. A vector that is exactly 0 has no direction:
    its row is marked `zero` and is drawn as a ring.
    """
    table, taken = [], []
    for one in arrows:
        place = _best_place(one, taken, arrows, where)
        if one.label:
            taken.append(place)
        dx, dy = one.end[0] - one.start[0], one.end[1] - one.start[1]
        angle, zero = math.degrees(math.atan2(dx, dy)), dx == dy == 0
        table.append(
            (
                *(one.name, one.role, one.value, *one.start, *one.end, angle, zero),
                *(one.label, *place.anchor, place.side),
            )
        )
    return columns(COLUMNS, table)


class _Place(NamedTuple):
    """Where a label could stand: its anchor, which side of the anchor, its box, how far-fetched."""

    anchor: Point
    side: str
    box: Box
    cost: float


def _best_place(
    one: Arrow, taken: Sequence[_Place], arrows: Sequence[Arrow], where: Window
) -> _Place:
    """Return the least crowded place; what stands farther away is tried where near is no good."""
    found: list[tuple[float, _Place]] = []
    for gap in (_GAP, _GAP + _LINE, _GAP + 2 * _LINE):
        found += [
            (gap / 3 + _crowding(place, taken, arrows, where), place)
            for place in _places(one, gap, where)
        ]
        if not one.label or min(found)[0] < _GOOD:
            break
    return min(found)[1]


def _places(one: Arrow, gap: float, where: Window) -> Iterator[_Place]:
    """Yield places beside the middle of an arrow, nearer its ends, and at its tip."""
    pixel = where.size / _PIXELS
    dx, dy = one.end[0] - one.start[0], one.end[1] - one.start[1]
    length = math.hypot(dx, dy)
    ux, uy = (dx / length, dy / length) if length else (0.0, 1.0)
    for rank, share in enumerate((0.5, 0.7, 0.3, 0.85, 1.0)):
        directions = [(uy, -ux), (-uy, ux)] + [(ux, uy), (-ux, -uy)] * (share == 1)
        for turn, (nx, ny) in enumerate(directions):
            x = one.start[0] + share * dx + nx * gap * pixel
            y = one.start[1] + share * dy + ny * gap * pixel
            yield _place(x, y, _side(nx, ny), len(one.label), pixel, rank + 0.5 * turn)


def _side(nx: float, ny: float) -> str:
    if abs(nx) > 0.4:
        return "right" if nx > 0 else "left"
    return "over" if ny > 0 else "under"


def _place(x: float, y: float, side: str, letters: int, pixel: float, cost: float) -> _Place:
    width, height = letters * _LETTER * pixel, _LINE * pixel
    left = x - {"right": 0.0, "left": width}.get(side, width / 2)
    bottom = y - {"over": 0.0, "under": height}.get(side, height / 2)
    return _Place((x, y), side, (left, bottom, left + width, bottom + height), cost)


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
    crossed = sum(crosses(one, place.box) for one in arrows)
    beyond = max(where.left - left, right - where.left - where.size, 0.0)
    beyond += max(where.bottom - bottom, top - where.bottom - where.size, 0.0)
    return 40 * covered + 12 * crossed + 100 * beyond / where.size + place.cost


def crosses(one: Arrow, box: Box) -> bool:
    """Return whether an arrow passes through a box (left, bottom, right, top)."""
    enter, leave = 0.0, 1.0
    for axis in (0, 1):
        start, step = one.start[axis], one.end[axis] - one.start[axis]
        low, high = box[axis] - start, box[axis + 2] - start
        if step == 0:
            if low > 0 or high < 0:
                return False
            continue
        first, last = sorted((low / step, high / step))
        enter, leave = max(enter, first), min(leave, last)
    return enter < leave


def circles(centre: Any, radii: Sequence[float], names: Sequence[str]) -> Columns:
    """Return circles as closed lines: `name`, `x`, `y`, `order`."""
    turn = np.linspace(0, 2 * np.pi, 73)
    cx, cy = (float(number) for number in centre)
    lines: Columns = {"name": [], "x": [], "y": [], "order": []}
    for radius, name in zip(radii, names, strict=True):
        lines["name"] += [name] * len(turn)
        lines["x"] += (cx + radius * np.cos(turn)).tolist()
        lines["y"] += (cy + radius * np.sin(turn)).tolist()
        lines["order"] += range(len(turn))
    return lines
