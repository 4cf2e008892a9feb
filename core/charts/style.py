"""One meaning, one colour: the marks that every chart of the lab shares.

A colour is named, not given as a number: the theme in `.streamlit/config.toml` says what "red" is
in light and in dark. A meaning is never carried by colour alone, so each has a dash pattern too.
"""

import json

import altair as alt
from altair.typing import ChartType

PLAIN, RESIDUAL = "red", "blue"
IDENTITY, BRANCH = "green", "violet"
TARGET, QUIET = "orange", "gray"

CONFIG = {
    "axis": {"titlePadding": 8, "labelPadding": 6},
    "legend": {"padding": 0, "offset": 8},
    "mark": {"tooltip": None},
}
"""What no chart takes from Streamlit's theme: its wide margins, which a phone has no room for, and
a tooltip on every mark that names the columns of our tables. A tooltip is what a chart asks for.
"""

DASH = {
    "plain": [6, 3],
    "residual": [1, 0],
    "few": [12, 3],
    "zero_last": [3, 2],
    "rezero": [8, 2, 2, 2],
    "plain_bn": [2, 2],
    "residual_bn": [8, 2, 2, 2],
    "plain_half": [3, 4],
}
COLOUR = {
    "plain": PLAIN,
    "residual": RESIDUAL,
    "identity": IDENTITY,
    "branch": BRANCH,
    "few": "green",
    "scaled": "violet",
    "zero_last": "orange",
    "rezero": "orange",
    "pre_ln": "green",
    "plain_bn": PLAIN,
    "residual_bn": RESIDUAL,
    "plain_half": PLAIN,
}

_TO_SUPERSCRIPT = dict(zip("−-0123456789", "⁻⁻⁰¹²³⁴⁵⁶⁷⁸⁹", strict=True))


def rows() -> alt.Chart:
    """Return an empty chart over the data named `rows`, which the page sends beside the spec."""
    return alt.Chart(alt.NamedData("rows"))


def rule(**where) -> alt.Chart:
    """Return one reference line. It has one row of its own, or it would be drawn once a row."""
    return alt.Chart(alt.Data(values=[{}])).mark_rule(color=QUIET, opacity=0.6).encode(**where)


def reading(field: str, title: str, form: str = ".3g") -> alt.Tooltip:
    """Return a line of a tooltip: a number and what it is, three digits of it unless told."""
    return alt.Tooltip(field, title=title, format=form)


def reading_log10(title: str) -> alt.Tooltip:
    """Return a line of a tooltip for the column `log10` of a quantity."""
    return reading("log10:Q", f"log₁₀ {title}", ".2f")


def touch(base: alt.Chart, x: alt.X, y: alt.Y, *tips: alt.Tooltip) -> alt.Chart:
    """Return unseen points that say `tips` to a pointer that is near: a line is hard to hit."""
    unseen = base.mark_point(filled=True, size=150, opacity=0, aria=False)
    return unseen.encode(x, y, tooltip=list(tips))


def powers_of_ten(title: str, between: bool = False, **options) -> alt.Axis:
    """Return the axis of a linear scale whose values are log₁₀ of the quantity: `10⁻³`, `1`, `10⁶`.

    It needs no logarithmic scale, so it also carries what no float can hold (`4^1000`). With
    `between`, ticks between two powers are labelled too, for what may span less than one.
    """
    label = "format(datum.value, 'd')"
    for plain, raised in _TO_SUPERSCRIPT.items():
        label = f"replace({label}, /{plain}/g, '{raised}')"
    other = "format(pow(10, datum.value), '.2~r')" if between else "''"
    label = f"datum.value == 0 ? '1' : datum.value % 1 ? {other} : '10' + {label}"
    return alt.Axis(title=title, labelExpr=label, **options)


def on_canvas(chart: alt.Chart | alt.LayerChart | alt.FacetChart) -> ChartType:
    """Return a chart that is drawn on a canvas, which a browser redraws several times as fast.

    For what follows a slider and for what has hundreds of marks; the picture's text is its `alt`.
    """
    canvas = {"embedOptions": {"renderer": "canvas"}}
    return chart.properties(usermeta=canvas).configure(aria=False)


def legend(names: dict[str, str], **options) -> alt.Legend:
    """Return a legend above the chart that says `names[key]` for each key of a scale."""
    label = f"{json.dumps(names, ensure_ascii=False)}[datum.label]"
    return alt.Legend(title=None, orient="top", labelExpr=label, labelLimit=260, **options)


def lines(
    field: str, names: dict[str, str], looks: dict[str, tuple[str, list[int]]], columns: int = 2
) -> tuple[alt.Color, alt.StrokeDash]:
    """Return colour and dash of a column whose values are the keys of `names`.

    `names` maps a key to what the legend says, `looks` to its colour and dash pattern.
    """
    look = {"symbolType": "stroke", "symbolSize": 300, "symbolOpacity": 1}
    shared = legend(names, **look, columns=columns)
    keys = list(names)
    colours, dashes = ([looks[key][at] for key in keys] for at in (0, 1))
    colour = alt.Color(f"{field}:N").scale(domain=keys, range=colours).legend(shared)
    dash = alt.StrokeDash(f"{field}:N").scale(domain=keys, range=dashes).legend(shared)
    return colour, dash


def contestants(names: dict[str, str], columns: int = 2) -> tuple[alt.Color, alt.StrokeDash]:
    """Return colour and dash of a column `who` whose values are the keys of `names`.

    `names` maps `plain`, `residual`, `identity` or `branch` to what the legend says.
    """
    looks = {key: (COLOUR[key], DASH.get(key, [1, 0])) for key in names}
    return lines("who", names, looks, columns)
