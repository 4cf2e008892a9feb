"""A Transformer block and a stack of them, for every placement of the normalisation.

A sub-layer is `y = T(α·x + O(F(I(x))))` (see `core.placements`); a block is attention, then the
FFN `W₂ GELU(W₁ z + b₁) + b₂`, each in such a sub-layer. Weights are plain tensors in a dict, shaped
(…, out, in) as in `torch.nn.Linear`; leading axes are models that are computed together.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.limits import Refused, within
from core.norms import Norm
from core.placements import PLACEMENTS, Placement

if TYPE_CHECKING:
    from core.backend import torch

    Weights = Mapping[str, torch.Tensor]

LAYER_NORM = Norm()
BRANCHES = ("attention", "ffn")


@dataclass(frozen=True, slots=True)
class Shape:
    """Width `d`, attention heads and inner width of the FFN."""

    d: int = 64
    heads: int = 4
    ffn: int = 256

    def __post_init__(self) -> None:
        """Refuse `d < 4` (LayerNorm of two numbers is ±1) and heads that do not divide `d`."""
        within("d", self.d, 4, 1024)
        within("heads", self.heads, 1, self.d)
        within("FFN", self.ffn, 1, 8192)
        if self.d % self.heads:
            raise Refused("heads", d=self.d, heads=self.heads)


def attention(z: torch.Tensor, weights: Weights, heads: int, causal: bool = False) -> torch.Tensor:
    """Return self-attention of `z` (…, T, d): `softmax(Q Kᵀ/√(d/h)) V` in each head, then `W_O`.

    Causal, a token reads only itself and those before it.
    """
    *batch, tokens, d = z.shape
    qkv = z @ weights["qkv"].mT + weights["qkv_bias"]
    q, k, v = qkv.view(*batch, tokens, 3, heads, d // heads).movedim(-3, 0).transpose(-3, -2)
    scores = q @ k.mT / (d // heads) ** 0.5
    if causal:
        later = scores.new_ones(tokens, tokens).triu(1).bool()
        scores = scores.masked_fill(later, -float("inf"))
    mixed = (scores.softmax(-1) @ v).transpose(-3, -2).reshape(*batch, tokens, d)
    return mixed @ weights["out"].mT + weights["out_bias"]


def ffn(z: torch.Tensor, weights: Weights) -> torch.Tensor:
    """Return `W₂ GELU(W₁ z + b₁) + b₂`, each token for itself (article 1, section 8)."""
    from core.backend import torch

    hidden = torch.nn.functional.gelu(z @ weights["up"].mT + weights["up_bias"])
    return hidden @ weights["down"].mT + weights["down_bias"]


def block(
    x: torch.Tensor,
    weights: Weights,
    placement: Placement,
    heads: int,
    alpha: float,
    normalise: Norm = LAYER_NORM,
    causal: bool = False,
) -> torch.Tensor:
    """Return the output (…, T, d) of one block for the input `x` (…, T, d)."""

    def norm(slot: str, z: torch.Tensor) -> torch.Tensor:
        if not getattr(placement, slot):
            return z
        return normalise(z, weights[f"{branch}_{slot}_gamma"], weights[f"{branch}_{slot}_beta"])

    for branch in BRANCHES:
        z = norm("before", x)
        update = attention(z, weights, heads, causal) if branch == "attention" else ffn(z, weights)
        x = norm("trunk", alpha * x + norm("behind", update))
    return x


def stack(
    x: torch.Tensor,
    blocks: Sequence[Weights],
    placement: Placement,
    heads: int,
    skip: bool = True,
) -> list[torch.Tensor]:
    """Return the stream after each block; the last entry has passed the final LN if there is one.

    The final LN has `γ = 1`, `β = 0`. Without `skip` nothing is added: `x ← F(x)` in a sub-layer.
    """
    from core.backend import torch

    alpha = skip_scale(placement, len(blocks)) if skip else 0.0
    stream = []
    for weights in blocks:
        x = block(x, weights, placement, heads, alpha)
        stream.append(x)
    final = torch.nn.functional.layer_norm(x, x.shape[-1:]) if placement.final else x
    return [*stream, final]


def skip_scale(placement: Placement, blocks: int) -> float:
    """Return DeepNorm's `α = (2N)^(1/4)` for one stack of `N` blocks, else 1 (DeepNet, table 1)."""
    return (2 * blocks) ** 0.25 if placement.scaled else 1.0


def branch_gain(placement: Placement, blocks: int) -> float:
    """Return DeepNorm's `β = (8N)^(-1/4)`, the gain of `W_V`, `W_O`, `W₁` and `W₂`, else 1."""
    return (8 * blocks) ** -0.25 if placement.scaled else 1.0


def initial(
    shape: Shape, placement: Placement, blocks: int, generator: torch.Generator, dtype: torch.dtype
) -> list[dict[str, torch.Tensor]]:
    """Draw the weights of a stack: Xavier normal, biases 0, `γ = 1`, `β = 0`.

    The draws do not depend on the placement, so two placements start from the same numbers;
    DeepNorm multiplies four of the matrices by its gain.
    """
    from core.backend import torch

    gain = branch_gain(placement, blocks)

    def xavier(out: int, into: int, gain: float = 1.0) -> torch.Tensor:
        drawn = torch.randn(out, into, generator=generator, dtype=dtype)
        return drawn * gain * (2 / (out + into)) ** 0.5

    def constant(size: int, value: float = 0.0) -> torch.Tensor:
        return torch.full((size,), value, dtype=dtype)

    d, wide = shape.d, shape.ffn
    norms = [f"{branch}_{slot}" for branch in BRANCHES for slot in placement.slots]
    return [
        {
            "qkv": torch.cat([xavier(d, d), xavier(d, d), xavier(d, d, gain)]),
            "qkv_bias": constant(3 * d),
            "out": xavier(d, d, gain),
            "out_bias": constant(d),
            "up": xavier(wide, d, gain),
            "up_bias": constant(wide),
            "down": xavier(d, wide, gain),
            "down_bias": constant(d),
        }
        | {f"{name}_gamma": constant(d, 1.0) for name in norms}
        | {f"{name}_beta": constant(d) for name in norms}
        for _ in range(blocks)
    ]


def named(name: str) -> Placement:
    """Return the placement of that name. Raises `Refused` for an unknown one."""
    if name not in PLACEMENTS:
        raise Refused("choice", name="placement", value=name, allowed=", ".join(PLACEMENTS))
    return PLACEMENTS[name]
