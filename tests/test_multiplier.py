"""The gradient multiplier: the articles' numbers, with exact arithmetic as the oracle."""

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as draw

from core import multiplier as core
from core.limits import Refused

GOLDEN = [
    # a, n, plain, residual, where
    (0.5, 20, 9.5367e-7, 3325.26, "article 1, 3.1; the residual figure is not in the article"),
    (0.01, 1, 0.01, 1.01, "article 1, 3.2"),
    (0.0, 20, 0.0, 1.0, "article 1, 3.2: the branch near 0 leaves a derivative near 1"),
    (-1.0, 20, 1.0, 0.0, "article 1, 3.3 and 3.4: exactly 0; article 2, 2.2 says never below 1"),
    (-0.5, 20, 9.5367e-7, 9.5367e-7, "the crossing; article 2, 2.2 says the residual one is safe"),
    (-0.5, 50, 8.8818e-16, 8.8818e-16, "article 2, 2.2 says at least undiminished: it is not"),
    (-0.9, 20, 0.12158, 1e-20, "article 2, 2.3 says adding I gives a floor: it does not"),
    (-1.5, 20, 3325.26, 9.5367e-7, "the mirror of the article's default"),
    (0.9, 20, 0.12158, 375_899.7, "the residual chain explodes"),
    (0.99, 50, 0.60501, 8.7630e14, "article 2, 1.3 says astronomically small: it is 0.605"),
    (0.9, 50, 0.0051538, 8.6632e13, "article 2, 1.3"),
    (0.25, 20, 9.0949e-13, 86.736, "the sigmoid's ceiling of article 2, 2.1"),
    (0.25, 50, 7.8886e-31, 70_064.9, "the sigmoid's ceiling of article 2, 2.1"),
    (-2.0, 20, 1_048_576, 1.0, "the mirror window of the residual chain"),
    (-3.0, 20, 3.4868e9, 1_048_576, "both explode"),
]
hundredths = draw.integers(-300, 300)
depths = draw.integers(1, 1000)


@pytest.mark.parametrize(("a", "n", "plain", "residual", "where"), GOLDEN)
def test_golden(a: float, n: int, plain: float, residual: float, where: str) -> None:
    assert 10 ** core.log10_plain(a, n) == pytest.approx(plain, rel=1e-4), where
    assert 10 ** core.log10_residual(a, n) == pytest.approx(residual, rel=1e-4), where


def test_minus_one_wipes_the_residual_gradient_out_exactly() -> None:
    """Article 1, section 3.3."""
    assert core.log10_residual(-1, 1) == -math.inf
    assert core.log10_plain(-1, 1) == 0


@given(hundredths, depths)
def test_logarithms_agree_with_exact_fractions(a: int, n: int) -> None:
    for log10, base in (
        (core.log10_plain, Fraction(a, 100)),
        (core.log10_residual, 1 + Fraction(a, 100)),
    ):
        got = log10(a / 100, n)
        if base == 0:
            assert got == -math.inf
        else:
            power = abs(base) ** n
            exact = math.log10(power.numerator) - math.log10(power.denominator)
            assert got == pytest.approx(exact, rel=1e-9, abs=1e-9)


@given(hundredths, depths)
def test_zone_and_order_agree_with_exact_fractions(a: int, n: int) -> None:
    multipliers = abs(Fraction(a, 100)) ** n, abs(1 + Fraction(a, 100)) ** n
    for value, log10 in zip(multipliers, core.LOG10.values(), strict=True):
        if value == 0:
            name = "zero"
        elif value < Fraction(1, 10):
            name = "vanishes"
        else:
            name = "explodes" if value > 10 else "tame"
        assert core.zone(log10(a / 100, n)) == name
    plain, residual = multipliers
    relation = (residual > plain) - (residual < plain)
    assert core.order(a / 100) == {-1: "smaller", 0: "equal", 1: "larger"}[relation]


def test_a_tenth_exactly_is_still_within_a_factor_of_ten() -> None:
    assert core.zone(core.log10_residual(-0.9, 1)) == "tame"


@pytest.mark.parametrize(("a", "n"), [(3.01, 1), (math.nan, 1), (-math.inf, 1), (0, 0), (0, 1001)])
def test_what_is_out_of_range_is_refused(a: float, n: int) -> None:
    with pytest.raises(Refused):
        core.Chain(a, n)
