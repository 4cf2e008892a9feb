"""Matrices: eigenvalues in the complex plane, and singular values by rank."""

import altair as alt
from altair.typing import ChartType

from core.charts import style, zones
from core.words import Words

NAMES = {"plain": "J", "residual": "I + J", "slid": "1 + σ(J)"}
SHAPE = {"plain": "circle", "residual": "diamond", "slid": "cross"}
HUE = {"plain": style.PLAIN, "residual": style.RESIDUAL, "slid": style.QUIET}


def _legend(*keys: str) -> tuple[alt.Color, alt.Shape]:
    names = zones.lookup({key: NAMES[key] for key in keys})
    legend = alt.Legend(title=None, orient="top", labelExpr=f"{names}[datum.label]", symbolSize=90)
    colour = alt.Color("who:N").scale(domain=list(keys), range=[HUE[key] for key in keys])
    shape = alt.Shape("who:N").scale(domain=list(keys), range=[SHAPE[key] for key in keys])
    return colour.legend(legend), shape.legend(legend)


def spectrum(say: Words) -> ChartType:
    """Return the eigenvalues of `J` and of `I + J`; the circle is |λ| = 1.

    Data: `rows`, `circle` (the unit circle) and `extent` (corners kept in view).
    """
    colour, shape = _legend("plain", "residual")
    x = alt.X("re:Q").axis(title=say("matrix.re")).scale(nice=False)
    y = alt.Y("im:Q").axis(title=say("matrix.im")).scale(nice=False)
    circle = zones.table("circle").mark_line(strokeWidth=1.5)
    circle = circle.encode(x, y, order="step:Q", color=zones.QUIET)
    room = zones.table("extent").mark_point(opacity=0).encode(x, y)
    points = style.rows().mark_point(size=45, strokeWidth=1.5, opacity=0.9)
    tips = style.reading("re:Q", say("matrix.re")), style.reading("im:Q", say("matrix.im"))
    points = points.encode(x, y, colour, shape, tooltip=list(tips))
    return alt.layer(room, circle, points).properties(height=300)


def singular_values(say: Words) -> ChartType:
    """Return the singular values by rank; crosses show where a shift by 1 would have put them."""
    colour, shape = _legend("plain", "residual", "slid")
    x = alt.X("rank:Q").axis(title=say("matrix.rank"), tickMinStep=1)
    y = alt.Y("value:Q").axis(title=say("matrix.sigma")).scale(zero=True)
    points = style.rows().mark_point(size=45, strokeWidth=1.5, opacity=0.9)
    one = style.rule(y=alt.datum(1))
    tips = [
        alt.Tooltip("rank:Q", title=say("matrix.rank")),
        style.reading("value:Q", say("matrix.sigma")),
    ]
    points = points.encode(x, y, colour, shape, tooltip=tips)
    return alt.layer(one, points).properties(height=300)
