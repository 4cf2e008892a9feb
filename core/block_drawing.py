"""The drawing of a block: one row a mark, in the same place for every placement.

The stream runs from left to right along the bottom of a lane; each sub-layer's branch leaves it,
passes over it and comes back to an addition. A normalisation on the stream cuts its line.
"""

from collections.abc import Iterator, Mapping, Sequence

from core.block_path import Sizes, path
from core.columns import Columns
from core.placements import Placement

RISE = 1.5
"""How far a branch stands above the stream."""
LANE = 3.7
GAP = 0.12
PERIOD = 7.5
SPANS = {"before": (1.2, 2.3), "branch": (2.65, 4.35), "behind": (4.7, 5.8), "trunk": (6.75, 7.85)}
FORK, JOIN, END, FINAL = 0.75, 6.2, 15.9, (16.6, 17.7)
WIDTH = (-0.4, 17.9)
BRANCH_NAMES = ("MHA", "FFN")

COLUMNS = ["kind", "lane", "x", "x2", "y", "y2", "label", "role", "state"]


def drawing(lanes: Sequence[Placement], step: int) -> Columns:
    """Return the marks of one drawing a lane, the first lane on top.

    `kind` is `line`, `box`, `inside` (a box's name), `final` (a box outside the block), `add`,
    `arrow`, `text` or `name`; `role` is `identity`,
    `branch`, `norm` or `quiet`; `state` is `done`, `now` or `ahead`, and `all` at step 0.
    """
    rows = []
    for lane, placement in enumerate(lanes):
        base = LANE * (len(lanes) - 1 - lane)
        for mark in _lane(placement, step):
            rows.append(mark | {"lane": lane, "y": mark["y"] + base, "y2": mark["y2"] + base})
    return {name: [mark[name] for mark in rows] for name in COLUMNS}


def stream_cuts(placement: Placement) -> list[tuple[float, float]]:
    """Return where the stream's line is cut within the block: from x to x, left to right."""
    if not placement.trunk:
        return []
    left, right = SPANS["trunk"]
    return [(left + shift, right + shift) for shift in (0, PERIOD)]


def _lane(placement: Placement, step: int) -> Iterator[dict]:
    cuts = ((left - GAP, right + GAP) for left, right in stream_cuts(placement))
    edges = [0.0, *(x for cut in cuts for x in cut), END]
    for left, right in zip(edges[::2], edges[1::2], strict=True):
        yield _mark("line", left, right, role="identity")
    for x, label in ((0.0, "X"), (PERIOD + FORK, "U"), (END, "Y")):
        yield _mark("text", x, y=-0.6, label=label, role="identity")
    yield _mark("name", WIDTH[0], y=RISE + 0.75, label=placement.name, role="quiet")
    if placement.final:
        yield _mark("line", END, FINAL[0], role="quiet", state="ahead")
        yield from _box("final", FINAL, 0.0, "LN", "norm", "all")
    states = _states(placement, step)
    for sublayer in (0, 1):
        yield from _sublayer(placement, sublayer, states)


def _sublayer(
    placement: Placement, sublayer: int, states: Mapping[tuple[int, str], str]
) -> Iterator[dict]:
    shift = sublayer * PERIOD
    boxes = {
        part: (SPANS[part][0] + shift, SPANS[part][1] + shift, states[sublayer, part])
        for part in SPANS
        if (sublayer, part) in states
    }
    at = FORK + shift
    for number, part in enumerate(part for part in boxes if part != "trunk"):
        left, right, state = boxes[part]
        if number == 0:
            yield _mark("line", at, y2=RISE, role="branch", state=state)
        yield _mark("line", at, left, RISE, role="branch", state=state)
        named = ("branch", BRANCH_NAMES[sublayer]) if part == "branch" else ("norm", "LN")
        yield from _box("box", (left, right), RISE, named[1], named[0], state)
        at = right
    join, state = JOIN + shift, states[sublayer, "add"]
    yield _mark("line", at, join, RISE, role="branch", state=state)
    yield _mark("line", join, y=0.3, y2=RISE, role="branch", state=state)
    yield _mark("arrow", join, y=0.55, role="branch", state=state)
    yield _mark("add", join, role="identity", state=state)
    if placement.scaled:
        yield _mark("text", SPANS["branch"][1] + shift, y=0.4, label="× α", role="norm")
    if placement.trunk:
        left, right, state = boxes["trunk"]
        yield from _box("box", (left, right), 0.0, "LN", "norm", state)


def _box(
    kind: str, span: tuple[float, float], y: float, label: str, role: str, state: str
) -> Iterator[dict]:
    yield _mark(kind, *span, y - 0.42, y + 0.42, role=role, state=state)
    yield _mark("inside", sum(span) / 2, y=y, label=label, role=role, state=state)


def _states(placement: Placement, step: int) -> dict[tuple[int, str], str]:
    """Return the state of each (sub-layer, part) when `step` operations have been done."""
    steps = path(placement, Sizes())
    states: dict[tuple[int, str], str] = {}
    for number, operation in enumerate(steps, start=1):
        key = (operation.sublayer, operation.part)
        if step == 0:
            states[key] = "all"
        elif number == min(step, len(steps)):
            states[key] = "now"
        elif states.get(key) != "now":
            states[key] = "done" if number < step else "ahead"
    return states


def _mark(
    kind: str,
    x: float,
    x2: float | None = None,
    y: float = 0.0,
    y2: float | None = None,
    **more: str,
) -> dict:
    ends = {"x": x, "x2": x if x2 is None else x2, "y": y, "y2": y if y2 is None else y2}
    return {"kind": kind, "label": "", "state": "all"} | ends | more
