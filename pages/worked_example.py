"""2D worked example: every number of one residual block, forward and backward."""

from dataclasses import asdict

import streamlit as st

from core import linear_formulas
from core import worked_example as core
from core.charts import worked_example as charts
from core.linear_block import ALPHA, ENTRY, WEIGHT, Setting
from pages.shared import controls, frame
from pages.tabs import worked_example as tabs

FORMULA = (
    r"\begin{aligned}y&=x+\alpha Wx\\L&=\tfrac12\lVert y-t\rVert^2\\"
    r"\nabla_xL&=(I+\alpha W)^{\top}\nabla_yL\end{aligned}"
)
ROWS = (("x1", "w11", "w12"), ("x2", "w21", "w22"), ("t1", "t2"))
LABELS = {"x": "x", "w": "W", "t": "t"}
LARGEST = {"x": ENTRY, "w": WEIGHT, "t": ENTRY}
DEEPER = ("we_gd_", "we_bt_", "we_wg_", "we_nb_")

say = frame.begin("worked_example", FORMULA)


@st.fragment
def lesson() -> None:
    """Draw the controls, the plane, the numbers beside it, and what goes deeper."""
    controls.presets(say, {name: controls_of(core.PRESETS[name]) for name in core.PRESETS})
    left, right = st.columns([1, 2])
    with right:
        step = read_step()
    with left, controls.panel(say, "we_", DEEPER):
        setting = read_setting()
    with right:
        show(setting, step)
    frame.tabs(
        say,
        {
            "questions": lambda: tabs.questions(say),
            "by_hand": lambda: tabs.by_hand(say, setting),
            "directions": lambda: tabs.directions(say, setting),
            "descent": lambda: tabs.descent(say, setting),
            "trap": lambda: tabs.trap(say, setting),
            "weights": lambda: tabs.weights(say, setting),
            "blocks": lambda: tabs.blocks(say, setting),
            "check": lambda: tabs.check(say, setting),
            "claims": lambda: tabs.claims(say),
            "code": lambda: tabs.code(say, setting),
            "sources": lambda: frame.sources(say, "he2016"),
        },
    )


def controls_of(setting: Setting) -> dict[str, object]:
    """Return the controls that hold a setting."""
    return {f"we_{name}": value for name, value in asdict(setting).items()}


def read_setting() -> Setting:
    """Draw the number fields, and return what they hold."""
    values = {}
    for row in ROWS:
        with st.container(horizontal=True, wrap=False, gap="xsmall"):
            values |= {name: read_entry(name) for name in row}
    label, about = say("alpha"), say("help.alpha")
    alpha = controls.slider(label, -ALPHA, ALPHA, 1.0, 0.1, key="we_alpha", help=about)
    return Setting(**values, alpha=alpha)


def read_entry(name: str) -> float:
    """Draw the field of one component of `x` or `t`, or of one entry of `W`."""
    kind, index = name[0], name[1:].translate(str.maketrans("12", "₁₂"))
    return controls.number(
        LABELS[kind] + index,
        -LARGEST[kind],
        LARGEST[kind],
        getattr(Setting(), name),
        0.1 if kind == "w" else 0.5,
        key=f"we_{name}",
        format="%.2f",
        help=say(f"help.{kind}"),
    )


def read_step() -> str:
    """Draw the step control beside its two buttons and return the step's name."""
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        st.button(say("back"), key="we_go_back", on_click=go, args=(-1,))
        st.button(say("next"), key="we_go_next", on_click=go, args=(1,), type="primary")
        label, about, names = say("step"), say("help.step"), range(len(core.STEPS))
        chosen = controls.choice(
            label, names, key="we_step", label_visibility="collapsed", help=about
        )
    return core.STEPS[chosen]


def go(by: int) -> None:
    """Move to the next or the previous step."""
    st.session_state["we_step"] = (st.session_state["we_step"] + by) % len(core.STEPS)


def show(setting: Setting, step: str) -> None:
    """Draw what the step says, the plane, and the numbers beside it."""
    values = core.written(setting)
    verdict = say(f"verdict.{core.verdict(setting)}", **values)
    st.markdown(verdict if step == "all" else say(f"step_text.{step}", **values))
    picture, numbers = st.columns([10, 11])
    with picture:
        frame.figure(charts.plane, say, core.picture(setting, step), alt="alt.plane")
    numbers.latex(linear_formulas.derivation(setting, step))
    st.latex(linear_formulas.substituted(setting, step))
    st.markdown(say("press_next") if step == "all" else verdict)


lesson()
