"""Whose gradient a weight needs: that at its layer's *output* (article 2, section 2.1, corrected).

One layer `h = W₁x` with `W₁ = s·W`, then the loss `½‖y − t‖²`, with `y = h` or, over a shortcut,
`y = x + h`. `∂L/∂W₁ = (∂L/∂h)·xᵀ` and `∂L/∂x = W₁ᵀ·∂L/∂h` (plus `∂L/∂y` over the shortcut): either
can be 0 without the other.
"""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from core import exact
from core.exact import Numbers
from core.limits import within
from core.linear_block import Setting

QUANTITIES = ("output", "weight", "input")
_GRID = 40


@dataclass(frozen=True, slots=True)
class Layer:
    """The three gradients of one layer: at its output, of its weights, at its input."""

    output: Numbers
    weight: Numbers
    input: Numbers


def layer(setting: Setting, s: float, shortcut: bool) -> Layer:
    """Return the layer's gradients with `W₁ = s·W`, as exact fractions.

    Raises:
        Refused: for an `s` outside [0, 1].
    """
    within("s", s, 0, 1)
    x, weight, t, _ = setting.exactly()
    first = exact.exact(s, 3) * weight
    at_output = shortcut * x + first @ x - t
    return Layer(at_output, np.outer(at_output, x), shortcut * at_output + first.T @ at_output)


def verdict(gradients: Layer) -> str:
    """Say what the three gradients show, exactly.

    `at_target` (all are 0), `input_dead` (0 at the input, not for the weights), `weight_dead` (0
    for the weights, not at the input), `both_dead` (0 for both, not at the output), or `alive`.
    """
    if not gradients.output.any():
        return "at_target"
    dead = not gradients.input.any(), not gradients.weight.any()
    names = {(True, False): "input_dead", (False, True): "weight_dead", (True, True): "both_dead"}
    return names.get(dead, "alive")


def by_scale(setting: Setting, s: float, shortcut: bool) -> pd.DataFrame:
    """Return the length of each gradient over `s` from 0 to 1: `quantity`, `s`, `length`, `here`.

    `here` marks the reader's own `s`.
    """
    scales = sorted({*(i / _GRID for i in range(_GRID + 1)), s})
    table = []
    for scale in scales:
        gradients = layer(setting, scale, shortcut)
        for quantity in QUANTITIES:
            values = getattr(gradients, quantity).astype(float)
            length = float(np.linalg.norm(values))
            table.append((quantity, scale, length, scale == s))
    return pd.DataFrame(table, columns=["quantity", "s", "length", "here"])


def layer_tex(setting: Setting, s: float, shortcut: bool) -> str:
    """Return the layer's numbers in KaTeX, forward and backward."""
    x, weight, _, _ = setting.exactly()
    first, gradients = exact.exact(s, 3) * weight, layer(setting, s, shortcut)
    sum_of_both = r"+\partial_yL" if shortcut else ""
    lines = [
        (r"W_1=sW", first),
        (r"h=W_1x", first @ x),
        (r"y=x+h" if shortcut else "y=h", shortcut * x + first @ x),
        (r"\partial_hL=y-t", gradients.output),
        (r"\partial_{W_1}L=\partial_hL\;x^{\top}", gradients.weight),
        (rf"\partial_xL=W_1^{{\top}}\partial_hL{sum_of_both}", gradients.input),
    ]
    written = [f"{left}&{exact.equals(value)}{exact.shape_tex(value)}" for left, value in lines]
    return r"\small" + exact.aligned(written)
