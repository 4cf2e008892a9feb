"""The Jacobian of one whole Transformer block in closed form, every placement of the normalisation.

Each sub-layer contributes `J_T(α·x + O) · (α·I + J_O(F) · J_F(I) · J_I(x))`, every factor at its
own point (see `core.placements`); a normalisation's factor is block-diagonal, one block a token,
while attention's is full: the block's Jacobian is `Td × Td`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from core.norms import jacobian, normalise
from core.small_block import SmallBlock, Weights, attention, block_diagonal, draw, ffn
from core.transformer import BRANCHES, block, named, skip_scale

if TYPE_CHECKING:
    from core.backend import torch


def block_jacobian(small: SmallBlock) -> np.ndarray:
    """Return the Jacobian (Td, Td) of the block at its input, rows and columns token by token."""
    return _forward(small)[1]


def sublayer_jacobian(small: SmallBlock, branch: str) -> tuple[np.ndarray, np.ndarray]:
    """Return the input (T, d) of one sub-layer of the block and its Jacobian (Td, Td) there."""
    x, weights = draw(small)
    for name in BRANCHES:
        y, j = sublayer(small, x, weights, name)
        if name == branch:
            return x, j
        x = y
    raise KeyError(branch)


def by_autograd(small: SmallBlock) -> np.ndarray:
    """Return the same Jacobian (Td, Td) by autograd of `core.transformer.block`."""
    from core.backend import torch

    x, weights = draw(small)
    tensors = {name: torch.from_numpy(weight) for name, weight in weights.items()}
    placement = named(small.placement)
    alpha = skip_scale(placement, 1)

    def run(z: torch.Tensor) -> torch.Tensor:
        return block(z, tensors, placement, small.heads, alpha, small.norm, small.causal)

    whole = torch.autograd.functional.jacobian(run, torch.from_numpy(x))
    return whole.reshape(x.size, x.size).numpy()


def by_differences(small: SmallBlock, step: float = 1e-5) -> np.ndarray:
    """Return the same Jacobian (Td, Td) by central differences in float64, to about `step²`."""
    x, weights = draw(small)
    columns = []
    for index in np.ndindex(x.shape):
        shift = np.zeros_like(x)
        shift[index] = step
        ahead, back = (_forward(small, x + sign * shift, weights)[0] for sign in (1, -1))
        columns.append((ahead - back).ravel() / (2 * step))
    return np.stack(columns, axis=1)


def _forward(
    small: SmallBlock, x: np.ndarray | None = None, weights: Weights | None = None
) -> tuple[np.ndarray, np.ndarray]:
    if x is None or weights is None:
        x, weights = draw(small)
    total = np.eye(x.size)
    for branch in BRANCHES:
        x, j = sublayer(small, x, weights, branch)
        total = j @ total
    return x, total


def sublayer(
    small: SmallBlock, x: np.ndarray, weights: Weights, branch: str
) -> tuple[np.ndarray, np.ndarray]:
    """Return the output (T, d) of one sub-layer at `x` (T, d), and its Jacobian (Td, Td) there."""
    placement, identity = named(small.placement), np.eye(x.size)
    alpha = skip_scale(placement, 1)

    def norm(slot: str, z: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        if not getattr(placement, slot):
            return z, identity
        gamma, beta = weights[f"{branch}_{slot}_gamma"], weights[f"{branch}_{slot}_beta"]
        each = [jacobian(small.norm, token, gamma) for token in z]
        normalised = [normalise(small.norm, token, gamma, beta) for token in z]
        return np.stack(normalised), block_diagonal(each)

    inner, j_before = norm("before", x)
    if branch == "attention":
        update, j_branch = attention(inner, weights, small.heads, small.causal)
    else:
        update, j_branch = ffn(inner, weights)
    update, j_behind = norm("behind", update)
    y, j_trunk = norm("trunk", alpha * x + update)
    return y, j_trunk @ (alpha * identity + j_behind @ j_branch @ j_before)
