"""Arrows in the plane: windows hold them, labels find room."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as draw

from core import plane

NUMBER = draw.floats(-50, 50).map(lambda value: round(value, 2))
POINTS = draw.lists(draw.tuples(NUMBER, NUMBER), max_size=6)


def drawn(*vectors: tuple[float, float]) -> list[plane.Arrow]:
    return [
        plane.arrow(f"v{i}", "branch", "(0.5, 0.5)", np.zeros(2), np.array(vector))
        for i, vector in enumerate(vectors)
    ]


@given(POINTS)
def test_a_window_holds_its_points_and_the_origin(points: list[tuple[float, float]]) -> None:
    where = plane.window(points)
    assert where.size in plane.SIZES
    for x, y in [*points, (0.0, 0.0)]:
        assert where.left <= x <= where.left + where.size
        assert where.bottom <= y <= where.bottom + where.size


@given(POINTS)
def test_a_window_is_one_of_a_small_set_and_not_wasteful(
    points: list[tuple[float, float]],
) -> None:
    where = plane.window(points)
    shares = [-where.left / where.size, -where.bottom / where.size]
    assert all(any(math.isclose(share, known) for known in plane.ORIGINS) for share in shares)
    reach = max(abs(coordinate) for point in [*points, (0.0, 0.0)] for coordinate in point)
    assert where.size <= max(plane.SIZES[0], 6 * reach)


@pytest.mark.parametrize(
    ("vector", "angle"), [((0, 1), 0), ((1, 0), 90), ((0, -1), 180), ((-1, 0), -90), ((1, 1), 45)]
)
def test_a_head_is_turned_clockwise_from_straight_up(
    vector: tuple[float, float], angle: float
) -> None:
    rows = plane.rows(drawn(vector), plane.window([vector]))
    assert rows["angle"][0] == pytest.approx(angle)


def test_a_vector_of_exactly_zero_is_a_ring() -> None:
    rows = plane.rows(drawn((0, 0), (1, 0)), plane.window([(1.0, 0.0)]))
    assert rows["zero"] == [True, False]


def test_an_arrow_ends_where_start_and_vector_lead() -> None:
    one = plane.arrow("v", "branch", "(3, −1)", np.array([1, 2]), np.array([3, -1]))
    assert (one.start, one.end, one.label) == ((1, 2), (4, 1), "v = (3, −1)")
    assert replace(one, labelled="name").label == "v"
    assert replace(one, labelled="not").label == ""


@given(draw.lists(draw.tuples(NUMBER, NUMBER), min_size=1, max_size=3))
def test_labels_do_not_cover_each_other(vectors: list[tuple[float, float]]) -> None:
    arrows = drawn(*vectors)
    where = plane.window(plane.ends(arrows))
    rows, pixel = plane.rows(arrows, where), where.size / 260
    places = zip(rows["lx"], rows["ly"], rows["side"], rows["label"], strict=True)
    boxes = [plane._place(x, y, side, len(text), pixel, 0).box for x, y, side, text in places]
    for i, one in enumerate(boxes):
        for other in boxes[:i]:
            apart = one[0] >= other[2] or other[0] >= one[2]
            assert apart or one[1] >= other[3] or other[1] >= one[3]


@pytest.mark.parametrize(
    ("vector", "box", "through"),
    [
        ((2, 2), (0.5, 0.5, 1, 1), True),
        ((2, 2), (0.5, 1.2, 1, 2), False),
        ((2, 0), (0.5, -1, 1, 1), True),
        ((0, 2), (0.5, -1, 1, 1), False),
        ((0.3, 0.3), (0.5, 0.5, 1, 1), False),
    ],
)
def test_crossing(vector: tuple[float, float], box: plane.Box, through: bool) -> None:
    assert plane.crosses(drawn(vector)[0], box) is through


def test_circles_are_closed_and_round() -> None:
    rows = plane.circles((1, 2), [3.0], ["L"])
    points = np.column_stack([rows["x"], rows["y"]])
    assert np.hypot(*(points - [1, 2]).T) == pytest.approx(3)
    assert points[0] == pytest.approx(points[-1])
    assert not any(plane.circles((0, 0), [], []).values())
