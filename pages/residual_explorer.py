"""Residual explorer: what y = x + αF(x) gives, and what the branch has to learn."""

import streamlit as st

from core import residual_explorer as core
from core.charts import residual_explorer as charts
from core.numbers import text
from pages.shared import below, controls, frame
from pages.tabs import residual_explorer as deeper

FORMULA = r"\begin{gathered}y=x+\alpha F(x)\\F(x)=H(x)-x\end{gathered}"

say = frame.begin("residual_explorer", FORMULA)


def vector(name: str, size: int, start: core.Vector, width: int = 66) -> None:
    """Draw one slider a component."""
    with st.container(horizontal=True, gap="small"):
        for number, value in enumerate(start[:size], start=1):
            key, label = f"re_{name.lower()}{number}", f"{name}{chr(0x2080 + number)}"
            limits = (core.LOW, core.HIGH, value, core.STEP)
            controls.slider(label, *limits, key=key, help=say(f"help.{name}"), width=width)


def settings() -> None:
    """Draw the controls."""
    with controls.panel(say, "re_", deeper.PREFIXES):
        limits = (core.ALPHA_LOW, core.ALPHA_HIGH, 1.0, core.ALPHA_STEP)
        controls.slider(say("alpha"), *limits, key="re_alpha", help=say("help.alpha"))
        vectors = st.container(gap=None)
        sizes = (core.SIZE_LOW, core.SIZE_HIGH, 3, 1)
        size = controls.slider(say("size"), *sizes, key="re_d", help=say("help.size"))
        with vectors:
            for name, start in (("F", core.UPDATE), ("x", core.X), ("H", core.TARGET)):
                vector(name, size, start)


def block() -> core.Block:
    """Return the block that the controls describe."""
    numbers = range(1, controls.value("re_d") + 1)
    x, update, target = (
        tuple(controls.value(f"re_{name}{number}") for number in numbers) for name in "xfh"
    )
    return core.Block(x, update, target, controls.value("re_alpha"))


def picture(block: core.Block) -> None:
    """Draw the components of a block."""
    rows = {"rows": core.by_component(block), "extent": core.extent(block)}
    frame.figure(charts.by_component, say, rows, len(block.x), alt="alt.by_component")


def words(block: core.Block) -> None:
    """Say how far the outputs are from the target."""
    found = core.misses(block)
    numbers = {"plain": text(found.plain), "residual": text(found.residual)}
    st.markdown(say(f"verdict.{found.verdict}", alpha=text(block.alpha), **numbers))
    below.shows(say, block=block)


controls.presets(say, {name: deeper.keys(preset) for name, preset in core.PRESETS.items()})
frame.first_screen(settings, block, picture, words)
below.tabs(say, deeper.TABS)
