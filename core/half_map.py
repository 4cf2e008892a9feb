"""The −½ map: what a residual chain does to a gradient, for every `a` and every depth at once.

After `n` layers the multiplier is `|a − c|^n`, with `c = −1` for the residual chain and `c = 0` for
the plain one, so the borders of its zones are `c ± 10^(±1/n)`: both maps have the same shape. The
shortcut does not widen the windows in which a gradient stays within a factor of ten. It moves them
by −1, and so one of them from `a = 1` to `a = 0`, where a branch is that does little.
"""

import functools

import numpy as np
import pandas as pd

from core import multiplier as m
from core import numbers

DEPTHS = (1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30, 40, 50, 60, 80, 100)
DEPTHS += (120, 150, 200, 250, 300, 400, 500, 600, 800, 1000)


def window(n: int) -> tuple[float, float]:
    """Return the `a` around 0 for which `1/10 ≤ |1 + a|^n ≤ 10`: `10^(∓1/n) − 1`.

    For large `n` this is `∓ ln(10)/n`: the window shrinks as the network grows.
    """
    return float(np.expm1(-np.log(10) / n)), float(np.expm1(np.log(10) / n))


@functools.cache
def borders() -> pd.DataFrame:
    """Return the zones of the residual chain at 61 depths: `n`, `zone`, `piece`, `start`, `end`.

    `piece` counts the five pieces from left to right; each is one area of the map.
    """
    rows = []
    for n in np.geomspace(1, 1000, 61):
        inner, outer = 10 ** (-1 / n), 10 ** (1 / n)
        edges = [m.A_LOW, -1 - outer, -1 - inner, -1 + inner, -1 + outer, m.A_HIGH]
        edges = np.clip(edges, m.A_LOW, m.A_HIGH)
        zones = ("explodes", "tame", "vanishes", "tame", "explodes")
        rows += [(n, zones[k], k, edges[k], edges[k + 1]) for k in range(5)]
    return pd.DataFrame(rows, columns=["n", "zone", "piece", "start", "end"])


@functools.cache
def plain_borders() -> pd.DataFrame:
    """Return the borders of the plain chain, `±10^(±1/n)`: `n`, `piece`, `a`; cut at ±3."""
    rows = [
        (n, f"{sign}{way}", sign * 10 ** (way / n))
        for n in np.geomspace(1, 1000, 61)
        for sign in (-1, 1)
        for way in (-1, 1)
    ]
    inside = [row for row in rows if m.A_LOW <= row[2] <= m.A_HIGH]
    return pd.DataFrame(inside, columns=["n", "piece", "a"])


@functools.cache
def readings() -> pd.DataFrame:
    """Return what the map says under the pointer, for `a` every 0.05 and `n` in `DEPTHS`.

    Columns `a`, `n`, `plain`, `residual` (written out), `zone` (of the residual chain), `order`.
    """
    rows = []
    for a in (round(m.A_LOW + 0.05 * k, 2) for k in range(121)):
        for n in DEPTHS:
            plain, residual = m.log10_plain(a, n), m.log10_residual(a, n)
            written = numbers.text_log10(plain), numbers.text_log10(residual)
            rows.append((a, n, *written, m.zone(residual), m.order(a)))
    return pd.DataFrame(rows, columns=["a", "n", "plain", "residual", "zone", "order"])


def tables(chain: m.Chain) -> dict[str, pd.DataFrame]:
    """Return the tables of the map: `rows` (the readings), `borders`, `plain_borders`, `here`."""
    return {
        "rows": readings(),
        "borders": borders(),
        "plain_borders": plain_borders(),
        "here": pd.DataFrame({"a": [chain.a], "n": [chain.n]}),
    }
