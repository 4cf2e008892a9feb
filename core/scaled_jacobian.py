"""What `y = x + αF(x)` does to nearby inputs: the Jacobian `J = I + αJ_F`, 2 × 2.

Article 1, section 7. The shortcut guarantees a path, not that a value survives: where `J` is
singular, different inputs leave the block as one output. How much of the weakest direction is left
is the smallest singular value, and `σ_min(I + αJ_F) ≥ 1 − |α|·‖J_F‖₂` is all that holds in general.
"""

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import pandas as pd

from core import numbers
from core.limits import within

LOW, HIGH, STEP = -10.0, 10.0, 0.1
ALPHA_LOW, ALPHA_HIGH, ALPHA_STEP = -1.0, 2.0, 0.05
WINDOWS = (1.5, 2, 3, 4, 6, 8, 10, 15, 20, 30, 45)

Matrix = tuple[tuple[Fraction, Fraction], tuple[Fraction, Fraction]]


@dataclass(frozen=True, slots=True)
class Scaling:
    """A branch with Jacobian `J_F = [[j11, j12], [j21, j22]]`, scaled by `α`."""

    j11: float
    j12: float
    j21: float
    j22: float
    alpha: float = 1.0

    def __post_init__(self) -> None:
        """Refuse entries outside [−10, 10] and an `α` outside [−1, 2]."""
        for name in ("j11", "j12", "j21", "j22"):
            within(name, getattr(self, name), LOW, HIGH)
        within("α", self.alpha, ALPHA_LOW, ALPHA_HIGH)


PRESETS = {
    "gentle": Scaling(0.1, 0.2, -0.1, 0.3),
    "minus_x": Scaling(-1.0, 0.0, 0.0, -1.0),
    "forget": Scaling(-1.0, 0.0, 0.0, 0.0),
    "turn": Scaling(0.0, -1.0, 1.0, 0.0),
    "shear": Scaling(0.0, 10.0, 0.0, 0.0),
}
"""Each is named after what it teaches; `gentle` is the W of article 1, section 4."""


def branch(scaling: Scaling) -> Matrix:
    """Return `J_F` as exact fractions."""
    a, b, c, d = (Fraction(str(v)) for v in (scaling.j11, scaling.j12, scaling.j21, scaling.j22))
    return (a, b), (c, d)


def block(scaling: Scaling) -> Matrix:
    """Return `J = I + αJ_F`, exactly (article 1, section 7)."""
    (a, b), (c, d) = branch(scaling)
    alpha = Fraction(str(scaling.alpha))
    return (1 + alpha * a, alpha * b), (alpha * c, 1 + alpha * d)


def determinant(matrix: Matrix) -> Fraction:
    """Return `det M`, exactly; `M` can be inverted if and only if it is not 0."""
    (a, b), (c, d) = matrix
    return a * d - b * c


def singular_values(matrix: Matrix) -> tuple[float, float]:
    """Return the largest and the smallest singular value; the smallest is 0 only if `det M = 0`.

    `2σ_max = √((a + d)² + (b − c)²) + √((a − d)² + (b + c)²)`, and `σ_max·σ_min = |det M|`.
    """
    (a, b), (c, d) = matrix
    largest = (math.sqrt((a + d) ** 2 + (b - c) ** 2) + math.sqrt((a - d) ** 2 + (b + c) ** 2)) / 2
    smallest = float(abs(determinant(matrix))) / largest if largest else 0.0
    return largest, smallest


def eigenvalues(matrix: Matrix) -> tuple[complex, complex]:
    """Return `λ = (t ± √(t² − 4·det M)) / 2` with the trace `t`."""
    trace = matrix[0][0] + matrix[1][1]
    inside = trace * trace - 4 * determinant(matrix)
    root = math.sqrt(inside) if inside >= 0 else 1j * math.sqrt(-inside)
    return (float(trace) + root) / 2, (float(trace) - root) / 2


def floor(scaling: Scaling) -> float:
    """Return `1 − |α|·‖J_F‖₂`: what the smallest singular value of `I + αJ_F` cannot fall below."""
    return 1 - abs(scaling.alpha) * singular_values(branch(scaling))[0]


def verdict(scaling: Scaling) -> str:
    """Return what becomes of the input: `wiped`, `collapsed`, `shrinks` or `kept`.

    `wiped`: `J = 0`. `collapsed`: `det J = 0`. `shrinks`: `0 < σ_min < 1`. `kept`: `σ_min ≥ 1`.
    """
    matrix = block(scaling)
    if not any(entry for row in matrix for entry in row):
        return "wiped"
    if determinant(matrix) == 0:
        return "collapsed"
    return "kept" if _at_least_one(matrix) else "shrinks"


def _at_least_one(matrix: Matrix) -> bool:
    """Whether `σ_min ≥ 1`, decided exactly: `MᵀM − I` has no negative eigenvalue."""
    (a, b), (c, d) = matrix
    p, q, r = a * a + c * c - 1, a * b + c * d, b * b + d * d - 1
    return p + r >= 0 and p * r - q * q >= 0


def window(scaling: Scaling) -> float:
    """Return half the side of a plane that holds the picture for every `α` of the slider."""
    ends = (_with_alpha(scaling, alpha) for alpha in (ALPHA_LOW, ALPHA_HIGH))
    reach = max(1.0, *(singular_values(block(end))[0] for end in ends))
    return next((size for size in WINDOWS if 1.1 * reach <= size), WINDOWS[-1])


def _with_alpha(scaling: Scaling, alpha: float) -> Scaling:
    return Scaling(scaling.j11, scaling.j12, scaling.j21, scaling.j22, alpha)


def ring(scaling: Scaling, points: int = 72) -> dict[str, pd.DataFrame]:
    """Return a ring of inputs, where the block sends it, and the way of every third point.

    `rows` has `who` (`identity`: inputs, `residual`: outputs), `x`, `y`, `order`; `ways` has
    `x`, `y`, `x2`, `y2`; `weakest` has the direction that keeps least, before and after.
    """
    turn = np.linspace(0, 2 * np.pi, points + 1)
    inputs = np.stack([np.cos(turn), np.sin(turn)])
    matrix = np.array(block(scaling), dtype=float)
    outputs = matrix @ inputs
    tables = [
        pd.DataFrame({"who": who, "x": p[0], "y": p[1], "order": range(points + 1)})
        for who, p in (("identity", inputs), ("residual", outputs))
    ]
    every = slice(0, points, 3)
    ways = {"x": inputs[0], "y": inputs[1], "x2": outputs[0], "y2": outputs[1]}
    weakest = np.linalg.svd(matrix)[2][1]
    both = np.stack([weakest, -weakest], axis=1)
    ends = [
        pd.DataFrame({"who": who, "x": p[0], "y": p[1]})
        for who, p in (("identity", both), ("residual", matrix @ both))
    ]
    return {
        "rows": pd.concat(tables, ignore_index=True),
        "ways": pd.DataFrame({name: values[every] for name, values in ways.items()}),
        "weakest": pd.concat(ends, ignore_index=True),
    }


def by_alpha(scaling: Scaling) -> pd.DataFrame:
    """Return, for every `α` of the slider, `which` (`largest`, `smallest`, `floor`) and `value`.

    The floor is NaN where it says nothing, that is where it is not above 0. A singular value below
    10⁻⁹ is 0: with entries in tenths and `α` in twentieths no other one is that small.
    """
    steps = round((ALPHA_HIGH - ALPHA_LOW) / ALPHA_STEP)
    alphas = np.round(ALPHA_LOW + ALPHA_STEP * np.arange(steps + 1), 2)
    change = np.array(branch(scaling), dtype=float)
    sizes = np.linalg.svd(np.eye(2) + alphas[:, None, None] * change, compute_uv=False)
    sizes[sizes < 1e-9] = 0
    bound = 1 - np.abs(alphas) * singular_values(branch(scaling))[0]
    values = {
        "largest": sizes[:, 0],
        "smallest": sizes[:, 1],
        "floor": np.where(bound > 0, bound, np.nan),
    }
    here = alphas == scaling.alpha
    tables = [
        pd.DataFrame({"which": which, "alpha": alphas, "value": value, "here": here})
        for which, value in values.items()
    ]
    return pd.concat(tables, ignore_index=True)


def snippet(scaling: Scaling) -> str:
    """Return a PyTorch program that takes `J` from autograd and prints its singular values."""
    (a, b), (c, d) = ((scaling.j11, scaling.j12), (scaling.j21, scaling.j22))
    return f"""import torch

J_F = torch.tensor([[{a}, {b}], [{c}, {d}]], dtype=torch.float64)
alpha = {scaling.alpha}


def block(x):
    return x + alpha * (J_F @ x)


x = torch.ones(2, dtype=torch.float64)
J = torch.autograd.functional.jacobian(block, x)
sigma = torch.linalg.svdvals(J)
floor = 1 - abs(alpha) * torch.linalg.matrix_norm(J_F, 2)
print("J =", J.tolist())
print("singular values:", sigma.tolist())
print("smallest singular value is at least", floor.item())
"""


def tex(scaling: Scaling) -> str:
    """Return `J = I + αJ_F` with the numbers in it, for KaTeX."""
    alpha = numbers.tex(scaling.alpha, 6)
    unit = _tex(((Fraction(1), Fraction(0)), (Fraction(0), Fraction(1))))
    return rf"J={unit}+{alpha}\cdot{_tex(branch(scaling))}={_tex(block(scaling))}"


def _tex(matrix: Matrix) -> str:
    rows = (" & ".join(numbers.tex(float(value), 6) for value in row) for row in matrix)
    return r"\begin{pmatrix}" + r" \\ ".join(rows) + r"\end{pmatrix}"


def eigenvalues_text(matrix: Matrix) -> str:
    """Return both eigenvalues for reading: `1, 1` or `1.2 ± 0.1i`."""
    one, two = eigenvalues(matrix)
    if one.imag:
        return f"{numbers.text(one.real)} ± {numbers.text(one.imag)}i"
    return f"{numbers.text(one.real)}, {numbers.text(two.real)}"
