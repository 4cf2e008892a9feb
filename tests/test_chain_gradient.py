"""Gradients of long chains: pieces add up, nothing overflows, an exact 0 stays one."""

import math

import pytest
import torch

from core import chain_gradient as core


def test_pieces_add_up_to_one_backward_pass() -> None:
    layers = core.activated("tanh", 1.2, 120, shortcut=True)
    x = torch.tensor(0.3, dtype=torch.float64, requires_grad=True)
    out = x
    for layer in layers:
        out = layer(out)
    (gradient,) = torch.autograd.grad(out, x)
    assert core.log10_gradient(layers, 0.3) == pytest.approx(math.log10(abs(float(gradient))))


def test_a_power_that_no_float_holds() -> None:
    found = core.log10_gradient(core.linear([3.0] * 1000, shortcut=True), restart=True)
    assert found == pytest.approx(1000 * math.log10(4), rel=1e-12)


def test_an_exact_zero() -> None:
    layers = core.linear([0.5, -1.0, 0.5], shortcut=True)
    assert core.log10_gradient(layers, restart=True) == -math.inf
