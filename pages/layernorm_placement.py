"""LayerNorm placement: the same block with one box moved, and what that does to the gradient."""

import streamlit as st

from core import layernorm_placement as core
from core.block_path import Sizes
from core.charts import layernorm_placement as charts
from core.initial_gradients import BLOCKS_HIGH, BLOCKS_LOW
from pages.shared import controls, frame
from pages.tabs import layernorm_placement as tabs
from pages.tabs import layernorm_placement_run as run

FORMULA = r"""\begin{aligned}
\text{Pre-LN:}&\quad y=x+F(\mathrm{LN}(x))\\ \text{Post-LN:}&\quad y=\mathrm{LN}(x+F(x))
\end{aligned}"""

say = frame.begin("layernorm_placement", FORMULA)


@st.fragment(run_every=tabs.SECONDS_A_STEP if tabs.playing() else None)
def lesson() -> None:
    """Draw the controls, the two drawings, and below them what was measured."""
    controls.presets(say, core.PRESETS)
    left, right = st.columns([1, 2])
    with left, controls.panel(say, "ln_", tabs.DEEPER):
        stepping = st.container()
        top, low = tabs.placements(say)
        sizes = tabs.sizes(say)
        blocks = controls.slider(
            say("blocks"), BLOCKS_LOW, BLOCKS_HIGH, 12, 1, key="ln_L", help=say("help.blocks")
        )
        with stepping:
            step = tabs.stepper(say, core.last_step(top, low))
    with right.container(gap="xsmall"), frame.refusals(say):
        view = core.View(top, low, Sizes(*sizes), step)
        frame.figure(charts.drawing, say, core.rows(view), alt="alt.drawing")
        tabs.moments(say, view)
    tabs.measured(say, top, low, blocks)
    frame.tabs(
        say,
        {
            "path": lambda: tabs.path(say, core.View(top, low, Sizes(*sizes), step)),
            "jacobians": lambda: tabs.jacobians(say, top, low),
            "tokens": lambda: tabs.tokens(say, top),
            "depth": lambda: tabs.depth(say, top, low, blocks),
            "training": lambda: run.draw(say),
            "questions": lambda: tabs.questions(say, blocks),
            "check": lambda: tabs.check(say),
            "claims": lambda: tabs.claims(say),
            "code": lambda: tabs.code(say, top, blocks, sizes),
            "sources": lambda: tabs.sources(say),
        },
    )


lesson()
