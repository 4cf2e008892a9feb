"""The Pre-LN feed-forward block: article 1, section 8, first listing, against PyTorch's own."""

import numpy as np
import pytest

from core.ffn_block import SNIPPET, Weights, ffn_block, gelu, layer_norm, parameters

SHAPE = (2, 3, 4)


def listing() -> dict:
    """Run the page's program and return its variables."""
    scope: dict = {}
    exec(SNIPPET, scope)
    return scope


def test_the_program_runs_and_its_numbers_are_ours(capsys: pytest.CaptureFixture[str]) -> None:
    scope = listing()
    norm, first, _, second = scope["block"].branch
    weights = Weights(
        *(
            part.detach().double().numpy()
            for part in (
                *(norm.weight, norm.bias),
                *(first.weight, first.bias, second.weight, second.bias),
            )
        )
    )
    ours = ffn_block(scope["x"].detach().double().numpy(), weights)
    assert ours == pytest.approx(scope["y"].detach().numpy(), abs=1e-5)
    assert f"parameters: {parameters(4)} " in capsys.readouterr().out


def test_the_two_assertions_of_the_listing_hold_for_our_block() -> None:
    """y.shape == x.shape, and the gradient of mean(y²) has x's shape: by central differences."""
    scope = listing()
    norm, first, _, second = scope["block"].branch
    parts = (norm.weight, norm.bias, first.weight, first.bias, second.weight, second.bias)
    weights = Weights(*(part.detach().double().numpy() for part in parts))
    x = scope["x"].detach().double().numpy()
    assert ffn_block(x, weights).shape == x.shape == SHAPE
    gradient = np.zeros_like(x)
    for index in np.ndindex(x.shape):
        change = np.zeros_like(x)
        change[index] = 1e-5
        sides = [(ffn_block(x + h, weights) ** 2).mean() for h in (change, -change)]
        gradient[index] = (sides[0] - sides[1]) / 2e-5
    assert gradient.shape == x.shape
    assert gradient == pytest.approx(scope["x"].grad.numpy(), abs=1e-4)


def test_parameters() -> None:
    """Article 1, section 8, at hidden_dim = 4."""
    assert parameters(4) == 156


def test_layer_norm_and_gelu() -> None:
    x = np.array([[1.0, 2.0, 3.0, 6.0]])
    normal = layer_norm(x, np.ones(4), np.zeros(4))
    assert normal.mean() == pytest.approx(0)
    assert normal.std() == pytest.approx(1, abs=1e-5)
    assert gelu(np.array([0.0, 1.0, -1.0])) == pytest.approx([0, 0.841345, -0.158655], abs=1e-6)


def test_with_its_last_layer_at_zero_the_block_is_the_identity() -> None:
    """Article 1, section 5."""
    rng = np.random.default_rng(0)
    weights = Weights(
        np.ones(4), np.zeros(4), rng.normal(size=(16, 4)), rng.normal(size=16),
        np.zeros((4, 16)), np.zeros(4),
    )  # fmt: skip
    x = rng.normal(size=SHAPE)
    assert (ffn_block(x, weights) == x).all()
