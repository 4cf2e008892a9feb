"""n equal blocks: the sum is the product (article 1, section 3.3), and autograd agrees."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as draw

from core import linear_stack
from core.limits import Refused
from core.linear_block import Setting
from core.linear_block import run as run_block
from tests.linear_settings import SETTINGS, SMALL, floats, length

COUNTS = draw.integers(1, 8)
SHEAR = Setting(w11=0.0, w12=1.0, w21=0.0, w22=0.0, t1=2.0, t2=3.0)


@given(SETTINGS, draw.integers(1, 20), draw.booleans())
def test_sum_and_product_are_the_same_function_exactly(
    setting: Setting, n: int, shortcut: bool
) -> None:
    stack = linear_stack.run(setting, n, shortcut)
    forward = stack.states[-1] - stack.product @ stack.states[0]
    assert not forward.any()
    assert not (stack.gradients[0] - stack.product.T @ stack.gradients[-1]).any()
    if shortcut:
        assert not any(part.any() for part in linear_stack.differences(stack))


def test_one_block_is_the_worked_example() -> None:
    stack, one = linear_stack.run(Setting(), 1), run_block(Setting())
    assert (stack.states[1] == one.y).all()
    assert (stack.gradients[0] == one.grad_x).all()


@given(SMALL, COUNTS)
def test_against_autograd(setting: Setting, n: int) -> None:
    from core.backend import torch

    x, weight, t, alpha = (torch.tensor(floats(part)) for part in setting.exactly())
    x.requires_grad_()
    y = x
    for _ in range(n):
        y = y + alpha * (weight @ y)
    (((y - t) ** 2).sum() / 2).backward()
    assert x.grad is not None
    ours = floats(linear_stack.run(setting, n).gradients[0])
    assert ours == pytest.approx(x.grad.numpy(), rel=1e-9, abs=1e-9)


@given(SETTINGS, COUNTS)
def test_the_arrows_lead_from_the_input_to_the_output(setting: Setting, n: int) -> None:
    stack = linear_stack.run(setting, n)
    start, end, *updates = linear_stack.arrows(stack)
    assert len(updates) == n
    assert [arrow.label for arrow in (start, end, *updates)] == ["x₀", "xₙ", "αWx₀"] + [""] * (
        n - 1
    )
    assert start.end == pytest.approx(updates[0].start)
    assert updates[-1].end == pytest.approx(end.end)


@given(SETTINGS, COUNTS)
def test_the_verdict_is_true(setting: Setting, n: int) -> None:
    stack = linear_stack.run(setting, n)
    first, last = length(stack.gradients[0]), length(stack.gradients[-1])
    assert {
        "at_target": last == 0,
        "wiped": first == 0 < last,
        "longer": first >= last > 0,
        "shorter": 0 < first <= last,
        "same": first == pytest.approx(last),
    }[linear_stack.verdict(stack)]


@pytest.mark.parametrize(
    ("setting", "n", "word"),
    [
        (Setting(), 4, "longer"),
        (Setting(w11=-0.5, w12=0.0, w21=0.0, w22=-0.5), 20, "shorter"),
        (Setting(w11=-1.0, w12=0.0, w21=0.0, w22=-1.0), 3, "wiped"),
        (Setting(w11=-0.4, w12=-0.8, w21=0.8, w22=-0.4), 20, "same"),
        (Setting(t1=1.5, t2=2.5), 1, "at_target"),
    ],
)
def test_each_case(setting: Setting, n: int, word: str) -> None:
    assert linear_stack.verdict(linear_stack.run(setting, n)) == word


def test_half_the_gradient_is_lost_in_every_block_although_there_is_a_shortcut() -> None:
    """Article 2, section 2.2, promises that it cannot: W = −½I leaves 0.5²⁰ = 9.54·10⁻⁷."""
    half = Setting(w11=-0.5, w12=0.0, w21=0.0, w22=-0.5)
    stack = linear_stack.run(half, 20)
    assert length(stack.gradients[0]) / length(stack.gradients[-1]) == pytest.approx(
        9.5367e-7, rel=1e-4
    )


def test_a_plain_shear_wipes_the_gradient_out_exactly_and_says_so() -> None:
    rows = linear_stack.by_block(SHEAR, 3)
    plain = rows.query("who == 'plain'")
    assert plain["zero"].tolist() == [True, True, False, False]
    assert np.isnan(plain["log10"].to_numpy()).tolist() == [True, True, False, False]
    residual = rows.query("who == 'residual'")
    assert residual["zero"].tolist() == [False] * 4
    assert residual["log10"].tolist()[-1] == 0


def test_lengths_do_not_overflow() -> None:
    big = Setting(w11=3.0, w12=3.0, w21=3.0, w22=3.0, alpha=2.0)
    assert np.isfinite(linear_stack.by_block(big, 20)["log10"]).all()
    assert "10" in linear_stack.written(linear_stack.run(big, 20))["after"]


def test_nothing_is_drawn_without_a_gradient() -> None:
    rows = linear_stack.by_block(Setting(t1=1.5, t2=2.5), 1)
    assert set(rows["who"]) == {"plain"}


@given(SETTINGS, COUNTS)
def test_table_and_formula(setting: Setting, n: int) -> None:
    stack = linear_stack.run(setting, n)
    assert len(linear_stack.table(stack)) == n + 1
    formula = linear_stack.stack_tex(stack)
    assert formula.count("{") == formula.count("}")
    assert linear_stack.written(stack)["forward"] == "(0, 0)"


@pytest.mark.parametrize("n", [0, 21])
def test_a_count_out_of_range_is_refused(n: int) -> None:
    with pytest.raises(Refused):
        linear_stack.run(Setting(), n)
