"""Whose gradient a weight needs: article 2, section 2.1, corrected, against autograd."""

import pytest
from hypothesis import given
from hypothesis import strategies as draw

from core import weight_gradient
from core.limits import Refused
from core.linear_block import Setting
from tests.linear_settings import SETTINGS, floats, length

SCALES = draw.integers(0, 20).map(lambda n: n / 20)


def test_the_gradient_at_the_input_is_not_needed() -> None:
    """W₁ = 0: ∂L/∂x = 0 and ∂L/∂W₁ = [[−1, −2], [−1, −2]]; article 2, section 2.1, errs."""
    gradients = weight_gradient.layer(Setting(), 0.0, shortcut=False)
    assert floats(gradients.input).tolist() == [0, 0]
    assert floats(gradients.weight).tolist() == [[-1, -2], [-1, -2]]
    assert weight_gradient.verdict(gradients) == "input_dead"


def test_nor_is_it_enough() -> None:
    gradients = weight_gradient.layer(Setting(x1=0.0, x2=0.0), 1.0, shortcut=False)
    assert floats(gradients.weight).tolist() == [[0, 0], [0, 0]]
    assert floats(gradients.input).any()
    assert weight_gradient.verdict(gradients) == "weight_dead"


@given(SETTINGS, SCALES, draw.booleans())
def test_against_autograd(setting: Setting, s: float, shortcut: bool) -> None:
    from core.backend import torch

    x, weight, t, _ = (torch.tensor(floats(part)) for part in setting.exactly())
    x.requires_grad_()
    first = (s * weight).requires_grad_()
    h = first @ x
    h.retain_grad()
    y = x + h if shortcut else h
    (((y - t) ** 2).sum() / 2).backward()
    gradients = weight_gradient.layer(setting, s, shortcut)
    for ours, theirs in (
        (gradients.output, h.grad),
        (gradients.weight, first.grad),
        (gradients.input, x.grad),
    ):
        assert theirs is not None
        assert floats(ours) == pytest.approx(theirs.numpy(), rel=1e-9, abs=1e-9)


@given(SETTINGS, SCALES, draw.booleans())
def test_the_verdict_is_true(setting: Setting, s: float, shortcut: bool) -> None:
    gradients = weight_gradient.layer(setting, s, shortcut)
    sizes = [length(part) for part in (gradients.output, gradients.weight, gradients.input)]
    alive = [size > 0 for size in sizes]
    expected = {
        "at_target": [False, False, False],
        "input_dead": [True, True, False],
        "weight_dead": [True, False, True],
        "both_dead": [True, False, False],
        "alive": [True, True, True],
    }
    assert alive == expected[weight_gradient.verdict(gradients)]


@given(SETTINGS, draw.booleans())
def test_weights_are_dead_only_where_the_layer_sees_nothing(
    setting: Setting, shortcut: bool
) -> None:
    gradients = weight_gradient.layer(setting, 0.5, shortcut)
    if weight_gradient.verdict(gradients) in ("weight_dead", "both_dead"):
        assert (setting.x1, setting.x2) == (0, 0)


def test_the_chart_marks_the_readers_own_scale() -> None:
    rows = weight_gradient.by_scale(Setting(), 0.35, shortcut=False)
    assert set(rows[rows["here"]]["s"]) == {0.35}
    at_zero = rows[(rows["s"] == 0) & (rows["quantity"] == "input")]
    assert at_zero["length"].tolist() == [0]


@given(SETTINGS, SCALES, draw.booleans())
def test_the_formula_is_well_formed(setting: Setting, s: float, shortcut: bool) -> None:
    formula = weight_gradient.layer_tex(setting, s, shortcut)
    assert formula.count("{") == formula.count("}")


@pytest.mark.parametrize("s", [-0.1, 1.1, float("nan")])
def test_a_scale_out_of_range_is_refused(s: float) -> None:
    with pytest.raises(Refused):
        weight_gradient.layer(Setting(), s, shortcut=False)
