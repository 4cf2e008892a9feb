"""Initial weights: their distributions, against `torch.nn.Linear`, and what a seed fixes."""

import math

import pytest

from core.backend import torch
from core.contestants import Shape
from core.initialisation import initial
from core.settings import INITS

DEVIATIONS = {
    "He": math.sqrt(2 / 128),
    "Xavier": math.sqrt(2 / (128 + 128)),
    "He×0.5": 0.5 * math.sqrt(2 / 128),
    "He×2": 2 * math.sqrt(2 / 128),
}


def shape_of(init: str, features: int = 64, width: int = 128, layers: int = 4) -> Shape:
    return Shape(features, 10, layers, width, 2, 2, "ReLU", init)


def test_stem_hidden_layers_and_head_have_their_sizes() -> None:
    drawn = initial(shape_of("PyTorch"), 0)
    assert [tuple(weight.shape) for weight, _ in drawn] == [(64, 128)] + [(128, 128)] * 4 + [
        (128, 10)
    ]
    assert [len(bias) for _, bias in drawn] == [128] * 5 + [10]


@pytest.mark.parametrize("features", [2, 64])
@pytest.mark.parametrize("init", INITS)
def test_stem_and_head_are_always_drawn_as_in_pytorch(init: str, features: int) -> None:
    drawn = initial(shape_of(init, features), 0)
    for fan_in, pair in ((features, drawn[0]), (128, drawn[-1])):
        for numbers in pair:
            assert numbers.abs().max() <= 1 / math.sqrt(fan_in)
            assert numbers.abs().max() > 0.8 / math.sqrt(fan_in)


def test_pytorch_is_what_a_new_linear_layer_of_torch_draws() -> None:
    torch.manual_seed(0)
    theirs = [torch.nn.Linear(128, 128) for _ in range(20)]
    ours = initial(shape_of("PyTorch", layers=20), 0)[1:-1]
    at = torch.linspace(0, 1, 41)
    for mine, other in (
        ([weight for weight, _ in ours], [layer.weight for layer in theirs]),
        ([bias for _, bias in ours], [layer.bias for layer in theirs]),
    ):
        a, b = (torch.cat([t.detach().flatten() for t in group]) for group in (mine, other))
        torch.testing.assert_close(
            a[: 2**16].quantile(at), b[: 2**16].quantile(at), atol=0.006, rtol=0
        )
        assert a.std().item() == pytest.approx(1 / math.sqrt(3 * 128), rel=0.03)


@pytest.mark.parametrize(("init", "deviation"), DEVIATIONS.items())
def test_normal_initialisations_have_their_standard_deviation(init: str, deviation: float) -> None:
    hidden = initial(shape_of(init), 0)[1:-1]
    weights = torch.cat([weight.flatten() for weight, _ in hidden])
    assert weights.std().item() == pytest.approx(deviation, rel=0.02)
    assert weights.mean().item() == pytest.approx(0, abs=4 * deviation / math.sqrt(len(weights)))
    within = (weights.abs() < deviation).float().mean().item()
    assert within == pytest.approx(0.6827, abs=0.01)
    assert all(bias.count_nonzero() == 0 for _, bias in hidden)


def test_he_small_and_large_are_he_times_a_half_and_two() -> None:
    he, half, twice = (initial(shape_of(init), 3)[1:-1] for init in ("He", "He×0.5", "He×2"))
    for (w, _), (small, _), (large, _) in zip(he, half, twice, strict=True):
        torch.testing.assert_close(small, w / 2)
        torch.testing.assert_close(large, w * 2)


def test_he_keeps_the_square_of_what_passes_a_relu_and_pytorch_takes_a_sixth() -> None:
    """`E[z²]` a layer: times 1 with He; times 1/6 with PyTorch's default (weights alone)."""
    x = torch.randn(512, 256, generator=torch.Generator().manual_seed(0))
    for init, gain in (("He", 1.0), ("PyTorch", 1 / 6)):
        ratios = []
        for weight, _ in initial(shape_of(init, width=256, layers=8), 0)[1:-1]:
            ratios.append(((x.relu() @ weight).square().mean() / x.square().mean()).item())
        assert sum(ratios) / len(ratios) == pytest.approx(gain, rel=0.1)


@pytest.mark.parametrize("init", INITS)
def test_a_seed_fixes_every_weight(init: str) -> None:
    first, again, other = (initial(shape_of(init), seed) for seed in (5, 5, 6))
    for (w, b), (same_w, same_b), (other_w, _) in zip(first, again, other, strict=True):
        assert torch.equal(w, same_w)
        assert torch.equal(b, same_b)
        assert not torch.equal(w, other_w)


def test_the_global_generator_is_not_touched() -> None:
    before = torch.get_rng_state()
    initial(shape_of("He"), 0)
    assert torch.equal(before, torch.get_rng_state())
