"""Gradient multiplier: what `n` layers with local derivative `a` do to a gradient.

`G_plain = |a|^n` and `G_residual = |1 + a|^n` (article 1, section 3.4), kept as logarithms so that
no power is lost: `log₁₀ G = n·log₁₀|a|`, and `−∞` for a multiplier that is exactly 0.
"""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from core.limits import within

A_LOW, A_HIGH, A_STEP = -3.0, 3.0, 0.01
N_LOW, N_HIGH = 1, 1000


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


def _log10_size(value: float) -> float:
    size = abs(value)
    return float(np.log10(size)) if size > 1e-12 else -np.inf


def by_depth(chain: Chain) -> pd.DataFrame:
    """Return both multipliers after 0 … `n` layers: `who`, `layers`, `log10`, `zero`.

    An exact 0 has no logarithm: there `log10` is NaN (a gap in the line) and `zero` is true.
    """
    layers = np.unique(np.linspace(0, chain.n, min(chain.n, 120) + 1).round()).astype(int)
    tables = []
    for who, log10 in (("plain", log10_plain), ("residual", log10_residual)):
        exponents = np.array([log10(chain.a, n) if n else 0.0 for n in layers])
        zero = np.isneginf(exponents)
        tables.append(
            pd.DataFrame(
                {
                    "who": who,
                    "layers": layers,
                    "log10": np.where(zero, np.nan, exponents),
                    "zero": zero,
                }
            )
        )
    return pd.concat(tables, ignore_index=True)
