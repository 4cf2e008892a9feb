"""Charts of a branch that starts at zero: who receives a gradient, and the loss."""

import altair as alt
from altair.typing import ChartType

from core.charts import style
from core.words import Words


def awakening(say: Words) -> ChartType:
    """Return the gradient norm of each parameter at a few steps; a grey cell is exactly 0."""
    base = style.rows()
    x = alt.X("step:O").axis(title=say("step"), labelAngle=0)
    y = alt.Y("parameter:N", sort=None).axis(title=None, labelFontSize=14)
    fill = alt.condition("datum.zero", alt.value(style.QUIET), alt.value(style.BRANCH))
    tips = [
        alt.Tooltip("parameter:N", title=say("parameter")),
        alt.Tooltip("step:O", title=say("step")),
        alt.Tooltip("text:N", title=say("gradient_norm")),
    ]
    strength = alt.condition("datum.zero", alt.value(0.25), alt.value(0.35))
    cell = base.mark_rect(cornerRadius=3).encode(x, y, color=fill, opacity=strength, tooltip=tips)
    number = base.mark_text(fontSize=13, fontWeight="bold").encode(x, y, text="text:N", color=fill)
    return alt.layer(cell, number).properties(height=210)


def losses(say: Words) -> ChartType:
    """Return the loss over the steps, above what is left when only the mean has been learned."""
    base = style.rows()
    x = alt.X("step:Q").axis(title=say("step"), tickMinStep=1)
    y = alt.Y("loss:Q").axis(title=say("loss"))
    line = base.mark_line(strokeWidth=3).encode(x, y, color=alt.value(style.RESIDUAL))
    floor = base.mark_line(strokeWidth=2, strokeDash=[2, 3])
    floor = floor.encode(x, y="floor:Q", color=alt.value(style.TARGET))
    tips = alt.Tooltip("step:Q", title=say("step")), style.reading("loss:Q", say("loss"))
    return alt.layer(line, floor, style.touch(base, x, y, *tips)).properties(height=210)
