"""The small block: what it draws and what it refuses."""

import numpy as np
import pytest

from core.limits import Refused
from core.small_block import SmallBlock, attention, block_diagonal, draw, ffn


def test_the_draw_does_not_depend_on_the_placement() -> None:
    pre, post = (draw(SmallBlock(name, seed=5)) for name in ("Pre-LN", "Post-LN"))
    assert np.array_equal(pre[0], post[0])
    assert all(np.array_equal(pre[1][name], post[1][name]) for name in pre[1])


def test_ones_leaves_the_matrices_as_they_are() -> None:
    (_, free), (_, fixed) = (draw(SmallBlock("Pre-LN", ones=ones)) for ones in (False, True))
    assert np.array_equal(free["down"], fixed["down"])
    assert (fixed["ffn_before_gamma"] == 1).all()
    assert not (fixed["ffn_before_beta"]).any()
    assert (free["ffn_before_gamma"] != 1).all()


def test_the_ffn_mixes_no_tokens_and_attention_does() -> None:
    x, weights = draw(SmallBlock("Pre-LN", 3, 8))
    j = ffn(x, weights)[1].reshape(3, 8, 3, 8)
    mixed = attention(x, weights, 2, False)[1].reshape(3, 8, 3, 8)
    for t, s in np.ndindex(3, 3):
        assert j[t, :, s].any() == (t == s)
        assert mixed[t, :, s].any()


def test_block_diagonal() -> None:
    whole = block_diagonal([np.full((2, 2), 1.0), np.full((2, 2), 2.0)])
    assert whole.tolist() == [[1, 1, 0, 0], [1, 1, 0, 0], [0, 0, 2, 2], [0, 0, 2, 2]]


@pytest.mark.parametrize(
    "bad", [{"tokens": 1}, {"tokens": 9}, {"d": 2}, {"d": 32}, {"heads": 3}, {"seed": -1}]
)
def test_bad_blocks_are_refused(bad: dict) -> None:
    with pytest.raises(Refused):
        SmallBlock("Pre-LN", **bad)
