"""The PyTorch code shown: it runs, equals our block, and prints the numbers on the page."""

import contextlib
import io
import re

import pytest
import torch

from core.block_path import Sizes, path, so_far
from core.initial_gradients import Stack, mean_over_seeds, profile
from core.placement_code import block_code, snippet
from core.placements import PLACEMENTS
from core.transformer import Shape, block, initial, skip_scale

SHAPE = Shape(16, 4, 24)


@pytest.mark.parametrize("name", PLACEMENTS)
def test_the_module_equals_our_block_for_equal_weights(name: str) -> None:
    placement = PLACEMENTS[name]
    space: dict = {}
    exec(block_code(placement), space)
    alpha = skip_scale(placement, 5)
    module = space["Block"](16, 4, 24, alpha).double()
    draw = torch.Generator().manual_seed(1)
    with torch.no_grad():
        for parameter in module.parameters():
            parameter.add_(0.3 * torch.randn(parameter.shape, generator=draw, dtype=torch.float64))
    state = module.state_dict()
    weights = {
        "qkv": state["mha.in_proj_weight"],
        "qkv_bias": state["mha.in_proj_bias"],
        "out": state["mha.out_proj.weight"],
        "out_bias": state["mha.out_proj.bias"],
        "up": state["ffn.0.weight"],
        "up_bias": state["ffn.0.bias"],
        "down": state["ffn.2.weight"],
        "down_bias": state["ffn.2.bias"],
    }
    for branch in ("attention", "ffn"):
        for slot in placement.slots:
            weights[f"{branch}_{slot}_gamma"] = state[f"norm_{branch}_{slot}.weight"]
            weights[f"{branch}_{slot}_beta"] = state[f"norm_{branch}_{slot}.bias"]
    x = torch.randn(2, 5, 16, generator=draw, dtype=torch.float64)
    assert torch.allclose(module(x), block(x, weights, placement, 4, alpha), atol=1e-12)
    assert set(initial(SHAPE, placement, 1, draw, torch.float64)[0]) == set(weights)


@pytest.mark.parametrize(
    ("name", "blocks", "sizes"),
    [
        ("Pre-LN", 6, Sizes()),
        ("Post-LN", 3, Sizes(2, 3, 4, 2, 16)),
        ("Peri-LN", 2, Sizes()),
        ("Output-LN", 2, Sizes()),
        ("DeepNorm", 5, Sizes()),
        ("No-LN", 4, Sizes()),
    ],
)
def test_the_snippet_runs_and_prints_the_numbers_of_the_page(
    name: str, blocks: int, sizes: Sizes
) -> None:
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(snippet(name, blocks, sizes), {})
    parameters, first, last = map(float, re.findall(r": ([\d.e+]+)", printed.getvalue()))
    steps = path(PLACEMENTS[name], sizes)
    assert parameters == so_far(steps, len(steps))[0]
    mean = mean_over_seeds(profile(Stack(name, blocks)), "gradient")
    assert (first, last) == (pytest.approx(mean[0], rel=1e-4), pytest.approx(mean[-1], rel=1e-4))
