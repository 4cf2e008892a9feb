"""The numbers behind the answers to common claims and questions about the placement."""

from collections.abc import Callable

import numpy as np
import pandas as pd

from core import numbers
from core.block_jacobian import block_jacobian
from core.block_statements import singular_values
from core.initial_gradients import Stack, mean_over_seeds
from core.norms import Norm
from core.small_block import SmallBlock
from core.token_map import maps, moved

Profiles = Callable[[Stack], pd.DataFrame]
"""How a stack is measured; the page passes a cached `profile`."""

DEEP = 64


def claim_values(profiles: Profiles) -> dict[str, dict[str, object]]:
    """Return for each claim the numbers that fill its answer, measured on the page's stack."""

    def mean(name: str, blocks: int, column: str) -> np.ndarray:
        return mean_over_seeds(profiles(Stack(name, blocks)), column)

    post8, post64 = (mean("Post-LN", blocks, "gradient")[-1] for blocks in (8, DEEP))
    pre = mean("Pre-LN", 12, "gradient")
    update = mean("Pre-LN", DEEP, "update")
    smallest = singular_values(SmallBlock("Pre-LN"))[-1]
    values = {
        "branch": {
            "post": mean("Post-LN", 12, "stream")[-1],
            "pre": mean("Pre-LN", 12, "stream")[-1],
        },
        "output": {
            "output": mean("Output-LN", 12, "stream")[-1],
            "post": mean("Post-LN", 12, "stream")[-1],
            "rank": _rank("Post-LN"),
            "full": _rank("Output-LN"),
        },
        "grows": {
            "shallow": post8,
            "deep": post64,
            "ratio": post64 / post8,
            "root": (DEEP / 8) ** 0.5,
        },
        "flat": {"first": pre[0], "last": pre[-1], "ratio": pre[0] / pre[-1]},
        "thousands": {"first": update[0], "last": update[-1]},
        "prefer": {"pre": pre[-1], "post": mean("Post-LN", 12, "gradient")[-1]},
        "clean": {
            "before": mean("Pre-LN", DEEP, "stream")[0],
            "after": mean("Pre-LN", DEEP, "stream")[-1],
        },
        "identity": {"smallest": smallest},
    }
    return {
        claim: {
            name: value if isinstance(value, int) else numbers.text(float(value))
            for name, value in found.items()
        }
        for claim, found in values.items()
    }


def _rank(placement: str) -> int:
    """Return the rank of a small block's Jacobian with `γ = 1` and `ε = 0`."""
    small = SmallBlock(placement, ones=True, norm=Norm(epsilon=0))
    return int(np.linalg.matrix_rank(block_jacobian(small)))


def question_values(profiles: Profiles, blocks: int) -> dict[str, object]:
    """Return the numbers for what shortcut and normalisation do in a stack of `blocks` blocks.

    `free` and `pre` are the stream's standard deviation after the last block without and with LN;
    `apart` and `equal` the share of the stream that differs between tokens with and without the
    shortcuts (both with Pre-LN).
    """
    pre, bare, cut = (
        profiles(stack)
        for stack in (
            Stack("Pre-LN", blocks),
            Stack("No-LN", blocks),
            Stack("Pre-LN", blocks, skip=False),
        )
    )
    equal = mean_over_seeds(cut, "apart")[-1]
    return {
        "blocks": blocks,
        "free": numbers.text(mean_over_seeds(bare, "stream")[-1]),
        "pre": numbers.text(mean_over_seeds(pre, "stream")[-1]),
        "apart": numbers.text(mean_over_seeds(pre, "apart")[-1]),
        "equal": numbers.text(equal, 2),
        "case": "rounding" if equal < 1e-12 else "small" if equal < 0.05 else "some",
    }


def reach(small: SmallBlock, touched: int) -> dict[str, int]:
    """Return how many tokens answer to a touched token: of each map of `core.token_map`."""
    return {name: moved(table, touched) for name, table in maps(small).items()}
