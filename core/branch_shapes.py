"""Branch shapes that disappoint: what stacks of `x + F(x)` can and cannot do.

`x + Wx` is linear, so any number of such blocks is one matrix. `x + ReLU(Wx)` can only add, in
every component. With a last layer behind the activation, `x + W₂ReLU(W₁x)`, the update may bend and
have either sign (article 2, section 4.1; He et al. 2015, section 3.2). No function is lost by the
shortcut itself: `G(x) = x + (G(x) − x)`, and `with_shortcut` builds that branch.
"""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from core.limits import within

SHAPES = ("linear", "rectified", "full")
TEX = {
    "linear": "x+Wx",
    "rectified": r"x+\operatorname{ReLU}(Wx)",
    "full": r"x+W_2\operatorname{ReLU}(W_1x)",
}
SIZE, HIDDEN = 3, 6
BLOCKS_LOW, BLOCKS_HIGH = 1, 30
SEED_LOW, SEED_HIGH = 0, 99
REACH, POINTS = 3.0, 61


@dataclass(frozen=True, slots=True)
class Stack:
    """`blocks` residual blocks in a row, with weights drawn from `seed`."""

    blocks: int = 10
    seed: int = 0

    def __post_init__(self) -> None:
        """Refuse a number of blocks outside 1 … 30 and a seed outside 0 … 99."""
        within("n", self.blocks, BLOCKS_LOW, BLOCKS_HIGH)
        within("seed", self.seed, SEED_LOW, SEED_HIGH)


Weights = list[tuple[np.ndarray, np.ndarray]]


def weights(stack: Stack) -> Weights:
    """Return `(W, W₂)` a block: normal entries of variance `1/(inputs·blocks)` and `1/inputs`.

    `W` (3 × 3, then 3 more rows) serves all shapes: its first 3 rows are the W of `x + Wx` and
    `x + ReLU(Wx)`, all 6 are the W₁ of the two-layer branch; `W₂` is 3 × 6.
    """
    draw = np.random.default_rng(stack.seed)
    first = draw.normal(size=(stack.blocks, HIDDEN, SIZE)) / (SIZE * stack.blocks) ** 0.5
    last = draw.normal(size=(stack.blocks, SIZE, HIDDEN)) / HIDDEN**0.5
    return list(zip(first, last, strict=True))


def run(shape: str, layers: Weights, x: np.ndarray) -> np.ndarray:
    """Return the output of the stack for the columns of `x` (3 × points)."""
    for first, last in layers:
        if shape == "linear":
            x = x + first[:SIZE] @ x
        elif shape == "rectified":
            x = x + np.maximum(first[:SIZE] @ x, 0)
        else:
            x = x + last @ np.maximum(first @ x, 0)
    return x


def one_matrix(layers: Weights) -> np.ndarray:
    """Return `(I + W_n) ⋯ (I + W_1)`: the one matrix that the linear stack is."""
    product = np.eye(SIZE)
    for first, _ in layers:
        product = product + first[:SIZE] @ product
    return product


def line() -> tuple[np.ndarray, np.ndarray]:
    """Return positions `t` from −3 to 3 and the inputs `t·(1, 1, 1)` (3 × 61)."""
    t = np.linspace(-REACH, REACH, POINTS)
    return t, np.ones((SIZE, 1)) * t


def by_position(stack: Stack) -> pd.DataFrame:
    """Return the update `x_n − x_0` along the line: `shape`, `component`, `t`, `update`."""
    t, x = line()
    layers = weights(stack)
    tables = []
    for shape in SHAPES:
        for number, update in enumerate(run(shape, layers, x) - x, start=1):
            row = {"shape": shape, "component": number, "t": t, "update": update}
            tables.append(pd.DataFrame(row))
    return pd.concat(tables, ignore_index=True)


@dataclass(frozen=True, slots=True)
class Facts:
    """What the three stacks did on many random inputs.

    `matrix_error`: largest difference between the linear stack and its one matrix. `least`,
    `most`: smallest and largest update of the other two. `shortcut_error`: `with_shortcut`.
    """

    matrix_error: float
    least: dict[str, float]
    most: dict[str, float]
    shortcut_error: float

    @property
    def full(self) -> str:
        """The signs of the two-layer update: `both`, only `up` or only `down`."""
        if self.least["full"] < 0 < self.most["full"]:
            return "both"
        return "up" if self.least["full"] >= 0 else "down"


def facts(stack: Stack, inputs: int = 500) -> Facts:
    """Measure the three stacks on normal inputs (3 × 500)."""
    layers = weights(stack)
    x = np.random.default_rng(stack.seed).normal(size=(SIZE, inputs))
    updates = {shape: run(shape, layers, x) - x for shape in SHAPES}
    linear = run("linear", layers, x)
    first, last = layers[0]
    plain = last @ np.maximum(first @ x, 0)
    wide_first, wide_last = with_shortcut(first, last)
    residual = x + wide_last @ np.maximum(wide_first @ x, 0)
    return Facts(
        matrix_error=float(np.abs(linear - one_matrix(layers) @ x).max()),
        least={shape: float(update.min()) for shape, update in updates.items()},
        most={shape: float(update.max()) for shape, update in updates.items()},
        shortcut_error=float(np.abs(residual - plain).max()),
    )


def with_shortcut(first: np.ndarray, last: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return a branch `F` with `x + F(x) = G(x)` for the plain `G(x) = last·ReLU(first·x)`.

    `−x = −ReLU(x) + ReLU(−x)`, so two more hidden units a component are enough: nothing that a
    plain two-layer block can do is lost when it gets a shortcut (article 2, section 5.1).
    """
    size = first.shape[1]
    unit = np.eye(size)
    return np.vstack([first, unit, -unit]), np.hstack([last, -unit, unit])


def snippet(stack: Stack) -> str:
    """Return a PyTorch program that compares the linear stack with one matrix."""
    return f"""import numpy as np
import torch

draw = np.random.default_rng({stack.seed})
first = draw.normal(size=({stack.blocks}, {HIDDEN}, {SIZE})) / ({SIZE} * {stack.blocks}) ** 0.5
W = torch.from_numpy(first[:, :{SIZE}])
x = torch.from_numpy(np.random.default_rng({stack.seed}).normal(size=({SIZE}, 500)))

linear, rectified, matrix = x, x, torch.eye({SIZE}, dtype=torch.float64)
for layer in W:
    linear = linear + layer @ linear
    rectified = rectified + torch.relu(layer @ rectified)
    matrix = matrix + layer @ matrix

matrix_error = (linear - matrix @ x).abs().max()
least = (rectified - x).min()
print("linear stack against one matrix, largest difference:", matrix_error.item())
print("smallest update of the rectified stack:", least.item())
"""
