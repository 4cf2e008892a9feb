"""What a Transformer stack does to a gradient before its first training step.

`L` blocks (d = 64, 4 heads, FFN 256, GELU, Xavier normal, biases 0) read 8 sequences of 16 random
tokens; a Xavier head reads the last stream into 64 classes, and the loss is the cross-entropy with
random labels, mean over tokens. Measured by automatic differentiation, for several seeds at once.
"""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from core.limits import within
from core.transformer import Shape, initial, named, stack

SHAPE = Shape()
SEQUENCES, TOKENS, CLASSES = 8, 16, 64
SEEDS = 3
BLOCKS_LOW, BLOCKS_HIGH = 2, 64


@dataclass(frozen=True, slots=True)
class Stack:
    """`blocks` blocks whose normalisation stands as `placement` says."""

    placement: str
    blocks: int

    def __post_init__(self) -> None:
        """Refuse an unknown placement and a depth outside 2 … 64."""
        named(self.placement)
        within("L", self.blocks, BLOCKS_LOW, BLOCKS_HIGH)


def profile(settings: Stack, seeds: int = SEEDS) -> pd.DataFrame:
    """Measure each block at initialisation: `who`, `layer` (1 … L), `seed`, `gradient`, `stream`.

    `gradient` is `‖∂loss/∂W₂‖_F` of the block's FFN, `stream` the standard deviation of the stream
    after the block. In float32; in float64 where nothing is normalised and the stream explodes.
    """
    tables = []
    for seed in range(seeds):
        gradient, stream = _one(settings, seed)
        table = {"layer": np.arange(1, settings.blocks + 1), "seed": seed}
        tables.append(pd.DataFrame(table | {"gradient": gradient, "stream": stream}))
    return pd.concat(tables, ignore_index=True).assign(who=settings.placement)


def mean_over_seeds(profile: pd.DataFrame, column: str) -> np.ndarray:
    """Return a column of a profile, one number a block, the mean over the seeds."""
    blocks = profile["layer"].to_numpy().max()
    return profile[column].to_numpy().reshape(-1, blocks).mean(axis=0)


def _one(settings: Stack, seed: int) -> tuple[np.ndarray, np.ndarray]:
    from core.backend import torch

    placement = named(settings.placement)
    dtype = torch.float32 if placement.slots else torch.float64
    draw = torch.Generator().manual_seed(seed)
    x = torch.randn(SEQUENCES, TOKENS, SHAPE.d, generator=draw, dtype=dtype)
    head = torch.randn(CLASSES, SHAPE.d, generator=draw, dtype=dtype)
    head *= (2 / (CLASSES + SHAPE.d)) ** 0.5
    labels = torch.randint(CLASSES, (SEQUENCES, TOKENS), generator=draw)

    blocks = initial(SHAPE, placement, settings.blocks, draw, dtype)
    downs = [weights["down"].requires_grad_() for weights in blocks]
    *stream, last = stack(x, blocks, placement, SHAPE.heads)
    loss = torch.nn.functional.cross_entropy((last @ head.mT).flatten(0, 1), labels.flatten())
    gradients = torch.autograd.grad(loss, downs)
    return (
        np.array([float(g.norm()) for g in gradients]),
        np.array([float(h.detach().std()) for h in stream]),
    )
