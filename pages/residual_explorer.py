"""Residual explorer: what y = x + αF(x) gives, and what the branch has to learn."""

import streamlit as st

from core import residual_explorer as core
from core.charts import residual_explorer as charts
from core.numbers import text
from pages.shared import controls, frame
from pages.tabs import residual_explorer as deeper

FORMULA = r"\begin{gathered}y=x+\alpha F(x)\\F(x)=H(x)-x\end{gathered}"

say = frame.begin("residual_explorer", FORMULA)


def vector(name: str, size: int, start: core.Vector) -> core.Vector:
    """Draw one slider a component and return the vector."""
    places = [place for _ in range(0, size, 2) for place in st.columns(2)]
    values = []
    for number, place in enumerate(places[:size], start=1):
        with place:
            key, label = f"re_{name.lower()}{number}", f"{name}{chr(0x2080 + number)}"
            limits = (core.LOW, core.HIGH, start[number - 1], core.STEP)
            values.append(controls.slider(label, *limits, key=key, help=say(f"help.{name}")))
    return tuple(values)


def settings() -> core.Block:
    """Draw the controls and return the block they describe."""
    with controls.panel(say, "re_", deeper.PREFIXES):
        limits = (core.ALPHA_LOW, core.ALPHA_HIGH, 1.0, core.ALPHA_STEP)
        alpha = controls.slider(say("alpha"), *limits, key="re_alpha", help=say("help.alpha"))
        starts = {"F": core.UPDATE, "x": core.X, "H": core.TARGET}
        places = st.tabs([say(f"vector.{name}") for name in starts])
        sizes = (core.SIZE_LOW, core.SIZE_HIGH, 3, 1)
        size = controls.slider(say("size"), *sizes, key="re_d", help=say("help.size"))
        vectors = {}
        for place, (name, start) in zip(places, starts.items(), strict=True):
            with place:
                vectors[name] = vector(name, size, start)
    return core.Block(vectors["x"], vectors["F"], vectors["H"], alpha)


@st.fragment
def lesson() -> None:
    """Draw presets, controls, the picture and what it says; then what goes deeper."""
    controls.presets(say, {name: deeper.keys(block) for name, block in core.PRESETS.items()})
    left, right = st.columns([1, 2])
    with left:
        block = settings()
    with right:
        rows = {"rows": core.by_component(block), "extent": core.extent(block)}
        frame.figure(charts.by_component, say, rows, len(block.x), alt="alt.by_component")
        found = core.misses(block)
        numbers = {"plain": text(found.plain), "residual": text(found.residual)}
        st.markdown(say(f"verdict.{found.verdict}", alpha=text(block.alpha), **numbers))
    deeper.draw(say, block)


lesson()
