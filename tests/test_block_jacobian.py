"""The Jacobian of a whole block: closed form, autograd and central differences agree."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as draw

from core.block_jacobian import block_jacobian, by_autograd, by_differences, sublayer_jacobian
from core.norms import KINDS, Norm
from core.placements import PLACEMENTS
from core.small_block import SmallBlock

BLOCKS = draw.builds(
    SmallBlock,
    draw.sampled_from(list(PLACEMENTS)),
    tokens=draw.integers(2, 4),
    d=draw.sampled_from([4, 8]),
    heads=draw.sampled_from([1, 2, 4]),
    seed=draw.integers(0, 9999),
    ones=draw.booleans(),
    causal=draw.booleans(),
    norm=draw.builds(Norm, draw.sampled_from(KINDS), draw.sampled_from([1e-5, 1e-2, 0.1])),
)


@given(BLOCKS)
def test_closed_form_agrees_with_autograd(block: SmallBlock) -> None:
    closed = block_jacobian(block)
    assert np.abs(closed - by_autograd(block)).max() < 1e-10 * (1 + np.abs(closed).max())


@pytest.mark.parametrize("name", PLACEMENTS)
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_closed_form_agrees_with_central_differences(name: str, seed: int) -> None:
    block = SmallBlock(name, 3, 8, 2, seed)
    closed = block_jacobian(block)
    assert np.abs(closed - by_differences(block)).max() < 1e-7 * (1 + np.abs(closed).max()) ** 2


@given(BLOCKS)
def test_a_block_is_the_product_of_its_sublayers(block: SmallBlock) -> None:
    (_, first), (_, second) = (sublayer_jacobian(block, name) for name in ("attention", "ffn"))
    assert np.allclose(second @ first, block_jacobian(block))


def test_causal_attention_reads_nothing_that_comes_later() -> None:
    j = block_jacobian(SmallBlock("Pre-LN", 4, 8, causal=True)).reshape(4, 8, 4, 8)
    for t in range(4):
        assert not j[t, :, t + 1 :].any()
        assert j[t, :, : t + 1].any()


def test_an_unknown_sublayer_is_an_error() -> None:
    with pytest.raises(KeyError):
        sublayer_jacobian(SmallBlock("Pre-LN"), "mlp")
