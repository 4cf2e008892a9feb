"""Worked example: seven steps through one residual block in the plane (article 1, section 4).

The mathematics is in `linear_block`; here is what each step shows.
"""

import functools
import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from core import exact, weight_gradient
from core.columns import Columns
from core.linear_block import Setting, lengths, run
from core.linear_directions import gains, jacobian
from core.numbers import text
from core.plane import Arrow, Window, arrow, circles, ends, tables, window

STEPS = ("all", "branch", "add", "loss", "output", "split", "input", "weight")
_TOGETHER = (("branch", "add", "loss", "output"), ("all", "split", "input"), ("weight",))
ORIGIN = exact.array(0, 0)
PRESETS = {
    "article": Setting(),
    "identity": Setting(w11=0.0, w12=0.0, w21=0.0, w22=0.0),
    "cancel": Setting(w11=-1.0, w12=0.0, w21=0.0, w22=-1.0),
    "rotation": Setting(w11=-0.4, w12=-0.8, w21=0.8, w22=-0.4),
    "shear": Setting(w11=0.0, w12=1.0, w21=0.0, w22=0.0, t1=2.0, t2=3.0),
}
"""What each preset teaches: `I + W` is the article's, `I`, 0, a rotation, a shear."""


def verdict(setting: Setting) -> str:
    """Say in one word what became of the gradient between output and input.

    `at_target` (there was none), `cancelled` (the two paths sum to exactly 0), `identity_only`
    (the branch adds exactly 0), or the length is `longer`, `shorter` or the `same`, exactly.
    """
    p = run(setting)
    if not p.grad_y.any():
        return "at_target"
    if not p.grad_x.any():
        return "cancelled"
    if not p.through_branch.any():
        return "identity_only"
    change = p.grad_x @ p.grad_x - p.grad_y @ p.grad_y
    return "same" if change == 0 else "longer" if change > 0 else "shorter"


def written(setting: Setting) -> dict[str, str]:
    """Return the numbers that the verdict and the steps speak of."""
    p, (x, *_) = run(setting), setting.exactly()
    before, after = lengths(p)
    return {
        "x": exact.point(x),
        "update": exact.point(p.branch),
        "y": exact.point(p.y),
        "loss": exact.text(p.loss),
        "identity": exact.point(p.grad_y),
        "branch": exact.point(p.through_branch),
        "total": exact.point(p.grad_x),
        "equals": exact.equals_text(p.grad_y, p.through_branch, p.grad_x),
        "before": before,
        "after": after,
    }


@dataclass(frozen=True, slots=True)
class Claim:
    """What shows a wrong claim to be wrong: a setting, a step or a tab, and the answer's numbers.

    `tab_controls` are controls of that tab, without the page's prefix.
    """

    setting: Setting
    values: dict[str, str]
    step: int = 0
    tab: str = ""
    tab_controls: dict[str, float | bool] = field(default_factory=dict)


def claims() -> dict[str, Claim]:
    """Return the common wrong claims, each with its counterexample."""
    article, cancel, shear = PRESETS["article"], PRESETS["cancel"], PRESETS["shear"]
    p, cancelled, half = run(article), run(cancel), replace(article, alpha=0.5)
    x, weight, _, _ = article.exactly()
    before, after = lengths(run(shear))
    smallest = text(gains(jacobian(shear)).smallest)
    unlearnt = weight_gradient.layer(article, 0.0, shortcut=False).weight
    values = {
        "guarantee": {
            "identity": exact.point(cancelled.grad_y),
            "branch": exact.point(cancelled.through_branch),
        },
        "floor": {"smallest": smallest, "before": before, "after": after},
        "average": {"total": exact.point(p.grad_x), "average": exact.point(p.grad_x / 2)},
        "double": {"double": exact.point(2 * p.grad_y), "total": exact.point(p.grad_x)},
        "input_gradient": {"weight": exact.rows_text(unlearnt)},
        "bypass": {"g": exact.point(p.grad_y), "rows": exact.rows_text(p.grad_w)},
        "side": {
            "y": exact.point(run(half).y),
            "other": exact.point(exact.exact(half.alpha) * x + weight @ x),
        },
        "twice": {"once": exact.point(p.grad_x), "twice": exact.point(2 * p.grad_x)},
    }
    twice, zero = {"bt_calls": 2, "bt_clear": False}, {"wg_s": 0.0, "wg_skip": False}
    return {
        "guarantee": Claim(cancel, values["guarantee"], step=STEPS.index("input")),
        "floor": Claim(shear, values["floor"], tab="directions"),
        "average": Claim(article, values["average"], step=STEPS.index("input")),
        "double": Claim(article, values["double"], step=STEPS.index("split")),
        "input_gradient": Claim(article, values["input_gradient"], 0, "weights", zero),
        "bypass": Claim(article, values["bypass"], step=STEPS.index("weight")),
        "side": Claim(half, values["side"], step=STEPS.index("add")),
        "twice": Claim(article, values["twice"], 0, "trap", twice),
    }


def _from(name: str, role: str, vector: exact.Numbers, start: exact.Numbers = ORIGIN) -> Arrow:
    return arrow(name, role, exact.point(vector), start, vector)


def arrows(setting: Setting, step: str) -> list[Arrow]:
    """Return what the plane shows at a step; `all` shows the two gradient paths head to tail."""
    return _scene(setting, "input" if step == "all" else step)


@functools.lru_cache(maxsize=256)
def _scene(setting: Setting, step: str) -> list[Arrow]:
    x, _, t, _ = setting.exactly()
    p = run(setting)
    scenes: dict[str, Callable[[], list[Arrow]]] = {
        "branch": lambda: [_from("x", "identity", x), _from("αWx", "branch", p.branch)],
        "add": lambda: [
            _from("x", "identity", x),
            _from("αWx", "branch", p.branch, x),
            _from("y", "residual", p.y),
        ],
        "loss": lambda: [
            _from("t", "target", t),
            _from("y", "residual", p.y),
            _from("y − t", "quiet", p.grad_y, t),
        ],
        "output": lambda: [
            _from("t", "quiet", t),
            _from("y", "quiet", p.y),
            _from("g", "identity", p.grad_y, t),
        ],
        "split": lambda: [
            _from("g", "identity", p.grad_y),
            _from("αWᵀg", "branch", p.through_branch),
        ],
        "input": lambda: [
            _from("g", "identity", p.grad_y),
            _from("αWᵀg", "branch", p.through_branch, p.grad_y),
            _from("∇ₓL", "residual", p.grad_x),
        ],
        "weight": lambda: _longest_first(
            _from("∇W₁", "branch", p.grad_w[0]),
            _from("∇W₂", "branch", p.grad_w[1]),
            _from("x", "identity", x),
        ),
    }
    return scenes[step]()


def _longest_first(*arrows: Arrow) -> list[Arrow]:
    """Arrows that lie on one line, so that no tip is covered."""
    return sorted(arrows, key=lambda arrow: -math.hypot(*arrow.end))


def window_of(setting: Setting, step: str) -> Window:
    """Return the window of the plane; it stays the same on the way forward and on the way back."""
    together = next(steps for steps in _TOGETHER if step in steps)
    return window(point for name in together for point in ends(arrows(setting, name)))


def picture(setting: Setting, step: str) -> dict[str, Columns]:
    """Return the tables of the plane: `rows` (arrows), `circles` of equal loss, `window`."""
    return tables(arrows(setting, step), window_of(setting, step), _equal_loss(setting, step))


def _equal_loss(setting: Setting, step: str) -> Columns | None:
    """Circles round `t` with one, two and three thirds of the radius of `y` (`L = ½r²`)."""
    loss = run(setting).loss
    if step not in ("loss", "output") or loss == 0:
        return None
    _, _, t, _ = setting.exactly()
    levels = [loss * thirds**2 / 9 for thirds in (1, 2, 3)]
    radii = [(2 * float(level)) ** 0.5 for level in levels]
    return circles(t, radii, [f"L = {exact.text(level)}" for level in levels])
