"""Activation ceilings: how large a layer's local derivative can be, and how large it is.

For `F(x) = φ(w·x)` the local derivative is `w·φ'(z)` at `z = w·x`, at most `w` times the ceiling of
`φ'`: 1/4 for the sigmoid, 1 for tanh and ReLU (article 2, section 2.1). A ceiling is not a value: a
chain that really runs soon sits where `φ'` is far below it.
"""

import functools
import math
from dataclasses import dataclass

import numpy as np
import pandas as pd

from core import numbers
from core.limits import one_of, within

CEILING = {"sigmoid": 0.25, "tanh": 1.0, "ReLU": 1.0}
W_LOW, W_HIGH, W_STEP = 0.0, 8.0, 0.1
X_LOW, X_HIGH, X_STEP = -2.0, 2.0, 0.1


@dataclass(frozen=True, slots=True)
class Neurons:
    """A chain of `n` layers with `F(x) = φ(w·x)`, started at `x`."""

    activation: str
    w: float
    x: float
    n: int

    def __post_init__(self) -> None:
        """Refuse what the controls do not offer."""
        one_of("φ", self.activation, tuple(CEILING))
        within("w", self.w, W_LOW, W_HIGH)
        within("x", self.x, X_LOW, X_HIGH)
        within("n", self.n, 1, 1000)


def activate(name: str, z: float) -> float:
    """Return `φ(z)`."""
    if name == "sigmoid":
        return 0.5 * (1 + math.tanh(z / 2))
    return math.tanh(z) if name == "tanh" else max(z, 0.0)


def derivative(name: str, z: float) -> float:
    """Return `φ'(z)`: `σ(z)σ(−z)`, `1/cosh²z`, or 0 and 1 (ReLU; 0 at `z = 0`, as in PyTorch)."""
    if name == "ReLU":
        return float(z > 0)
    half = z / 2 if name == "sigmoid" else z
    decay = math.exp(-2 * abs(half))
    return CEILING[name] * 4 * decay / (1 + decay) ** 2


def ceiling(neurons: Neurons) -> float:
    """Return the largest local derivative that the branch can have, `w·max φ'`."""
    return neurons.w * CEILING[neurons.activation]


def curve(neurons: Neurons) -> pd.DataFrame:
    """Return the factor of one layer over `z`: `who`, `z`, `factor` (`w·φ'` and `1 + w·φ'`)."""
    z = np.round(np.linspace(-6, 6, 121), 1)
    slopes = np.array([neurons.w * derivative(neurons.activation, value) for value in z])
    tables = [
        pd.DataFrame({"who": who, "z": z, "factor": slopes + shift})
        for who, shift in (("plain", 0), ("residual", 1))
    ]
    return pd.concat(tables, ignore_index=True)


@functools.lru_cache(maxsize=32)
def logarithms(neurons: Neurons, shortcut: bool) -> tuple[float, ...]:
    """Return log₁₀ of the multiplier after 0 … n layers of the chain that really runs.

    `x ← φ(w·x)`, or `x + φ(w·x)` with the shortcut. `w ≥ 0`, so both maps rise and no rounding
    error is blown up. `−inf` is an exact 0: a dead ReLU, or `w = 0` without a shortcut.
    """
    x, total, found = neurons.x, 0.0, [0.0]
    for _ in range(neurons.n):
        z = neurons.w * x if neurons.w else 0.0
        factor = shortcut + neurons.w * derivative(neurons.activation, z)
        total += math.log10(factor) if factor else -math.inf
        x = (x if shortcut else 0.0) + activate(neurons.activation, z)
        found.append(total)
    return tuple(found)


def by_depth(neurons: Neurons) -> pd.DataFrame:
    """Return the multipliers over depth: `who`, `layers`, `log10`, `zero`.

    `who` is plain, residual, or ceiling: `(w·max φ')^n`, the most that the plain chain could reach.
    """
    layers = np.unique(np.linspace(0, neurons.n, min(neurons.n, 120) + 1).round()).astype(int)
    top = ceiling(neurons)
    slope = math.log10(top) if top else -math.inf
    lines = {"plain": logarithms(neurons, False), "residual": logarithms(neurons, True)}
    lines["ceiling"] = tuple(n * slope if n else 0.0 for n in range(neurons.n + 1))
    tables = []
    for who, exponents in lines.items():
        values = np.array(exponents)[layers]
        zero = np.isneginf(values)
        row = {"who": who, "layers": layers, "log10": np.where(zero, np.nan, values), "zero": zero}
        tables.append(pd.DataFrame(row))
    return pd.concat(tables, ignore_index=True)


def verdict(neurons: Neurons) -> str:
    """Say what the ceiling is worth here.

    `dead`: the plain multiplier is exactly 0; `below`, `one`: the ceiling of a layer is below 1,
    or 1; `above_grows`, `above_shrinks`: it is above 1, and the plain chain that runs does grow, or
    does not.
    """
    plain, top = logarithms(neurons, False)[-1], ceiling(neurons)
    if plain == -math.inf:
        return "dead"
    if abs(top - 1) < 1e-9:
        return "one"
    if top < 1:
        return "below"
    return "above_grows" if plain > 0 else "above_shrinks"


def snippet(neurons: Neurons) -> str:
    """Return a program that runs both chains and prints log₁₀ of their multipliers, by autograd."""
    phi = {"sigmoid": "sigmoid", "tanh": "tanh", "ReLU": "relu"}[neurons.activation]
    return f"""\
import torch

w, n = {neurons.w}, {neurons.n}
for name, shortcut in (("plain", 0.0), ("residual", 1.0)):
    h, log10 = torch.tensor({neurons.x}, dtype=torch.float64), 0.0
    for _ in range(n):
        x = h.detach().requires_grad_()
        h = shortcut * x + torch.{phi}(w * x)
        h.backward()
        log10 += x.grad.abs().log10().item()
    print(name, log10)
"""


def written(neurons: Neurons) -> dict[str, str | int]:
    """Return the numbers of the sentences about a chain, written out."""
    top = ceiling(neurons)
    power = neurons.n * math.log10(top) if top else -math.inf
    return {
        "n": neurons.n,
        "top": numbers.text(top),
        "power": numbers.text_log10(power),
        "plain": numbers.text_log10(logarithms(neurons, False)[-1]),
        "residual": numbers.text_log10(logarithms(neurons, True)[-1]),
    }
