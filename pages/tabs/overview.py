"""Overview: the doors, the questions and what stands behind them, one function a tab."""

import streamlit as st

from core import block_costs, roads
from core import overview as core
from core.words import Words
from pages.shared import below, frame

BASIC = (
    r"x\to\text{Conv}_{3\times3}\to\text{BN}\to\text{ReLU}"
    r"\to\text{Conv}_{3\times3}\to\text{BN}\to(+\,x)\to\text{ReLU}"
)
BOTTLENECK = (
    r"x\to\text{Conv}_{1\times1}\to\text{Conv}_{3\times3}\to\text{Conv}_{1\times1}"
    r"\to(+\,x)\to\text{ReLU}"
)
PROJECTION = r"y=W_s\,x+F(x),\qquad W_s\in\mathbb{R}^{d_{\text{out}}\times d_{\text{in}}}"

PAPERS = (
    "he2015",
    "he2016",
    "vaswani2017",
    "xiao2018",
    "santurkar2018",
    "yang2019",
    "de2020",
    "he2023",
)


def lessons(say: Words) -> None:
    """Draw a door to each lesson and say what one sees there."""
    st.markdown(say("road_and_gradient"))
    columns = st.columns(2)
    for number, (stem, (first, second)) in enumerate(core.ARTICLES.items()):
        with columns[number % 2], st.container(border=True):
            frame.door(stem)
            covers = say("covers", first=first, second=second)
            st.markdown(f"{say(f'card.{stem}')}\n\n:gray[:small[{covers}]]")


def questions(say: Words) -> None:
    """Answer the questions of article 1, section 9, each with a door to what shows it."""
    weights = f"{block_costs.projection(256, 512):,}"
    columns = st.columns(2)
    for number, (name, (stem, query)) in enumerate(core.QUESTIONS.items()):
        with columns[number % 2], st.container(border=True):
            st.markdown(f"**{say(f'question.{name}')}**")
            st.markdown(say(f"answer.{name}", weights=weights))
            frame.door(stem, None, **query)


def depth(say: Words) -> None:
    """Say what degradation is, with the paper's figures, and what it is not."""
    st.markdown(say("degradation"))
    names = {"layers": say("layers_word"), "plain": say("plain"), "residual": say("residual")}
    st.dataframe(core.DEGRADATION.rename(columns=names), hide_index=True, width="content")
    st.caption(say("degradation_source"))
    below.claim(say, "cause")
    below.claim(say, "never_worse", core.PRESETS["strong"])
    below.claim(say, "original_arrives", core.PRESETS["cancel"])
    below.claim(say, "indispensable")


def blocks(say: Words) -> None:
    """Draw the two blocks of ResNet, what they cost, and what to do where shapes differ."""
    st.markdown(say("blocks_shapes"))
    st.latex(BASIC)
    st.latex(BOTTLENECK)
    table = block_costs.table()
    table["block"] = [say(f"block.{name}") for name in table["block"]]
    table = table.rename(columns={name: say(f"column.{name}") for name in table})
    grouped = st.column_config.NumberColumn(format="localized")
    config = {say("column.weights"): grouped, say("column.multiply_adds"): grouped}
    st.dataframe(table, hide_index=True, width="content", column_config=config)
    st.caption(say("blocks_table"))
    below.claim(say, "fifty")
    st.markdown(say("shapes_differ"))
    st.latex(PROJECTION)
    for name in ("padding", "three_ways", "projection_hurts"):
        below.claim(say, name)


def practice(say: Words) -> None:
    """Go through article 2, section 5, claim by claim."""
    st.markdown(say("practice"))
    for name in (
        "too_many",
        "dead_relu",
        "small_data",
        "division",
        "shallow",
        "densenet",
        "collapse",
        "default",
    ):
        below.claim(say, name)
    frame.door("live_training")


def code(_: Words, road: roads.Road) -> None:
    """Show the program for this road, and the functions that made its numbers."""
    below.code(roads.snippet(road), roads.station, roads.drive)


def sources(say: Words) -> None:
    """List where the page comes from."""
    below.sources(say, *PAPERS)


TABS = {
    "lessons": lessons,
    "questions": questions,
    "depth": depth,
    "blocks": blocks,
    "practice": practice,
    "code": code,
    "sources": sources,
}
