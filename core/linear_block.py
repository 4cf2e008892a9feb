"""One linear residual block in the plane, forward and backward, in exact numbers.

`y = x + αWx`, `L = ½‖y − t‖²` (article 1, section 4; `α` from section 7, 1 in the example), and the
two paths of the gradient `∇ₓL = (I + αW)ᵀ∇ᵧL = ∇ᵧL + αWᵀ∇ᵧL` (section 3.2, vector form).
"""

import functools
from dataclasses import dataclass, fields

import numpy as np

from core import exact
from core.exact import Fraction, Numbers
from core.limits import within

ENTRY, WEIGHT, ALPHA = 10.0, 3.0, 2.0
"""Largest size of an entry of `x` and `t`, of an entry of `W`, and of `α`."""


@dataclass(frozen=True, slots=True)
class Setting:
    """The reader's numbers: `x`, `W` (row by row), `t` and `α`. The defaults are the article's."""

    x1: float = 1.0
    x2: float = 2.0
    w11: float = 0.1
    w12: float = 0.2
    w21: float = -0.1
    w22: float = 0.3
    t1: float = 1.0
    t2: float = 1.0
    alpha: float = 1.0

    def __post_init__(self) -> None:
        """Refuse `|x|, |t| > 10`, `|W| > 3`, `|α| > 2` and what is not finite."""
        largest = {"x": ENTRY, "t": ENTRY, "w": WEIGHT, "a": ALPHA}
        for field in fields(self):
            high = largest[field.name[0]]
            within(field.name, getattr(self, field.name), -high, high)

    def exactly(self) -> tuple[Numbers, Numbers, Numbers, Fraction]:
        """Return `x` (2), `W` (2 × 2), `t` (2) and `α` as exact fractions."""
        weight = exact.array(self.w11, self.w12, self.w21, self.w22).reshape(2, 2)
        x, t = exact.array(self.x1, self.x2), exact.array(self.t1, self.t2)
        return x, weight, t, exact.exact(self.alpha)


@dataclass(frozen=True, slots=True)
class Pass:
    """Every intermediate number of one forward and one backward pass."""

    branch: Numbers
    y: Numbers
    loss: Fraction
    grad_y: Numbers
    through_branch: Numbers
    grad_x: Numbers
    grad_w: Numbers


def block(x: Numbers, W: Numbers, t: Numbers, alpha: Numbers) -> Pass:
    """Run the block forward and backward (article 1, sections 4.1 to 4.3).

    `x`, `t`: (2,), `W`: (2, 2). Fractions stay exact; floats work as well. `grad_w = α·∇ᵧL·xᵀ`.
    """
    branch = alpha * (W @ x)
    y = x + branch
    grad_y = y - t
    loss = (grad_y @ grad_y) / 2
    through_branch = alpha * (W.T @ grad_y)
    grad_x = grad_y + through_branch
    grad_w = alpha * np.outer(grad_y, x)
    return Pass(branch, y, loss, grad_y, through_branch, grad_x, grad_w)


@functools.lru_cache(maxsize=128)
def run(setting: Setting) -> Pass:
    """Return the block's numbers for a setting, as exact fractions."""
    return block(*setting.exactly())


def lengths(numbers: Pass) -> tuple[str, str]:
    """Return `‖∇ᵧL‖` and `‖∇ₓL‖` for reading, with as many digits as tell them apart."""
    y, x = numbers.grad_y, numbers.grad_x
    return exact.apart(exact.log10(y @ y) / 2, exact.log10(x @ x) / 2)
