"""A branch that starts at zero: gradients by hand as the oracle, and who stays asleep."""

import math

import numpy as np
import pytest

from core import zero_start as core
from core.limits import Refused

ALL = core.PARAMETERS
SIGMA = {
    "ReLU": (lambda v: np.maximum(v, 0), lambda v: (v > 0) * 1.0),
    "tanh": (np.tanh, lambda v: 1 - np.tanh(v) ** 2),
    "sigmoid": (lambda v: 1 / (1 + np.exp(-v)), lambda v: np.exp(-v) / (1 + np.exp(-v)) ** 2),
}


def by_hand(start: core.Start, steps: int) -> list[list[float]]:
    """Backpropagation written out, for everything but the GELU."""
    x, target, weights = core._draw(start)
    x, target, w1, b1, w2, b2 = (w.detach().numpy() for w in (x, target, *weights))
    sigma, slope = SIGMA[start.activation]
    norms = []
    for _ in range(steps):
        inside = x @ w1.T + b1
        hidden = sigma(inside)
        error = (x + hidden @ w2.T + b2 - target) / len(x)
        back = (error @ w2) * slope(inside)
        slopes = [back.T @ x, back.sum(0), error.T @ hidden, error.sum(0)]
        norms.append([float(np.linalg.norm(slope)) for slope in slopes])
        w1, b1, w2, b2 = (w - core.RATE * g for w, g in zip((w1, b1, w2, b2), slopes, strict=True))
    return norms


@pytest.mark.parametrize("activation", SIGMA)
@pytest.mark.parametrize("start", core.STARTS)
def test_gradients_agree_with_backpropagation_by_hand(activation: str, start: str) -> None:
    setting = core.Start(activation, start)
    got = core.measure(setting).norms[:4]
    assert got == pytest.approx(np.array(by_hand(setting, 4)), abs=1e-12)


@pytest.mark.parametrize("seed", [0, 7])
@pytest.mark.parametrize("activation", core.ACTIVATIONS)
def test_the_last_layer_at_zero_is_the_identity_and_wakes_up(activation: str, seed: int) -> None:
    """Article 1, section 5; the gradient of W₁ is 0 at step 0 alone."""
    found = core.measure(core.Start(activation, "W₂=0", seed=seed))
    assert found.distance == 0
    assert found.verdict == "wake"
    assert found.awake(0) == ("W₂", "b₂")
    assert found.awake(1) == ALL
    assert found.losses[-1] < found.floor


@pytest.mark.parametrize("activation", ["ReLU", "tanh", "GELU"])
def test_with_both_layers_at_zero_only_the_last_bias_learns(activation: str) -> None:
    found = core.measure(core.Start(activation, "W₁=W₂=0"))
    assert (found.verdict, found.asleep()) == ("stuck", ("W₁", "b₁", "W₂"))
    assert found.losses[-1] == pytest.approx(found.floor)
    assert found.losses[0] > 2 * found.floor


def test_a_sigmoid_wakes_up_from_zero() -> None:
    """σ(0) = ½, so the last layer has something to work with."""
    found = core.measure(core.Start("sigmoid", "W₁=W₂=0"))
    assert (found.verdict, found.awake(1)) == ("wake", ALL)


def test_without_zeros_all_learn_and_the_block_is_not_the_identity() -> None:
    found = core.measure(core.Start("tanh", "W₁,W₂≠0"))
    assert (found.verdict, found.awake(0)) == ("all", ALL)
    assert found.distance > 0


def test_with_the_input_as_target_nothing_is_left_to_learn() -> None:
    found = core.measure(core.Start("ReLU", "W₂=0", "x"))
    assert (found.verdict, found.losses[0]) == ("none", 0)


def test_training_does_not_find_the_identity_exactly() -> None:
    """Article 2, 1.2 says the branch can always put out 0; it can, training does not get there."""
    found = core.measure(core.Start("tanh", "W₁,W₂≠0", "x"))
    assert 0 < found.losses[-1] < found.losses[0]


def test_the_grid_marks_exact_zeros() -> None:
    grid = core.gradients(core.measure(core.Start()))
    first = grid.query("step == 0")
    assert first["parameter"].tolist() == list(ALL)
    assert first["zero"].tolist() == [True, True, False, False]
    assert first["text"].tolist()[:2] == ["0", "0"]
    assert len(core.losses(core.measure(core.Start()))) == core.STEPS + 1


@pytest.mark.parametrize("activation", core.ACTIVATIONS)
@pytest.mark.parametrize("start", core.STARTS)
@pytest.mark.parametrize("target", core.TARGETS)
def test_the_snippet_prints_the_gradients_of_the_page(
    activation: str, start: str, target: str
) -> None:
    setting, scope = core.Start(activation, start, target, seed=3), {}
    exec(core.snippet(setting), scope)
    assert scope["norms"] == pytest.approx(core.measure(setting).norms[:2], rel=1e-12)


@pytest.mark.parametrize(
    "values", [("relu",), ("ReLU", "0"), ("ReLU", "W₂=0", "H"), ("ReLU", "W₂=0", "x", math.inf)]
)
def test_what_is_unknown_is_refused(values: tuple) -> None:
    with pytest.raises(Refused):
        core.Start(*values)
