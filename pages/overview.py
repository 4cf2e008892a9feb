"""Overview: the road of article 2, why depth needs a bypass, and a door to every lesson."""

import streamlit as st

from core import overview as core
from core import roads
from core.charts import overview as charts
from core.numbers import text
from pages.shared import below, controls, frame
from pages.tabs import overview as deeper

FORMULA = r"y=x+F(x)"

say = frame.begin("overview", FORMULA)


def settings() -> None:
    """Draw the controls."""
    with controls.panel(say, "ov_"):
        limits = (0.0, roads.SHARE_HIGH, 0.2, roads.SHARE_STEP)
        controls.slider(say("share"), *limits, key="ov_share", help=say("help.share"))
        limits = (1, roads.STATIONS_HIGH, 20, 1)
        controls.slider(say("stations"), *limits, key="ov_stations", help=say("help.stations"))
        controls.choice(say("middle"), roads.MIDDLE, key="ov_middle", help=say("help.middle"))
        controls.slider(say("digit"), 0, 9, 3, 1, key="ov_digit", help=say("help.digit"))


def road() -> roads.Road:
    """Return the road that the controls describe."""
    return roads.Road(*map(controls.value, ("ov_share", "ov_stations", "ov_middle", "ov_digit")))


def picture(road: roads.Road) -> None:
    """Draw what is on the road."""
    rows = {"rows": core.visible(road), "stops": core.stops(road)}
    frame.figure(charts.road, say, rows, alt="alt.road", saved=lambda: core.pixels(road))


def words(road: roads.Road) -> None:
    """Say what arrives, with its numbers."""
    found = core.arrivals(road)
    said = {
        who: say(f"arrival.{end.kind}", size=text(end.size), likeness=text(end.likeness, 2))
        for who, end in found.items()
    }
    st.markdown(say("arrives", **said, moral=say(f"moral.{core.moral(**found)}")))
    st.caption(say("likeness_word"))
    below.shows(say, road=road)


controls.presets(say, core.PRESETS)
frame.first_screen(settings, road, picture, words)
below.tabs(say, deeper.TABS)
