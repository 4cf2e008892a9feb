"""A stack is a sum: bit for bit, as fractions, and against torch."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as draw

from core import residual_sum as core
from core.limits import Refused

TENTHS = draw.integers(-100, 100).map(lambda k: k / 10)


@draw.composite
def stacks(choose: draw.DrawFn) -> core.Stack:
    x = choose(draw.tuples(*[TENTHS] * choose(draw.integers(2, 8))))
    blocks = choose(draw.integers(1, 24))
    gain = choose(draw.integers(1, 20)) / 10
    return core.Stack(
        x, blocks, gain, choose(draw.integers(0, 99)), choose(draw.integers(0, blocks))
    )


@given(stacks())
def test_the_terms_add_up_bit_for_bit(stack: core.Stack) -> None:
    """Article 1, section 3.3."""
    updates, x = core.run(stack)
    assert np.array_equal(core.levels(stack)[-1], x)
    for at, start in enumerate(stack.x):
        exact = Fraction(start) + sum(map(Fraction, updates[:, at].tolist()))
        assert float(exact) == pytest.approx(x[at], abs=1e-12)


@given(stacks())
def test_bars_follow_one_another(stack: core.Stack) -> None:
    bars = core.bars(stack, 1)
    starts, ends = bars["start"].tolist(), bars["end"].tolist()
    assert (starts[0], ends[0]) == (0, stack.x[0])
    assert starts[1:-1] == ends[:-2]
    assert (starts[-1], ends[-1]) == (0, ends[-2])
    found = core.facts(stack, 1)
    assert found.end == ends[-1]
    assert found.start + found.added == pytest.approx(found.end)
    assert found.error == 0


@given(stacks())
def test_taking_a_branch_out_changes_it_and_what_comes_after_only(stack: core.Stack) -> None:
    whole, _ = core.run(replace(stack, off=0))
    updates, _ = core.run(stack)
    before = max(stack.off - 1, 0)
    assert np.array_equal(updates[:before], whole[:before])
    if stack.off:
        assert not updates[stack.off - 1].any()
        found = core.facts(stack, 1)
        assert found.taken == whole[stack.off - 1, 0]
        at_work = "last" if stack.off == stack.blocks else "earlier"
        assert found.out == (at_work if whole[before].any() else "idle")
        if found.out == "last":
            assert found.change == pytest.approx(-found.taken, abs=1e-9)
    else:
        assert core.facts(stack, 1).out == "nothing"


def test_a_branch_of_tanh_adds_nothing_to_nothing() -> None:
    found = core.facts(core.Stack((0.0, 0.0), off=3), 1)
    assert (found.out, found.taken, found.change) == ("idle", 0, 0)


def test_the_terms_are_not_independent() -> None:
    found = core.facts(core.Stack((2.0, 5.0, 3.0), off=3), 1)
    assert abs(found.change + found.taken) > 0.1


@given(stacks())
def test_lengths(stack: core.Stack) -> None:
    found = core.facts(stack, 2)
    assert found.first_length == pytest.approx(float(np.sqrt(np.square(stack.x).sum())))
    assert found.last_length == pytest.approx(float(np.linalg.norm(core.run(stack)[1])))


@pytest.mark.parametrize("off", [0, 3])
@pytest.mark.parametrize("blocks", [4, 24])
def test_the_snippet_prints_the_numbers_of_the_page(blocks: int, off: int) -> None:
    stack, scope = core.Stack((2.0, 5.0, 3.0), blocks, 0.7, 5, off), {}
    exec(core.snippet(stack), scope)
    assert scope["x"].tolist() == pytest.approx(core.run(stack)[1].tolist(), abs=1e-12)


@pytest.mark.parametrize("values", [(0,), (25,), (8, 0.0), (8, 2.1), (8, 0.5, -1), (8, 0.5, 0, 9)])
def test_what_is_out_of_range_is_refused(values: tuple) -> None:
    with pytest.raises(Refused):
        core.Stack((1.0, 2.0), *values)
