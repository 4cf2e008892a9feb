"""Gradient multiplier: |a|ⁿ against |1 + a|ⁿ."""

import streamlit as st

from core import gradient_multiplier as core
from core.charts import gradient_multiplier as charts
from pages.shared import controls, frame

FORMULA = r"G_{\text{plain}}=|a|^{n},\qquad G_{\text{residual}}=|1+a|^{n}"

say = frame.begin("gradient_multiplier", FORMULA)


@st.fragment
def lesson() -> None:
    """Draw the controls and the chart that follows them."""
    left, right = st.columns([1, 2])
    with left, controls.panel(say, "gm_"):
        a = controls.slider(say("a"), core.A_LOW, core.A_HIGH, 0.5, core.A_STEP, key="gm_a")
        n = controls.slider(say("n"), core.N_LOW, core.N_HIGH, 20, 1, key="gm_n")
    with right, frame.refusals(say):
        frame.figure(charts.by_depth, say, core.by_depth(core.Chain(a, n)), alt="alt.by_depth")


lesson()
