"""One small Transformer block whose branches carry their Jacobians in closed form.

`x` is `T × d`; a Jacobian is `Td × Td`, rows and columns token by token, columns are inputs.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from core.limits import Refused, within
from core.norms import Norm
from core.transformer import BRANCHES, named

Weights = Mapping[str, np.ndarray]

TOKENS_LOW, TOKENS_HIGH = 2, 8
WIDTHS = (4, 8, 16)


@dataclass(frozen=True, slots=True)
class SmallBlock:
    """One block with `tokens` tokens of width `d`, weights and input drawn from `seed`.

    With `ones`, every `γ` is 1 and every `β` is 0; else both are drawn.
    """

    placement: str
    tokens: int = 4
    d: int = 8
    heads: int = 2
    seed: int = 0
    ones: bool = False
    causal: bool = False
    norm: Norm = field(default_factory=Norm)

    def __post_init__(self) -> None:
        """Refuse an unknown placement, sizes out of range and heads that do not divide `d`."""
        named(self.placement)
        within("T", self.tokens, TOKENS_LOW, TOKENS_HIGH)
        within("d", self.d, WIDTHS[0], WIDTHS[-1])
        within("heads", self.heads, 1, self.d)
        within("seed", self.seed, 0, 2**31)
        if self.d % self.heads:
            raise Refused("heads", d=self.d, heads=self.heads)


def draw(small: SmallBlock) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    """Return the input (T, d) and the weights, which do not depend on the placement."""
    random = np.random.default_rng(small.seed)
    d, wide = small.d, 4 * small.d

    def xavier(out: int, into: int) -> np.ndarray:
        return random.normal(0, (2 / (out + into)) ** 0.5, (out, into))

    x = random.normal(size=(small.tokens, d))
    weights = {
        "qkv": np.concatenate([xavier(d, d) for _ in range(3)]),
        "out": xavier(d, d),
        "up": xavier(wide, d),
        "down": xavier(d, wide),
    }
    weights |= {f"{name}_bias": random.normal(0, 0.1, len(w)) for name, w in weights.items()}
    for name in (
        f"{branch}_{slot}" for branch in BRANCHES for slot in ("before", "behind", "trunk")
    ):
        gamma, beta = random.normal(1, 0.3, d), random.normal(0, 0.3, d)
        weights[f"{name}_gamma"] = np.ones(d) if small.ones else gamma
        weights[f"{name}_beta"] = np.zeros(d) if small.ones else beta
    return x, weights


def attention(
    z: np.ndarray, weights: Weights, heads: int, causal: bool
) -> tuple[np.ndarray, np.ndarray]:
    """Return self-attention of `z` (T, d) and its Jacobian (Td, Td).

    In one head, with weights `A`, `∂o_t/∂z_s = A_ts W_V + A_ts (v_s − o_t)(W_Kᵀ q_t)ᵀ/√k`, and for
    `s = t` in addition `Σ_u A_tu (v_u − o_t)(W_Qᵀ k_u)ᵀ/√k`. Causal, `A_ts = 0` for s > t.
    """
    tokens, d = z.shape
    each = d // heads
    outputs, jacobians = [], []
    for head in range(heads):
        rows = [slice(part * d + head * each, part * d + (head + 1) * each) for part in range(3)]
        wq, wk, wv = (weights["qkv"][row] for row in rows)
        q, k, v = (z @ weights["qkv"][row].T + weights["qkv_bias"][row] for row in rows)
        scores = q @ k.T / math.sqrt(each)
        if causal:
            scores[np.triu_indices(tokens, 1)] = -np.inf
        mix = np.exp(scores - scores.max(axis=1, keepdims=True))
        mix /= mix.sum(axis=1, keepdims=True)
        output = mix @ v
        apart = v[None] - output[:, None]  # [t, s]: v_s − o_t
        change = mix[:, :, None, None] * wv  # [t, s, i, j]
        change = change + np.einsum("ts,tsi,tj->tsij", mix, apart, q @ wk) / math.sqrt(each)
        own = np.einsum("tu,tui,uj->tij", mix, apart, k @ wq) / math.sqrt(each)
        change[np.arange(tokens), np.arange(tokens)] += own
        outputs.append(output)
        jacobians.append(change)
    joined = np.einsum("ij,tsjk->tisk", weights["out"], np.concatenate(jacobians, axis=2))
    output = np.concatenate(outputs, axis=1) @ weights["out"].T + weights["out_bias"]
    return output, joined.reshape(z.size, z.size)


def ffn(z: np.ndarray, weights: Weights) -> tuple[np.ndarray, np.ndarray]:
    """Return `W₂ GELU(W₁ z + b₁) + b₂` for each token of `z` (T, d) and its Jacobian (Td, Td).

    `GELU(h) = h Φ(h)` and `GELU'(h) = Φ(h) + h φ(h)`, with the standard normal's `Φ` and `φ`.
    """
    hidden = z @ weights["up"].T + weights["up_bias"]
    below = 0.5 * (1 + np.vectorize(math.erf)(hidden / math.sqrt(2)))
    slope = below + hidden * np.exp(-(hidden**2) / 2) / math.sqrt(2 * math.pi)
    each = [weights["down"] @ (row[:, None] * weights["up"]) for row in slope]
    return (hidden * below) @ weights["down"].T + weights["down_bias"], block_diagonal(each)


def block_diagonal(blocks: list[np.ndarray]) -> np.ndarray:
    """Return the (Td, Td) matrix with one (d, d) block a token, and 0 between tokens."""
    tokens, d = len(blocks), len(blocks[0])
    whole = np.zeros((tokens, d, tokens, d))
    for token, part in enumerate(blocks):
        whole[token, :, token, :] = part
    return whole.reshape(tokens * d, tokens * d)
