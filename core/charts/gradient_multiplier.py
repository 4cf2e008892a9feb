"""Charts of the gradient multiplier."""

import altair as alt
from altair.typing import ChartType

from core.charts import style
from core.words import Words


def by_depth(say: Words) -> ChartType:
    """Return both multipliers over depth; a triangle at the bottom marks an exact 0."""
    base = style.rows()
    colour, dash = style.contestants({"plain": say("plain"), "residual": say("residual")})
    x = alt.X("layers:Q").axis(title=say("layers"), tickMinStep=1)
    y = alt.Y("log10:Q").axis(style.powers_of_ten(say("multiplier")))
    one = style.rule(y=alt.datum(0))
    line = base.mark_line(strokeWidth=3).encode(x, y, colour, dash)
    zero = (
        base.transform_filter("datum.zero")
        .mark_point(shape="triangle-down", filled=True, size=60)
        .encode(x, colour, y=alt.value("height"))
    )
    return alt.layer(one, line, zero).properties(height=300)
