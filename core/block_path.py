"""A Transformer block as a computing path: the operations in order, each with shape and cost.

Parameters and multiply-adds are those of the matrices (and the `γ`, `β` of a normalisation);
what is done number by number (add, GELU, softmax, normalising) counts no multiply-add.
"""

from dataclasses import dataclass

from core.limits import Refused, within
from core.placements import Placement

LIMITS = {
    "B": (1, 4096),
    "T": (1, 16384),
    "d": (4, 16384),
    "heads": (1, 256),
    "FFN": (1, 65536),
}


@dataclass(frozen=True, slots=True)
class Sizes:
    """Batch `B`, tokens `T`, width `d`, attention heads and FFN width of one block.

    The defaults are article 1, section 6.4: 32 × 128 × 768, FFN 768 → 3072 → 768.
    """

    batch: int = 32
    tokens: int = 128
    d: int = 768
    heads: int = 12
    ffn: int = 3072

    def __post_init__(self) -> None:
        """Refuse a size outside `LIMITS` and a `d` that the heads do not divide."""
        values = (self.batch, self.tokens, self.d, self.heads, self.ffn)
        for (name, (low, high)), value in zip(LIMITS.items(), values, strict=True):
            within(name, value, low, high)
        if self.d % self.heads:
            raise Refused("heads", d=self.d, heads=self.heads)


@dataclass(frozen=True, slots=True)
class Step:
    """One operation: `part` of sub-layer 0 (attention) or 1 (FFN), its output's shape, its cost."""

    op: str
    part: str
    sublayer: int
    shape: tuple[int, ...]
    parameters: int
    multiply_adds: int


def path(placement: Placement, sizes: Sizes) -> list[Step]:
    """Return the operations of a block in the order in which they are computed.

    Ops: `norm`, `scores` (Q, K, V, then softmax of Q Kᵀ), `mix` (weighted sum of V, then W_O), `up`
    (W₁, GELU), `down` (W₂), `add`. Parts are those of `core.placements.formula`.
    """
    b, t, d, f, heads = sizes.batch, sizes.tokens, sizes.d, sizes.ffn, sizes.heads
    stream, attention = (b, t, d), b * t * t * d
    branches = (
        [
            Step(
                "scores",
                "branch",
                0,
                (b, heads, t, t),
                3 * d * (d + 1),
                3 * b * t * d * d + attention,
            ),
            Step("mix", "branch", 0, stream, d * (d + 1), attention + b * t * d * d),
        ],
        [
            Step("up", "branch", 1, (b, t, f), f * (d + 1), b * t * d * f),
            Step("down", "branch", 1, stream, d * (f + 1), b * t * d * f),
        ],
    )
    steps = []
    for sublayer, branch in enumerate(branches):
        norms = {slot: Step("norm", slot, sublayer, stream, 2 * d, 0) for slot in placement.slots}
        steps += [norms["before"]] if placement.before else []
        steps += branch
        steps += [norms["behind"]] if placement.behind else []
        steps += [Step("add", "add", sublayer, stream, 0, 0)]
        steps += [norms["trunk"]] if placement.trunk else []
    return steps


SYMBOLS = {
    "norm": "LN",
    "scores": "QKᵀ",
    "mix": "A·V·Wₒ",
    "up": "W₁, GELU",
    "down": "W₂",
    "add": "+",
}
"""What an operation computes, in symbols."""


def so_far(steps: list[Step], number: int) -> tuple[int, int]:
    """Return parameters and multiply-adds of the first `number` operations."""
    done = steps[:number]
    return sum(s.parameters for s in done), sum(s.multiply_adds for s in done)
