"""The gradient multiplier: what `n` layers with local derivative `a` do to a gradient.

`G_plain = |a|^n` and `G_residual = |1 + a|^n` (article 1, section 3.4), kept as logarithms so that
no power is lost: `log₁₀ G = n·log₁₀|a|`, and `−∞` for a multiplier that is exactly 0.
"""

from dataclasses import dataclass

import numpy as np

from core.limits import within

A_LOW, A_HIGH, A_STEP = -3.0, 3.0, 0.01
N_LOW, N_HIGH = 1, 1000
CROSSING = -0.5
"""Where `|a| = |1 + a|`: to its left the residual multiplier is the smaller one, at any depth."""

CENTRE = {"plain": 0.0, "residual": -1.0}
"""The local derivative at which a chain wipes the gradient out exactly."""

TOLERANCE = 1e-9
"""`a` comes in hundredths; in logarithms this is far below a hundredth and far above rounding."""


@dataclass(frozen=True, slots=True)
class Chain:
    """`n` layers whose transform branches all have the scalar derivative `a`."""

    a: float
    n: int

    def __post_init__(self) -> None:
        """Refuse an `a` outside [−3, 3] and an `n` outside 1 … 1000."""
        within("a", self.a, A_LOW, A_HIGH)
        within("n", self.n, N_LOW, N_HIGH)


def log10_plain(a: float, n: int) -> float:
    """Return `log₁₀|a|^n` (article 1, section 3.4); `−inf` where the multiplier is exactly 0."""
    return n * _log10_size(a)


def log10_residual(a: float, n: int) -> float:
    """Return `log₁₀|1 + a|^n` (article 1, section 3.4); `−inf` where it is exactly 0."""
    return n * _log10_size(1 + a)


LOG10 = {"plain": log10_plain, "residual": log10_residual}


def _log10_size(value: float) -> float:
    size = abs(value)
    return float(np.log10(size)) if size > 1e-12 else -np.inf


def zone(log10: float) -> str:
    """Name what happens to a gradient multiplied by `10^log10`.

    `zero` exactly 0 · `vanishes` below 1/10 · `tame` within a factor of ten · `explodes` above 10.
    """
    if log10 == -np.inf:
        return "zero"
    if abs(log10) <= 1 + TOLERANCE:
        return "tame"
    return "explodes" if log10 > 0 else "vanishes"


def order(a: float) -> str:
    """Say how the residual multiplier compares with the plain one: `smaller`, `equal`, `larger`."""
    if abs(a - CROSSING) <= TOLERANCE:
        return "equal"
    return "smaller" if a < CROSSING else "larger"
