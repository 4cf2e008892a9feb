"""One layer's Jacobian: eigenvalues, singular values, and what they promise.

The eigenvalues of `I + J` are those of `J` plus 1, exactly. How long a gradient can become or how
short, the *singular values* say, and they do not move by 1.
"""

import functools
from typing import NamedTuple

import numpy as np
import pandas as pd

from core import numbers
from core.jacobian_families import ORDERS, SHIFT, Blocks, first, layer

LARGEST_WRITTEN = 4


def eigenvalues(matrix: np.ndarray) -> np.ndarray:
    """Return the eigenvalues of a matrix as complex numbers, in no particular order."""
    return np.linalg.eigvals(matrix).astype(complex)


def spectrum(blocks: Blocks) -> dict[str, pd.DataFrame]:
    """Return the eigenvalues of `J` and of `I + J`, each computed by itself: `who`, `re`, `im`.

    `circle` is the unit circle, `extent` two corners that keep both discs in view.
    """
    values = {who: eigenvalues(first(blocks, who)) for who in SHIFT}
    rows = [(who, z.real, z.imag) for who, found in values.items() for z in found.tolist()]
    angle = np.linspace(0, 2 * np.pi, 91)
    circle = pd.DataFrame({"re": np.cos(angle), "im": np.sin(angle), "step": range(91)})
    left, right = min(-1.1, *(row[1] for row in rows)), max(2.1, *(row[1] for row in rows))
    half = max(1.2, (right - left) / 2.8, *(1.1 * abs(row[2]) for row in rows))
    middle = (left + right) / 2  # drawn about three wide and two high
    extent = pd.DataFrame({"re": [middle - 1.5 * half, middle + 1.5 * half], "im": [-half, half]})
    frame = pd.DataFrame(rows, columns=["who", "re", "im"])
    return {"rows": frame, "circle": circle, "extent": extent}


def singular_values(blocks: Blocks) -> pd.DataFrame:
    """Return the singular values of `J` and of `I + J`, largest first: `who`, `rank`, `value`.

    A third group, `who = slid`, is what they would be if they moved by 1 as eigenvalues do.
    """
    values = {who: np.linalg.svd(first(blocks, who), compute_uv=False) for who in SHIFT}
    values["slid"] = 1 + values["plain"]
    rank = np.arange(1, blocks.d + 1)
    tables = [
        pd.DataFrame({"who": who, "rank": rank, "value": found}) for who, found in values.items()
    ]
    return pd.concat(tables, ignore_index=True)


class Measured(NamedTuple):
    """What one layer's matrices say, and the product of all layers.

    `norm` is ‖J‖₂, `least` σ_min(I + J) and `promise` the bound `1 − ‖J‖₂` under it; `nearest` is
    min|1 + λ| and `inside` the share of eigenvalues of `I + J` with |1 + λ| < 1; `slide` is how far
    the eigenvalues of `I + J` are from those of `J` plus 1; `gain` is the mean of ‖(I + J)ᵀg‖² over
    all unit vectors g. `radius_low` and `radius_high` bound ρ(J) over the layers.
    """

    norm: float
    least: float
    promise: float
    nearest: float
    inside: float
    slide: float
    gain: float
    radius_low: float
    radius_high: float


@functools.lru_cache(maxsize=16)
def measure(blocks: Blocks) -> Measured:
    """Measure one layer; `σ_min(I + J) ≥ 1 − ‖J‖₂` holds for every matrix (Weyl)."""
    plain, (residual, inverse) = first(blocks, "plain"), layer(blocks, 0, "residual")
    norm = float(np.linalg.norm(plain, 2))
    own, moved = eigenvalues(plain), eigenvalues(residual)
    apart = np.abs(moved[:, None] - (own[None, :] + 1)).min(axis=1)
    radii = _radii(blocks)
    return Measured(
        norm=norm,
        least=0.0 if inverse is None else 1 / float(np.linalg.norm(inverse, 2)),
        promise=1 - norm,
        nearest=float(np.abs(moved).min()),
        inside=float((np.abs(moved) < 1 - 1e-9).mean()),
        slide=float(apart.max()),
        gain=float((residual**2).sum() / blocks.d),
        radius_low=min(radii),
        radius_high=max(radii),
    )


def _radii(blocks: Blocks) -> list[float]:
    """Return ρ(J) of every different layer; of a triangular matrix it is |λ|, with no rounding."""
    if blocks.triangular:
        return [abs(blocks.eigenvalue)]
    count = blocks.n if blocks.order == ORDERS[2] else 1
    matrices = (layer(blocks, index, "plain").matrix for index in range(count))
    return [float(np.abs(eigenvalues(matrix)).max()) for matrix in matrices]


def written_out(blocks: Blocks) -> str | None:
    """Return `J` of the first layer for KaTeX, entry by entry, or None if it is too large."""
    if blocks.d > LARGEST_WRITTEN:
        return None
    rows = [" & ".join(map(numbers.tex, row)) for row in first(blocks, "plain").tolist()]
    entries = r" \\ ".join(rows)
    return rf"J=\begin{{bmatrix}}{entries}\end{{bmatrix}}"


def promise_verdict(blocks: Blocks) -> str:
    """Say whether `σ_min(I + J) ≥ 1 − ‖J‖₂` promises anything: `promise` or `no_promise`."""
    return "promise" if measure(blocks).promise > 1e-9 else "no_promise"
