"""Numbers as they are read: to the digit promised, and never 0 for what is not 0."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as draw

from core import numbers

GOLDEN = [
    # value, text, TeX
    (0.5**20, "9.54×10⁻⁷", r"9.54\times10^{-7}"),
    (1.5**20, "3,325", "3{,}325"),
    (0.605006, "0.605", "0.605"),
    (-0.1, "−0.1", "-0.1"),
    (0.0, "0", "0"),
    (-0.0, "0", "0"),
    (1e6, "1.00×10⁶", r"1.00\times10^{6}"),
    (999_999.9, "1,000,000", "1{,}000{,}000"),
    (0.001, "0.001", "0.001"),
    (0.0009999, "1.00×10⁻³", r"1.00\times10^{-3}"),
    (0.9996, "1", "1"),
    (99.96, "100", "100"),
    (5e-324, "4.94×10⁻³²⁴", r"4.94\times10^{-324}"),
    (math.inf, "∞", r"\infty"),
    (-math.inf, "−∞", r"-\infty"),
    (math.nan, "NaN", r"\text{NaN}"),
    (7, "7", "7"),
]


@pytest.mark.parametrize(("value", "text", "tex"), GOLDEN)
def test_golden(value: float, text: str, tex: str) -> None:
    assert numbers.text(value) == text
    assert numbers.tex(value) == tex


def test_more_digits() -> None:
    assert numbers.text(3325.25673, 6) == "3,325.26"
    assert numbers.text(0.1 + 0.2, 6) == "0.3"


def parsed(text: str) -> float:
    """Read a number back from how it is written."""
    raised = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹−", "-0123456789-")
    return float(text.translate(raised).replace(",", "").replace("×10", "e"))


@given(draw.floats(-1e308, 1e308), draw.integers(2, 8))
def test_what_is_written_is_the_number_to_its_digits(value: float, digits: int) -> None:
    written = numbers.text(value, digits)
    assert parsed(written) == pytest.approx(value, rel=0.5000001 * 10 ** (1 - digits))
    assert (parsed(written) == 0) == (value == 0)


@given(draw.floats(min_value=1e-300, max_value=1e300))
def test_a_logarithm_is_written_as_its_number(value: float) -> None:
    written = numbers.text_log10(math.log10(value))
    assert parsed(written) == pytest.approx(value, rel=5.1e-3)
    assert numbers.tex_log10(math.log10(value)).count("times") == written.count("×")


@pytest.mark.parametrize(
    ("exponent", "text", "tex"),
    [
        (-1000, "1.00×10⁻¹⁰⁰⁰", r"1.00\times10^{-1000}"),
        (1000 * math.log10(4), "1.15×10⁶⁰²", r"1.15\times10^{602}"),
        (-math.inf, "0", "0"),
        (math.inf, "∞", r"\infty"),
        (math.nan, "NaN", r"\text{NaN}"),
        (0, "1", "1"),
        (-5 + math.log10(9.999), "1.00×10⁻⁴", r"1.00\times10^{-4}"),
    ],
)
def test_powers_that_no_float_can_hold(exponent: float, text: str, tex: str) -> None:
    assert numbers.text_log10(exponent) == text
    assert numbers.tex_log10(exponent) == tex
