"""Charts of the LayerNorm placement: the block as a computing path, and what was measured."""

import altair as alt
from altair.typing import ChartType

from core.block_drawing import LANE, RISE, WIDTH
from core.charts import style
from core.reversal import GUESSING
from core.words import Words

ROLES = {
    "identity": style.IDENTITY,
    "branch": style.BRANCH,
    "norm": style.TARGET,
    "quiet": style.QUIET,
}
LINES = {
    "Pre-LN": (style.RESIDUAL, [1, 0], "circle"),
    "Post-LN": (style.TARGET, [6, 3], "square"),
    "Peri-LN": (style.IDENTITY, [2, 2], "diamond"),
    "Output-LN": (style.BRANCH, [8, 3, 2, 3], "triangle-up"),
    "DeepNorm": (style.QUIET, [1, 0], "triangle-right"),
    "No-LN": (style.PLAIN, [2, 4], "cross"),
}
"""Colour, dash and point of each placement."""
HEIGHT = 240
TICKS = [m * 10.0**k for k in range(-4, 21) for m in (1, 2, 3, 5) if m == 1 or k < 4]


def drawing(say: Words) -> ChartType:
    """Return the block of two placements, one above the other, the same box in the same place."""
    x = alt.X("x:Q").scale(domain=WIDTH, nice=False).axis(None)
    y = alt.Y("y:Q").scale(domain=(-0.85, LANE + RISE + 1), nice=False).axis(None)
    palette = alt.Scale(domain=list(ROLES), range=list(ROLES.values()))
    role = alt.Color("role:N", scale=palette, legend=None)
    seen = alt.when("datum.state == 'ahead'").then(alt.value(0.3)).otherwise(alt.value(1))
    now = alt.when("datum.state == 'now'")

    def kind(name: str) -> alt.Chart:
        return style.rows().transform_filter(f"datum.kind == '{name}'").encode(x, y, role)

    def words(name: str, size: int, **options) -> alt.Chart:
        return (
            kind(name).mark_text(fontSize=size, fontWeight="bold", **options).encode(text="label:N")
        )

    thick = alt.when("datum.role == 'identity'").then(alt.value(6))
    line = kind("line").mark_rule()
    line = line.encode(x2="x2", y2="y2", opacity=seen, strokeWidth=thick.otherwise(alt.value(2)))
    box = kind("box").encode(x2="x2", y2="y2")
    body = box.mark_rect(cornerRadius=4).encode(
        opacity=now.then(alt.value(0.55)).otherwise(alt.value(0.15))
    )
    edge = box.mark_rect(cornerRadius=4, filled=False).encode(
        opacity=seen, strokeWidth=now.then(alt.value(4)).otherwise(alt.value(1.5))
    )
    final = kind("final").mark_rect(cornerRadius=4, filled=False, strokeDash=[3, 3])
    final = final.encode(x2="x2", y2="y2")
    add = kind("add").mark_point(shape="circle", filled=True, opacity=1)
    add = add.encode(size=now.then(alt.value(480)).otherwise(alt.value(260)))
    plus = style.rows().transform_filter("datum.kind == 'add'").encode(x, y, text=alt.value("+"))
    plus = plus.mark_text(fontSize=17, fontWeight="bold", color="white", dy=1)
    arrow = kind("arrow").mark_point(shape="triangle-down", filled=True, size=60)
    inside = words("inside", 12).encode(opacity=seen)
    layers = (line, body, edge, final, inside, add, plus, arrow.encode(opacity=seen))
    named = (words("text", 13), words("name", 14, align="left"))
    return style.on_canvas(alt.layer(*layers, *named).properties(height=230))


def profile(say: Words, *names: str) -> ChartType:
    """Return the gradient of each block at initialisation; the band reaches over the seeds."""
    return _over_blocks("gradient", say("gradient_w2"), say("block_number"), names)


def stream(say: Words, *names: str) -> ChartType:
    """Return the stream's standard deviation after each block; the band reaches over the seeds."""
    return _over_blocks("stream", say("stream_deviation"), say("block_number"), names)


def _over_blocks(column: str, title: str, blocks: str, names: tuple[str, ...]) -> ChartType:
    colour, dash = _lines(names)
    x = alt.X("layer:Q").scale(nice=False).axis(title=blocks, tickMinStep=1)
    y = _log(f"mean({column}):Q", title)
    band = style.rows().mark_area(opacity=0.2).encode(x, colour)
    band = band.encode(alt.Y(f"min({column}):Q"), alt.Y2(f"max({column}):Q"))
    tips = [alt.Tooltip("layer:Q", title=blocks), style.reading(f"mean({column}):Q", title)]
    line = style.rows().mark_line(strokeWidth=2.5).encode(x, y, colour, dash)
    touch = style.touch(style.rows(), x, y, *tips).encode(detail="who:N")
    return alt.layer(band, line, touch).properties(height=HEIGHT)


def depth(say: Words, *names: str) -> ChartType:
    """Return the last block's gradient over depth on two logarithmic axes: a point a seed.

    The gray lines have the slope of the bounds (data named `bounds`).
    """
    colour, dash = _lines(names)
    x = alt.X("blocks:Q").scale(type="log", base=2, nice=False).axis(title=say("depth"))
    title = say("gradient_last")
    line = style.rows().mark_line(strokeWidth=2.5)
    line = line.encode(x, _log("mean(gradient):Q", title), colour, dash)
    y = _log("gradient:Q", title)
    tips = [alt.Tooltip("blocks:Q", title=say("depth")), style.reading("gradient:Q", title)]
    point = style.rows().mark_point(filled=True, size=40, shape="circle")
    point = point.encode(x, y, colour, tooltip=tips)
    bound = alt.Chart(alt.NamedData("bounds")).mark_line(color=style.QUIET, strokeDash=[2, 4])
    return alt.layer(bound.encode(x, y, detail="who:N"), line, point).properties(height=HEIGHT)


def losses(say: Words, steps: int, *names: str) -> ChartType:
    """Return the training loss over steps; the rule is guessing, a cross marks a divergence."""
    colour, dash = _lines(names)
    x = alt.X("step:Q").scale(domain=[0, steps], nice=False).axis(title=say("step_number"))
    y = _log("loss:Q", say("loss"))
    tips = [alt.Tooltip("step:Q", title=say("step_number")), style.reading("loss:Q", say("loss"))]
    line = style.rows().mark_line(strokeWidth=2.5).encode(x, y, colour, dash, tooltip=tips)
    cross = style.rows().transform_filter("datum.diverged").encode(x, y, colour)
    cross = cross.mark_point(shape="cross", size=160, filled=True, angle=45)
    guessing = style.rule(y=alt.datum(GUESSING))
    return alt.layer(guessing, line, cross).properties(height=HEIGHT)


def spectrum(say: Words, *names: str) -> ChartType:
    """Return all singular values of the blocks' Jacobians; a triangle at the bottom marks a 0."""
    colours, _, shapes = zip(*(LINES[name] for name in names), strict=True)
    legend = alt.Legend(title=None, orient="top", symbolSize=90)
    colour = alt.Color("who:N").scale(domain=names, range=colours).legend(legend)
    shape = alt.Shape("who:N").scale(domain=names, range=shapes).legend(legend)
    x = alt.X("number:Q").scale(nice=False).axis(title=say("singular_number"), tickMinStep=1)
    y = alt.Y("log10:Q").axis(style.powers_of_ten(say("singular_value")))
    tips = [
        alt.Tooltip("number:Q", title=say("singular_number")),
        style.reading_log10(say("singular_value")),
    ]
    point = style.rows().mark_point(filled=True, size=50, opacity=0.9)
    point = point.encode(x, y, colour, shape, tooltip=tips)
    zero = style.rows().transform_filter("datum.zero").encode(x, colour, y=alt.value("height"))
    zero = zero.mark_point(shape="triangle-down", filled=True, size=70)
    one = style.rule(y=alt.datum(0))
    return alt.layer(one, point, zero).properties(height=HEIGHT)


def token_map(say: Words) -> ChartType:
    """Return a map of tokens: which output token (row) answers to which touched token (column)."""
    x = alt.X("touched:O").axis(title=say("touched_token"), labelAngle=0, orient="top")
    y = alt.Y("read:O").axis(title=say("answering_token"))
    base = style.rows().encode(x, y)
    shade = alt.Opacity("size:Q").scale(domainMin=0, range=[0.08, 0.4]).legend(None)
    cell = base.transform_filter("isValid(datum.size)").mark_rect()
    tips = [
        alt.Tooltip("touched:O", title=say("touched_token")),
        alt.Tooltip("read:O", title=say("answering_token")),
        alt.Tooltip("text:N", title="‖∂yₜ/∂xₛ‖₂"),
    ]
    lit = base.transform_filter("datum.lit").mark_rect(filled=False, strokeWidth=2)
    branch = alt.value(style.BRANCH)
    text = base.mark_text(fontSize=11, fontWeight="bold").encode(text="text:N", color=branch)
    layers = (
        cell.encode(shade, color=branch, tooltip=tips),
        lit.encode(color=alt.value(style.TARGET)),
        text,
    )
    return alt.layer(*layers).properties(height=210)


def _lines(names: tuple[str, ...]) -> tuple[alt.Color, alt.StrokeDash]:
    colours, dashes, _ = zip(*(LINES[name] for name in names), strict=True)
    legend = alt.Legend(
        title=None, orient="top", symbolType="stroke", symbolSize=500, symbolOpacity=1
    )
    colour = alt.Color("who:N").scale(domain=names, range=colours).legend(legend)
    return colour, alt.StrokeDash("who:N").scale(domain=names, range=dashes).legend(legend)


def _log(field: str, title: str) -> alt.Y:
    label = "datum.value < 1e4 && datum.value > 1e-4 ? format(datum.value, '~g')"
    label += " : format(datum.value, '.0e')"
    axis = alt.Axis(title=title, values=TICKS, labelExpr=label, labelOverlap=True)
    return alt.Y(field).scale(type="log", nice=False).axis(axis)
