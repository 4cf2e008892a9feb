"""A small residual is not an easy one (article 1, section 2).

Two residual blocks `y = x + F(x)` with the same small branch, the same start and the same training:
one has to add a small fast wiggle, `A·sin(ωx)`, the other a large smooth curve, `C·x²`. What counts
is the loss in relation to the variance of what was to be learned; the bare squared error favours
whatever is small.
"""

import functools
from dataclasses import dataclass

import numpy as np
import pandas as pd

from core.limits import within

SIZE_LOW, SIZE_HIGH, SIZE_STEP = 0.05, 1.0, 0.05
WAVES_LOW, WAVES_HIGH = 1, 40
HEIGHT_LOW, HEIGHT_HIGH, HEIGHT_STEP = 1.0, 10.0, 0.5
SEED_LOW, SEED_HIGH = 0, 99
POINTS, HIDDEN, STEPS, RATE = 96, 24, 300, 0.01
TASKS = ("wiggle", "curve")


@dataclass(frozen=True, slots=True)
class Tasks:
    """The two residuals on [−1, 1]: `size·sin(waves·x)` and `height·x²`, and the seed."""

    size: float = 0.1
    waves: int = 25
    height: float = 6.0
    seed: int = 0

    def __post_init__(self) -> None:
        """Refuse sizes, frequencies, heights and seeds outside their ranges."""
        within("A", self.size, SIZE_LOW, SIZE_HIGH)
        within("ω", self.waves, WAVES_LOW, WAVES_HIGH)
        within("C", self.height, HEIGHT_LOW, HEIGHT_HIGH)
        within("seed", self.seed, SEED_LOW, SEED_HIGH)


@dataclass(frozen=True, slots=True)
class Fit:
    """What one branch learned: root mean square and variance of its target, mean squared error."""

    size: float
    variance: float
    error: float

    @property
    def unlearned(self) -> float:
        """The share of the residual's variance that is still missing."""
        return self.error / self.variance


@dataclass(frozen=True, slots=True)
class Fits:
    """Both fits, and the curves: `task`, `x`, `wanted`, `learned`."""

    wiggle: Fit
    curve: Fit
    curves: pd.DataFrame

    @property
    def harder(self) -> str:
        """Which residual was learned less well, in relation to its variance."""
        return "wiggle" if self.wiggle.unlearned > self.curve.unlearned else "curve"

    @property
    def verdict(self) -> str:
        """Whether the residual that was harder is the `smaller` or the `larger` one."""
        smaller = "wiggle" if self.wiggle.size < self.curve.size else "curve"
        return "smaller" if smaller == self.harder else "larger"

    @property
    def bare(self) -> str:
        """Whether the bare squared error says the same (`agrees`) or the opposite (`misleads`)."""
        worse = "wiggle" if self.wiggle.error > self.curve.error else "curve"
        return "agrees" if worse == self.harder else "misleads"


@functools.lru_cache(maxsize=64)
def fit(tasks: Tasks) -> Fits:
    """Train both blocks, 300 steps of Adam on 96 points, and return what they learned."""
    from core.backend import torch

    x = torch.linspace(-1, 1, POINTS, dtype=torch.float64)
    wanted = torch.stack([tasks.size * torch.sin(tasks.waves * x), tasks.height * x**2])
    inputs, target = x.expand(2, -1).unsqueeze(2), (x + wanted).unsqueeze(2)
    weights = _weights(tasks.seed)
    mean, spread = torch.zeros_like(weights), torch.zeros_like(weights)
    for step in range(1, STEPS + 1):
        weights.requires_grad_()
        errors = (inputs + _branch(inputs, weights) - target).square().mean((1, 2))
        (slope,) = torch.autograd.grad(errors.sum(), weights)
        mean = 0.9 * mean + 0.1 * slope
        spread = 0.999 * spread + 0.001 * slope.square()
        size = (spread / (1 - 0.999**step)).sqrt() + 1e-8
        weights = weights.detach() - RATE * mean / (1 - 0.9**step) / size
    learned = _branch(inputs, weights).squeeze(2)
    sizes, spreads = wanted.square().mean(1).sqrt(), wanted.var(1, correction=0)
    errors = (learned - wanted).square().mean(1)
    wiggle, curve = (Fit(*row) for row in torch.stack([sizes, spreads, errors], 1).tolist())
    return Fits(wiggle, curve, _curves(x.numpy(), wanted.numpy(), learned.numpy()))


def _weights(seed: int):
    """Return `W₁, b₁, W₂, b₂` of both branches in one row each (2 × 73), equal at the start.

    They are uniform in PyTorch's default ranges: ±1 for one input, ±1/√24 for 24.
    """
    from core.backend import torch

    generator = torch.Generator().manual_seed(seed)
    uniform = 2 * torch.rand(3 * HIDDEN + 1, generator=generator, dtype=torch.float64) - 1
    uniform[2 * HIDDEN :] *= HIDDEN**-0.5
    return uniform.repeat(2, 1)


def _branch(x, weights):
    """Return `F(x) = W₂·tanh(W₁x + b₁) + b₂` of both models, (2, points, 1)."""
    w1, b1, w2, b2 = weights.unsqueeze(1).split((HIDDEN, HIDDEN, HIDDEN, 1), dim=2)
    return (x @ w1 + b1).tanh() @ w2.mT + b2


def _curves(x: np.ndarray, wanted: np.ndarray, learned: np.ndarray) -> pd.DataFrame:
    tables = [
        pd.DataFrame({"task": task, "x": x, "wanted": w, "learned": f})
        for task, w, f in zip(TASKS, wanted, learned, strict=True)
    ]
    return pd.concat(tables, ignore_index=True)


def snippet(tasks: Tasks) -> str:
    """Return a PyTorch program that trains both blocks and prints the figures of the page."""
    return f"""import torch

generator = torch.Generator().manual_seed({tasks.seed})
x = torch.linspace(-1, 1, {POINTS}, dtype=torch.float64)
wanted = torch.stack([{tasks.size} * torch.sin({tasks.waves} * x), {tasks.height} * x**2])
inputs, H = x.expand(2, -1).unsqueeze(2), (x + wanted).unsqueeze(2)
start = 2 * torch.rand({3 * HIDDEN + 1}, generator=generator, dtype=torch.float64) - 1
start[{2 * HIDDEN}:] *= {HIDDEN}**-0.5
weights = start.repeat(2, 1).requires_grad_()


def block(x):
    W1, b1, W2, b2 = weights.unsqueeze(1).split(({HIDDEN}, {HIDDEN}, {HIDDEN}, 1), dim=2)
    return x + (x @ W1 + b1).tanh() @ W2.mT + b2


optimiser = torch.optim.Adam([weights], lr={RATE})
for _ in range({STEPS}):
    optimiser.zero_grad()
    (block(inputs) - H).square().mean((1, 2)).sum().backward()
    optimiser.step()

error = (block(inputs) - H).square().mean((1, 2)).detach()
unlearned = error / wanted.var(1, correction=0)
print("squared error:    wiggle, curve =", error.tolist())
print("share unlearned:  wiggle, curve =", unlearned.tolist())
"""
