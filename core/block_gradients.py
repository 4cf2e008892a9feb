"""Gradients of one block, in closed form and by autograd.

For `L = ½‖x + αF − H‖²`: `∂L/∂α = F·(y − H)`, `∂L/∂F = α(y − H)`, and along the identity path alone
`∂L/∂x = y − H`. For a branch with two layers, `F(x) = W₂ tanh(W₁x)`, the Jacobian of the block is
`I + αW₂ diag(1 − tanh²(W₁x)) W₁` (article 1, section 7, with the point where it is taken).
"""

import numpy as np
import pandas as pd

HIDDEN, SEED = 4, 0
TEX = (
    r"L=\tfrac12\lVert x+\alpha F-H\rVert^2,\qquad "
    r"J=I+\alpha W_2\operatorname{diag}\bigl(1-\tanh^2(W_1x)\bigr)W_1"
)

Vector = tuple[float, ...]


def weights(size: int) -> tuple[np.ndarray, np.ndarray]:
    """Return `W₁` (4 × d) and `W₂` (d × 4) of the branch, normal entries over √inputs."""
    draw = np.random.default_rng(SEED)
    first, last = draw.normal(size=(HIDDEN, size)), draw.normal(size=(size, HIDDEN))
    return first / size**0.5, last / HIDDEN**0.5


def closed(x: Vector, update: Vector, target: Vector, alpha: float) -> dict[str, np.ndarray]:
    """Return the three gradients and the Jacobian from the formulas above."""
    here, f = np.array(x), np.array(update)
    error = here + alpha * f - np.array(target)
    first, last = weights(len(x))
    slope = 1 - np.tanh(first @ here) ** 2
    jacobian = np.eye(len(x)) + alpha * last @ (slope[:, None] * first)
    return {"∂L/∂α": np.array([f @ error]), "∂L/∂F": alpha * error, "∂L/∂x": error, "J": jacobian}


def autograd(x: Vector, update: Vector, target: Vector, alpha: float) -> dict[str, np.ndarray]:
    """Return the same by automatic differentiation of the block itself."""
    from core.backend import torch

    def leaf(value):
        return torch.tensor(value, dtype=torch.float64, requires_grad=True)

    here, f, scale = leaf(x), leaf(update), leaf(alpha)
    loss = (here + scale * f - torch.tensor(target, dtype=torch.float64)).square().sum() / 2
    by_scale, by_update, by_input = torch.autograd.grad(loss, (scale, f, here))
    first, last = map(torch.from_numpy, weights(len(x)))

    def block(point):
        return point + alpha * (last @ torch.tanh(first @ point))

    jacobian = torch.autograd.functional.jacobian(block, here.detach())
    found = {"∂L/∂α": by_scale.reshape(1), "∂L/∂F": by_update, "∂L/∂x": by_input, "J": jacobian}
    return {name: value.numpy() for name, value in found.items()}


def check(x: Vector, update: Vector, target: Vector, alpha: float) -> pd.DataFrame:
    """Return closed form beside autograd, one row a number: `quantity`, `closed`, `autograd`."""
    formulas, measured = (way(x, update, target, alpha) for way in (closed, autograd))
    rows = [
        (_name(name, at), float(value), float(measured[name][at]))
        for name, values in formulas.items()
        for at, value in np.ndenumerate(values)
    ]
    return pd.DataFrame(rows, columns=["quantity", "closed", "autograd"])


def _name(name: str, at: tuple[int, ...]) -> str:
    if name == "∂L/∂α":
        return name
    return name + "".join(chr(0x2081 + index) for index in at)
