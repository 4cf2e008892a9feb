"""A branch that starts as nothing: `F(x) = W₂σ(W₁x + b₁) + b₂` with `W₂ = 0` and `b₂ = 0`.

The block is then the identity bit for bit (article 1, section 5). Which parameters learn from such
a start is measured here with autograd, in float64, where a gradient that is 0 is exactly 0.
"""

import functools
from dataclasses import dataclass

import numpy as np
import pandas as pd

from core import numbers
from core.limits import one_of, within

ACTIVATIONS = ("ReLU", "tanh", "GELU", "sigmoid")
STARTS = ("W₂=0", "W₁=W₂=0", "W₁,W₂≠0")
TARGETS = ("x+g(x)", "x")
SEED_LOW, SEED_HIGH = 0, 99
SIZE, HIDDEN, BATCH, RATE, STEPS = 3, 8, 32, 0.2, 100
SHOWN = (0, 1, 2, 5, 10, 30, 100)
PARAMETERS = ("W₁", "b₁", "W₂", "b₂")


@dataclass(frozen=True, slots=True)
class Start:
    """How the branch begins: its activation `σ`, which weights are 0, the target, the seed."""

    activation: str = "ReLU"
    start: str = "W₂=0"
    target: str = "x+g(x)"
    seed: int = 0

    def __post_init__(self) -> None:
        """Refuse an unknown activation, start or target and a seed outside 0 … 99."""
        one_of("σ", self.activation, ACTIVATIONS)
        one_of("start", self.start, STARTS)
        one_of("H(x)", self.target, TARGETS)
        within("seed", self.seed, SEED_LOW, SEED_HIGH)


@dataclass(frozen=True, slots=True)
class Measured:
    """What gradient descent saw.

    `norms`: gradient norm of W₁, b₁, W₂, b₂ at every step, (steps + 1) × 4. `losses`: the loss
    there. `distance`: the largest difference between output and input at the start. `floor`: the
    loss that is left when only the mean of what is missing has been learned.
    """

    norms: np.ndarray
    losses: np.ndarray
    distance: float
    floor: float

    def awake(self, step: int) -> tuple[str, ...]:
        """Return the parameters that receive a gradient at a step."""
        reached = zip(PARAMETERS, self.norms[step] > 0, strict=True)
        return tuple(name for name, awake in reached if awake)

    def asleep(self) -> tuple[str, ...]:
        """Return the parameters that receive no gradient at any step."""
        reached = zip(PARAMETERS, self.norms.max(axis=0) > 0, strict=True)
        return tuple(name for name, awake in reached if not awake)

    @property
    def verdict(self) -> str:
        """Whom a gradient reaches: `none`, `all` at once, all later (`wake`), some `stuck`."""
        first = self.awake(0)
        if not first or first == PARAMETERS:
            return "all" if first else "none"
        return "stuck" if self.asleep() else "wake"


@functools.lru_cache(maxsize=64)
def measure(start: Start) -> Measured:
    """Run `STEPS` steps of gradient descent on `½·mean‖y − H‖²` and record what reaches whom."""
    from core.backend import torch

    x, target, weights = _draw(start)
    activation = _activation(start.activation)
    norms, losses, distance = [], [], 0.0
    for step in range(STEPS + 1):
        w1, b1, w2, b2 = weights
        y = x + activation(x @ w1.T + b1) @ w2.T + b2
        loss = (y - target).square().sum(1).mean() / 2
        if step == 0:
            distance = (y - x).abs().max().item()
        slopes = torch.autograd.grad(loss, weights)
        norms.append([slope.norm().item() for slope in slopes])
        losses.append(loss.item())
        pairs = zip(weights, slopes, strict=True)
        weights = [(w - RATE * slope).detach().requires_grad_() for w, slope in pairs]
    missing = target - x
    floor = (missing - missing.mean(0)).square().sum(1).mean().item() / 2
    return Measured(np.array(norms), np.array(losses), distance, floor)


def _draw(start: Start) -> tuple:
    """Return inputs (32 × 3), targets (32 × 3) and W₁ (8 × 3), b₁ (8), W₂ (3 × 8), b₂ (3)."""
    from core.backend import torch

    generator = torch.Generator().manual_seed(start.seed)

    def normal(*shape: int):
        return torch.randn(*shape, generator=generator, dtype=torch.float64)

    x, bend, shift = normal(BATCH, SIZE), normal(SIZE, SIZE), normal(SIZE)
    first, last = normal(HIDDEN, SIZE) / SIZE**0.5, normal(SIZE, HIDDEN) / HIDDEN**0.5
    target = x + torch.tanh(x @ bend.T) + shift if start.target == "x+g(x)" else x
    w1 = first * (start.start != "W₁=W₂=0")
    w2 = last * (start.start == "W₁,W₂≠0")
    b1, b2 = torch.zeros(HIDDEN, dtype=torch.float64), torch.zeros(SIZE, dtype=torch.float64)
    return x, target, [weight.requires_grad_() for weight in (w1, b1, w2, b2)]


def _activation(name: str):
    from core.backend import torch

    functions = {
        "ReLU": torch.relu,
        "tanh": torch.tanh,
        "GELU": torch.nn.functional.gelu,
        "sigmoid": torch.sigmoid,
    }
    return functions[name]


def gradients(measured: Measured, steps: tuple[int, ...] = SHOWN) -> pd.DataFrame:
    """Return the norms at a few steps as a grid: `parameter`, `step`, `norm`, `zero`, `text`."""
    rows = [
        (name, step, norm, norm == 0, numbers.text(norm, 2))
        for step in steps
        for name, norm in zip(PARAMETERS, measured.norms[step].tolist(), strict=True)
    ]
    return pd.DataFrame(rows, columns=["parameter", "step", "norm", "zero", "text"])


def losses(measured: Measured) -> pd.DataFrame:
    """Return the loss at every step: `step`, `loss`, `floor`."""
    steps = range(STEPS + 1)
    return pd.DataFrame({"step": steps, "loss": measured.losses, "floor": measured.floor})


def snippet(start: Start) -> str:
    """Return a PyTorch program that prints the gradients at steps 0 and 1 for these settings."""
    function = {"GELU": "torch.nn.functional.gelu"}.get(
        start.activation, f"torch.{start.activation.lower()}"
    )
    target = "x + torch.tanh(x @ bend.T) + shift" if start.target == "x+g(x)" else "x"
    return f"""import torch

generator = torch.Generator().manual_seed({start.seed})


def normal(*shape):
    return torch.randn(*shape, generator=generator, dtype=torch.float64)


x, bend, shift = normal({BATCH}, {SIZE}), normal({SIZE}, {SIZE}), normal({SIZE})
W1, W2 = normal({HIDDEN}, {SIZE}) / {SIZE}**0.5, normal({SIZE}, {HIDDEN}) / {HIDDEN}**0.5
b1, b2 = torch.zeros({HIDDEN}, dtype=torch.float64), torch.zeros({SIZE}, dtype=torch.float64)
H = {target}
W1 = W1 * {int(start.start != "W₁=W₂=0")}
W2 = W2 * {int(start.start == "W₁,W₂≠0")}

norms = []
for step in range(2):
    weights = [w.detach().requires_grad_() for w in (W1, b1, W2, b2)]
    W1, b1, W2, b2 = weights
    y = x + {function}(x @ W1.T + b1) @ W2.T + b2
    if step == 0:
        print("the block is the identity, bit for bit:", torch.equal(y, x))
    loss = (y - H).square().sum(1).mean() / 2
    slopes = torch.autograd.grad(loss, weights)
    norms.append([slope.norm().item() for slope in slopes])
    print("step", step, dict(zip(("W1", "b1", "W2", "b2"), norms[-1])))
    W1, b1, W2, b2 = (w - {RATE} * slope for w, slope in zip(weights, slopes))
"""
