"""Reading a sequence backwards: the task on which placements are trained against each other.

12 symbols come in, the same 12 in reverse order have to come out, each as one of 12 classes; who
guesses has the loss ln 12 = 2.485. A Transformer needs attention for it, for no token's answer
stands in that token. What a run is and yields; the training itself is `core.reversal_training`.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from core.limits import Refused, within
from core.numbers import text
from core.transformer import Shape, named

SYMBOLS, TOKENS, BATCH, TESTED = 12, 12, 32, 256
SHAPE = Shape(48, 4, 192)
GUESSING = math.log(SYMBOLS)
MOST_WORK = 4e11
POINTS = 150
LOOK = 20
"""Every how many steps the accuracy is measured."""


_RUN = {
    "ln_top": "Pre-LN",
    "ln_low": "Post-LN",
    "ln_rL": 12,
    "ln_rrate": "3e-3",
    "ln_rwarm": 0,
    "ln_rsteps": 200,
    "ln_rseed": 0,
}
EXPERIMENTS: dict[str, dict[str, str | int]] = {
    "stuck": _RUN,
    "shallow": _RUN | {"ln_rL": 2},
    "small": _RUN | {"ln_rL": 6, "ln_rrate": "3e-4", "ln_rsteps": 400},
    "deepnorm": _RUN | {"ln_top": "DeepNorm", "ln_rL": 24, "ln_rrate": "1e-3"},
}
"""The controls that each experiment sets before it starts."""


@dataclass(frozen=True, slots=True)
class Reversal:
    """One run of Adam: `placements` side by side on the same batches, from the same draws.

    The learning rate rises linearly over the first `warmup` steps and is `rate` from there on.
    """

    placements: tuple[str, ...] = ("Pre-LN", "Post-LN")
    blocks: int = 12
    rate: float = 0.003
    warmup: int = 0
    steps: int = 200
    seed: int = 0

    def __post_init__(self) -> None:
        """Refuse what is out of range, and more work than the server takes on."""
        within("placements", len(self.placements), 1, 2)
        for name in self.placements:
            named(name)
        within("L", self.blocks, 1, 24)
        within("learning rate", self.rate, 1e-5, 0.1)
        within("warm-up", self.warmup, 0, 500)
        within("steps", self.steps, 20, 600)
        within("seed", self.seed, 0, 9999)
        if self.work > MOST_WORK:
            raise Refused("reversal", work=text(self.work), cap=text(MOST_WORK))

    @property
    def work(self) -> float:
        """Multiply-adds of the run's matrices: three per weight, token and step."""
        each = 4 * SHAPE.d**2 + 2 * SHAPE.d * SHAPE.ffn
        return 3.0 * len(self.placements) * self.blocks * each * BATCH * TOKENS * self.steps


@dataclass(frozen=True, slots=True)
class Step:
    """One update: its number from 1, each contestant's loss before it, accuracy where looked at.

    `swapped[m]` comes with the last step: the accuracy of contestant m's weights when they are run
    with each of the placements, by name.
    """

    step: int
    losses: list[float]
    accuracy: list[float] | None = None
    swapped: list[dict[str, float]] | None = None


def losses(settings: Reversal, rows: Sequence[Step]) -> pd.DataFrame:
    """Return the losses to draw: `who, step, loss, diverged`, at most 150 points a contestant.

    A contestant's last finite loss before a divergence is marked; after it there is no row.
    """
    keep = np.unique(np.linspace(0, len(rows) - 1, min(len(rows), POINTS)).round().astype(int))
    parts = []
    for m, who in enumerate(settings.placements):
        values = np.array([row.losses[m] for row in rows], dtype=float)
        finite = int(np.isfinite(values).sum())
        at = keep[keep < finite]
        if 0 < finite < len(values):
            at = np.union1d(at, finite - 1)
        table = {"who": who, "step": at + 1, "loss": values[at]}
        table["diverged"] = (at == finite - 1) & (finite < len(values))
        parts.append(pd.DataFrame(table))
    return pd.concat(parts, ignore_index=True)


@dataclass(frozen=True, slots=True)
class Swap:
    """What moving the norm does to trained weights: the worst place, accuracies in percent."""

    who: str
    case: str
    own: float
    worst: str
    low: float


def swaps(settings: Reversal, swapped: Sequence[dict[str, float]]) -> list[Swap]:
    """Judge for each contestant that has not diverged what its weights lose in another placement.

    `nothing`: its own accuracy is below 50 %. `breaks`: the worst place costs 10 points or more,
    `bends`: at least one, else `holds`. Only placements that still give numbers are looked at.
    """
    found = []
    for who, shares in zip(settings.placements, swapped, strict=True):
        own = 100 * shares[who]
        others = {name: 100 * s for name, s in shares.items() if name != who and math.isfinite(s)}
        if not math.isfinite(own):
            continue
        worst = min(others, key=others.__getitem__)
        lost = own - others[worst]
        case = "breaks" if lost >= 10 else "bends" if lost >= 1 else "holds"
        found.append(Swap(who, "nothing" if own < 50 else case, own, worst, others[worst]))
    return found


@dataclass(frozen=True, slots=True)
class Verdict:
    """How a contestant ended: `case`, the mean of its last ten losses, its accuracy in percent."""

    who: str
    case: str
    loss: float
    accuracy: float
    steps: int


def verdicts(settings: Reversal, rows: Sequence[Step]) -> list[Verdict]:
    """Judge each contestant by the run so far.

    `diverged`: a loss is not finite (`steps` finite ones came before). `learnt`: accuracy at least
    99 %. The mean of the last ten losses, beside guessing: `worse` more than 0.1 above it, `stuck`
    within 0.1, else `partly`.
    """
    accuracy = next((row.accuracy for row in reversed(rows) if row.accuracy), None)
    found = []
    for m, who in enumerate(settings.placements):
        values = np.array([row.losses[m] for row in rows], dtype=float)
        finite = values[np.isfinite(values)]
        loss = float(finite[-10:].mean()) if finite.size else math.nan
        share = accuracy[m] if accuracy else math.nan
        if finite.size < values.size:
            case = "diverged"
        elif share >= 0.99:
            case = "learnt"
        else:
            above = loss - GUESSING
            case = "worse" if above > 0.1 else "stuck" if above > -0.1 else "partly"
        found.append(Verdict(who, case, loss, 100 * share, int(finite.size)))
    return found
