"""Gradient multiplier: what `n` layers with local derivative `a` do to a gradient.

`G_plain = |a|^n` and `G_residual = |1 + a|^n` (article 1, section 3.4), kept as logarithms so that
no power is lost: `log₁₀ G = n·log₁₀|a|`, and `−∞` for a multiplier that is exactly 0.
"""

import functools
from dataclasses import dataclass

import numpy as np
import pandas as pd

from core import numbers
from core.limits import within

A_LOW, A_HIGH, A_STEP = -3.0, 3.0, 0.01
N_LOW, N_HIGH = 1, 1000
CROSSING = -0.5
"""Where `|a| = |1 + a|`: to its left the residual multiplier is the smaller one, at any depth."""

CENTRE = {"plain": 0.0, "residual": -1.0}
"""The local derivative at which a chain wipes the gradient out exactly."""

BASE = {"plain": "{:.2f}", "residual": "1{:+.2f}"}
"""How a chain's factor is written."""

PRESETS = {
    "article": (0.5, 20),
    "quiet": (0.01, 100),
    "nearly_one": (0.99, 50),
    "crossing": (-0.5, 20),
    "worse": (-0.9, 20),
    "black_hole": (-1.0, 20),
}
"""Settings `(a, n)` named after what they teach."""

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


def verdict(chain: Chain) -> str:
    """Return `<zone of the plain chain>_<zone of the residual chain>`."""
    return "_".join(zone(log10(chain.a, chain.n)) for log10 in LOG10.values())


def by_depth(chain: Chain) -> pd.DataFrame:
    """Return both multipliers after 0 … `n` layers: `who`, `layers`, `log10`, `zero`, `text`.

    An exact 0 has no logarithm: there `log10` is NaN (a gap in the line) and `zero` is true.
    """
    layers = np.unique(np.linspace(0, chain.n, min(chain.n, 120) + 1).round()).astype(int)
    tables = []
    for who, log10 in LOG10.items():
        exponents = np.array([log10(chain.a, n) if n else 0.0 for n in layers])
        zero = np.isneginf(exponents)
        tables.append(
            pd.DataFrame(
                {
                    "who": who,
                    "layers": layers,
                    "log10": np.where(zero, np.nan, exponents),
                    "zero": zero,
                    "text": [numbers.text_log10(exponent) for exponent in exponents],
                }
            )
        )
    return pd.concat(tables, ignore_index=True)


@functools.lru_cache(maxsize=64)
def zones(n: int) -> pd.DataFrame:
    """Return the zones of the strip −3 … 3 after `n` layers: `who`, `zone`, `start`, `end`, `wide`.

    A chain multiplies by `|a − c|^n` with `c` its centre, so its borders are `c ± 10^(±1/n)`.
    A third row, `who = smaller`, names the chain with the smaller multiplier.
    """
    inner, outer = 10 ** (-1 / n), 10 ** (1 / n)
    found = [("smaller", "residual", A_LOW, CROSSING), ("smaller", "plain", CROSSING, A_HIGH)]
    for who, c in CENTRE.items():
        found += [
            (who, "explodes", A_LOW, c - outer),
            (who, "tame", c - outer, c - inner),
            (who, "vanishes", c - inner, c + inner),
            (who, "tame", c + inner, c + outer),
            (who, "explodes", c + outer, A_HIGH),
        ]
    found = [(who, name, max(a, A_LOW), min(b, A_HIGH)) for who, name, a, b in found]
    found = [row for row in found if row[2] < row[3]]
    rows = pd.DataFrame(found, columns=["who", "zone", "start", "end"])
    rows["middle"] = (rows["start"] + rows["end"]) / 2
    rows["wide"] = rows["end"] - rows["start"] > 0.8
    for who, edge in (("plain", "end"), ("residual", "start")):  # beside the hole, away from −½
        dark = (rows["who"] == who) & (rows["zone"] == "vanishes")
        rows.loc[dark, "middle"] = (rows[edge] + CENTRE[who])[dark] / 2
    return rows


@functools.lru_cache(maxsize=64)
def readings(n: int) -> pd.DataFrame:
    """Return what the strip says under the pointer: for `a` = −3, −2.98 … 3 both multipliers.

    Columns `a`, `plain`, `residual` (written out), and `order`, how the residual one compares.
    """
    values = [round(A_LOW + 0.02 * k, 2) for k in range(301)]
    return pd.DataFrame(
        {
            "a": values,
            "plain": [numbers.text_log10(log10_plain(a, n)) for a in values],
            "residual": [numbers.text_log10(log10_residual(a, n)) for a in values],
            "order": [order(a) for a in values],
        }
    )


def strip(chain: Chain) -> dict[str, pd.DataFrame]:
    """Return the tables of the strip: `zones`, `rows` (the readings), `holes`, `here`."""
    return {
        "zones": zones(chain.n),
        "rows": readings(chain.n),
        "holes": pd.DataFrame({"who": CENTRE.keys(), "a": CENTRE.values()}),
        "here": pd.DataFrame({"a": [chain.a]}),
    }
