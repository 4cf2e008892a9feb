"""`n` equal linear blocks in a row: the unrolled sum, the product of Jacobians, the gradient.

`x_{l+1} = x_l + αWx_l`, so `x_n = x_0 + Σ αWx_l = (I + αW)ⁿx_0`, and the gradient of the first
input is `((I + αW)ᵀ)ⁿ(x_n − t)` (article 1, section 3.3, for vectors).
"""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from core import exact
from core.exact import Numbers
from core.limits import within
from core.linear_block import Setting
from core.linear_directions import jacobian
from core.plane import Arrow, arrow

BLOCKS_HIGH = 20


@dataclass(frozen=True, slots=True)
class Stack:
    """Every state, every update, and the gradient at every state, from input to output."""

    states: list[Numbers]
    updates: list[Numbers]
    gradients: list[Numbers]
    product: Numbers


def run(setting: Setting, n: int, shortcut: bool = True) -> Stack:
    """Run `n` blocks forward and backward, in exact fractions.

    The states come from adding one update after another; `product` is the matrix `(I + αW)ⁿ`
    (`(αW)ⁿ` without the shortcut), multiplied out by itself, so that the two can be compared.

    Raises:
        Refused: for fewer than 1 or more than 20 blocks.
    """
    within("n", n, 1, BLOCKS_HIGH)
    x, weight, t, alpha = setting.exactly()
    states, updates = [x], []
    for _ in range(n):
        updates.append(alpha * (weight @ states[-1]))
        states.append(shortcut * states[-1] + updates[-1])
    gradients = [states[-1] - t]
    for _ in range(n):
        g = gradients[0]
        gradients.insert(0, shortcut * g + alpha * (weight.T @ g))
    return Stack(states, updates, gradients, _power(jacobian(setting, shortcut), n))


def _power(matrix: Numbers, n: int) -> Numbers:
    product = matrix
    for _ in range(n - 1):
        product = product @ matrix
    return product


def differences(stack: Stack) -> tuple[Numbers, Numbers]:
    """Return `x_0 + Σ αWx_l − (I + αW)ⁿx_0` and `∇ᵧ` through `n` blocks minus its product form.

    Both are exactly 0: the sum and the product are one function.
    """
    unrolled = stack.states[0] + sum(stack.updates)
    forward = unrolled - stack.product @ stack.states[0]
    backward = stack.gradients[0] - stack.product.T @ stack.gradients[-1]
    return forward, backward


def verdict(stack: Stack) -> str:
    """Say what became of the gradient from output to input, exactly.

    `at_target`, `wiped` (exactly 0), `longer`, `shorter` or `same`.
    """
    first, last = stack.gradients[0], stack.gradients[-1]
    if not last.any():
        return "at_target"
    if not first.any():
        return "wiped"
    change = first @ first - last @ last
    return "same" if change == 0 else "longer" if change > 0 else "shorter"


def arrows(stack: Stack) -> list[Arrow]:
    """Return `x₀`, `xₙ` and every update, head to tail; of the updates only the first is named."""
    origin = exact.array(0, 0)
    first, last = stack.states[0], stack.states[-1]
    ends = [
        arrow("x₀", "identity", exact.point(first), origin, first, "name"),
        arrow("xₙ", "residual", exact.point(last), origin, last, "name"),
    ]
    updates = [
        arrow(
            _name(layer), "branch", exact.point(update), state, update, "not" if layer else "name"
        )
        for layer, (state, update) in enumerate(zip(stack.states, stack.updates, strict=False))
    ]
    return ends + updates


def _name(layer: int) -> str:
    return "αWx" + str(layer).translate(str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉"))


def by_block(setting: Setting, n: int) -> pd.DataFrame:
    """Return the gradient's length before every block, relative to that at the output.

    `who`, `layer` (0 is the input, `n` the output), `log10`, `zero`. A gradient of exactly 0 has no
    logarithm: `log10` is NaN and `zero` is true. Nothing is listed where the output's own is 0.
    """
    table = []
    for who in ("residual", "plain"):
        gradients = run(setting, n, who == "residual").gradients
        whole = exact.log10(gradients[-1] @ gradients[-1])
        for layer, g in enumerate(gradients if gradients[-1].any() else []):
            log10 = (exact.log10(g @ g) - whole) / 2 if g.any() else np.nan
            table.append((who, layer, log10, not g.any()))
    return pd.DataFrame(table, columns=["who", "layer", "log10", "zero"])


def table(stack: Stack) -> pd.DataFrame:
    """Return every state, its update and its gradient, written out: one row a state."""
    updates = [*map(exact.point, stack.updates), ""]
    return pd.DataFrame(
        {
            "l": range(len(stack.states)),
            "xₗ": [exact.point(state) for state in stack.states],
            "αWxₗ": updates,
            "∂L/∂xₗ": [exact.point(gradient) for gradient in stack.gradients],
        }
    )


def written(stack: Stack) -> dict[str, str]:
    """Return the numbers that the page's sentences speak of."""
    first, last = stack.gradients[0], stack.gradients[-1]
    after, before = exact.apart(exact.log10(first @ first) / 2, exact.log10(last @ last) / 2)
    forward, backward = differences(stack)
    return {
        "before": before,
        "after": after,
        "forward": exact.point(forward),
        "backward": exact.point(backward),
    }


def stack_tex(stack: Stack) -> str:
    """Return the sum, the product and the gradient of the stack in KaTeX."""
    n = len(stack.updates)
    start, end = stack.states[0], stack.states[-1]
    first, last = stack.gradients[0], stack.gradients[-1]
    total: Numbers = np.sum(stack.updates, axis=0)
    columns = [exact.matrix_tex(part) for part in (start, total, end, last, first)]
    product = exact.matrix_tex(stack.product)
    sign = exact.equals(*stack.states, *stack.updates, *stack.gradients, stack.product)
    power = rf"(I+\alpha W)^{{{n}}}"
    return exact.aligned(
        [
            rf"x_{{{n}}}&=x_0+\sum_{{l=0}}^{{{n - 1}}}\alpha Wx_l{sign}{columns[0]}+{columns[1]}",
            rf"x_{{{n}}}&={power}x_0{sign}{product}{columns[0]}",
            rf"&{sign}{columns[2]}",
            rf"\nabla_{{x_0}}L&=\left({power}\right)^{{\top}}(x_{{{n}}}-t)",
            rf"&{sign}{exact.matrix_tex(stack.product.T)}{columns[3]}{sign}{columns[4]}",
        ]
    )
