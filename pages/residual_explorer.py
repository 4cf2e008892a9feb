"""Residual explorer: what y = x + αF(x) gives, and what the branch has to learn."""

import streamlit as st

from core import residual_explorer as core
from core.charts import residual_explorer as charts
from core.numbers import text
from pages.shared import controls, frame
from pages.tabs import residual_explorer as deeper

FORMULA = r"\begin{gathered}y=x+\alpha F(x)\\F(x)=H(x)-x\end{gathered}"

BLOCK = ("re_alpha", "re_f")
"""How the keys begin of the controls that stand beside the picture."""

say = frame.begin("residual_explorer", FORMULA)


def vector(name: str, size: int, start: core.Vector) -> core.Vector:
    """Draw one slider a component and return the vector."""
    values = []
    with st.container(horizontal=True, gap="small"):
        for number, value in enumerate(start[:size], start=1):
            key, label = f"re_{name.lower()}{number}", f"{name}{chr(0x2080 + number)}"
            limits = (core.LOW, core.HIGH, value, core.STEP)
            drawn = {"key": key, "help": say(f"help.{name}"), "width": 66}
            values.append(controls.slider(label, *limits, **drawn))
    return tuple(values)


def ends() -> tuple[core.Vector, core.Vector]:
    """Draw the controls of what goes into the block and of what should come out."""
    with controls.panel(say, "re_", (*BLOCK, *deeper.PREFIXES)):
        place = st.container()
        sizes = (core.SIZE_LOW, core.SIZE_HIGH, 3, 1)
        size = controls.slider(say("size"), *sizes, key="re_d", help=say("help.size"))
        with place:
            return vector("x", size, core.X), vector("H", size, core.TARGET)


def branch(size: int) -> tuple[float, core.Vector]:
    """Draw the controls of the update and of its scale."""
    with st.container(border=True, horizontal=True, gap="small"):
        limits = (core.ALPHA_LOW, core.ALPHA_HIGH, 1.0, core.ALPHA_STEP)
        drawn = {"key": "re_alpha", "help": say("help.alpha"), "width": 180}
        alpha = controls.slider(say("alpha"), *limits, **drawn)
        return alpha, vector("F", size, core.UPDATE)


@st.fragment
def lesson() -> None:
    """Draw the controls, the picture and what it says."""
    left, right = st.columns([1, 2])
    with left:
        x, target = ends()
    with right:
        alpha, update = branch(len(x))
        block = core.Block(x, update, target, alpha)
        rows = {"rows": core.by_component(block), "extent": core.extent(block)}
        frame.figure(charts.by_component, say, rows, len(x), alt="alt.by_component", ahead=True)
        found = core.misses(block)
        numbers = {"plain": text(found.plain), "residual": text(found.residual)}
        st.markdown(say(f"verdict.{found.verdict}", alpha=text(alpha), **numbers))
        controls.notes(say, BLOCK)
    frame.shows(say, block=block)


controls.presets(say, {name: deeper.keys(block) for name, block in core.PRESETS.items()})
lesson()
frame.tabs(say, deeper.TABS)
