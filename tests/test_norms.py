"""LayerNorm and RMSNorm: closed Jacobians against autograd, differences, and their structure."""

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as draw

from core.limits import Refused
from core.norms import KINDS, TEX, Norm, jacobian, normalise

NORMS = draw.builds(Norm, draw.sampled_from(KINDS), draw.sampled_from([0.0, 1e-5, 0.1]))


def drawn(d: int, seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    random = np.random.default_rng(seed)
    return random.normal(size=d), random.normal(1, 0.5, d), random.normal(size=d)


@given(NORMS, draw.integers(4, 12), draw.integers(0, 999))
def test_value_and_jacobian_agree_with_autograd(norm: Norm, d: int, seed: int) -> None:
    x, gamma, beta = drawn(d, seed)
    tensors = [torch.from_numpy(array) for array in (x, gamma, beta)]
    assert np.allclose(normalise(norm, x, gamma, beta), norm(*tensors).numpy(), atol=1e-12)
    exact = torch.autograd.functional.jacobian(lambda z: norm(z, *tensors[1:]), tensors[0])
    scale = 1 + np.abs(exact.numpy()).max()
    assert np.abs(jacobian(norm, x, gamma) - exact.numpy()).max() < 1e-11 * scale


@given(NORMS, draw.integers(4, 12), draw.integers(0, 999))
def test_jacobian_agrees_with_central_differences(norm: Norm, d: int, seed: int) -> None:
    x, gamma, beta = drawn(d, seed)
    step = 1e-6 * np.eye(d)
    slopes = [
        (normalise(norm, x + s, gamma, beta) - normalise(norm, x - s, gamma, beta)) / 2e-6
        for s in step
    ]
    closed = jacobian(norm, x, gamma)
    assert np.abs(closed - np.stack(slopes, axis=1)).max() < 1e-5 * (1 + np.abs(closed).max() ** 2)


@given(draw.integers(4, 12), draw.integers(0, 999))
def test_structure_at_zero_epsilon(d: int, seed: int) -> None:
    """LayerNorm has rank d − 2 and loses 1 and x; RMSNorm has rank d − 1 and loses x only."""
    x, gamma, _ = drawn(d, seed)
    layer, rms = (jacobian(Norm(kind, 0), x, gamma) for kind in KINDS)
    assert np.linalg.matrix_rank(layer, 1e-9) == d - 2
    assert np.linalg.matrix_rank(rms, 1e-9) == d - 1
    assert np.abs(layer @ np.ones(d)).max() < 1e-9
    assert np.abs(layer @ x).max() < 1e-9
    assert np.abs(rms @ x).max() < 1e-9
    assert np.abs(rms @ np.ones(d)).max() > 1e-6


@given(draw.integers(4, 12), draw.integers(0, 999), draw.floats(0.1, 100))
def test_a_larger_input_has_a_smaller_jacobian(d: int, seed: int, c: float) -> None:
    """`J(c·x) = J(x)/c` at ε = 0: a large stream means a small gradient through the LN."""
    x, gamma, _ = drawn(d, seed)
    for kind in KINDS:
        norm = Norm(kind, 0)
        assert np.allclose(jacobian(norm, c * x, gamma) * c, jacobian(norm, x, gamma), atol=1e-9)


def test_two_numbers_cannot_be_normalised_usefully() -> None:
    """Why the page begins at d = 4: for d = 2 the Jacobian at ε = 0 is 0."""
    assert np.abs(jacobian(Norm("LayerNorm", 0), np.array([1.0, 2.0]), np.ones(2))).max() < 1e-12


@pytest.mark.parametrize(("kind", "epsilon"), [("BatchNorm", 0), ("LayerNorm", -1), ("RMSNorm", 2)])
def test_bad_norms_are_refused(kind: str, epsilon: float) -> None:
    with pytest.raises(Refused):
        Norm(kind, epsilon)


def test_each_kind_has_its_formula() -> None:
    assert set(TEX) == set(KINDS)
