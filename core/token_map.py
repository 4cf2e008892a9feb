"""Touch one token: how strongly each output token answers to each input token."""

import numpy as np
import pandas as pd

from core import numbers
from core.block_jacobian import block_jacobian
from core.small_block import SmallBlock, attention, draw, ffn

MAPS = ("attention", "ffn", "shortcut", "block")


def sizes(j: np.ndarray, tokens: int) -> np.ndarray:
    """Return the map (T, T) of `‖∂y_t/∂x_s‖₂`, row t, column s, from a Jacobian (Td, Td)."""
    d = len(j) // tokens
    blocks = j.reshape(tokens, d, tokens, d).swapaxes(1, 2)
    return np.linalg.norm(blocks, ord=2, axis=(2, 3))


def maps(small: SmallBlock) -> dict[str, np.ndarray]:
    """Return the map of attention, of the FFN, of the shortcut and of the whole block.

    The bare branches and the shortcut are taken at the block's input.
    """
    x, weights = draw(small)
    jacobians = {
        "attention": attention(x, weights, small.heads, small.causal)[1],
        "ffn": ffn(x, weights)[1],
        "shortcut": np.eye(x.size),
        "block": block_jacobian(small),
    }
    return {name: sizes(j, small.tokens) for name, j in jacobians.items()}


def rows(table: np.ndarray, touched: int) -> pd.DataFrame:
    """Return a map to draw: `read` t and `touched` s from 1, `size`, `text`, `lit` for one column.

    An exact 0 has no size (NaN: an empty cell) and the text 0.
    """
    tokens = len(table)
    t, s = np.divmod(np.arange(tokens * tokens), tokens)
    size = table.ravel()
    return pd.DataFrame(
        {
            "read": t + 1,
            "touched": s + 1,
            "size": np.where(size == 0, np.nan, size),
            "text": [numbers.text(value, 2) for value in size],
            "lit": s + 1 == touched,
        }
    )


def moved(table: np.ndarray, touched: int) -> int:
    """Return how many output tokens answer at all to the input token `touched` (from 1)."""
    return int(np.count_nonzero(table[:, touched - 1]))
