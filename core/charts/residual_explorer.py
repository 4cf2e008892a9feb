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


def _mark_legend(say: Words) -> tuple[alt.Color, alt.Shape]:
    """Return colour and shape of the marks of the first picture, with one legend for both."""
    colours, shapes = zip(*MARKS.values(), strict=True)
    legend = _legend({what: say(f"mark.{what}") for what in MARKS}, columns=3, symbolSize=120)
    colour = alt.Color("what:N").scale(domain=list(MARKS), range=list(colours)).legend(legend)
    shape = alt.Shape("what:N").scale(domain=list(MARKS), range=list(shapes)).legend(legend)
    return colour, shape


def _legend(names: dict[str, str], **options) -> alt.Legend:
    label = "{" + ", ".join(f"'{key}': '{name}'" for key, name in names.items()) + "}[datum.label]"
    return alt.Legend(title=None, orient="top", labelExpr=label, **options)


def _lines(
    field: str, names: dict[str, str], colours: tuple[str, ...], dashes: tuple[list[int], ...]
) -> tuple[alt.Color, alt.StrokeDash]:
    """Return colour and dash of lines told apart by `field`, with one legend of short strokes."""
    keys = list(names)
    legend = _legend(names, symbolType="stroke", symbolSize=300, columns=2)
    colour = alt.Color(f"{field}:N").scale(domain=keys, range=list(colours)).legend(legend)
    dash = alt.StrokeDash(f"{field}:N").scale(domain=keys, range=list(dashes)).legend(legend)
    return colour, dash


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
    return alt.layer(style.rule(x=alt.datum(0)), room, goal, *ends, begin, points).properties(
        height=275 + 40 * max(size - 4, 0)
    )


def by_alpha(say: Words) -> ChartType:
    """Return the distance to H over α, with the reader's α on it."""
    names = {"plain": say("only_f"), "residual": say("x_plus_f")}
    colour, dash = _lines("who", names, (style.PLAIN, style.RESIDUAL), ([6, 3], [1, 0]))
    x = alt.X("alpha:Q").axis(title="α").scale(nice=False)
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
    legend = _legend(names, symbolSize=120)
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


def ring(say: Words, window: float) -> ChartType:
    """Return a ring of inputs and where `x + αJ_F x` sends it, with equal scales on both axes."""

    def scale(side: str) -> alt.Scale:
        half = f"{window}*{side}/min(width,height)"
        ends = {"domainMin": alt.ExprRef(f"-{half}"), "domainMax": alt.ExprRef(half)}
        return alt.Scale(nice=False, zero=False, **ends)

    x = alt.X("x:Q", scale=scale("width")).axis(title=None, tickCount=5)
    y = alt.Y("y:Q", scale=scale("height")).axis(title=None, tickCount=5)
    names = {"identity": say("ring.inputs"), "residual": say("ring.outputs")}
    colour, dash = _lines("who", names, (style.IDENTITY, style.RESIDUAL), ([3, 3], [1, 0]))
    ways = alt.Chart(alt.NamedData("ways")).mark_rule(opacity=0.6)
    weakest = alt.Chart(alt.NamedData("weakest")).mark_point(filled=True, size=110, opacity=1)
    tips = [alt.Tooltip("x:Q", format=".3~f"), alt.Tooltip("y:Q", format=".3~f")]
    line = style.rows().mark_line(strokeWidth=3)
    return alt.layer(
        style.rule(x=alt.datum(0)),
        style.rule(y=alt.datum(0)),
        ways.encode(x, y, x2="x2:Q", y2="y2:Q", color=alt.value(style.BRANCH)),
        line.encode(x, y, colour, dash, alt.Order("order:Q")),
        weakest.encode(x, y, colour, tooltip=tips),
    ).properties(height=380)


def singular(say: Words) -> ChartType:
    """Return largest and smallest singular value of `I + αJ_F` over α, and the proven floor."""
    names = {name: say(f"singular.{name}") for name in ("largest", "smallest", "floor")}
    colours = (style.TARGET, style.RESIDUAL, style.QUIET)
    colour, dash = _lines("which", names, colours, ([8, 3], [1, 0], [2, 3]))
    x = alt.X("alpha:Q").axis(title="α").scale(nice=False)
    y = alt.Y("value:Q").axis(title=say("singular_value"))
    base = style.rows()
    line = base.mark_line(strokeWidth=3).encode(x, y, colour, dash)
    tips = [
        alt.Tooltip("alpha:Q", title="α"),
        alt.Tooltip("value:Q", title=say("singular_value"), format=".4~g"),
    ]
    here = base.transform_filter("datum.here && isValid(datum.value)")
    point = here.mark_point(filled=True, size=120, opacity=1).encode(x, y, colour, tooltip=tips)
    return alt.layer(line, point).properties(height=380)


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
    return alt.layer(line, floor).properties(height=210)


def fitted(say: Words, task: str) -> ChartType:
    """Return what one branch had to learn (dotted) and what it learned, on a scale of its own."""
    names = {"target": say("wanted"), "residual": say("learned")}
    base = (
        style.rows()
        .transform_filter(f"datum.task == '{task}'")
        .transform_calculate(target="datum.wanted", residual="datum.learned")
        .transform_fold(["target", "residual"], as_=["who", "value"])
    )
    colour, dash = _lines("who", names, (style.TARGET, style.RESIDUAL), ([2, 3], [1, 0]))
    x = alt.X("x:Q").axis(title="x")
    y = alt.Y("value:Q").axis(title="F(x) = H(x) − x")
    return base.mark_line(strokeWidth=3).encode(x, y, colour, dash).properties(height=270)


def shape(_: Words, name: str) -> ChartType:
    """Return the update of every component along the line of inputs, for one shape of branch."""
    base = style.rows().transform_filter(f"datum.shape == '{name}'")
    names = {"1": "x₁", "2": "x₂", "3": "x₃"}
    legend = _legend(names, symbolType="stroke", symbolSize=300, columns=3)
    dash = alt.StrokeDash("component:N").scale(domain=[1, 2, 3], range=[[1, 0], [7, 3], [2, 3]])
    x = alt.X("t:Q").axis(title="t,  x₀ = (t, t, t)")
    y = alt.Y("update:Q").axis(title="xₙ − x₀")
    line = base.mark_line(strokeWidth=3)
    line = line.encode(x, y, dash.legend(legend), color=alt.value(style.BRANCH))
    return alt.layer(style.rule(y=alt.datum(0)), line).properties(height=270)


def terms(say: Words) -> ChartType:
    """Return the sum as bars that follow one another: x₀, every F_l(x_l), and xₙ."""
    names = {what: say(f"term.{what}") for what in ("identity", "branch", "residual")}
    keys, colours = list(names), [style.IDENTITY, style.BRANCH, style.RESIDUAL]
    legend = _legend(names, symbolType="square")
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
