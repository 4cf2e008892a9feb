"""What a Transformer stack does to a gradient before its first training step.

`L` blocks (d = 64, 4 heads, FFN 256, GELU, Xavier normal, biases 0) read 8 sequences of 16 random
tokens; a Xavier head reads the last stream into 64 classes, and the loss is the cross-entropy with
random labels, mean over tokens. Measured by automatic differentiation, for several seeds at once.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from core.limits import within
from core.transformer import Shape, initial, named, stack

if TYPE_CHECKING:
    from core.backend import torch

SHAPE = Shape()
SEQUENCES, TOKENS, CLASSES = 8, 16, 64
SEEDS = 3
BLOCKS_LOW, BLOCKS_HIGH = 2, 64


@dataclass(frozen=True, slots=True)
class Stack:
    """`blocks` blocks of one `placement`; with `skip=False` the shortcuts are left out."""

    placement: str
    blocks: int
    skip: bool = True

    def __post_init__(self) -> None:
        """Refuse an unknown placement and a depth outside 2 … 64."""
        named(self.placement)
        within("L", self.blocks, BLOCKS_LOW, BLOCKS_HIGH)


def profile(settings: Stack, seeds: int = SEEDS) -> pd.DataFrame:
    """Measure each block at initialisation: `who`, `layer` (1 … L), `seed`, and what was measured.

    `gradient` is `‖∂loss/∂W₂‖_F` of the block's FFN, `stream` the standard deviation of the stream
    after the block, `apart` the share of it that differs between tokens, and `update` how far the
    block moved the stream, `‖x_l − x_{l−1}‖/‖x_{l−1}‖`. In float32; in float64 where numbers leave
    its range: without any normalisation, or without shortcuts.
    """
    tables = []
    for seed in range(seeds):
        table = {"layer": np.arange(1, settings.blocks + 1), "seed": seed}
        tables.append(pd.DataFrame(table | _one(settings, seed)))
    return pd.concat(tables, ignore_index=True).assign(who=settings.placement)


def mean_over_seeds(profile: pd.DataFrame, column: str) -> np.ndarray:
    """Return a column of a profile, one number a block, the mean over the seeds."""
    blocks = profile["layer"].to_numpy().max()
    return profile[column].to_numpy().reshape(-1, blocks).mean(axis=0)


def _one(settings: Stack, seed: int) -> dict[str, list[float]]:
    from core.backend import torch

    placement = named(settings.placement)
    dtype = torch.float32 if placement.slots and settings.skip else torch.float64
    draw = torch.Generator().manual_seed(seed)
    x = torch.randn(SEQUENCES, TOKENS, SHAPE.d, generator=draw, dtype=dtype)
    head = torch.randn(CLASSES, SHAPE.d, generator=draw, dtype=dtype)
    head *= (2 / (CLASSES + SHAPE.d)) ** 0.5
    labels = torch.randint(CLASSES, (SEQUENCES, TOKENS), generator=draw)

    blocks = initial(SHAPE, placement, settings.blocks, draw, dtype)
    downs = [weights["down"].requires_grad_() for weights in blocks]
    *stream, last = stack(x, blocks, placement, SHAPE.heads, settings.skip)
    loss = torch.nn.functional.cross_entropy((last @ head.mT).flatten(0, 1), labels.flatten())
    gradients = torch.autograd.grad(loss, downs)
    states = [x, *(state.detach() for state in stream)]
    return {
        "gradient": [float(gradient.norm()) for gradient in gradients],
        "stream": [float(state.std()) for state in states[1:]],
        "apart": [_apart(state) for state in states[1:]],
        "update": [float((b - a).norm() / a.norm()) for a, b in pairwise(states)],
    }


def _apart(stream: torch.Tensor) -> float:
    """Return `‖h − mean over tokens‖/‖h‖`: 0 when all tokens of a sequence have become equal."""
    return float((stream - stream.mean(dim=1, keepdim=True)).norm() / stream.norm())
