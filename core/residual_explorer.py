"""Residual explorer: what `y = x + αF(x)` gives, and how far that is from a target `H(x)`.

A block that is only a transform branch has to produce `H(x)` itself; with the shortcut the branch
has to produce `F(x) = H(x) − x` (article 1, section 2; article 2, section 1.2). Every number on the
page is a decimal, and is computed as the exact fraction it stands for: a miss of 0 is exactly 0.
"""

import functools
import math
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np
import pandas as pd

from core import numbers
from core.columns import Columns, columns
from core.limits import within

LOW, HIGH, STEP = -10.0, 10.0, 0.1
ALPHA_LOW, ALPHA_HIGH, ALPHA_STEP = -1.0, 2.0, 0.05
SIZE_LOW, SIZE_HIGH = 2, 8

X = (2.0, 5.0, 3.0, -1.0, 4.0, 0.0, 1.0, -3.0)
UPDATE = (0.5, -0.2, 0.1, 0.3, -0.4, 0.2, 0.0, -0.1)
TARGET = (2.5, 4.8, 3.1, -0.7, 3.6, 0.2, 1.0, -3.1)
"""Input, update and target at the opening; the first three components are article 1's."""

Vector = tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Block:
    """One residual block at one input: `x`, the branch's output `F(x)`, the target `H(x)`, `α`."""

    x: Vector
    update: Vector
    target: Vector
    alpha: float = 1.0

    def __post_init__(self) -> None:
        """Refuse unequal sizes, a size outside 2 … 8, and numbers outside their range."""
        within("d", len(self.x), SIZE_LOW, SIZE_HIGH)
        for name, vector in (("x", self.x), ("F", self.update), ("H", self.target)):
            within(f"d({name})", len(vector), len(self.x), len(self.x))
            for value in vector:
                within(name, value, LOW, HIGH)
        within("α", self.alpha, ALPHA_LOW, ALPHA_HIGH)


PRESETS = {
    "article": Block(X[:3], UPDATE[:3], TARGET[:3]),
    "half_way": Block(X[:3], UPDATE[:3], TARGET[:3], 0.5),
    "identity": Block(X[:3], (0.0, 0.0, 0.0), X[:3]),
    "wrong_way": Block(X[:3], (-0.5, 0.2, -0.1), TARGET[:3]),
    "wiped": Block(X[:3], (-2.0, -5.0, -3.0), TARGET[:3]),
    "far": Block(X[:3], (-4.0, -10.0, -6.0), (-2.0, -5.0, -3.0)),
    "eight": Block(X, UPDATE, TARGET),
}
"""Each is named after what it teaches; the key is the phrase `preset.<name>`."""


@functools.lru_cache(maxsize=256)
def exact(vector: Vector) -> np.ndarray:
    """Return the decimals of a vector as the fractions they stand for, read-only: 0.1 is 1/10."""
    fractions = np.array([Fraction(str(value)) for value in vector], dtype=object)
    fractions.flags.writeable = False
    return fractions


def dot(left: np.ndarray, right: np.ndarray) -> Fraction:
    """Return the scalar product of two vectors of fractions, exactly."""
    return sum((a * b for a, b in zip(left, right, strict=True)), Fraction(0))


def squared(vector: np.ndarray) -> Fraction:
    """Return the squared length `‖v‖²` of a vector of fractions, exactly."""
    return dot(vector, vector)


def floats(vector: np.ndarray) -> list[float]:
    """Return a vector of fractions as floats, each rounded once."""
    return [float(value) for value in vector]


def output(block: Block) -> np.ndarray:
    """Return `y = x + αF(x)`, exactly (article 1, section 7; `α = 1` is section 1)."""
    return exact(block.x) + Fraction(str(block.alpha)) * exact(block.update)


def other_side(block: Block) -> np.ndarray:
    """Return `αx + F(x)`, exactly: what comes out when `α` stands on the shortcut instead."""
    return Fraction(str(block.alpha)) * exact(block.x) + exact(block.update)


def written(vector: np.ndarray) -> str:
    """Return a vector for reading: `(2.25, 4.9, 3.05)`."""
    return "(" + ", ".join(numbers.text(value, 6) for value in floats(vector)) + ")"


@dataclass(frozen=True, slots=True)
class Misses:
    """Distances to the target `H`, and lengths of what each kind of block has to produce."""

    plain: float
    residual: float
    start: float
    to_learn_plain: float
    to_learn_residual: float
    verdict: str
    lesson: str


def misses(block: Block) -> Misses:
    """Return how far `F`, `x + αF` and `x` are from `H`, and `‖H‖` beside `‖H − x‖`.

    `verdict` compares `x + αF` with `F` alone: `both` hit, `hit`, `closer`, `tie`, `farther`.
    `lesson` compares `‖H − x‖` with `‖H‖`: `nothing`, `smaller`, `tie`, `larger`.
    """
    target = exact(block.target)
    plain, residual = squared(target - exact(block.update)), squared(target - output(block))
    direct, change = squared(target), squared(target - exact(block.x))
    return Misses(
        plain=math.sqrt(plain),
        residual=math.sqrt(residual),
        start=math.sqrt(change),
        to_learn_plain=math.sqrt(direct),
        to_learn_residual=math.sqrt(change),
        verdict=_compare(residual, plain, "hit", "closer", "farther", both="both"),
        lesson=_compare(change, direct, "nothing", "smaller", "larger", both="nothing"),
    )


def _compare(ours: Fraction, other: Fraction, zero: str, less: str, more: str, both: str) -> str:
    if ours == 0:
        return both if other == 0 else zero
    if ours == other:
        return "tie"
    return less if ours < other else more


def best_alpha(block: Block) -> Fraction | None:
    """Return the `α` that brings `x + αF` nearest to `H`: `F·(H − x) / ‖F‖²`; None if `F = 0`."""
    update, change = exact(block.update), exact(block.target) - exact(block.x)
    size = squared(update)
    return None if size == 0 else dot(update, change) / size


def by_component(block: Block) -> Columns:
    """Return what the picture draws: `component`, `what`, `start`, `end`, `full`, one row a mark.

    `what` is `target`, `plain` (F alone, and its way to H), `identity` (x), `branch` (from x to y)
    or `residual` (y, and its way to H). `full` is where `x + F` lies.
    """
    x, update, target = block.x, block.update, block.target
    y, full = floats(output(block)), floats(exact(x) + exact(update))
    ways = {
        "identity": (x, x),
        "branch": (x, y),
        "residual": (y, target),
        "plain": (update, target),
        "target": (target, target),
    }
    rows = [
        (number, what, *ends)
        for what, (start, end) in ways.items()
        for number, ends in enumerate(zip(start, end, full, strict=True), start=1)
    ]
    return columns(("component", "what", "start", "end", "full"), rows)


def extent(block: Block) -> Columns:
    """Return the smallest and the largest number the picture can reach while only `α` moves."""
    ends = [replace(block, alpha=alpha) for alpha in (ALPHA_LOW, ALPHA_HIGH)]
    reached = [value for end in ends for value in floats(output(end))]
    every = [0.0, *block.x, *block.update, *block.target, *reached]
    return {"start": [min(every), max(every)]}


def to_learn(block: Block) -> pd.DataFrame:
    """Return what each block has to produce: `component`, `who` and `value` (`H`, or `H − x`)."""
    change = floats(exact(block.target) - exact(block.x))
    rows = [
        (number, who, value)
        for who, values in (("plain", block.target), ("residual", change))
        for number, value in enumerate(values, start=1)
    ]
    return pd.DataFrame(rows, columns=["component", "who", "value"])


def alphas() -> list[float]:
    """Return the grid of the `α` slider."""
    steps = round((ALPHA_HIGH - ALPHA_LOW) / ALPHA_STEP)
    return [round(ALPHA_LOW + k * ALPHA_STEP, 2) for k in range(steps + 1)]


def by_alpha(block: Block) -> pd.DataFrame:
    """Return the distance to `H` for every `α` of the slider: `who`, `alpha`, `miss`, `here`.

    `‖H − x − αF‖² = ‖H − x‖² − 2α F·(H − x) + α²‖F‖²`, over a common denominator, so that a 0 is
    exactly 0. `here` marks the block's own `α`.
    """
    update, target = exact(block.update), exact(block.target)
    change = target - exact(block.x)
    c, f, cf = squared(change), squared(update), dot(change, update)
    plain = math.sqrt(squared(target - update))
    whole = math.lcm(c.denominator, cf.denominator, f.denominator)
    c, cf, f = (int(value * whole) for value in (c, cf, f))
    rows = [("plain", alpha, plain, alpha == block.alpha) for alpha in alphas()]
    for alpha in alphas():
        top, bottom = round(alpha / ALPHA_STEP), round(1 / ALPHA_STEP)
        square = c * bottom**2 - 2 * top * bottom * cf + top**2 * f
        miss = math.sqrt(square / (whole * bottom**2))
        rows.append(("residual", alpha, miss, alpha == block.alpha))
    return pd.DataFrame(rows, columns=["who", "alpha", "miss", "here"])


def table(block: Block) -> pd.DataFrame:
    """Return the arithmetic of the block, one row a component, every number exact."""
    y, target = output(block), exact(block.target)
    return pd.DataFrame(
        {
            "component": range(1, len(y) + 1),
            "x": block.x,
            "F(x)": block.update,
            "x + αF(x)": floats(y),
            "H(x)": block.target,
            "H − (x + αF)": floats(target - y),
            "H − F": floats(target - exact(block.update)),
            "H − x": floats(target - exact(block.x)),
        }
    )


def snippet(block: Block) -> str:
    """Return a PyTorch program that prints the misses of this page for the present settings."""
    return f"""import torch

x = torch.tensor({list(block.x)}, dtype=torch.float64)
F = torch.tensor({list(block.update)}, dtype=torch.float64)
H = torch.tensor({list(block.target)}, dtype=torch.float64)
alpha = {block.alpha}

y = x + alpha * F
plain_miss = (H - F).norm()
residual_miss = (H - y).norm()
print("F alone misses H by ", plain_miss.item())
print("x + alpha F misses by", residual_miss.item())
print("a plain block has to produce ", H.norm().item())
print("a residual branch only has to produce", (H - x).norm().item())
"""
