"""Activation functions and, written beside them, what their backward pass does."""

from core.backend import torch

aten = torch.ops.aten

ACTIVATIONS = {
    "ReLU": (torch.relu, lambda g, u, a: aten.threshold_backward(g, a, 0)),
    "LeakyReLU": (
        lambda u: aten.leaky_relu(u, 0.01),
        lambda g, u, a: aten.leaky_relu_backward(g, u, 0.01, False),
    ),
    "GELU": (aten.gelu, lambda g, u, a: aten.gelu_backward(g, u)),
    "tanh": (torch.tanh, lambda g, u, a: aten.tanh_backward(g, a)),
    "sigmoid": (torch.sigmoid, lambda g, u, a: aten.sigmoid_backward(g, a)),
}
"""φ, and what its backward pass makes of the gradient `g` given its input `u` and output `a`."""
