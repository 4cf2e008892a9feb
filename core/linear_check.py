"""The linear block, checked: its exact numbers beside autograd's and beside central differences."""

import numpy as np
import pandas as pd

from core.linear_block import Setting, block, run

_STEP = 1e-4
NAMES = (
    *("L", "y₁", "y₂", "∂L/∂y₁", "∂L/∂y₂", "∂L/∂x₁", "∂L/∂x₂"),
    *("∂L/∂W₁₁", "∂L/∂W₁₂", "∂L/∂W₂₁", "∂L/∂W₂₂"),
)


def check(setting: Setting) -> pd.DataFrame:
    """Return `quantity`, `closed`, `autograd`, `central`: one row a number, all in float64.

    `closed` is the exact fraction, rounded once. `central` is `(L(v + h) − L(v − h)) / 2h` with
    `h = 10⁻⁴`; `L` is a quadratic in each number, so only rounding separates it from the truth.
    What is not a gradient (`L`, `y`) has no central difference.
    """
    p = run(setting)
    closed = [p.loss, *p.y, *p.grad_y, *p.grad_x, *p.grad_w.ravel()]
    return pd.DataFrame(
        {
            "quantity": NAMES,
            "closed": [float(value) for value in closed],
            "autograd": by_autograd(setting),
            "central": [np.nan] * 3 + by_central_differences(setting),
        }
    )


def floats(setting: Setting) -> tuple[np.ndarray, np.ndarray, np.ndarray, float]:
    """Return `x`, `W`, `t` and `α` in float64."""
    x, weight, t, alpha = setting.exactly()
    return x.astype(float), weight.astype(float), t.astype(float), float(alpha)


def by_autograd(setting: Setting) -> list[float]:
    """Return `L, y, ∇ᵧL, ∇ₓL, ∇W` as PyTorch finds them from the forward pass alone."""
    from core.backend import torch

    x, weight, t, alpha = (torch.tensor(part, dtype=torch.float64) for part in floats(setting))
    for part in (x, weight):
        part.requires_grad_()
    y = x + alpha * (weight @ x)
    y.retain_grad()
    loss = 0.5 * ((y - t) ** 2).sum()
    loss.backward()
    parts = (loss, y, y.grad, x.grad, weight.grad)
    return [value for part in parts if part is not None for value in part.ravel().tolist()]


def by_central_differences(setting: Setting) -> list[float]:
    """Return `∇ᵧL, ∇ₓL, ∇W` from small changes of `y`, `x` and `W`."""
    x, weight, t, alpha = floats(setting)
    y = block(x, weight, t, alpha).y
    slopes = _slopes(lambda v: float((v - t) @ (v - t)) / 2, y)
    slopes += _slopes(lambda v: block(v, weight, t, alpha).loss, x)
    slopes += _slopes(lambda v: block(x, v.reshape(2, 2), t, alpha).loss, weight.ravel())
    return slopes


def _slopes(loss, point: np.ndarray) -> list[float]:
    changes = _STEP * np.eye(len(point))
    return [float(loss(point + h) - loss(point - h)) / (2 * _STEP) for h in changes]


def largest_difference(rows: pd.DataFrame, column: str) -> float:
    """Return the largest absolute difference between `closed` and a column."""
    return float(np.nanmax(np.abs(rows["closed"].to_numpy() - rows[column].to_numpy())))


def written(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the table for reading, twelve digits a number; what does not exist is a dash."""
    shown = rows.copy()
    for column in ("closed", "autograd", "central"):
        shown[column] = ["–" if np.isnan(value) else f"{value:.12g}" for value in rows[column]]
    return shown
