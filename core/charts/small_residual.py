"""Chart of what a branch had to learn and what it learned."""

import altair as alt
from altair.typing import ChartType

from core.charts import style
from core.words import Words


def fitted(say: Words, task: str) -> ChartType:
    """Return what one branch had to learn (dotted) and what it learned, on a scale of its own."""
    names = {"target": say("wanted"), "residual": say("learned")}
    base = (
        style.rows()
        .transform_filter(f"datum.task == '{task}'")
        .transform_calculate(target="datum.wanted", residual="datum.learned")
        .transform_fold(["target", "residual"], as_=["who", "value"])
    )
    looks = {"target": (style.TARGET, [2, 3]), "residual": (style.RESIDUAL, [1, 0])}
    colour, dash = style.lines("who", names, looks)
    x = alt.X("x:Q").axis(title="x")
    y = alt.Y("value:Q").axis(title="F(x) = H(x) − x")
    tips = alt.Tooltip("x:Q", format=".3~f"), style.reading("value:Q", "F(x)")
    line = base.mark_line(strokeWidth=3).encode(x, y, colour, dash)
    return alt.layer(line, style.touch(base, x, y, *tips)).properties(height=270)
