"""2D worked example: every number of one residual block, forward and backward."""

import streamlit as st

from core import linear_formulas
from core import worked_example as core
from core.charts import worked_example as charts
from pages.shared import below, controls, frame
from pages.tabs import worked_example as tabs
from pages.tabs import worked_example_setup as setup

FORMULA = (
    r"\begin{aligned}y&=x+\alpha Wx\\L&=\tfrac12\lVert y-t\rVert^2\\"
    r"\nabla_xL&=(I+\alpha W)^{\top}\nabla_yL\end{aligned}"
)
DEEPER = ("we_gd_", "we_bt_", "we_wg_", "we_nb_")

say = frame.begin("worked_example", FORMULA)


def settings() -> None:
    """Draw the steps, and the controls: these last, for their panel notes what no control took."""
    with head:
        setup.steps(say)
    with left, controls.panel(say, "we_", DEEPER):
        setup.settings(say)


def picture(shown: setup.Shown) -> None:
    """Draw the plane."""
    frame.figure(charts.plane, say, core.picture(*shown), alt="alt.plane")


@st.fragment
def lesson() -> None:
    """Draw the plane, around it the controls and the numbers."""
    setting, step = frame.picture_first(settings, setup.shown, picture)
    values = core.written(setting)
    verdict = say(f"verdict.{core.verdict(setting)}", **values)
    head.markdown(verdict if step == "all" else say(f"step_text.{step}", **values))
    numbers.markdown(linear_formulas.derivation(setting, step))
    right.latex(linear_formulas.substituted(setting, step))
    right.markdown(say("press_next") if step == "all" else verdict)
    below.shows(say, setting=setting)


controls.presets(say, setup.presets())
left, right = st.columns([1, 2])
head = right.container()
plane, numbers = right.columns([10, 11])
with plane:
    lesson()
below.tabs(say, tabs.TABS)
