"""Gradients of one block: closed form against autograd and against central differences."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as draw

from core import block_gradients as core

TENTHS = draw.integers(-100, 100).map(lambda k: k / 10)
ALPHAS = draw.integers(-20, 40).map(lambda k: k / 20)


@draw.composite
def blocks(choose: draw.DrawFn) -> tuple:
    vector = draw.tuples(*[TENTHS] * choose(draw.integers(2, 8)))
    return choose(vector), choose(vector), choose(vector), choose(ALPHAS)


@given(blocks())
def test_closed_forms_agree_with_autograd(block: tuple) -> None:
    rows = core.check(*block)
    assert rows["closed"].to_numpy() == pytest.approx(rows["autograd"].to_numpy(), abs=1e-9)
    assert len(rows) == 1 + 2 * len(block[0]) + len(block[0]) ** 2


@given(blocks())
def test_closed_forms_agree_with_central_differences(block: tuple) -> None:
    alpha = float(block[3])
    x, update, target = (np.array(value) for value in block[:3])

    def loss(at: np.ndarray, f: np.ndarray, scale: float) -> float:
        return float(np.square(at + scale * f - target).sum() / 2)

    found, step = core.closed(*block), 1e-4
    by_scale = (loss(x, update, alpha + step) - loss(x, update, alpha - step)) / (2 * step)
    assert found["∂L/∂α"][0] == pytest.approx(by_scale, rel=1e-4, abs=1e-4)
    for at in range(len(x)):
        move = step * np.eye(len(x))[at]
        slope = (loss(x + move, update, alpha) - loss(x - move, update, alpha)) / (2 * step)
        assert found["∂L/∂x"][at] == pytest.approx(slope, rel=1e-4, abs=1e-4)
        slope = (loss(x, update + move, alpha) - loss(x, update - move, alpha)) / (2 * step)
        assert found["∂L/∂F"][at] == pytest.approx(slope, rel=1e-4, abs=1e-4)
        first, last = core.weights(len(x))
        ends = [p + alpha * last @ np.tanh(first @ p) for p in (x + move, x - move)]
        assert found["J"][:, at] == pytest.approx((ends[0] - ends[1]) / (2 * step), abs=1e-5)


def test_without_an_update_the_jacobian_is_the_identity() -> None:
    """Article 1, section 7: `J = I + αJ_F`."""
    assert np.array_equal(core.closed((1.0, 2.0), (0.0, 0.0), (3.0, 4.0), 0.0)["J"], np.eye(2))


def test_quantities_are_named() -> None:
    names = core.check((1.0, 2.0), (0.5, 0.5), (1.0, 1.0), 1.0)["quantity"].tolist()
    assert names == ["∂L/∂α", "∂L/∂F₁", "∂L/∂F₂", "∂L/∂x₁", "∂L/∂x₂", "J₁₁", "J₁₂", "J₂₁", "J₂₂"]
