"""Branch shapes: linear stacks are one matrix, rectified ones only add, no function is lost."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as draw

from core import branch_shapes as core
from core.limits import Refused

STACKS = draw.builds(core.Stack, draw.integers(1, 30), draw.integers(0, 99))
INPUTS = np.random.default_rng(1).normal(size=(core.SIZE, 40))


@given(STACKS)
def test_a_stack_of_linear_blocks_is_one_matrix(stack: core.Stack) -> None:
    """He et al. 2015, section 3.2; article 2, 4.1 gives another reason."""
    layers = core.weights(stack)
    matrix = np.linalg.multi_dot(
        [np.eye(3), *[np.eye(3) + first[:3] for first, _ in reversed(layers)]]
    )
    assert core.one_matrix(layers) == pytest.approx(matrix)
    assert core.run("linear", layers, INPUTS) == pytest.approx(matrix @ INPUTS)
    assert core.facts(stack).matrix_error < 1e-12


@given(STACKS)
def test_a_rectified_stack_can_only_add(stack: core.Stack) -> None:
    assert (core.run("rectified", core.weights(stack), INPUTS) >= INPUTS).all()
    assert core.facts(stack).least["rectified"] >= 0


@given(STACKS)
def test_a_full_branch_is_not_linear(stack: core.Stack) -> None:
    layers = core.weights(stack)
    halves = core.run("full", layers, INPUTS) + core.run("full", layers, -INPUTS)
    assert np.abs(halves).max() > 1e-3


@given(STACKS)
def test_the_sentence_on_signs_is_true(stack: core.Stack) -> None:
    found = core.facts(stack)
    least, most = found.least["full"], found.most["full"]
    assert {"both": least < 0 < most, "up": least >= 0, "down": most <= 0 > least}[found.full]


@given(STACKS, draw.integers(0, 29))
def test_a_shortcut_loses_no_function(stack: core.Stack, number: int) -> None:
    """Article 2, 5.1 says dense shortcuts lower the capacity."""
    first, last = core.weights(stack)[number % stack.blocks]
    wide_first, wide_last = core.with_shortcut(first, last)
    plain = last @ np.maximum(first @ INPUTS, 0)
    residual = INPUTS + wide_last @ np.maximum(wide_first @ INPUTS, 0)
    assert residual == pytest.approx(plain, abs=1e-12)
    assert wide_first.shape == (core.HIDDEN + 2 * core.SIZE, core.SIZE)


def test_the_rows_are_the_update_along_the_line() -> None:
    stack = core.Stack(4, 2)
    rows = core.by_position(stack)
    assert len(rows) == 3 * core.SIZE * core.POINTS
    t, x = core.line()
    want = core.run("full", core.weights(stack), x) - x
    got = rows.query("shape == 'full' and component == 2")
    assert got["update"].to_numpy() == pytest.approx(want[1])
    assert got["t"].to_numpy() == pytest.approx(t)


@pytest.mark.parametrize("stack", [core.Stack(), core.Stack(1, 5), core.Stack(30, 9)], ids=str)
def test_the_snippet_prints_the_numbers_of_the_page(stack: core.Stack) -> None:
    scope: dict = {}
    exec(core.snippet(stack), scope)
    found = core.facts(stack)
    assert scope["matrix_error"].item() < 1e-12
    assert scope["least"].item() == pytest.approx(found.least["rectified"], abs=1e-12)


@pytest.mark.parametrize("values", [(0,), (31,), (3, 100)])
def test_what_is_out_of_range_is_refused(values: tuple) -> None:
    with pytest.raises(Refused):
        core.Stack(*values)
