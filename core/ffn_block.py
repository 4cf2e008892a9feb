"""The Pre-LN feed-forward block of article 1, section 8: `y = x + W₂·GELU(W₁·LN(x) + b₁) + b₂`.

Written out in numpy, so that each line can be read and checked; `SNIPPET` is the same in PyTorch.
"""

import math
from dataclasses import dataclass

import numpy as np

_EPSILON = 1e-5
_erf = np.vectorize(math.erf)


@dataclass(frozen=True, slots=True)
class Weights:
    """The parameters: `gamma`, `beta`, `b2`: (d,); `w1`: (4d, d); `b1`: (4d,); `w2`: (d, 4d)."""

    gamma: np.ndarray
    beta: np.ndarray
    w1: np.ndarray
    b1: np.ndarray
    w2: np.ndarray
    b2: np.ndarray


def parameters(d: int) -> int:
    """Return how many parameters the block has: `8d² + 7d`, none of them in the shortcut."""
    return 2 * d + (4 * d * d + 4 * d) + (4 * d * d + d)


def layer_norm(x: np.ndarray, gamma: np.ndarray, beta: np.ndarray) -> np.ndarray:
    """Return `γ·(x − mean)/√(var + ε) + β` over the last axis, `ε = 10⁻⁵`."""
    centred = x - x.mean(axis=-1, keepdims=True)
    return gamma * centred / np.sqrt((centred**2).mean(axis=-1, keepdims=True) + _EPSILON) + beta


def gelu(x: np.ndarray) -> np.ndarray:
    """Return `x·Φ(x)`, with the exact normal distribution function."""
    return x * (1 + _erf(x / math.sqrt(2))) / 2


def ffn_block(x: np.ndarray, w: Weights) -> np.ndarray:
    """Return the block's output; `x` has any shape that ends in `d`, and so has the output."""
    hidden = layer_norm(x, w.gamma, w.beta)
    hidden = gelu(hidden @ w.w1.T + w.b1)
    return x + hidden @ w.w2.T + w.b2


SNIPPET = '''\
import torch
from torch import nn


class FeedForwardBlock(nn.Module):
    """Pre-LN residual block: x + Linear(GELU(Linear(LayerNorm(x))))."""

    def __init__(self, d):
        super().__init__()
        self.branch = nn.Sequential(
            nn.LayerNorm(d), nn.Linear(d, 4 * d), nn.GELU(), nn.Linear(4 * d, d)
        )

    def forward(self, x):
        return x + self.branch(x)


block = FeedForwardBlock(d=4)
x = torch.randn(2, 3, 4, requires_grad=True)  # batch, sequence, features
y = block(x)
y.square().mean().backward()

assert y.shape == x.shape  # or the addition would be impossible
assert x.grad.shape == x.shape  # both paths have added their share
parameters = sum(p.numel() for p in block.parameters())
print("parameters:", parameters, "- none of them in the shortcut")
'''
"""The article's first listing, shorter: it runs as it is and makes the same two assertions."""
