"""Gradient multiplier: the first screen, where every layer has the same local derivative `a`.

`G_plain = |a|^n` and `G_residual = |1 + a|^n` (article 1, section 3.4); see `core.multiplier`.
"""

import functools

import numpy as np
import pandas as pd

from core import numbers
from core.columns import Columns, columns
from core.multiplier import (
    A_HIGH,
    A_LOW,
    CENTRE,
    CROSSING,
    LOG10,
    Chain,
    log10_plain,
    log10_residual,
    order,
    zone,
)

_SUPERSCRIPT = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")

PRESETS = {
    "article": (0.5, 20),
    "quiet": (0.01, 100),
    "nearly_one": (0.99, 50),
    "crossing": (-0.5, 20),
    "worse": (-0.9, 20),
    "black_hole": (-1.0, 20),
}
"""Settings `(a, n)` named after what they teach."""


def power(who: str, chain: Chain) -> str:
    """Return the power that a chain multiplies by: `|0.5|²⁰` or `|1 + 0.5|²⁰`."""
    size = f"{abs(chain.a):g}"
    if who == "plain":
        base = f"−{size}" if chain.a < 0 else size
    else:
        base = f"1 {'−' if chain.a < 0 else '+'} {size}"
    return f"|{base}|{str(chain.n).translate(_SUPERSCRIPT)}"


def verdict(chain: Chain) -> str:
    """Return `<zone of the plain chain>_<zone of the residual chain>`."""
    return "_".join(zone(log10(chain.a, chain.n)) for log10 in LOG10.values())


def by_depth(chain: Chain) -> pd.DataFrame:
    """Return both multipliers after 0 … `n` layers, at most 61 depths.

    Columns `who`, `layers`, `log10`, `zero`, and both numbers written out, `plain` and `residual`;
    `left` and `right` say for which depths a row is the nearest. An exact 0 has no logarithm: there
    `log10` is NaN (a gap in the line) and `zero` is true.
    """
    layers = np.unique(np.linspace(0, chain.n, min(chain.n, 60) + 1).round()).astype(int)
    exponents = {
        who: np.array([log10(chain.a, n) if n else 0.0 for n in layers])
        for who, log10 in LOG10.items()
    }
    columns: dict = {who: list(map(numbers.text_log10, found)) for who, found in exponents.items()}
    middles = (layers[1:] + layers[:-1]) / 2
    columns |= {"left": np.insert(middles, 0, 0), "right": np.append(middles, chain.n)}
    tables = []
    for who, found in exponents.items():
        zero = np.isneginf(found)
        rows = {"who": who, "layers": layers, "log10": np.where(zero, np.nan, found), "zero": zero}
        tables.append(pd.DataFrame(rows | columns))
    return pd.concat(tables, ignore_index=True)


@functools.lru_cache(maxsize=64)
def zones(n: int) -> Columns:
    """Return the zones of the strip −3 … 3 after `n` layers.

    Columns `who`, `zone`, `start`, `end`, `middle` (where its name stands), `wide` (for a name).

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
    return columns(
        ("who", "zone", "start", "end", "middle", "wide"),
        [(*row, _middle(*row), row[3] - row[2] > 0.8) for row in found if row[2] < row[3]],
    )


def _middle(who: str, zone: str, start: float, end: float) -> float:
    """Return the middle of a zone; of a dark one, of what lies beside its hole, away from −½."""
    if zone == "vanishes":
        start, end = (CENTRE[who], end) if who == "plain" else (start, CENTRE[who])
    return (start + end) / 2


@functools.lru_cache(maxsize=64)
def readings(n: int) -> Columns:
    """Return what the strip says under the pointer: for `a` = −3, −2.95 … 3 both multipliers.

    Columns `a`, `plain`, `residual` (written out), and `order`, how the residual one compares.
    """
    values = [round(A_LOW + 0.05 * k, 2) for k in range(121)]
    return {
        "a": values,
        "plain": [numbers.text_log10(log10_plain(a, n)) for a in values],
        "residual": [numbers.text_log10(log10_residual(a, n)) for a in values],
        "order": [order(a) for a in values],
    }


def strip(chain: Chain) -> dict[str, Columns]:
    """Return the tables of the strip: `zones`, `rows` (the readings), `holes`, `here`."""
    return {
        "zones": zones(chain.n),
        "rows": readings(chain.n),
        "holes": {"who": [*CENTRE.keys()], "a": [*CENTRE.values()]},
        "here": {"a": [chain.a]},
    }


def snippet(chain: Chain) -> str:
    """Return a program that prints log₁₀ of both multipliers, differentiated by autograd."""
    return f"""\
import torch

a, n = {chain.a}, {chain.n}
for name, shortcut in (("plain", 0.0), ("residual", 1.0)):
    x = torch.ones(n, dtype=torch.float64, requires_grad=True)  # the input of every layer
    y = shortcut * x + a * x
    y.sum().backward()  # x.grad: the derivative of each layer
    print(name, x.grad.abs().log10().sum().item())
"""
