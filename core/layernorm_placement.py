"""LayerNorm placement: what the page shows for two placements, step by step."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pandas as pd

from core import numbers
from core.block_drawing import drawing
from core.block_path import SYMBOLS, Sizes, Step, path, so_far
from core.columns import Columns
from core.initial_gradients import mean_over_seeds
from core.limits import within
from core.placements import Placement, formula
from core.transformer import named

STEPS = 10
"""The longest path: Peri-LN has four normalisations beside six other operations."""

_ARTICLE = {"ln_top": "Pre-LN", "ln_low": "Post-LN", "ln_step": 0, "ln_L": 12}
PRESETS = {
    "article": _ARTICLE | {"ln_B": 32, "ln_T": 128, "ln_d": 768, "ln_heads": 12, "ln_FFN": 3072},
    "deep": _ARTICLE | {"ln_L": 64},
    "peri": _ARTICLE | {"ln_low": "Peri-LN"},
    "deepnorm": _ARTICLE | {"ln_top": "Post-LN", "ln_low": "DeepNorm", "ln_L": 64},
    "none": _ARTICLE | {"ln_low": "No-LN", "ln_L": 24},
}
"""The controls that each preset sets."""


CLAIM_SETTINGS: dict[str, dict[str, str | int]] = {
    "branch": _ARTICLE | {"ln_step": 4},
    "output": _ARTICLE | {"ln_top": "Post-LN", "ln_low": "Output-LN", "tab": "jacobians"},
    "grows": _ARTICLE | {"tab": "depth"},
    "flat": _ARTICLE,
    "thousands": _ARTICLE | {"ln_low": "DeepNorm", "ln_L": 64},
    "prefer": _ARTICLE | {"ln_low": "Peri-LN"},
    "clean": _ARTICLE | {"ln_L": 64, "tab": "depth"},
    "identity": _ARTICLE | {"tab": "jacobians"},
}
"""The controls, and the tab, that show what is wrong with a claim."""

BOUND_TEX = (
    r"\Bigl\|\frac{\partial\mathcal L}{\partial W^{2,L}}\Bigr\|_F\le\begin{cases}"
    r"O\bigl(d\sqrt{\ln d}\bigr)&\text{Post-LN}\\"
    r"O\Bigl(d\sqrt{\frac{\ln d}{L}}\Bigr)&\text{Pre-LN}\end{cases}"
)
"""Xiong et al. (2020), theorem 1."""

_STRUT = r"\vphantom{\boxed{(X)}}"


@dataclass(frozen=True, slots=True)
class View:
    """Two placements, the block's sizes and how many operations have been done (0: all shown)."""

    top: str
    low: str
    sizes: Sizes
    step: int

    def __post_init__(self) -> None:
        """Refuse an unknown placement and a step outside the path."""
        named(self.top)
        named(self.low)
        within("step", self.step, 0, STEPS)

    @property
    def placements(self) -> tuple[Placement, Placement]:
        """The two placements, the upper drawing's first."""
        return named(self.top), named(self.low)


@dataclass(frozen=True, slots=True)
class Moment:
    """Where one placement's path stands: the operation just done, its formula, and the sums."""

    op: str
    tex: str
    shape: str
    parameters: str
    multiply_adds: str


def last_step(*names: str) -> int:
    """Return the number of operations of the longest of the paths."""
    return max(len(path(named(name), Sizes())) for name in names)


def rows(view: View) -> Columns:
    """Return the marks of the two drawings (`core.block_drawing`)."""
    return drawing(view.placements, view.step)


def moment(placement: Placement, view: View) -> Moment:
    """Return what is to be said about one placement at the view's step.

    At step 0 the op is `whole`; a path that is shorter than the step rests on its last operation
    as `end`.
    """
    steps = path(placement, view.sizes)
    number = min(view.step, len(steps))
    step = steps[number - 1] if number else None
    parameters, multiply_adds = so_far(steps, number or len(steps))
    op = "whole" if step is None else "end" if view.step > len(steps) else step.op
    stream = (view.sizes.batch, view.sizes.tokens, view.sizes.d)
    shape = " × ".join(map(str, step.shape if step else stream))
    return Moment(op, _tex(placement, step), shape, f"{parameters:,}", numbers.text(multiply_adds))


def _tex(placement: Placement, step: Step | None) -> str:
    marked = {step.sublayer: step.part} if step else {}
    lines = [
        f"{name}={formula(placement, x, branch, marked.get(sublayer))}"
        for sublayer, (name, x, branch) in enumerate((("U", "X", "MHA"), ("Y", "U", "FFN")))
    ]
    # An invisible box in each line keeps its height when the visible one comes and goes.
    return r"\begin{gathered}" + r"\\".join(line + _STRUT for line in lines) + r"\end{gathered}"


def path_table(placement: Placement, view: View) -> pd.DataFrame:
    """Return the whole path: `step`, `operation`, `shape`, `parameters`, `multiply_adds`.

    The last row is the sum; what has no parameters or multiply-adds has an empty cell there.
    """
    steps = path(placement, view.sizes)
    rows = [
        (
            str(number),
            SYMBOLS[step.op],
            " × ".join(map(str, step.shape)),
            f"{step.parameters:,}" if step.parameters else "",
            numbers.text(step.multiply_adds) if step.multiply_adds else "",
        )
        for number, step in enumerate(steps, start=1)
    ]
    parameters, multiply_adds = so_far(steps, len(steps))
    rows.append(("Σ", "", "", f"{parameters:,}", numbers.text(multiply_adds)))
    columns = ["step", "operation", "shape", "parameters", "multiply_adds"]
    return pd.DataFrame(rows, columns=columns)


def normalisations_on_stream(placement: Placement, blocks: int) -> int:
    """Return how many normalisations the stream passes in `blocks` blocks and after the last."""
    return 2 * blocks * placement.trunk + placement.final


def ends(profile: pd.DataFrame, column: str = "gradient") -> tuple[float, float]:
    """Return `gradient` or `stream` of the first and of the last block, mean over seeds."""
    mean = mean_over_seeds(profile, column)
    return float(mean[0]), float(mean[-1])


def slope_case(profile: pd.DataFrame) -> str:
    """Return how the gradient runs through the stack: `to_input`, `to_output` or `level`.

    `to_input` if it is more than 1.5 times as large in the first block as in the last, `to_output`
    if less than 1/1.5 times, else `level`.
    """
    first, last = ends(profile)
    return "to_input" if first > 1.5 * last else "to_output" if last > 1.5 * first else "level"


def stream_case(placement: Placement) -> str:
    """Return what keeps the stream's size: `kept` on the stream, `final` at the end, or `free`."""
    return "kept" if placement.trunk else "final" if placement.final else "free"


class Fact(NamedTuple):
    """One sentence to say: the phrase's case and the values that fill it."""

    case: str
    values: dict[str, object]


def spectrum_facts(spectrum: pd.DataFrame) -> list[Fact]:
    """Return what the singular values of `core.block_statements.spectrum` show, one a placement.

    `lossless` if none is below 1, `regular` if some are but none is 0, `singular` if some are 0.
    """
    facts = []
    for name, table in spectrum.groupby("who", sort=False):
        log10, zero = table["log10"].to_numpy(), table["zero"].to_numpy()
        low = np.nanmin(log10)
        case = "singular" if zero.any() else "regular" if low < 0 else "lossless"
        values = {
            "name": name,
            "count": len(table),
            "zeros": int(zero.sum()),
            "below": int((log10[~zero] < 0).sum()),
            "high": numbers.text_log10(float(np.nanmax(log10))),
            "low": numbers.text_log10(float(low)),
        }
        facts.append(Fact(case, values))
    return facts


def signed(value: float) -> str:
    """Return an exponent with two decimals and its sign: `−0.54`, `+0.14`."""
    return f"{value:+.2f}".replace("-", "−")
