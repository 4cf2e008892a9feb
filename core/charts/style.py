"""One meaning, one colour: the marks that every chart of the lab shares.

A colour is named, not given as a number: the theme in `.streamlit/config.toml` says what "red" is
in light and in dark. A meaning is never carried by colour alone, so each has a dash pattern too.
"""

import altair as alt

PLAIN, RESIDUAL = "red", "blue"
IDENTITY, BRANCH = "green", "violet"
TARGET, QUIET = "orange", "gray"

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


def powers_of_ten(title: str, **options) -> alt.Axis:
    """Return the axis of a linear scale whose values are log₁₀ of the quantity: `10⁻³`, `1`, `10⁶`.

    It needs no logarithmic scale, so it also carries what no float can hold (`4^1000`).
    """
    label = "format(datum.value, 'd')"
    for plain, raised in _TO_SUPERSCRIPT.items():
        label = f"replace({label}, /{plain}/g, '{raised}')"
    label = f"datum.value == 0 ? '1' : datum.value % 1 ? '' : '10' + {label}"
    return alt.Axis(title=title, labelExpr=label, **options)


def contestants(names: dict[str, str], columns: int = 2) -> tuple[alt.Color, alt.StrokeDash]:
    """Return colour and dash of a column `who` whose values are the keys of `names`.

    `names` maps `plain`, `residual`, `identity` or `branch` to what the legend says.
    """
    label = "{" + ", ".join(f"'{k}': '{v}'" for k, v in names.items()) + "}[datum.label]"
    legend = alt.Legend(
        title=None,
        orient="top",
        labelExpr=label,
        labelLimit=260,
        symbolType="stroke",
        symbolSize=300,
        columns=columns,
    )
    keys = list(names)
    colour = alt.Color("who:N").scale(domain=keys, range=[COLOUR[k] for k in keys]).legend(legend)
    dash = alt.StrokeDash("who:N").scale(domain=keys, range=[DASH.get(k, [1, 0]) for k in keys])
    return colour, dash.legend(legend)
