"""LayerNorm placement: the same block with one box moved, and what that does to the gradient."""

import streamlit as st

from core import layernorm_placement as core
from core.block_path import Sizes
from core.charts import layernorm_placement as charts
from core.initial_gradients import BLOCKS_HIGH, BLOCKS_LOW
from pages.shared import below, controls, frame
from pages.tabs import layernorm_placement as tabs

FORMULA = r"""\begin{aligned}
\text{Pre-LN:}&\quad y=x+F(\mathrm{LN}(x))\\ \text{Post-LN:}&\quad y=\mathrm{LN}(x+F(x))
\end{aligned}"""

say = frame.begin("layernorm_placement", FORMULA)


with controls.presets(say, core.PRESETS):
    top, low = tabs.placements(say)
    sizes = tabs.sizes(say)
last = core.last_step(top, low)


def settings() -> None:
    """Draw the step control."""
    with left, controls.panel(say, "ln_", tabs.DEEPER):
        tabs.stepper(say, last)


def view() -> core.View:
    """Return what the controls describe."""
    return core.View(top, low, Sizes(*sizes), controls.value("ln_step"))


def picture(view: core.View) -> None:
    """Draw both blocks."""
    frame.figure(charts.drawing, say, {"rows": core.rows(view)}, alt="alt.drawing")


@st.fragment(run_every=tabs.SECONDS_A_STEP if tabs.playing() else None)
def drawings() -> None:
    """Draw the two paths, and say what is computed at the step that the reader stands at."""
    tabs.tick(last)
    with frame.refusals(say):
        shown = frame.picture_first(settings, view, picture)
        tabs.moments(say, shown)
        below.shows(say, view=shown)


@st.fragment
def gradients() -> None:
    """Draw the measured gradient of each block."""
    st.subheader(say("measured"), anchor=False)
    left, right = st.columns([1, 2])
    with left, controls.panel(say, "ln_L"):
        limits = (BLOCKS_LOW, BLOCKS_HIGH, 12, 1)
        blocks = controls.slider(say("blocks"), *limits, key="ln_L", help=say("help.blocks"))
    with right, frame.refusals(say):
        tabs.measured(say, top, low, blocks)
    below.shows(say, blocks=blocks)


left, right = st.columns([1, 2])
with right:
    drawings()
gradients()
below.shows(say, top=top, low=low, sizes=sizes)
below.tabs(say, tabs.TABS)
