"""The drawing of a block: one box moved, the stream whole or cut."""

import pandas as pd
import pytest

from core.block_drawing import END, WIDTH, drawing, stream_cuts
from core.block_path import Sizes, path
from core.placements import PLACEMENTS, Placement

OPERATIONS = ("box", "add")


def marks(lanes: list[Placement], step: int) -> list[dict]:
    return pd.DataFrame(drawing(lanes, step)).to_dict("records")


def lane(name: str, step: int = 0) -> list[dict]:
    return marks([PLACEMENTS[name]], step)


def stream(name: str) -> list[tuple]:
    lines = [mark for mark in lane(name) if mark["kind"] == "line" and mark["role"] == "identity"]
    return [(mark["x"], mark["x2"], mark["y"], mark["y2"]) for mark in lines]


def test_the_stream_is_one_line_in_pre_ln_and_cut_twice_in_post_ln() -> None:
    assert stream("Pre-LN") == [(0, END, 0, 0)]
    pieces = stream("Post-LN")
    assert len(pieces) == 3
    for left, right in stream_cuts(PLACEMENTS["Post-LN"]):
        assert not any(x < right and x2 > left for x, x2, _, _ in pieces)


def test_only_the_norm_boxes_differ() -> None:
    places = {}
    for name in ("Pre-LN", "Post-LN"):
        placed = [mark for mark in lane(name) if mark["kind"] in OPERATIONS]
        assert sum(mark["role"] == "norm" for mark in placed) == 2
        places[name] = [
            (mark["kind"], mark["x"], mark["x2"], mark["y"], mark["y2"])
            for mark in placed
            if mark["role"] != "norm"
        ]
    assert places["Pre-LN"] == places["Post-LN"]


@pytest.mark.parametrize("name", PLACEMENTS)
def test_each_step_lights_one_mark(name: str) -> None:
    steps = path(PLACEMENTS[name], Sizes())
    assert {mark["state"] for mark in lane(name)} <= {"all", "ahead"}
    for number, step in enumerate(steps, start=1):
        placed = lane(name, number)
        (lit,) = [m for m in placed if m["kind"] in OPERATIONS and m["state"] == "now"]
        assert step.sublayer == int(lit["x"] + lit["x2"] > END), number
        assert (lit["kind"] == "add") == (step.op == "add")
    beyond = lane(name, len(steps) + 1)
    assert {mark["state"] for mark in beyond if mark["kind"] == "box"} <= {"now", "done"}


def test_two_lanes_do_not_touch_and_stay_inside() -> None:
    both = marks([PLACEMENTS["DeepNorm"], PLACEMENTS["Peri-LN"]], 3)
    heights = {
        lane: [m[y] for m in both if m["lane"] == lane for y in ("y", "y2")] for lane in (0, 1)
    }
    assert max(heights[1]) < min(heights[0])
    assert all(WIDTH[0] <= mark["x"] <= mark["x2"] <= WIDTH[1] for mark in both)
