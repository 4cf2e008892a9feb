"""Statements about a block's Jacobian, tried on random blocks: some are theorems, some are not."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pandas as pd

from core.block_jacobian import block_jacobian, sublayer_jacobian
from core.limits import within
from core.norms import Norm, jacobian, normalise
from core.small_block import SmallBlock, draw

TOLERANCE = 1e-9
"""Below this a difference is rounding: the numbers are float64 and of order 1."""


@dataclass(frozen=True, slots=True)
class Trial:
    """`count` random blocks, drawn from `seed` on, with one kind of normalisation."""

    norm: Norm
    seed: int = 0
    count: int = 20
    tokens: int = 3
    d: int = 8

    def __post_init__(self) -> None:
        """Refuse more than 100 blocks; the rest is refused by the blocks themselves."""
        within("count", self.count, 1, 100)
        self.block("Pre-LN", 0)

    def block(self, placement: str, number: int) -> SmallBlock:
        """Return the block of that number; every γ and β is drawn."""
        return SmallBlock(placement, self.tokens, self.d, 2, self.seed + number, norm=self.norm)


def shift_survives(block: SmallBlock) -> float:
    """`J·1 = 1`: a constant added to every number of a token comes out unchanged."""
    ones = np.ones(block.tokens * block.d)
    return _distance(block_jacobian(block) @ ones, ones)


def stretch_survives_a_sublayer(block: SmallBlock) -> float:
    """`J·x = x` for one sub-layer: to stretch its input stretches its output as much."""
    x, j = sublayer_jacobian(block, "attention")
    return _distance(j @ x.ravel(), x.ravel())


def stretch_survives_the_block(block: SmallBlock) -> float:
    """`J·x = x` for attention and FFN together."""
    x, _ = draw(block)
    return _distance(block_jacobian(block) @ x.ravel(), x.ravel())


def gain_is_at_least_one(block: SmallBlock) -> float:
    """`‖J‖₂ ≥ 1`: some direction is not shrunk. Returns how far the norm falls short."""
    return max(0.0, 1 - singular_values(block)[0])


def nothing_shrinks(block: SmallBlock) -> float:
    """Every singular value is ≥ 1. Returns how far the smallest falls short."""
    return max(0.0, 1 - singular_values(block)[-1])


def is_singular(block: SmallBlock) -> float:
    """Some direction is lost altogether. Returns the smallest singular value."""
    return float(singular_values(block)[-1])


def final_norm_blocks_the_shift(block: SmallBlock) -> float:
    """`1ᵀ g = 0` for every gradient `g` that has come back through a final norm with `γ = 1`."""
    x, _ = draw(block)
    gamma = np.ones(block.d)
    return max(float(np.abs(jacobian(block.norm, token, gamma) @ gamma).max()) for token in x)


def singular_values(block: SmallBlock) -> np.ndarray:
    """Return the singular values of the block's Jacobian, the largest first."""
    return np.linalg.svd(block_jacobian(block), compute_uv=False)


class Statement(NamedTuple):
    """What is said of which placement; `error` is 0, up to rounding, where it is true."""

    placement: str
    error: Callable[[SmallBlock], float]


STATEMENTS = {
    "shift": Statement("Pre-LN", shift_survives),
    "gain": Statement("Pre-LN", gain_is_at_least_one),
    "stretch_sublayer": Statement("Pre-LN", stretch_survives_a_sublayer),
    "stretch_block": Statement("Pre-LN", stretch_survives_the_block),
    "nothing_shrinks": Statement("Pre-LN", nothing_shrinks),
    "final": Statement("Pre-LN", final_norm_blocks_the_shift),
    "post_shift": Statement("Post-LN", shift_survives),
    "post_singular": Statement("Post-LN", is_singular),
}


def tried(trial: Trial) -> pd.DataFrame:
    """Try each: `statement`, `placement`, `holds` (in how many blocks) and the `worst` error."""
    rows = []
    for name, (placement, error) in STATEMENTS.items():
        errors = [error(trial.block(placement, number)) for number in range(trial.count)]
        holds = sum(value <= TOLERANCE for value in errors)
        rows.append((name, placement, holds, max(errors)))
    return pd.DataFrame(rows, columns=["statement", "placement", "holds", "worst"])


def spectrum(*blocks: SmallBlock) -> pd.DataFrame:
    """Return the singular values to draw: `who`, `number` (1 is the largest), `log10`, `zero`.

    One that is below 1e-13 of the largest is 0 up to rounding: no logarithm, `zero` is true.
    """
    tables = []
    for block in blocks:
        values = singular_values(block)
        zero = values < 1e-13 * values[0]
        log10 = np.log10(np.where(zero, np.nan, values))
        table = {"number": np.arange(1, values.size + 1), "log10": log10, "zero": zero}
        tables.append(pd.DataFrame({"who": block.placement} | table))
    return pd.concat(tables, ignore_index=True)


def norm_facts(norm: Norm, x: np.ndarray) -> pd.DataFrame:
    """Return closed forms of one normalisation's Jacobian at `x` (d,), `γ = 1`, beside autograd.

    Rows (`quantity`, `closed`, `autograd`): spectral norm `1/σ`, Frobenius norm
    `√(r + (ε/σ²)²)/σ` with `r = d − 2` (LayerNorm) or `d − 1` (RMSNorm), and what comes out along
    `x̂`, `ε/σ³`, and along `1` (0 for LayerNorm). For RMSNorm `σ` is `r = √(mean(x²) + ε)`.
    """
    from core.backend import torch

    one, d = np.ones(x.size), x.size
    sigma = float(np.sqrt(np.mean((x - (norm.kind == "LayerNorm") * x.mean()) ** 2) + norm.epsilon))
    rank = d - 2 if norm.kind == "LayerNorm" else d - 1
    hat = normalise(norm, x, one, 0 * one)
    unit, zero = torch.ones(d, dtype=torch.float64), torch.zeros(d, dtype=torch.float64)
    measured = torch.autograd.functional.jacobian(
        lambda z: norm(z, unit, zero), torch.from_numpy(x)
    ).numpy()
    rows = [
        ("spectral", 1 / sigma, np.linalg.norm(measured, 2)),
        (
            "frobenius",
            np.sqrt(rank + (norm.epsilon / sigma**2) ** 2) / sigma,
            np.linalg.norm(measured),
        ),
        ("along_hat", norm.epsilon / sigma**3, hat @ measured @ hat / (hat @ hat)),
    ]
    if norm.kind == "LayerNorm":
        rows.append(("along_one", 0.0, one @ measured @ one / d))
    return pd.DataFrame(rows, columns=["quantity", "closed", "autograd"])


def _distance(a: np.ndarray, b: np.ndarray) -> float:
    return float(np.abs(a - b).max())
