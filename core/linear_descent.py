"""Gradient descent on one linear block, with the shortcut and without, in exact numbers.

On `x`: `x ← x − η·Mᵀ(Mx − t)` with `M = I + αW`, or `M = αW` without the shortcut. On `W`:
`W ← W − η·α·(y − t)xᵀ`. Fractions hold every step, so that a loss of exactly 0 can be told from a
small one, and nothing overflows.
"""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from core import exact, numbers, plane
from core.exact import Fraction, Numbers
from core.limits import one_of, within
from core.linear_block import Setting, run
from core.linear_directions import gains, jacobian

RATE_LOW, RATE_HIGH, RATE_STEP = 0.01, 1.5, 0.01
STEPS_HIGH = 30
VARIABLES = ("x", "W")
WHO = ("residual", "plain")


@dataclass(frozen=True, slots=True)
class Descent:
    """`steps` gradient steps of rate `rate` on `variable` (`x` or `W`)."""

    variable: str = "x"
    rate: float = 0.1
    steps: int = 20

    def __post_init__(self) -> None:
        """Refuse another variable, a rate outside [0.01, 1.5] and more than 30 steps."""
        one_of("variable", self.variable, VARIABLES)
        within("rate", self.rate, RATE_LOW, RATE_HIGH)
        within("steps", self.steps, 0, STEPS_HIGH)


@dataclass(frozen=True, slots=True)
class Point:
    """Where a descent stands: the number that is learnt, the output and the loss."""

    value: Numbers
    y: Numbers
    loss: Fraction


def descend(setting: Setting, descent: Descent, shortcut: bool) -> list[Point]:
    """Return the points after 0 … `steps` gradient steps."""
    x, weight, t, alpha = setting.exactly()
    rate, points = exact.exact(descent.rate), []
    for _ in range(descent.steps + 1):
        y = shortcut * x + alpha * (weight @ x)
        error = y - t
        on_x = descent.variable == "x"
        points.append(Point(x if on_x else weight, y, (error @ error) / 2))
        if on_x:
            x = x - rate * (shortcut * error + alpha * (weight.T @ error))
        else:
            weight = weight - rate * alpha * np.outer(error, x)
    return points


def by_step(setting: Setting, descent: Descent) -> pd.DataFrame:
    """Return losses and outputs of both blocks: `who`, `step`, `log10`, `zero`, `y1`, `y2`.

    A loss of exactly 0 has no logarithm: there `log10` is NaN (a gap) and `zero` is true. An output
    that has left the plane that can be drawn (beyond 10⁹) is NaN.
    """
    table = []
    for who in WHO:
        for step, point in enumerate(descend(setting, descent, who == "residual")):
            log10 = exact.log10(point.loss) if point.loss else np.nan
            outputs = [float(v) if abs(v) < 10**9 else np.nan for v in point.y]
            table.append((who, step, log10, point.loss == 0, *outputs))
    return pd.DataFrame(table, columns=["who", "step", "log10", "zero", "y1", "y2"])


def tendency(points: list[Point]) -> str:
    """Say what the loss did from first to last: `met` (0), `grew`, `stayed`, `fell`."""
    first, last = points[0].loss, points[-1].loss
    if last == 0:
        return "met"
    return "grew" if last > first else "stayed" if last == first else "fell"


def winner(setting: Setting, descent: Descent) -> str:
    """Say whose loss is smaller in the end, exactly.

    `neither` (both grew; on a quadratic loss that means too large a rate), `residual`, `plain` or
    `equal`.
    """
    ways = [descend(setting, descent, who == "residual") for who in WHO]
    residual, plain = (points[-1].loss for points in ways)
    if all(tendency(points) == "grew" for points in ways):
        return "neither"
    return "equal" if residual == plain else "residual" if residual < plain else "plain"


def factor(setting: Setting, descent: Descent, shortcut: bool) -> float:
    """Return by how much a step multiplies the error `y − t` at most.

    On `W` it is `|1 − η·α²·‖x‖²|`, the same with and without the shortcut. On `x` the component of
    the error along a singular direction is multiplied by `1 − ησ²`; this is the largest of the two.
    """
    x, _, _, alpha = setting.exactly()
    rate = exact.exact(descent.rate)
    if descent.variable == "W":
        return float(abs(1 - rate * alpha**2 * (x @ x)))
    sizes = gains(jacobian(setting, shortcut))
    return max(abs(1 - float(rate) * s**2) for s in (sizes.largest, sizes.smallest))


def picture(setting: Setting, descent: Descent) -> dict[str, pd.DataFrame]:
    """Return the tables of the output plane: `rows`, `circles`, `target` and `window`.

    The window holds what lies within twice the larger error at the start; a descent that diverges
    leaves it.
    """
    _, _, t, _ = setting.exactly()
    rows = by_step(setting, descent)
    centre = t.astype(float)
    outputs = rows[["y1", "y2"]].to_numpy()
    errors = np.hypot(*(outputs - centre).T)
    start = float(errors[rows["step"] == 0].max())
    near = outputs[errors <= 2 * start]
    radii = [start * share for share in (1 / 3, 2 / 3, 1)] if start else []
    names = [f"L = {numbers.text(radius**2 / 2)}" for radius in radii]
    target = pd.DataFrame({"x": [centre[0]], "y": [centre[1]], "label": ["t"]})
    where = plane.window(tuple(point) for point in (*near, centre))
    return {
        "rows": rows,
        "circles": pd.DataFrame(plane.circles(centre, radii, names)),
        "target": target,
        "window": pd.DataFrame(where.columns),
    }


def outcomes(setting: Setting, descent: Descent) -> pd.DataFrame:
    """Return one row a block: `who`, `first` and `last` loss, `factor`, `tendency`."""
    table = []
    for who in WHO:
        points = descend(setting, descent, who == "residual")
        most = numbers.text(factor(setting, descent, who == "residual"), 4)
        losses = exact.text(points[0].loss), exact.text(points[-1].loss)
        table.append((who, *losses, most, tendency(points)))
    return pd.DataFrame(table, columns=["who", "first", "last", "factor", "tendency"])


def written(setting: Setting, descent: Descent) -> dict[str, object]:
    """Return the numbers that the page's sentences speak of."""
    rows = outcomes(setting, descent).set_index("who")
    return {
        "steps": descent.steps,
        "residual": rows["last"]["residual"],
        "plain": rows["last"]["plain"],
        "factor_residual": rows["factor"]["residual"],
        "factor_plain": rows["factor"]["plain"],
    }


def first_step_tex(setting: Setting, descent: Descent) -> str:
    """Return the residual block's first gradient step in KaTeX, with the numbers put in."""
    before, after = descend(setting, Descent(descent.variable, descent.rate, 1), shortcut=True)
    rate, p = exact.exact(descent.rate), run(setting)
    gradient = p.grad_x if descent.variable == "x" else p.grad_w
    name = descent.variable
    sign = exact.equals(gradient, after.value)
    step = rf"{exact.matrix_tex(before.value)}-{exact.tex(rate)}\,{exact.matrix_tex(gradient)}"
    return exact.aligned(
        [
            rf"{name}-\eta\nabla_{{{name}}}L&={step}",
            rf"&{sign}{exact.matrix_tex(after.value)}",
            rf"L:\;{exact.tex(before.loss)}&\to {exact.tex(after.loss)}",
        ]
    )
