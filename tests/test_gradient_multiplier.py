"""Gradient multiplier: the articles' numbers, exact arithmetic as the oracle, the charts."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as draw

from core import gradient_multiplier as core
from core.charts import gradient_multiplier as charts
from core.limits import Refused
from core.words import LANGUAGES, Words

GOLDEN = [
    # a, n, plain, residual, where
    (0.5, 20, 9.5367e-7, 3325.26, "article 1, 3.1; the residual figure is not in the article"),
    (0.01, 1, 0.01, 1.01, "article 1, 3.2"),
    (-0.5, 20, 9.5367e-7, 9.5367e-7, "the crossing; article 2, 2.2 says the residual one is safe"),
    (-0.9, 20, 0.12158, 1e-20, "article 2, 2.3 says adding I gives a floor: it does not"),
    (0.9, 20, 0.12158, 375_899.7, "the residual chain explodes"),
]


@pytest.mark.parametrize(("a", "n", "plain", "residual", "where"), GOLDEN)
def test_golden(a: float, n: int, plain: float, residual: float, where: str) -> None:
    assert 10 ** core.log10_plain(a, n) == pytest.approx(plain, rel=1e-4), where
    assert 10 ** core.log10_residual(a, n) == pytest.approx(residual, rel=1e-4), where


def test_minus_one_wipes_the_residual_gradient_out_exactly() -> None:
    """Article 1, section 3.3."""
    assert core.log10_residual(-1, 1) == -math.inf
    assert core.log10_plain(-1, 1) == 0


@given(draw.integers(-300, 300), draw.integers(1, 1000))
def test_logarithms_agree_with_exact_fractions(hundredths: int, n: int) -> None:
    for log10, base in (
        (core.log10_plain, Fraction(hundredths, 100)),
        (core.log10_residual, 1 + Fraction(hundredths, 100)),
    ):
        got = log10(hundredths / 100, n)
        if base == 0:
            assert got == -math.inf
        else:
            power = abs(base) ** n
            exact = math.log10(power.numerator) - math.log10(power.denominator)
            assert got == pytest.approx(exact, rel=1e-9, abs=1e-9)


def test_by_depth_marks_an_exact_zero_and_draws_no_infinity() -> None:
    rows = core.by_depth(core.Chain(-1.0, 20))
    residual = rows[rows["who"] == "residual"]
    assert residual["zero"].tolist() == [False] + [True] * 20
    assert not np.isinf(rows["log10"].to_numpy()).any()


@pytest.mark.parametrize(("a", "n"), [(3.01, 1), (math.nan, 1), (-math.inf, 1), (0, 0), (0, 1001)])
def test_what_is_out_of_range_is_refused(a: float, n: int) -> None:
    with pytest.raises(Refused):
        core.Chain(a, n)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_chart(lang: str) -> None:
    spec = charts.by_depth(Words("gradient_multiplier", lang)).to_dict()
    assert {layer.get("data", {}).get("name") for layer in spec["layer"]} >= {"rows"}
