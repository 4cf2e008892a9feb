"""LayerNorm and RMSNorm with their Jacobians in closed form.

Columns are inputs: `J[i, j] = ∂yᵢ/∂xⱼ`, so a gradient goes back as `Jᵀ g`. `β` is in no Jacobian.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from core.limits import one_of, within

if TYPE_CHECKING:
    from core.backend import torch

KINDS = ("LayerNorm", "RMSNorm")


@dataclass(frozen=True, slots=True)
class Norm:
    """A normalisation of `kind` LayerNorm or RMSNorm with the constant `epsilon` under its root."""

    kind: str = "LayerNorm"
    epsilon: float = 1e-5

    def __post_init__(self) -> None:
        """Refuse an unknown kind and an `ε` outside [0, 1]."""
        one_of("norm", self.kind, KINDS)
        within("ε", self.epsilon, 0, 1)

    def __call__(self, x: torch.Tensor, gamma: torch.Tensor, beta: torch.Tensor) -> torch.Tensor:
        """Return the normalised tensor, over the last axis: what automatic differentiation sees."""
        from core.backend import torch

        size = x.shape[-1:]
        if self.kind == "RMSNorm":
            return torch.nn.functional.rms_norm(x, size, eps=self.epsilon) * gamma + beta
        return torch.nn.functional.layer_norm(x, size, eps=self.epsilon) * gamma + beta


def scale(norm: Norm, x: np.ndarray) -> float:
    """Return what `x` (d,) is divided by: `σ = √(var + ε)`, or `r = √(mean(x²) + ε)`."""
    centred = x - x.mean() if norm.kind == "LayerNorm" else x
    return float(np.sqrt(np.mean(centred**2) + norm.epsilon))


def normalise(norm: Norm, x: np.ndarray, gamma: np.ndarray, beta: np.ndarray) -> np.ndarray:
    """Return `γ·(x − mean)/σ + β` (LayerNorm) or `γ·x/r + β` (RMSNorm) for `x` (d,)."""
    centred = x - x.mean() if norm.kind == "LayerNorm" else x
    return gamma * centred / scale(norm, x) + beta


def jacobian(norm: Norm, x: np.ndarray, gamma: np.ndarray) -> np.ndarray:
    """Return the Jacobian (d, d) of the normalisation at `x` (d,).

    LayerNorm: `(1/σ) diag(γ) (I − 11ᵀ/d − x̂x̂ᵀ/d)` with `x̂ = (x − mean)/σ`.
    RMSNorm: `(1/r) diag(γ) (I − x̃x̃ᵀ/d)` with `x̃ = x/r`.
    """
    d = x.size
    unit = np.ones(d)
    hat = normalise(norm, x, unit, 0 * unit)
    removed = np.outer(hat, hat) / d
    if norm.kind == "LayerNorm":
        removed += np.outer(unit, unit) / d
    return gamma[:, None] * (np.eye(d) - removed) / scale(norm, x)


TEX = {
    "LayerNorm": r"J_{\mathrm{LN}}(x)=\frac{1}{\sigma}\,\mathrm{diag}(\gamma)\left(I"
    r"-\frac{\mathbf 1\mathbf 1^{T}}{d}-\frac{\hat x\hat x^{T}}{d}\right),\qquad"
    r"\sigma=\sqrt{\mathrm{var}(x)+\varepsilon},\quad\hat x=\frac{x-\mathrm{mean}(x)}{\sigma}",
    "RMSNorm": r"J_{\mathrm{RMS}}(x)=\frac{1}{r}\,\mathrm{diag}(\gamma)\left(I"
    r"-\frac{\tilde x\tilde x^{T}}{d}\right),\qquad"
    r"r=\sqrt{\mathrm{mean}(x^2)+\varepsilon},\quad\tilde x=\frac{x}{r}",
}
"""The Jacobians of `jacobian` as formulas."""
