"""The gradient of a chain of scalar layers by automatic differentiation.

Hundreds of factors overflow or underflow any float. So the chain is differentiated in pieces of 50
layers, and the logarithms of the pieces are added: each piece is one backward pass of torch.
"""

import math
from collections.abc import Callable, Sequence
from typing import Any

Layer = Callable[[Any], Any]
PIECE = 50


def log10_gradient(layers: Sequence[Layer], start: float = 1.0, restart: bool = False) -> float:
    """Return `log₁₀|∂xₙ/∂x₀|` of `x ← layer(x)` in float64; `−inf` where it is exactly 0.

    With `restart`, every piece begins at `start` again. Only linear layers allow this: their
    derivative does not depend on `x`, while `x` itself would overflow.
    """
    from core.backend import torch

    begin_at = torch.tensor(start, dtype=torch.float64)
    x, total = begin_at, 0.0
    for begin in range(0, len(layers), PIECE):
        x = (begin_at if restart else x).detach().requires_grad_()
        out = x
        for layer in layers[begin : begin + PIECE]:
            out = layer(out)
        (gradient,) = torch.autograd.grad(out, x)
        size = abs(float(gradient))
        total += math.log10(size) if size else -math.inf
        x = out
    return total


def linear(factors: Sequence[float], shortcut: bool) -> list[Layer]:
    """Return the layers `x ← a·x`, or with a shortcut `x ← x + a·x`, one for each `a`."""
    if shortcut:
        return [lambda x, a=a: x + a * x for a in factors]
    return [lambda x, a=a: a * x for a in factors]


def activated(name: str, w: float, n: int, shortcut: bool) -> list[Layer]:
    """Return `n` layers `x ← φ(w·x)`, or with a shortcut `x ← x + φ(w·x)`, with torch's own `φ`."""
    from core.backend import torch

    phi = {"sigmoid": torch.sigmoid, "tanh": torch.tanh, "ReLU": torch.relu}[name]
    if shortcut:
        return [lambda x: x + phi(w * x)] * n
    return [lambda x: phi(w * x)] * n
