"""2D worked example: every number of one residual block, forward and backward."""

import streamlit as st

from core import linear_formulas
from core import worked_example as core
from core.charts import worked_example as charts
from core.linear_block import Setting
from pages.shared import controls, frame
from pages.tabs import worked_example as tabs
from pages.tabs import worked_example_setup as setup

FORMULA = (
    r"\begin{aligned}y&=x+\alpha Wx\\L&=\tfrac12\lVert y-t\rVert^2\\"
    r"\nabla_xL&=(I+\alpha W)^{\top}\nabla_yL\end{aligned}"
)
DEEPER = ("we_gd_", "we_bt_", "we_wg_", "we_nb_")

say = frame.begin("worked_example", FORMULA)


@st.fragment
def lesson() -> None:
    """Draw the controls, the plane, the numbers beside it, and what goes deeper."""
    controls.presets(say, setup.presets())
    left, right = st.columns([1, 2])
    with right:
        step = setup.step(say)
    with left, controls.panel(say, "we_", DEEPER):
        setting = setup.setting(say)
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


def show(setting: Setting, step: str) -> None:
    """Draw what the step says, the plane, and the numbers beside it."""
    values = core.written(setting)
    verdict = say(f"verdict.{core.verdict(setting)}", **values)
    st.markdown(verdict if step == "all" else say(f"step_text.{step}", **values))
    picture, numbers = st.columns([10, 11])
    with picture:
        frame.figure(charts.plane, say, core.picture(setting, step), alt="alt.plane")
    numbers.markdown(linear_formulas.derivation(setting, step))
    st.latex(linear_formulas.substituted(setting, step))
    st.markdown(say("press_next") if step == "all" else verdict)


lesson()
