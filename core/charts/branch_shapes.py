"""Chart of what stacks of one shape of branch do to a line of inputs."""

import altair as alt
from altair.typing import ChartType

from core.charts import style
from core.words import Words


def shape(_: Words, name: str) -> ChartType:
    """Return the update of every component along the line of inputs, for one shape of branch."""
    base = style.rows().transform_filter(f"datum.shape == '{name}'")
    names = {"1": "x₁", "2": "x₂", "3": "x₃"}
    legend = style.legend(names, symbolType="stroke", symbolSize=300, columns=3)
    dash = alt.StrokeDash("component:N").scale(domain=[1, 2, 3], range=[[1, 0], [7, 3], [2, 3]])
    x = alt.X("t:Q").axis(title="t,  x₀ = (t, t, t)")
    y = alt.Y("update:Q").axis(title="xₙ − x₀")
    line = base.mark_line(strokeWidth=3)
    line = line.encode(x, y, dash.legend(legend), color=alt.value(style.BRANCH))
    tips = alt.Tooltip("t:Q", format=".3~f"), style.reading("update:Q", "xₙ − x₀")
    touch = style.touch(base, x, y, *tips)
    return alt.layer(style.rule(y=alt.datum(0)), line, touch).properties(height=270)
