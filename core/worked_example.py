"""Worked example: seven steps through one residual block in the plane (article 1, section 4).

The mathematics is in `linear_block`; here is what each step shows.
"""

import numpy as np
import pandas as pd

from core import exact
from core.linear_block import Pass, Setting, run
from core.plane import Arrow, Window, arrow, circles, rows, window

STEPS = ("all", "branch", "add", "loss", "output", "split", "input", "weight")
ORIGIN = exact.array(0, 0)
PRESETS = {
    "article": Setting(),
    "identity": Setting(w11=0.0, w12=0.0, w21=0.0, w22=0.0),
    "cancel": Setting(w11=-1.0, w12=0.0, w21=0.0, w22=-1.0),
    "rotation": Setting(w11=-0.4, w12=-0.8, w21=0.8, w22=-0.4),
    "shear": Setting(w11=0.0, w12=1.0, w21=0.0, w22=0.0, t1=2.0, t2=3.0),
}
"""What each preset teaches: `I + W` is the article's, `I`, 0, a rotation, a shear."""


def verdict(numbers: Pass) -> str:
    """Say in one word what became of the gradient between output and input.

    `at_target` (there was none), `cancelled` (the two paths sum to exactly 0), `identity_only`
    (the branch adds exactly 0), or the length is `longer`, `shorter` or the `same`, exactly.
    """
    if not numbers.grad_y.any():
        return "at_target"
    if not numbers.grad_x.any():
        return "cancelled"
    if not numbers.through_branch.any():
        return "identity_only"
    change = numbers.grad_x @ numbers.grad_x - numbers.grad_y @ numbers.grad_y
    return "same" if change == 0 else "longer" if change > 0 else "shorter"


def _from(name: str, role: str, vector: np.ndarray, start: np.ndarray = ORIGIN) -> Arrow:
    return arrow(name, role, exact.point(vector), start, vector)


def arrows(setting: Setting, step: str) -> list[Arrow]:
    """Return what the plane shows at a step; `all` shows the two gradient paths head to tail."""
    x, _, t, _ = setting.exactly()
    p = run(setting)
    identity = _from("g", "identity", p.grad_y)
    total = _from("∇ₓL", "residual", p.grad_x)
    scenes = {
        "branch": [_from("x", "identity", x), _from("αWx", "branch", p.branch)],
        "add": [
            _from("x", "identity", x),
            _from("αWx", "branch", p.branch, x),
            _from("y", "residual", p.y),
        ],
        "loss": [
            _from("t", "target", t),
            _from("y", "residual", p.y),
            _from("y − t", "quiet", p.grad_y, t),
        ],
        "output": [
            _from("t", "quiet", t),
            _from("y", "quiet", p.y),
            _from("g", "identity", p.grad_y, t),
        ],
        "split": [identity, _from("αWᵀg", "branch", p.through_branch)],
        "input": [identity, _from("αWᵀg", "branch", p.through_branch, p.grad_y), total],
        "weight": [
            _from("∇W₁", "branch", p.grad_w[0]),
            _from("∇W₂", "branch", p.grad_w[1]),
            _from("x", "identity", x),
        ],
    }
    return scenes["input" if step == "all" else step]


def window_of(setting: Setting, step: str) -> Window:
    """Return the window of the plane: one for the weight's gradient, one for all other steps."""
    steps = ["weight"] if step == "weight" else [name for name in STEPS if name != "weight"]
    return window([arrow for name in steps for arrow in arrows(setting, name)])


def picture(setting: Setting, step: str) -> dict[str, pd.DataFrame]:
    """Return the tables of the plane: the arrows (`rows`) and the circles of equal loss."""
    return {
        "rows": rows(arrows(setting, step), window_of(setting, step)),
        "circles": _equal_loss(setting, step),
    }


def _equal_loss(setting: Setting, step: str) -> pd.DataFrame:
    """Circles round `t` on which the loss is ¼, 1 and 9/4 of the present one (`L = ½r²`)."""
    _, _, t, _ = setting.exactly()
    loss = run(setting).loss
    if step not in ("loss", "output") or loss == 0:
        return circles(t, [], [])
    shares = [exact.Fraction(1, 4), exact.Fraction(1), exact.Fraction(9, 4)]
    levels = [share * loss for share in shares]
    radii = [(2 * float(level)) ** 0.5 for level in levels]
    return circles(t, radii, [f"L = {exact.text(level)}" for level in levels])
