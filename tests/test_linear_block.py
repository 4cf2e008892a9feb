"""The linear block: article 1, section 4, number by number, and its listing of section 8."""

import math
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given

from core import exact
from core.limits import Refused
from core.linear_block import Setting, block, lengths, run
from tests.linear_settings import SETTINGS, floats, length

GOLDEN = [
    # part, value, where in article 1
    ("branch", [0.5, 0.5], "4.1"),
    ("y", [1.5, 2.5], "4.1"),
    ("loss", 1.25, "4.2"),
    ("grad_y", [0.5, 1.5], "4.2"),
    ("through_branch", [-0.1, 0.55], "4.3, the branch's share"),
    ("grad_x", [0.4, 2.05], "4.3"),
    ("grad_w", [[0.5, 1.0], [1.5, 3.0]], "not in the article: g xᵀ"),
]


@pytest.mark.parametrize(("part", "value", "where"), GOLDEN)
def test_the_article(part: str, value: object, where: str) -> None:
    assert floats(getattr(run(Setting()), part)).tolist() == value, where


def test_the_three_assertions_of_the_second_listing() -> None:
    """Article 1, section 8: held against our own block, in float32 as there."""
    parts = ([1, 2], [[0.1, 0.2], [-0.1, 0.3]], [1, 1], 1)
    ours = block(*(np.array(part, dtype=np.float32) for part in parts))
    assert np.allclose(ours.y, [1.5, 2.5])
    assert np.allclose(ours.grad_x, [0.4, 2.05])
    assert abs(ours.loss - 1.25) < 1e-6


@given(SETTINGS)
def test_the_two_paths_sum_to_the_gradient_exactly(setting: Setting) -> None:
    """∇ₓL = (I + αW)ᵀ∇ᵧL in fractions, worked out entry by entry."""
    p, (_, w, _, a) = run(setting), setting.exactly()
    g1, g2 = p.grad_y
    assert p.grad_x[0] == (1 + a * w[0, 0]) * g1 + a * w[1, 0] * g2
    assert p.grad_x[1] == a * w[0, 1] * g1 + (1 + a * w[1, 1]) * g2
    assert all(isinstance(value, Fraction) for value in p.grad_x)


@given(SETTINGS)
def test_floats_and_fractions_go_through_the_same_function(setting: Setting) -> None:
    x, weight, t, alpha = setting.exactly()
    rounded = block(floats(x), floats(weight), floats(t), float(alpha))
    for part in ("branch", "y", "loss", "grad_y", "through_branch", "grad_x", "grad_w"):
        assert getattr(rounded, part) == pytest.approx(
            floats(getattr(run(setting), part)), rel=1e-9, abs=1e-9
        )


@given(SETTINGS)
def test_lengths(setting: Setting) -> None:
    p = run(setting)
    for written, gradient in zip(lengths(p), (p.grad_y, p.grad_x), strict=True):
        number = written.replace(",", "")
        if "×" not in number:
            assert float(number) == pytest.approx(length(gradient), rel=6e-3)


@pytest.mark.parametrize(
    "change", [{"x1": 10.01}, {"w22": math.nan}, {"w11": 3.1}, {"t2": -11}, {"alpha": -math.inf}]
)
def test_what_is_out_of_range_is_refused(change: dict[str, float]) -> None:
    with pytest.raises(Refused):
        replace(Setting(), **change)


def test_a_number_between_the_grid_is_what_the_field_shows() -> None:
    x, *_ = Setting(x1=0.126).exactly()
    assert x[0] == exact.exact(0.13)
