"""Residual explorer: what stands below the first picture, one function a tab."""

import streamlit as st

from core import residual_explorer as core
from core.charts import residual_explorer as charts
from core.numbers import text
from core.words import Words
from pages.shared import frame


def keys(block: core.Block) -> dict[str, object]:
    """Return the controls, and their values, that set the page to `block`."""
    values: dict[str, object] = {"re_alpha": block.alpha, "re_d": len(block.x)}
    for name, vector in (("x", block.x), ("f", block.update), ("h", block.target)):
        values |= {f"re_{name}{number}": value for number, value in enumerate(vector, start=1)}
    return values


def draw(say: Words, block: core.Block) -> None:
    """Draw the tabs."""
    frame.tabs(
        say,
        {
            "learn": lambda: learn(say, block),
            "code": lambda: code(block),
            "sources": lambda: frame.sources(say, "he2015"),
        },
    )


def learn(say: Words, block: core.Block) -> None:
    """Draw what each kind of block has to produce, and how far each α comes."""
    found = core.misses(block)
    sizes = {"direct": text(found.to_learn_plain), "change": text(found.to_learn_residual)}
    left, right = st.columns(2)
    with left:
        st.markdown(say(f"learn.{found.lesson}", **sizes))
        st.dataframe(core.table(block), hide_index=True)
        st.markdown(say("residual_word"))
    with right:
        frame.figure(charts.by_alpha, say, core.by_alpha(block), alt="alt.by_alpha")
        best = core.best_alpha(block)
        st.markdown(say("best_alpha", alpha=text(float(best))) if best is not None else say("no_f"))


def code(block: core.Block) -> None:
    """Show the functions behind the picture and a program that prints its numbers."""
    frame.code(core.snippet(block), core.output, core.misses)
