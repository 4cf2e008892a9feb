"""Exact numbers: what a person gets by hand, written in full where it is short.

The lab's 2D example is sums and products of short decimals, so fractions carry it without any
rounding. A number is written exactly when four decimals are enough for it; otherwise it is rounded,
and `equals` returns `≈` in place of `=`.
"""

import math
from fractions import Fraction
from typing import Any

import numpy as np

from core import numbers

Numbers = Any
"""Exact fractions, alone or in a numpy array of objects (which numpy's own types do not know)."""
_DECIMALS = 4
_LARGEST = 10**6


def exact(value: float, decimals: int = 2) -> Fraction:
    """Return the decimal number that is displayed for `value`, exactly: `0.1` is 1/10."""
    return Fraction(round(value * 10**decimals), 10**decimals)


def array(*values: float) -> np.ndarray:
    """Return numbers as an array of exact fractions; numpy's `+`, `*` and `@` keep it exact."""
    return np.array([exact(value) for value in values], dtype=object)


def is_short(value: Fraction) -> bool:
    """Return whether four decimals write the number exactly."""
    return (value * 10**_DECIMALS).denominator == 1 and abs(value) < _LARGEST


def text(value: Fraction) -> str:
    """Return the number for reading: `−0.1`, `2.05`, `1,234.5`; four digits where it is long."""
    if not is_short(value):
        return ("−" if value < 0 else "") + numbers.text_log10(log10(value), 4)
    written = f"{float(abs(value)):,.{_DECIMALS}f}".rstrip("0").rstrip(".")
    return ("−" if value < 0 else "") + written


def tex(value: Fraction) -> str:
    """Return the number for KaTeX."""
    if not is_short(value):
        return ("-" if value < 0 else "") + numbers.tex_log10(log10(value), 4)
    return text(value).replace(",", "{,}").replace("−", "-")


def equals(*values: object) -> str:
    r"""Return `=` if every number of the values is written exactly, `\approx` if one is rounded."""
    every = [value for entry in values for value in np.ravel(np.array(entry, dtype=object))]
    return "=" if all(map(is_short, every)) else r"\approx "


def point(vector: np.ndarray) -> str:
    """Return a vector for reading: `(0.5, 1.5)`."""
    return f"({', '.join(map(text, vector))})"


def rows_text(values: Numbers) -> str:
    """Return a vector, or a matrix row by row, for reading: `(0.5, 1), (1.5, 3)`."""
    return point(values) if values.ndim == 1 else ", ".join(point(row) for row in values)


def point_tex(vector: np.ndarray) -> str:
    r"""Return a vector for KaTeX in one line: `(0.5,\ 1.5)`."""
    return "(" + r",\ ".join(map(tex, vector)) + ")"


def matrix_tex(matrix: np.ndarray) -> str:
    r"""Return a matrix, or a vector as a column, for KaTeX: `\begin{bmatrix}…\end{bmatrix}`."""
    rows = matrix.reshape(len(matrix), -1)
    return rows_tex([[tex(value) for value in row] for row in rows])


def rows_tex(rows: list[list[str]]) -> str:
    """Return rows that are already KaTeX as one matrix."""
    body = r"\\".join("&".join(row) for row in rows)
    return rf"\begin{{bmatrix}}{body}\end{{bmatrix}}"


def shape_tex(value: Numbers) -> str:
    """Return a number, a vector in one line, or a matrix, for KaTeX."""
    if isinstance(value, Fraction):
        return tex(value)
    return point_tex(value) if value.ndim == 1 else matrix_tex(value)


def aligned(lines: list[str]) -> str:
    """Return lines of KaTeX, one below the other, aligned at `&`."""
    body = r"\\[4pt]".join(lines)
    return rf"\begin{{aligned}}{body}\end{{aligned}}"


def log10(value: Fraction) -> float:
    """Return `log₁₀|value|` without overflow or underflow; `−inf` for an exact 0."""
    if value == 0:
        return -math.inf
    return math.log10(abs(value.numerator)) - math.log10(value.denominator)


def apart(one: float, other: float, digits: int = 3) -> tuple[str, str]:
    """Return `10^one` and `10^other` with as few digits, from `digits` on, as tell them apart."""
    for count in range(digits, 12):
        pair = numbers.text_log10(one, count), numbers.text_log10(other, count)
        if pair[0] != pair[1]:
            return pair
    return numbers.text_log10(one, digits), numbers.text_log10(other, digits)


def equals_text(*values: object) -> str:
    """Return `=` or `≈` for reading; see `equals`."""
    return "=" if equals(*values) == "=" else "≈"
