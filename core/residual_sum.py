"""A real stack as a sum: `x_n = x_0 + Σ F_l(x_l)` (article 1, section 3.3).

The sum is exact, and the blocks are not independent: take one branch out and every later branch
sees another input and adds something else.
"""

from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from core.limits import within

BLOCKS_LOW, BLOCKS_HIGH = 1, 24
GAIN_LOW, GAIN_HIGH, GAIN_STEP = 0.1, 2.0, 0.1
SEED_LOW, SEED_HIGH = 0, 99
HIDDEN = 16


@dataclass(frozen=True, slots=True)
class Stack:
    """`blocks` nonlinear residual blocks on `x`; branch `off` is taken out (0: none)."""

    x: tuple[float, ...]
    blocks: int = 8
    gain: float = 0.5
    seed: int = 0
    off: int = 0

    def __post_init__(self) -> None:
        """Refuse what lies outside the ranges above, and an `off` beyond the last block."""
        within("n", self.blocks, BLOCKS_LOW, BLOCKS_HIGH)
        within("g", self.gain, GAIN_LOW, GAIN_HIGH)
        within("seed", self.seed, SEED_LOW, SEED_HIGH)
        within("off", self.off, 0, self.blocks)


def run(stack: Stack) -> tuple[np.ndarray, np.ndarray]:
    """Return `F_0(x_0) … F_{n−1}(x_{n−1})`, (n × d), and `x_n`, with `F_l(x) = g·W₂ tanh(W₁x)`.

    `W₁` (16 × d) and `W₂` (d × 16) have normal entries of variance one over their inputs.
    """
    draw = np.random.default_rng(stack.seed)
    size = len(stack.x)
    x, updates = np.array(stack.x), []
    for number in range(1, stack.blocks + 1):
        first = draw.normal(size=(HIDDEN, size)) / size**0.5
        last = draw.normal(size=(size, HIDDEN)) / HIDDEN**0.5
        update = stack.gain * (last @ np.tanh(first @ x)) * (number != stack.off)
        updates.append(update)
        x = x + update
    return np.array(updates), x


def levels(stack: Stack) -> np.ndarray:
    """Return the partial sums `x_0, x_0 + F_0, …`, ((n + 1) × d), added from left to right."""
    return np.cumsum([np.array(stack.x), *run(stack)[0]], axis=0)


@dataclass(frozen=True, slots=True)
class Facts:
    """One component of the stack: `x_0`, what the branches add, `x_n`, and the sum's error.

    `taken`: what branch `off` added before it was taken out. `change`: what became of `x_n`.
    `out`: whether `nothing` was taken out, an `idle` branch that adds nothing, the `last` branch,
    or an `earlier` one. The lengths are `‖x_0‖` and `‖x_n‖`.
    """

    start: float
    added: float
    end: float
    error: float
    taken: float
    change: float
    out: str
    first_length: float
    last_length: float


def facts(stack: Stack, component: int) -> Facts:
    """Return the sum in one component (1 … d), and what taking branch `off` out does to it."""
    at = component - 1
    updates, x = run(stack)
    whole, x_whole = run(replace(stack, off=0))
    return Facts(
        start=stack.x[at],
        added=float(updates[:, at].sum()),
        end=float(x[at]),
        error=float(abs(levels(stack)[-1] - x).max()),
        taken=float(whole[stack.off - 1, at]) if stack.off else 0.0,
        change=float(x[at] - x_whole[at]),
        out=_out(stack, whole),
        first_length=float(np.linalg.norm(stack.x)),
        last_length=float(np.linalg.norm(x)),
    )


def _out(stack: Stack, whole: np.ndarray) -> str:
    if stack.off == 0:
        return "nothing"
    if not whole[stack.off - 1].any():
        return "idle"
    return "last" if stack.off == stack.blocks else "earlier"


def bars(stack: Stack, component: int) -> pd.DataFrame:
    """Return one bar a term: `place` (0 … n + 1), `who`, `start`, `end`, `value`, `before`.

    `before` is where the bar ended with every branch in; it differs only where `off` changed it.
    """
    at = component - 1
    level, whole = (levels(one)[:, at] for one in (stack, replace(stack, off=0)))
    starts, ends = [0.0, *level[:-1], 0.0], [*level, level[-1]]
    who = ["identity", *["branch"] * stack.blocks, "residual"]
    return pd.DataFrame(
        {
            "place": range(stack.blocks + 2),
            "who": who,
            "start": starts,
            "end": ends,
            "value": np.subtract(ends, starts),
            "before": [*whole, whole[-1]],
        }
    )


def snippet(stack: Stack) -> str:
    """Return a PyTorch program that runs the stack and adds its terms up."""
    return f"""import numpy as np
import torch

draw = np.random.default_rng({stack.seed})
x = torch.tensor({list(stack.x)}, dtype=torch.float64)
terms = [x]
for number in range(1, {stack.blocks + 1}):
    W1 = torch.from_numpy(draw.normal(size=({HIDDEN}, len(x))) / len(x) ** 0.5)
    W2 = torch.from_numpy(draw.normal(size=(len(x), {HIDDEN})) / {HIDDEN}**0.5)
    F = {stack.gain} * (W2 @ torch.tanh(W1 @ x)) * (number != {stack.off})
    terms.append(F)
    x = x + F

print("x_n =", x.tolist())
print("x_0 and all F_l(x_l) =", torch.stack(terms).sum(0).tolist())
"""
