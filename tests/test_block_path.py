"""The computing path of a block: shapes of the article, cost against two other counts."""

import pytest
from hypothesis import given
from hypothesis import strategies as draw

from core.block_path import LIMITS, Sizes, path, so_far
from core.limits import Refused
from core.placements import PLACEMENTS

ARTICLE = Sizes()


@pytest.mark.parametrize("name", PLACEMENTS)
def test_shapes_of_the_article(name: str) -> None:
    """Article 1, section 6.4: 32 × 128 × 768 everywhere, 3072 within the FFN."""
    shapes = {step.op: step.shape for step in path(PLACEMENTS[name], ARTICLE)}
    assert shapes.pop("up") == (32, 128, 3072)
    assert shapes.pop("scores") == (32, 12, 128, 128)
    assert set(shapes.values()) == {(32, 128, 768)}


def test_order() -> None:
    branch = ["scores", "mix"], ["up", "down"]
    ops = {name: [s.op for s in path(p, ARTICLE)] for name, p in PLACEMENTS.items()}
    assert ops["Pre-LN"] == ["norm", *branch[0], "add", "norm", *branch[1], "add"]
    assert ops["Post-LN"] == [*branch[0], "add", "norm", *branch[1], "add", "norm"]
    assert ops["Peri-LN"] == ["norm", *branch[0], "norm", "add", "norm", *branch[1], "norm", "add"]
    assert ops["No-LN"] == [*branch[0], "add", *branch[1], "add"]


def test_parameters_of_the_articles_listing() -> None:
    """Article 1, section 8: the Pre-LN FFN block with `hidden_dim = 4` has 156 parameters."""
    steps = path(PLACEMENTS["Pre-LN"], Sizes(2, 3, 4, 1, 16))
    assert sum(step.parameters for step in steps if step.sublayer == 1) == 156


@given(
    draw.integers(1, 3), draw.integers(1, 5), draw.integers(1, 3), draw.integers(2, 4),
    draw.integers(1, 9),
)  # fmt: skip
def test_cost_agrees_with_torch(batch: int, tokens: int, heads: int, each: int, wide: int) -> None:
    import torch
    from torch.utils.flop_counter import FlopCounterMode

    from core.transformer import Shape, block, initial

    sizes = Sizes(batch, tokens, 2 * heads * each, heads, wide)
    parameters, multiply_adds = so_far(steps := path(PLACEMENTS["Post-LN"], sizes), len(steps))
    layer = torch.nn.TransformerEncoderLayer(sizes.d, heads, wide)
    assert parameters == sum(p.numel() for p in layer.parameters())

    shape = Shape(sizes.d, heads, wide)
    weights = initial(shape, PLACEMENTS["Post-LN"], 1, torch.Generator(), torch.float32)[0]
    with FlopCounterMode(display=False) as counter:
        block(torch.zeros(batch, tokens, sizes.d), weights, PLACEMENTS["Post-LN"], heads, 1.0)
    assert counter.get_total_flops() == 2 * multiply_adds


def test_bad_sizes_are_refused() -> None:
    with pytest.raises(Refused, match="heads"):
        Sizes(d=768, heads=7)
    for position, (low, high) in enumerate(LIMITS.values()):
        for value in (low - 1, high + 1):
            values = [32, 128, 768, 12, 3072]
            values[position] = value
            with pytest.raises(Refused):
                Sizes(*values)
