"""What one linear block does to a gradient, by its direction: gains, singular values, eigenvalues.

A gradient `g` of length 1 arrives at the input as `(I + αW)ᵀg`. Over all directions of `g` these
arrows end on an ellipse whose half axes are the singular values of `I + αW`; the eigenvalues, which
are `1 + α·eig(W)`, do not bound them (article 2, section 2.3 takes them for a floor).
"""

import cmath
import math
from dataclasses import dataclass

import numpy as np
import pandas as pd

from core import exact, numbers
from core.exact import Fraction, Numbers
from core.linear_block import Setting
from core.plane import Window, window

TURNS = range(0, 361, 5)
"""The directions of `g` that are drawn, in degrees from the first axis."""


@dataclass(frozen=True, slots=True)
class Gains:
    """Singular values (largest first) and eigenvalues of a 2 × 2 matrix."""

    largest: float
    smallest: float
    eigenvalues: tuple[complex, complex]


def jacobian(setting: Setting, shortcut: bool = True) -> Numbers:
    """Return `I + αW`, or `αW` without the shortcut, as exact fractions (2 × 2)."""
    _, weight, _, alpha = setting.exactly()
    return int(shortcut) * np.eye(2, dtype=int).astype(object) + alpha * weight


def gains(matrix: Numbers) -> Gains:
    """Return singular values and eigenvalues of an exact 2 × 2 matrix in closed form.

    `σ² = (‖M‖_F² ± √(‖M‖_F⁴ − 4·det²)) / 2`, and `λ = tr/2 ± √(tr²/4 − det)`.
    """
    det, frobenius = determinant(matrix), (matrix * matrix).sum()
    largest = math.sqrt((frobenius + math.sqrt(frobenius**2 - 4 * det**2)) / 2)
    smallest = float(abs(det)) / largest if det else 0.0
    half, root = matrix.trace() / 2, cmath.sqrt(float(matrix.trace() ** 2 / 4 - det))
    return Gains(largest, smallest, (complex(half) + root, complex(half) - root))


def determinant(matrix: Numbers) -> Fraction:
    """Return the determinant of a 2 × 2 matrix."""
    return matrix[0, 0] * matrix[1, 1] - matrix[0, 1] * matrix[1, 0]


def verdict(matrix: Numbers) -> str:
    """Say which directions a block lengthens, decided in exact numbers from `MᵀM − I`.

    `all_wiped` (all come out exactly 0), `wiped` (one does), `kept` (all keep their length),
    `longer`, `not_shorter`, `shorter`, `not_longer` (for all directions) or `both`.
    """
    det, frobenius = determinant(matrix), (matrix * matrix).sum()
    if det == 0:
        return "wiped" if frobenius else "all_wiped"
    both, either = det**2 - frobenius + 1, frobenius - 2
    if both < 0:
        return "both"
    if both == 0:
        return "kept" if either == 0 else "not_shorter" if either > 0 else "not_longer"
    return "longer" if either > 0 else "shorter"


def eigenvalues_mislead(matrix: Numbers) -> bool:
    """Return whether all eigenvalues have size 1 or more and yet some direction is shortened."""
    det, half = determinant(matrix), matrix.trace() / 2
    under_root = half**2 - det
    if under_root < 0:
        sizes_reach_one = det >= 1
    else:
        sizes_reach_one = abs(half) >= 1 and under_root <= (abs(half) - 1) ** 2
    return bool(sizes_reach_one and verdict(matrix) in ("both", "shorter", "not_longer"))


def floor(setting: Setting) -> str:
    """Say whether `σ_min(I + αW) ≥ 1 − ‖αW‖₂` promises something (`some`) or not (`none`)."""
    branch = jacobian(setting, shortcut=False)
    frobenius = (branch * branch).sum()
    return "some" if frobenius < 2 and 1 - frobenius + determinant(branch) ** 2 > 0 else "none"


def written(setting: Setting) -> dict[str, str]:
    """Return the numbers that the page's sentences speak of."""
    sizes = gains(jacobian(setting))
    return {
        "largest": numbers.text(sizes.largest, 5),
        "smallest": numbers.text(sizes.smallest, 5),
        "eigenvalues": _pair(*sizes.eigenvalues),
        "floor": numbers.text(1 - gains(jacobian(setting, shortcut=False)).largest, 4),
    }


def _pair(one: complex, other: complex) -> str:
    if one.imag:
        return f"{numbers.text(one.real, 4)} ± {numbers.text(abs(one.imag), 4)}i"
    return f"{numbers.text(one.real, 4)}, {numbers.text(other.real, 4)}"


def spectrum_tex(setting: Setting) -> str:
    """Return `I + αW`, its eigenvalues, its singular values and their floor in KaTeX."""
    matrix, branch = jacobian(setting), jacobian(setting, shortcut=False)
    sizes = gains(matrix)
    one, other = sizes.eigenvalues
    pair = rf"{numbers.tex(one.real, 4)}\pm {numbers.tex(abs(one.imag), 4)}\,\mathrm{{i}}"
    if not one.imag:
        pair = rf"{numbers.tex(one.real, 4)},\;{numbers.tex(other.real, 4)}"
    return exact.aligned(
        [
            rf"I+\alpha W&={exact.matrix_tex(matrix)}",
            rf"\lambda&={pair}",
            rf"\sigma_{{\max}}&={numbers.tex(sizes.largest, 5)}",
            rf"\sigma_{{\min}}&={numbers.tex(sizes.smallest, 5)}",
            rf"&\ge 1-\lVert\alpha W\rVert_2={numbers.tex(1 - gains(branch).largest, 4)}",
        ]
    )


def picture(setting: Setting) -> dict[str, pd.DataFrame]:
    """Return the tables of the picture: `rows` (see `by_direction`) and the `window`."""
    return {"rows": by_direction(setting), "window": pd.DataFrame(window_of(setting).columns)}


def by_direction(setting: Setting) -> pd.DataFrame:
    """Return where every direction of `g` (length 1) arrives: one row a direction and block.

    `who` is `start` (g itself), `residual` (`(I + αW)ᵀg`) or `plain` (`αWᵀg`); `turn` in degrees;
    `x`, `y` the arrow's end; `gain` its length, also written out as `label`.
    """
    turn = np.array(TURNS)
    g = np.array([np.cos(np.radians(turn)), np.sin(np.radians(turn))])
    ends = {
        "start": g,
        "residual": jacobian(setting).astype(float).T @ g,
        "plain": jacobian(setting, shortcut=False).astype(float).T @ g,
    }
    tables = []
    for who, (x, y) in ends.items():
        gain = np.hypot(x, y)
        label = [f"× {numbers.text(value)}" for value in gain]
        columns = {"who": who, "turn": turn, "x": x, "y": y, "gain": gain, "label": label}
        tables.append(pd.DataFrame(columns))
    return pd.concat(tables, ignore_index=True)


def window_of(setting: Setting) -> Window:
    """Return the window that holds the unit circle and both ellipses."""
    reach = max(1.0, *(gains(jacobian(setting, way)).largest for way in (True, False)))
    return window([(-reach, -reach), (reach, reach)])
