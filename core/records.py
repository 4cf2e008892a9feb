"""What a training run yields, step by step: plain numbers, kept per *member* of the stack.

Members stand contestant by contestant, for each its seeds.
"""

from collections.abc import Sequence
from dataclasses import dataclass

Numbers = list[float]
SMALLEST = 1.17549435e-38
"""The smallest normal float32."""


@dataclass(frozen=True, slots=True)
class Lights:
    """Gradient norms `‖∂L/∂W_l‖` of one step, `[member][layer]`.

    `lost[m][l]`: float32 cannot hold this gradient (below 1.2e-38), so that the layer receives
    nothing; the norm is then the one computed in float64, which is 0 only where it is exactly 0.
    """

    norms: list[Numbers]
    lost: list[list[bool]]


@dataclass(frozen=True, slots=True)
class Epoch:
    """After an epoch: accuracy on the test set.

    `surface` is the probability of class 1 on a grid over the plane, `[member][point]`.
    """

    accuracy: Numbers
    surface: list[Numbers] | None = None


@dataclass(frozen=True, slots=True)
class Layers:
    """How each layer is doing, seen with the test set, `[member][layer]`; after some epochs.

    `moved` is `‖W − W₀‖/‖W₀‖`, `scale` the root mean square of what enters the layer, `dead` the
    share of units whose derivative is 0 on every row, `ratio` `‖αF‖/‖h‖` where a shortcut ends.
    """

    moved: list[Numbers]
    scale: list[Numbers]
    dead: list[Numbers]
    ratio: list[list[float | None]]
    alpha: list[Numbers]


@dataclass(frozen=True, slots=True)
class Ending:
    """After the last step: accuracy with all branches deleted (None where there is no shortcut).

    `shown` are rows of the test set, `answers[member]` what each network says they are, −1 for one
    that has diverged; `linear` is the accuracy of a linear model on the same training rows.
    """

    without_branches: list[float | None]
    shown: list[int]
    answers: list[list[int]]
    linear: float


@dataclass(frozen=True, slots=True)
class Step:
    """One update: its number from 1, the loss of each member before it, and what was looked at."""

    step: int
    losses: Numbers
    lights: Lights | None = None
    epoch: Epoch | None = None
    layers: Layers | None = None
    ending: Ending | None = None


@dataclass(frozen=True, slots=True)
class Profile:
    """One step in slow motion, everything but the losses `[member][layer]`.

    `scale` is the root mean square of what enters the layer, `norms` its gradient norm in float64,
    `change` what the update then did to its weights, `‖ΔW‖/‖W‖`; `loss` is that of the batch before
    the update and `after` that of the same batch after it.
    """

    step: int
    norms: list[Numbers]
    scale: list[Numbers]
    change: list[Numbers]
    loss: Numbers
    after: Numbers


Rows = Sequence[Step]
