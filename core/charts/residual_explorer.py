"""Charts of the residual explorer."""

import altair as alt
from altair.typing import ChartType

from core.charts import style
from core.words import Words

BAR = "M-1,-0.12L1,-0.12L1,0.12L-1,0.12Z"
TICK = "M-0.12,-1L0.12,-1L0.12,1L-0.12,1Z"
MARKS = {
    "identity": (style.IDENTITY, "circle"),
    "branch": (style.BRANCH, BAR),
    "residual": (style.RESIDUAL, "diamond"),
    "plain": (style.PLAIN, "square"),
    "target": (style.TARGET, TICK),
}


def _legend(say: Words) -> tuple[alt.Color, alt.Shape]:
    names = {what: say(f"mark.{what}") for what in MARKS}
    label = "{" + ", ".join(f"'{what}': '{name}'" for what, name in names.items()) + "}"
    legend = alt.Legend(
        title=None, orient="top", columns=3, labelExpr=f"{label}[datum.label]", symbolSize=120
    )
    colours, shapes = zip(*MARKS.values(), strict=True)
    colour = alt.Color("what:N").scale(domain=list(MARKS), range=list(colours)).legend(legend)
    shape = alt.Shape("what:N").scale(domain=list(MARKS), range=list(shapes)).legend(legend)
    return colour, shape


def by_component(say: Words) -> ChartType:
    """Return one lane a component: F alone above, x → x + αF below, each with its way to H."""
    colour, shape = _legend(say)
    lane = alt.Y("component:N").axis(title=say("component"), tickSize=0)
    side = alt.YOffset("lane:N").scale(domain=["above", "below"], paddingInner=0.3)
    x = alt.X("start:Q").axis(title=say("value"))
    base = style.rows().transform_calculate(
        lane="datum.what == 'plain' ? 'above' : 'below'", to_h="datum.end - datum.start"
    )
    sided = base.encode(x, colour, lane, side)
    missed = sided.transform_filter("datum.what == 'plain'").mark_rule(
        strokeDash=[6, 3], strokeWidth=2
    )
    left = sided.transform_filter("datum.what == 'residual'").mark_rule(strokeWidth=2)
    moved = sided.transform_filter("datum.what == 'branch'").mark_rule(strokeWidth=7)
    tips = [
        alt.Tooltip("component:N", title=say("component")),
        alt.Tooltip("start:Q", title=say("value"), format=".4~f"),
        alt.Tooltip("to_h:Q", title=say("missing"), format=".4~f"),
    ]
    points = (
        sided.transform_filter("datum.what == 'plain' || datum.what == 'residual'")
        .mark_point(filled=True, opacity=1, size=130)
        .encode(shape, tooltip=tips)
    )
    begin = (
        sided.transform_filter("datum.what == 'identity'")
        .mark_point(filled=True, opacity=1, size=130)
        .encode(shape, tooltip=tips[:2])
    )
    goal = (
        base.transform_filter("datum.what == 'target'")
        .mark_tick(thickness=4, bandSize=26)
        .encode(x, colour, lane, tooltip=tips[:2])
    )
    ends = [layer.encode(x2="end:Q") for layer in (missed, left, moved)]
    room = alt.Chart(alt.NamedData("extent")).mark_point(opacity=0).encode(x="start:Q")
    return alt.layer(style.rule(x=alt.datum(0)), room, goal, *ends, begin, points).properties(
        height=300
    )


def by_alpha(say: Words) -> ChartType:
    """Return the distance to H over α, with the reader's α on it."""
    colour, dash = style.contestants({"plain": say("only_f"), "residual": say("x_plus_f")})
    x = alt.X("alpha:Q").axis(title="α").scale(nice=False)
    y = alt.Y("miss:Q").axis(title=say("miss"))
    base = style.rows()
    line = base.mark_line(strokeWidth=3).encode(x, y, colour, dash)
    here = base.transform_filter("datum.here")
    tips = [alt.Tooltip("alpha:Q", title="α"), alt.Tooltip("miss:Q", title=say("miss"))]
    point = here.mark_point(filled=True, size=140, opacity=1).encode(x, y, colour, tooltip=tips)
    return alt.layer(line, point).properties(height=240)
