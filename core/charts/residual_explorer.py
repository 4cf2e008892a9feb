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


def by_component(say: Words, size: int) -> ChartType:
    """Return one lane a component: F alone above, x → x + αF below, each with its way to H.

    A thin line shows where `x + αF` can be for `α` from 0 to 1.
    """
    colour, shape = _mark_legend(say)
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
    path = sided.transform_filter("datum.what == 'branch'").mark_rule(strokeWidth=1.5)
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
    ends.insert(0, path.encode(x2="full:Q"))
    room = alt.Chart(alt.NamedData("extent")).mark_point(opacity=0).encode(x="start:Q")
    layers: list = [style.rule(x=alt.datum(0)), room, goal, *ends, begin, points]
    return style.on_canvas(alt.layer(*layers).properties(height=275 + 40 * max(size - 4, 0)))


def _mark_legend(say: Words) -> tuple[alt.Color, alt.Shape]:
    """Return colour and shape of the marks of the first picture, with one legend for both."""
    colours, shapes = zip(*MARKS.values(), strict=True)
    legend = style.legend(
        {what: say(f"mark.{what}") for what in MARKS}, columns=3, symbolSize=120, symbolOpacity=1
    )
    colour = alt.Color("what:N").scale(domain=list(MARKS), range=list(colours)).legend(legend)
    shape = alt.Shape("what:N").scale(domain=list(MARKS), range=list(shapes)).legend(legend)
    return colour, shape


def by_alpha(say: Words) -> ChartType:
    """Return the distance to H over α, with the reader's α on it."""
    names = {"plain": say("only_f"), "residual": say("x_plus_f")}
    colour, dash = style.contestants(names)
    x = alt.X("alpha:Q").axis(title="α", tickMinStep=0.5).scale(nice=False)
    y = alt.Y("miss:Q").axis(title=say("miss"))
    base = style.rows()
    line = base.mark_line(strokeWidth=3).encode(x, y, colour, dash)
    at = alt.selection_point(
        fields=["alpha"], nearest=True, on="pointermove", clear="pointerout", empty=False
    )
    tips = [
        alt.Tooltip("alpha:Q", title="α", format=".2f"),
        alt.Tooltip("miss:Q", title=say("miss"), format=".3~g"),
    ]
    size = alt.when("datum.here").then(alt.value(140)).when(at).then(alt.value(60))
    point = base.mark_point(filled=True, opacity=1).encode(
        x, y, colour, size=size.otherwise(alt.value(0)), tooltip=tips
    )
    return alt.layer(line, point.add_params(at)).properties(height=240)


def to_learn(say: Words, size: int) -> ChartType:
    """Return what each kind of block has to produce, two lines from 0 a component."""
    names = {"plain": say("all_of_h"), "residual": say("only_change")}
    keys, colours = list(names), [style.PLAIN, style.RESIDUAL]
    legend = style.legend(names, symbolSize=120)
    colour = alt.Color("who:N").scale(domain=keys, range=colours).legend(legend)
    shape = alt.Shape("who:N").scale(domain=keys, range=["square", "diamond"]).legend(legend)
    tips = [
        alt.Tooltip("component:N", title=say("component")),
        alt.Tooltip("value:Q", title=say("value"), format=".4~f"),
    ]
    base = style.rows().encode(
        alt.X("value:Q").axis(title=say("value")),
        alt.Y("component:N").axis(title=say("component"), tickSize=0),
        alt.YOffset("who:N").scale(domain=keys, paddingInner=0.3),
        colour,
        tooltip=tips,
    )
    plain = base.transform_filter("datum.who == 'plain'")
    residual = base.transform_filter("datum.who == 'residual'")
    return alt.layer(
        style.rule(x=alt.datum(0)),
        plain.mark_rule(strokeDash=[6, 3], strokeWidth=3).encode(x2=alt.datum(0)),
        residual.mark_rule(strokeWidth=5).encode(x2=alt.datum(0)),
        base.mark_point(filled=True, size=110, opacity=1).encode(shape),
    ).properties(height=240 + 24 * max(size - 4, 0))
