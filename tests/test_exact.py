"""Exact numbers: how they are written, and that nothing is rounded on the way."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as draw

from core import exact


@pytest.mark.parametrize(
    ("value", "text", "tex"),
    [
        (Fraction(-1, 10), "−0.1", "-0.1"),
        (Fraction(41, 20), "2.05", "2.05"),
        (Fraction(0), "0", "0"),
        (Fraction(12345, 10), "1,234.5", "1{,}234.5"),
        (Fraction(1, 3), "0.3333", "0.3333"),
        (Fraction(-1, 10**9), "−1.000×10⁻⁹", r"-1.000\times10^{-9}"),
        (Fraction(1, 10**400), "1.000×10⁻⁴⁰⁰", r"1.000\times10^{-400}"),
        (Fraction(10) ** 400 + 1, "1.000×10⁴⁰⁰", r"1.000\times10^{400}"),
    ],
)
def test_a_number_is_written_exactly_where_that_is_short(
    value: Fraction, text: str, tex: str
) -> None:
    assert exact.text(value) == text
    assert exact.tex(value) == tex


@given(draw.integers(-(10**9), 10**9))
def test_what_is_written_without_rounding_reads_back_exactly(ten_thousandths: int) -> None:
    value = Fraction(ten_thousandths, 10**4)
    assert exact.is_short(value) == (abs(value) < 10**6)
    if exact.is_short(value):
        assert Fraction(exact.text(value).replace("−", "-").replace(",", "")) == value


@given(draw.fractions())
def test_a_rounded_number_is_close(value: Fraction) -> None:
    if value and not exact.is_short(value) and 1e-3 <= abs(value) < 1e3:
        written = float(exact.text(value).replace("−", "-").replace(",", ""))
        assert written == pytest.approx(float(value), rel=5.1e-4)


def test_equals_tells_exact_from_rounded() -> None:
    assert exact.equals(exact.array(0.5, 1.5), Fraction(5, 4)) == "="
    assert exact.equals(exact.array(0.5), Fraction(1, 3)) == r"\approx "
    assert exact.equals_text(Fraction(1, 3)) == "≈"


def test_a_decimal_is_what_is_displayed() -> None:
    assert exact.exact(0.1) == Fraction(1, 10)
    assert exact.exact(0.126) == Fraction(13, 100)


@given(draw.fractions().filter(bool))
def test_log10(value: Fraction) -> None:
    assert exact.log10(value) == pytest.approx(math.log10(abs(value)), abs=1e-9)


def test_log10_knows_what_no_float_holds() -> None:
    assert exact.log10(Fraction(0)) == -math.inf
    assert exact.log10(Fraction(1, 10**400)) == pytest.approx(-400)


def test_lengths_that_differ_are_written_differently() -> None:
    assert exact.apart(math.log10(1.5), math.log10(2.0)) == ("1.5", "2")
    one, other = exact.apart(math.log10(1.58), math.log10(1.5800001))
    assert one != other


def test_shapes_for_katex() -> None:
    matrix = exact.array(1, 2, 3, 4).reshape(2, 2)
    assert exact.shape_tex(matrix) == r"\begin{bmatrix}1&2\\3&4\end{bmatrix}"
    assert exact.matrix_tex(matrix[0]) == r"\begin{bmatrix}1\\2\end{bmatrix}"
    assert exact.shape_tex(matrix[0]) == r"(1,\ 2)"
    assert exact.shape_tex(Fraction(5, 4)) == "1.25"
    assert exact.rows_text(matrix) == "(1, 2), (3, 4)"
    assert exact.aligned(["a&=b", "c&=d"]) == r"\begin{aligned}a&=b\\[4pt]c&=d\end{aligned}"
    assert np.array_equal(matrix @ matrix[0], exact.array(5, 11))
