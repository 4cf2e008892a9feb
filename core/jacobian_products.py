"""Many layers with a Jacobian matrix: how far a gradient can grow or shrink along them.

The largest singular value of the product bounds the growth of a gradient, the smallest one its
decay. Spectral radii of the layers bound neither.
"""

import functools
import math

import numpy as np
import pandas as pd

from core import numbers
from core.jacobian_families import SHIFT, Blocks, layer
from core.jacobian_spectrum import measure


@functools.lru_cache(maxsize=16)
def by_depth(blocks: Blocks) -> pd.DataFrame:
    """Return what products of 0 … n layers do: `who`, `layers`, `low`, `middle` = `high`.

    `high` is log₁₀ of the largest singular value of the product (its 2-norm: the most a gradient
    can grow), `low` of the smallest, taken from the product of the inverses, where it is the
    largest and loses no digits. An exact 0 is NaN, and `zero` or
    `low_zero` says so. Products are scaled to unit
    size at every step and their logarithm is kept aside.
    """
    rows = []
    for who in SHIFT:
        forward = backward = (np.eye(blocks.d), 0.0)
        rows.append((who, 0, 0.0, 0.0))
        for index in range(blocks.n):
            matrix, inverse = layer(blocks, index, who)
            forward = _times(matrix, forward)
            backward = _times(inverse, backward, left=False)
            rows.append((who, index + 1, _log10_norm(forward), -_log10_norm(backward)))
    table = pd.DataFrame(rows, columns=["who", "layers", "high", "low"])
    table["middle"] = table["high"]
    table["zero"] = np.isneginf(table["high"].to_numpy())
    table["low_zero"] = np.isneginf(table["low"].to_numpy())
    return table.replace(-np.inf, np.nan)


def _times(
    matrix: np.ndarray | None, scaled: tuple[np.ndarray, float], left: bool = True
) -> tuple[np.ndarray, float]:
    """Multiply a scaled matrix `(P, log₁₀ size)`; no matrix is one of infinite size."""
    product, exponent = scaled
    if matrix is None or exponent == np.inf:
        return product, np.inf
    product = matrix @ product if left else product @ matrix
    size = float(np.linalg.norm(product))
    return (product / size, exponent + math.log10(size)) if size else (product, -np.inf)


def _log10_norm(scaled: tuple[np.ndarray, float]) -> float:
    product, exponent = scaled
    if not math.isfinite(exponent):
        return exponent
    return exponent + math.log10(np.linalg.norm(product, 2))


def last(blocks: Blocks, who: str, side: str) -> float:
    """Return log₁₀ of the `high` or `low` singular value of the whole product; −inf is 0."""
    rows = by_depth(blocks)
    row = rows[rows["who"] == who].iloc[-1]
    zero = row["zero"] if side == "high" else row["low_zero"]
    return -math.inf if zero else float(row[side])


def radius_verdict(blocks: Blocks) -> str:
    """Say whether the spectral radii of the `J` mislead about their product.

    `grows`: all are below 1, and the norm of the product is above 1; `shrinks`: all are above 1,
    and it is below 1; `agrees` otherwise.
    """
    found, norm = measure(blocks), last(blocks, "plain", "high")
    if found.radius_high < 1 - 1e-9 and norm > 1e-9:
        return "grows"
    return "shrinks" if found.radius_low > 1 + 1e-9 and norm < -1e-9 else "agrees"


def written(blocks: Blocks) -> dict[str, str | int]:
    """Return the numbers of the sentences about `blocks`, written out."""
    found = measure(blocks)
    low, high = numbers.text(found.radius_low), numbers.text(found.radius_high)
    return {
        "n": blocks.n,
        "norm": numbers.text(found.norm),
        "least_one": numbers.text(found.least),
        "promise": numbers.text(found.promise),
        "nearest": numbers.text(found.nearest),
        "percent": numbers.text(100 * found.inside),
        "slide": numbers.text(found.slide),
        "gain": numbers.text(found.gain),
        "low": low,
        "high": high,
        "radii": low if low == high else f"{low} … {high}",
        "plain": numbers.text_log10(last(blocks, "plain", "high")),
        "residual": numbers.text_log10(last(blocks, "residual", "high")),
        "plain_least": numbers.text_log10(last(blocks, "plain", "low")),
        "least": numbers.text_log10(last(blocks, "residual", "low")),
    }
