"""What goes deeper on the page of the gradient multiplier: one function a tab."""

import functools

import streamlit as st

from core import gradient_multiplier as core
from core import half_map, numbers
from core.charts import gradient_multiplier as charts
from core.charts.half_map import half_map as half_map_chart
from core.multiplier import Chain
from core.words import Words
from pages.shared import frame


def draw(say: Words, chain: Chain) -> None:
    """Draw the tabs; only the body of the open one is run."""
    bodies = {"depth": depth, "map": minus_half}
    frame.tabs(say, {name: functools.partial(body, say, chain) for name, body in bodies.items()})


def depth(say: Words, chain: Chain) -> None:
    """Both multipliers layer by layer."""
    frame.figure(charts.by_depth, say, core.by_depth(chain), alt="alt.by_depth")


def minus_half(say: Words, chain: Chain) -> None:
    """The map over `a` and `n`, and how wide the good window is at the reader's depth."""
    st.markdown(say("map.intro"))
    frame.figure(half_map_chart, say, half_map.tables(chain), alt="alt.half_map")
    st.caption(say("map.legend"))
    low, high = map(numbers.text, half_map.window(chain.n))
    st.markdown(say("map.window", n=chain.n, low=low, high=high))
