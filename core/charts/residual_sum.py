"""Chart of a stack as the sum of its terms."""

import altair as alt
from altair.typing import ChartType

from core.charts import style
from core.words import Words


def terms(say: Words) -> ChartType:
    """Return the sum as bars that follow one another: x₀, every F_l(x_l), and xₙ."""
    names = {what: say(f"term.{what}") for what in ("identity", "branch", "residual")}
    keys, colours = list(names), [style.IDENTITY, style.BRANCH, style.RESIDUAL]
    legend = style.legend(names, symbolType="square")
    colour = alt.Color("who:N").scale(domain=keys, range=colours).legend(legend)
    base = style.rows()
    x = alt.X("place:O").axis(title=say("term_place"), labelAngle=0, labelOverlap=True)
    tips = [
        alt.Tooltip("place:O", title=say("term_place")),
        alt.Tooltip("value:Q", title=say("value"), format="+.4~f"),
        alt.Tooltip("end:Q", title=say("sum_so_far"), format=".4~f"),
    ]
    y = alt.Y("start:Q").axis(title=say("sum_so_far"))
    bar = base.mark_bar(cornerRadius=2).encode(x, y, colour, y2="end:Q", tooltip=tips)
    level = base.mark_tick(thickness=2, color=style.QUIET, orient="horizontal")
    moved = alt.condition("datum.before != datum.end", alt.value(1), alt.value(0))
    before = base.mark_point(shape="diamond", size=60, strokeWidth=2).encode(
        x, y="before:Q", opacity=moved, color=alt.value(style.PLAIN)
    )
    return alt.layer(
        style.rule(y=alt.datum(0)),
        bar,
        level.encode(x, y="end:Q"),
        before,
    ).properties(height=300)
