"""Bands over depth: how far multipliers spread, on a scale of powers of ten."""

import altair as alt
from altair.typing import ChartType

from core.charts import style, zones
from core.words import Words


def over_depth(say: Words) -> ChartType:
    """Return for each contestant a line (`middle`) and a band from `low` to `high`.

    Triangles at the bottom mark an exact 0: filled where the line ends, hollow where only the lower
    edge of the band does.
    """
    base = style.rows()
    colour, dash = style.contestants({"plain": say("plain"), "residual": say("residual")})
    x = alt.X("layers:Q").axis(title=say("layers"), tickMinStep=1)
    y = alt.Y("middle:Q").axis(style.powers_of_ten(say("multiplier")))
    band = base.mark_area(opacity=0.18).encode(x, alt.Y("low:Q"), colour, y2="high:Q")
    edge = base.mark_line(strokeWidth=1, opacity=0.7).encode(x, alt.Y("low:Q"), colour, dash)
    line = base.mark_line(strokeWidth=3).encode(x, y, colour, dash)
    zeros = [
        zones.triangles(base, x, colour),
        zones.triangles(base, x, colour, "low_zero && !datum.zero", filled=False),
    ]
    tips = (
        alt.Tooltip("layers:Q", title=say("layers")),
        style.reading("middle:Q", f"log₁₀ · {say('thick_line')}", ".2f"),
        alt.Tooltip("thin:N", title=f"log₁₀ · {say('thin_line')}"),
    )
    thin = base.transform_calculate(thin="datum.low_zero ? '−∞' : format(datum.low, '.2f')")
    touch = style.touch(thin, x, y, *tips)
    layers = [style.rule(y=alt.datum(0)), line, edge, band, *zeros, touch]
    return alt.layer(*layers).properties(height=300)
