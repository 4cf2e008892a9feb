"""Signed logarithmic bars: the paths of a residual chain, one bar a length."""

import altair as alt
from altair.typing import ChartType

from core.charts import style, zones
from core.words import Words


def bars(say: Words) -> ChartType:
    """Return one bar a path length, up for a positive and down for a negative term.

    Data: `rows` (the bars) and `ticks` (heights and labels of the axis: it begins in the middle).
    """
    names = {"identity": say("path.identity"), "branch": say("path.branch")}
    label = f"{zones.lookup(names)}[datum.label]"
    legend = alt.Legend(title=None, orient="top", labelExpr=label, symbolType="square")
    hues = [style.COLOUR[name] for name in names]
    colour = alt.Color("who:N").scale(domain=list(names), range=hues).legend(legend)
    x = alt.X("left:Q").axis(title=say("path.length"), grid=False, tickMinStep=1).scale(nice=False)
    tips = [
        alt.Tooltip("k:Q", title=say("path.length")),
        alt.Tooltip("term:N", title=say("path.term")),
        alt.Tooltip("share:Q", title=say("path.share"), format=".2%"),
    ]
    rows = style.rows().transform_calculate(left="datum.k - 0.42", right="datum.k + 0.42", zero="0")
    bare = alt.Axis(labels=False, ticks=False, domain=False, grid=False, title=None)
    y = alt.Y("height:Q").axis(bare)  # its labels are drawn: the axis begins in the middle
    drawn = rows.mark_rect().encode(x, y, colour, x2="right:Q", y2="zero:Q", tooltip=tips)
    ticks = zones.table("ticks").encode(y)
    lines = ticks.mark_rule(opacity=0.25).encode(color=zones.QUIET)
    labels = ticks.mark_text(align="right", fontSize=11).encode(
        x=alt.value(-6), text="label:N", color=zones.QUIET
    )
    middle = style.rule(y=alt.datum(0), color=zones.QUIET).mark_rule(strokeWidth=2)
    return alt.layer(lines, drawn, middle, labels).properties(height=320)
