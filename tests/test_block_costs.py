"""What convolutions cost, against PyTorch's own layers."""

import pytest

from core import block_costs
from core.backend import torch


def weights(*convolutions: tuple[int, int, int]) -> int:
    """Count what PyTorch allocates for convolutions given as (inputs, outputs, kernel)."""
    layers = [torch.nn.Conv2d(i, o, k, bias=False) for i, o, k in convolutions]
    return sum(p.numel() for layer in layers for p in layer.parameters())


GOLDEN = [
    ("basic, 64 channels", block_costs.basic(64), 73_728, [(64, 64, 3)] * 2),
    (
        "bottleneck",
        block_costs.bottleneck(256, 64),
        69_632,
        [(256, 64, 1), (64, 64, 3), (64, 256, 1)],
    ),
    ("basic, 256 channels", block_costs.basic(256), 1_179_648, [(256, 256, 3)] * 2),
    ("projection", block_costs.projection(256, 256), 65_536, [(256, 256, 1)]),
]


@pytest.mark.parametrize(("what", "got", "expected", "layers"), GOLDEN)
def test_weights(what: str, got: int, expected: int, layers: list[tuple[int, int, int]]) -> None:
    assert got == expected == weights(*layers), what


def test_multiply_adds_are_counted_at_every_position() -> None:
    """He et al. (2015), figure 5: 56 × 56 positions, padding keeps them."""
    table = block_costs.table().set_index("channels")
    assert table.loc["64 → 64 → 64", "multiply_adds"] == 231_211_008
    shape = torch.nn.Conv2d(64, 64, 3, padding=1, bias=False)(torch.zeros(1, 64, 56, 56)).shape
    assert shape[-2:] == (block_costs.SIDE, block_costs.SIDE)


def test_a_bottleneck_costs_no_more_than_the_small_basic_block() -> None:
    assert block_costs.bottleneck(256, 64) < block_costs.basic(64) < block_costs.basic(256) / 15
