"""2D worked example: every number of one residual block, forward and backward."""

from collections.abc import Mapping

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
BLOCK = ("we_alpha", "we_step")
"""How the keys begin of the controls that stand beside the picture, and of those in tabs."""
DEEPER = ("we_gd_", "we_bt_", "we_wg_", "we_nb_")

say = frame.begin("worked_example", FORMULA)


@st.fragment
def lesson(inputs: Mapping[str, float]) -> None:
    """Draw the step and the scale, the plane, and the numbers beside it."""
    step = setup.step(say)
    above, (picture, numbers) = st.container(), st.columns([10, 11])
    with numbers:
        setting = Setting(**inputs, alpha=setup.alpha(say))
    with picture:
        frame.figure(charts.plane, say, core.picture(setting, step), alt="alt.plane", ahead=True)
    values = core.written(setting)
    verdict = say(f"verdict.{core.verdict(setting)}", **values)
    above.markdown(verdict if step == "all" else say(f"step_text.{step}", **values))
    numbers.markdown(linear_formulas.derivation(setting, step))
    st.latex(linear_formulas.substituted(setting, step))
    st.markdown(say("press_next") if step == "all" else verdict)
    controls.notes(say, BLOCK)
    frame.shows(say, setting=setting)


controls.presets(say, setup.presets())
left, right = st.columns([1, 2])
with left, controls.panel(say, "we_", (*BLOCK, *DEEPER)):
    inputs = setup.inputs(say)
with right:
    lesson(inputs)
frame.tabs(say, tabs.TABS)
