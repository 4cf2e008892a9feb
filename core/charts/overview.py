"""The road: what is in the parcel along the way, without and with a bypass."""

import altair as alt
from altair.typing import ChartType

from core.charts import style
from core.overview import PICTURE, PITCH, TOP
from core.words import Words

ARCH = 1.6
"""How high the bypass runs above the pictures, in pixels of a picture."""
LEFT, RIGHT, BOTTOM = -0.5, 63.5, 30
"""What the picture shows, in the same pixels."""

_LEFT = f"datum.slot * {PITCH}"
_TOP = f"(datum.who == 'plain' ? {TOP['plain']} : {TOP['residual']})"
_BETWEEN = f"{_LEFT} - {(PITCH - PICTURE) / 2}"


def _x(field: str = "x") -> alt.X:
    """Return the horizontal place. Every layer says that there is no axis, or Vega-Lite fails."""
    return alt.X(f"{field}:Q").scale(domain=[LEFT, RIGHT], nice=False).axis(None)


def _y(field: str = "y") -> alt.Y:
    return alt.Y(f"{field}:Q").scale(domain=[BOTTOM, 0]).axis(None)


_X, _Y = _x(), _y()


def road(say: Words) -> ChartType:
    """Return both roads; `rows` holds the pixels, `stops` one row a picture.

    It has hundreds of marks, which a canvas redraws several times as fast.
    """
    layers = [_names(say), *_bypass(), _through(), _stations(), _fault(), _paper(say), _ink()]
    road = alt.layer(*layers, _sizes(say), _after(say)).properties(height=250)
    return style.on_canvas(road)


def _stops(**calculated: str) -> alt.Chart:
    return alt.Chart(alt.NamedData("stops")).transform_calculate(**calculated)


def _names(say: Words) -> alt.Chart:
    """Return the name of either road, above it."""
    above = {"plain": 0.5, "residual": ARCH + 0.5}
    rows = [
        {"x": 0, "y": TOP[who] - above[who], "who": who, "name": say(f"road.{who}")} for who in TOP
    ]
    return (
        alt.Chart(alt.Data(values=rows))
        .mark_text(align="left", baseline="bottom", fontSize=13, fontWeight="bold")
        .encode(_X, _Y, text="name:N", color=_colour("who"))
    )


def _colour(field: str) -> alt.Color:
    hues = {"plain": style.PLAIN, "residual": style.RESIDUAL, "negative": style.QUIET}
    return alt.Color(f"{field}:N").scale(domain=list(hues), range=list(hues.values())).legend(None)


def _bypass() -> list[alt.Chart]:
    """Return the way around the stations: up from a picture, along, and down to the next."""
    start, end = f"{_LEFT} - {PITCH - PICTURE / 2}", f"{_LEFT} + {PICTURE / 2}"
    base = _stops(start=start, x=end, top=f"{_TOP} - {ARCH}", y=_TOP).transform_filter(
        "datum.who == 'residual' && datum.slot > 0"
    )
    colour = alt.value(style.IDENTITY)
    thick = {"strokeWidth": 4, "strokeCap": "round"}
    return [
        base.mark_rule(**thick).encode(_X, _y("top"), x2="start:Q", color=colour),
        base.mark_rule(**thick).encode(_x("start"), _Y, y2="top:Q", color=colour),
        base.mark_rule(**thick).encode(_X, _Y, y2="top:Q", color=colour),
    ]


def _through() -> alt.Chart:
    """Return the way through the stations, from the picture before to this one."""
    return (
        _stops(x=f"{_LEFT} - {PITCH - PICTURE}", x2=_LEFT, y=f"{_TOP} + {PICTURE / 2}")
        .transform_filter("datum.slot > 0")
        .mark_rule(strokeWidth=2)
        .encode(_X, _Y, x2="x2:Q", color=alt.value(style.BRANCH))
    )


def _stations() -> alt.Chart:
    return (
        _stops(x=_BETWEEN, y=f"{_TOP} + {PICTURE / 2}")
        .transform_filter("datum.slot > 0")
        .mark_square(size=110, opacity=1)
        .encode(_X, _Y, color=alt.value(style.BRANCH))
    )


def _fault() -> alt.Chart:
    """Return what the station in the middle returns, where it is out of order."""
    return (
        _stops(x=_BETWEEN, y=f"{_TOP} + {PICTURE / 2 + 1.2}")
        .mark_text(baseline="top", fontSize=15, fontWeight="bold")
        .encode(_X, _Y, text="fault:N", color=alt.value(style.TARGET))
    )


def _paper(say: Words) -> alt.Chart:
    """Return the sheet under each picture, so that a blank one is seen too."""
    told = [alt.Tooltip(f"{name}:N", title=say(name)) for name in ("station", "size", "likeness")]
    return (
        _stops(x=_LEFT, x2=f"{_LEFT} + {PICTURE}", y=_TOP, y2=f"{_TOP} + {PICTURE}")
        .mark_rect(fillOpacity=0.08, strokeOpacity=0.6)
        .encode(
            _X,
            _Y,
            x2="x2:Q",
            y2="y2:Q",
            fill=alt.value(style.QUIET),
            stroke=alt.value(style.QUIET),
            tooltip=told,
        )
    )


def _ink() -> alt.Chart:
    """Return the pixels: colour for ink, gray for less than nothing, as strong as its amount."""
    wide, high = (
        alt.param(name=f"pixel_{side}", expr=f"{side} / {pixels}")
        for side, pixels in (("width", RIGHT - LEFT), ("height", BOTTOM))
    )
    return (
        style.rows()
        .mark_rect(width=wide, height=high, tooltip=None, invalid=None)
        .encode(_X, _Y, color=_colour("hue"), opacity=alt.Opacity("amount:Q", scale=None))
        .add_params(wide, high)
    )


def _sizes(say: Words) -> alt.Chart:
    """Return the size under each picture, with the word in front of the first."""
    return (
        _stops(
            x=f"{_LEFT} + {PICTURE / 2}",
            y=f"{_TOP} + {PICTURE + 0.6}",
            label=f"datum.slot ? datum.size : '{say('size')} ' + datum.size",
        )
        .mark_text(baseline="top", fontSize=12)
        .encode(_X, _Y, text="label:N", color=alt.value(style.QUIET))
    )


def _after(say: Words) -> alt.Chart:
    """Return, at the bottom, after which station the pictures above stand."""
    return (
        _stops(
            x=f"{_LEFT} + {PICTURE / 2}",
            y=f"{TOP['residual'] + PICTURE + 2.6}",
            label=f"datum.slot ? replace('{say('after')}', '#', datum.station) : '{say('start')}'",
        )
        .transform_filter("datum.who == 'residual'")
        .mark_text(baseline="top", fontSize=12)
        .encode(_X, _Y, text="label:N", color=alt.value(style.QUIET))
    )
