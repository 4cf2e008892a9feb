"""Closed form beside automatic differentiation, for everything the gradient multiplier claims."""

import math

import numpy as np
import pandas as pd

from core import activation_ceilings, chain_gradient, jacobian_families, unequal_layers
from core.multiplier import LOG10, Chain

SPREAD = 0.5
NEURON = ("tanh", 1.5, 0.5)
"""Activation, weight and starting point of the chain that is checked."""

BLOCKS = jacobian_families.Blocks("s·G", "JJJ", 4, 0.0, 0.5, 1, 0)


def check(chain: Chain) -> pd.DataFrame:
    """Return `quantity`, `closed`, `autograd` for the reader's `a` and `n`.

    Chains of equal layers, of unequal layers (spread 0.5, seed 0) and of tanh neurons, as
    logarithms; where the multiplier is exactly 0, it itself. Then the four components of
    `(I + J)ᵀg` for a random 4 × 4 matrix.
    """
    rows = [*_equal(chain), *_unequal(chain), *_neurons(chain.n), *_vector()]
    rows = [_without_infinity(*row) for row in rows]
    return pd.DataFrame(rows, columns=["quantity", "closed", "autograd"])


Row = tuple[str, float, float]


def _without_infinity(quantity: str, closed: float, autograd: float) -> Row:
    if closed == autograd == -math.inf:
        return quantity.removeprefix("log₁₀ "), 0.0, 0.0
    return quantity, closed, autograd


def _equal(chain: Chain) -> list[Row]:
    names = {"plain": "log₁₀ |a|ⁿ", "residual": "log₁₀ |1 + a|ⁿ"}
    rows = []
    for who, name in names.items():
        layers = chain_gradient.linear([chain.a] * chain.n, who == "residual")
        found = chain_gradient.log10_gradient(layers, restart=True)
        rows.append((name, LOG10[who](chain.a, chain.n), found))
    return rows


def _unequal(chain: Chain) -> list[Row]:
    names = {"plain": "log₁₀ ∏|aₗ|", "residual": "log₁₀ ∏|1 + aₗ|"}
    drawn = unequal_layers.Layers(chain.a, SPREAD, chain.n, 0)
    rows = []
    for who, name in names.items():
        factors = unequal_layers.draws(drawn)[0].tolist()
        layers = chain_gradient.linear(factors, who == "residual")
        found = chain_gradient.log10_gradient(layers, restart=True)
        rows.append((name, float(unequal_layers.logarithms(drawn, who)[0, -1]), found))
    return rows


def _neurons(n: int) -> list[Row]:
    names = {"plain": "log₁₀ ∏ w·φ′(zₗ)", "residual": "log₁₀ ∏(1 + w·φ′(zₗ))"}
    activation, w, x = NEURON
    neurons = activation_ceilings.Neurons(activation, w, x, n)
    rows = []
    for who, name in names.items():
        shortcut = who == "residual"
        layers = chain_gradient.activated(activation, w, n, shortcut)
        closed = activation_ceilings.logarithms(neurons, shortcut)[-1]
        rows.append((name, closed, chain_gradient.log10_gradient(layers, x)))
    return rows


def _vector() -> list[Row]:
    """Compare `(I + J)ᵀg` with the backward pass of `y = x + J x` for an arriving gradient `g`."""
    from core.backend import torch

    rng = np.random.default_rng(0)
    x, g = rng.normal(size=(2, 4))
    matrix = jacobian_families.first(BLOCKS, "plain")
    closed = jacobian_families.first(BLOCKS, "residual").T @ g
    given = torch.tensor(x, requires_grad=True)
    (given + torch.tensor(matrix) @ given).backward(torch.tensor(g))
    found = given.grad
    assert found is not None
    names = [f"[(I + J)ᵀg]{chr(0x2081 + k)}" for k in range(4)]
    return list(zip(names, closed.tolist(), found.tolist(), strict=True))
