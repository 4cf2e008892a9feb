"""The block against `torch.nn.TransformerEncoderLayer`, and how a stack begins."""

import pytest
import torch

from core.limits import Refused
from core.placements import PLACEMENTS
from core.transformer import Shape, block, branch_gain, initial, named, skip_scale, stack

SHAPE = Shape(16, 4, 24)


def randomised(name: str, seed: int = 0) -> dict[str, torch.Tensor]:
    draw = torch.Generator().manual_seed(seed)
    weights = initial(SHAPE, PLACEMENTS[name], 1, draw, torch.float64)[0]
    return {
        key: w + 0.3 * torch.randn(w.shape, generator=draw, dtype=w.dtype)
        for key, w in weights.items()
    }


@pytest.mark.parametrize(("name", "slot"), [("Pre-LN", "before"), ("Post-LN", "trunk")])
def test_a_block_is_torchs_encoder_layer(name: str, slot: str) -> None:
    weights = randomised(name)
    layer = torch.nn.TransformerEncoderLayer(
        16, 4, 24, 0.0, "gelu", batch_first=True, norm_first=name == "Pre-LN", dtype=torch.float64
    )
    layer.load_state_dict(
        {
            "self_attn.in_proj_weight": weights["qkv"],
            "self_attn.in_proj_bias": weights["qkv_bias"],
            "self_attn.out_proj.weight": weights["out"],
            "self_attn.out_proj.bias": weights["out_bias"],
            "linear1.weight": weights["up"],
            "linear1.bias": weights["up_bias"],
            "linear2.weight": weights["down"],
            "linear2.bias": weights["down_bias"],
            "norm1.weight": weights[f"attention_{slot}_gamma"],
            "norm1.bias": weights[f"attention_{slot}_beta"],
            "norm2.weight": weights[f"ffn_{slot}_gamma"],
            "norm2.bias": weights[f"ffn_{slot}_beta"],
        }
    )
    x = torch.randn(3, 5, 16, dtype=torch.float64, generator=torch.Generator().manual_seed(1))
    ours = block(x, weights, PLACEMENTS[name], 4, 1.0)
    assert torch.allclose(ours, layer(x), atol=1e-12)


def test_two_placements_start_from_the_same_numbers() -> None:
    drawn = [
        initial(SHAPE, PLACEMENTS[name], 2, torch.Generator().manual_seed(3), torch.float32)[1]
        for name in ("Pre-LN", "DeepNorm")
    ]
    gain = branch_gain(PLACEMENTS["DeepNorm"], 2)
    assert gain == pytest.approx(16**-0.25)
    assert torch.equal(drawn[0]["qkv"][:32], drawn[1]["qkv"][:32])
    for name in ("out", "up", "down"):
        assert torch.allclose(drawn[0][name] * gain, drawn[1][name])
    assert torch.allclose(drawn[0]["qkv"][32:] * gain, drawn[1]["qkv"][32:])


def test_deepnorm_scales_the_skip() -> None:
    """DeepNet, table 1: α = (2N)^(1/4); N = 8 gives 2."""
    assert skip_scale(PLACEMENTS["DeepNorm"], 8) == 2
    assert skip_scale(PLACEMENTS["Post-LN"], 8) == 1


@pytest.mark.parametrize("name", [n for n, p in PLACEMENTS.items() if p.final or p.trunk])
def test_a_stack_ends_normalised(name: str) -> None:
    draw = torch.Generator().manual_seed(0)
    blocks = initial(SHAPE, PLACEMENTS[name], 3, draw, torch.float64)
    last = stack(
        torch.randn(2, 5, 16, generator=draw, dtype=torch.float64), blocks, PLACEMENTS[name], 4
    )[-1]
    assert torch.allclose(last.mean(-1), torch.zeros(2, 5, dtype=torch.float64), atol=1e-12)
    assert torch.allclose(
        last.var(-1, correction=0), torch.ones(2, 5, dtype=torch.float64), atol=1e-3
    )


@pytest.mark.parametrize(("d", "heads"), [(2, 1), (3, 1), (6, 4), (8, 0)])
def test_bad_shapes_are_refused(d: int, heads: int) -> None:
    with pytest.raises(Refused):
        Shape(d, heads, 8)


def test_an_unknown_placement_is_refused() -> None:
    with pytest.raises(Refused, match="Mid-LN"):
        named("Mid-LN")
