"""Overview: the road of article 2, why depth needs a bypass, and a door to every lesson."""

import streamlit as st

from core import overview as core
from core import roads
from core.charts import overview as charts
from core.numbers import text
from pages.shared import controls, frame
from pages.tabs import overview as deeper

FORMULA = r"y=x+F(x)"

say = frame.begin("overview", FORMULA)


def settings() -> roads.Road:
    """Draw the controls and return the road they describe."""
    with controls.panel(say, "ov_"):
        limits = (0.0, roads.SHARE_HIGH, 0.2, roads.SHARE_STEP)
        share = controls.slider(say("share"), *limits, key="ov_share", help=say("help.share"))
        limits = (1, roads.STATIONS_HIGH, 20, 1)
        helped = {"key": "ov_stations", "help": say("help.stations")}
        stations = controls.slider(say("stations"), *limits, **helped)
        helped = {"key": "ov_middle", "help": say("help.middle")}
        middle = controls.choice(say("middle"), roads.MIDDLE, **helped)
        digit = controls.slider(say("digit"), 0, 9, 3, 1, key="ov_digit", help=say("help.digit"))
    return roads.Road(share, stations, middle, digit)


def arrives(road: roads.Road) -> str:
    """Return the sentence on what arrives, with its numbers."""
    found = core.arrivals(road)
    said = {
        who: say(f"arrival.{end.kind}", size=text(end.size), likeness=text(end.likeness, 2))
        for who, end in found.items()
    }
    return say("arrives", **said, moral=say(f"moral.{core.moral(**found)}"))


@st.fragment
def lesson() -> None:
    """Draw the road, its controls and what arrives."""
    left, right = st.columns([1, 2])
    with left:
        road = settings()
    with right:
        rows = {"rows": core.pixels(road), "stops": core.stops(road)}
        frame.figure(charts.road, say, rows, alt="alt.road", ahead=True)
        st.markdown(arrives(road))
        st.caption(say("likeness_word"))
    frame.shows(say, road=road)


controls.presets(say, core.PRESETS)
lesson()
frame.tabs(say, deeper.TABS)
