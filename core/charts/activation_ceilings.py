"""Activation ceilings: the factor of one layer, and the product along a chain that really runs."""

import altair as alt
from altair.typing import ChartType

from core.charts import style, zones
from core.words import Words


def curve(say: Words) -> ChartType:
    """Return the factor of one layer over `z`: `w·φ'(z)` and `1 + w·φ'(z)`."""
    colour, dash = style.contestants({"plain": say("plain"), "residual": say("residual")})
    x = alt.X("z:Q").axis(title="z = w·x", grid=False)
    y = alt.Y("factor:Q").axis(title=say("ceiling.factor"))
    lines = style.rows().mark_line(strokeWidth=3).encode(x, y, colour, dash)
    tips = alt.Tooltip("z:Q"), style.reading("factor:Q", say("ceiling.factor"))
    touch = style.touch(style.rows(), x, y, *tips)
    return alt.layer(style.rule(y=alt.datum(1)), lines, touch).properties(height=280)


def by_depth(say: Words) -> ChartType:
    """Return both multipliers over depth and, dotted, the ceiling of the plain one."""
    colour, dash = style.contestants({"plain": say("plain"), "residual": say("residual")})
    x = alt.X("layers:Q").axis(title=say("layers"), tickMinStep=1)
    y = alt.Y("log10:Q").axis(style.powers_of_ten(say("multiplier")))
    base = style.rows()
    tips = alt.Tooltip("layers:Q", title=say("layers")), style.reading_log10(say("multiplier"))
    touch = style.touch(base, x, y, *tips)
    top = base.transform_filter("datum.who == 'ceiling'")
    top = top.mark_line(strokeDash=[1, 3], strokeWidth=2).encode(x, y, color=zones.QUIET)
    base = base.transform_filter("datum.who != 'ceiling'")
    line = base.mark_line(strokeWidth=3).encode(x, y, colour, dash)
    zero = zones.triangles(base, x, colour)
    return alt.layer(style.rule(y=alt.datum(0)), top, line, zero, touch).properties(height=280)
