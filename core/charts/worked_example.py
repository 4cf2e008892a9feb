"""Charts of the worked example."""

import altair as alt
from altair.typing import ChartType

from core.charts import style
from core.words import Words

_COLOUR = {
    "identity": style.IDENTITY,
    "branch": style.BRANCH,
    "residual": style.RESIDUAL,
    "plain": style.PLAIN,
    "target": style.TARGET,
    "quiet": style.QUIET,
}
_HEAD = "M0,-0.25L-0.45,1L0,0.7L0.45,1Z"
"""An arrow head that points up and whose tip is at the origin."""
_ALIGN = alt.ExprRef("{left: 'right', right: 'left'}[datum.side] || 'center'")
_BASELINE = alt.ExprRef("{over: 'bottom', under: 'top'}[datum.side] || 'middle'")
"""How a label on this side of its anchor is aligned."""


def plane(say: Words) -> ChartType:
    """Return arrows in the plane, with equal scales on both axes whatever the chart's width.

    Tables: `rows` (arrows), `circles` (dashed lines of equal loss, possibly none) and `window`.
    """
    x, y = _axes()
    tooltip = [alt.Tooltip("name:N", title=say("arrow")), alt.Tooltip("value:N", title=" ")]
    layers = [*_cross(), _circles(x, y), *_arrows(x, y, tooltip)]
    return style.on_canvas(alt.layer(*layers).properties(height=250))


def descent_plane(say: Words) -> ChartType:
    """Return how the two outputs approach the target (or not), step by step.

    Tables: `rows` (the outputs), `circles` (lines of equal loss), `target` (a point), `window`.
    """
    x, y = _axes("y1", "y2")
    target_x, target_y = _axes()
    colour, dash = _two_blocks(say)
    order = alt.Order("step:Q")
    base = style.rows().transform_filter("isValid(datum.y1) && isValid(datum.y2)")
    line = base.mark_line(strokeWidth=2, clip=True).encode(x, y, colour, dash, order)
    tips = [alt.Tooltip("step:Q", title=say("gradient_steps"))]
    tips += [style.reading("y1:Q", "y₁"), style.reading("y2:Q", "y₂")]
    dots = base.mark_point(filled=True, size=40, opacity=1, clip=True)
    dots = dots.encode(x, y, colour, tooltip=tips)
    target = alt.Chart(alt.NamedData("target"))
    cross = target.mark_point(shape="cross", filled=True, size=160, opacity=1).encode(
        target_x, target_y, color=alt.value(style.TARGET)
    )
    name = target.mark_text(fontWeight="bold", dx=12, align="left").encode(
        target_x, target_y, text="label:N", color=alt.value(style.TARGET)
    )
    circles = _circles(target_x, target_y)
    return alt.layer(*_cross(), circles, line, dots, cross, name).properties(height=270)


def loss_by_step(say: Words) -> ChartType:
    """Return both losses over the gradient steps; a triangle at the bottom marks an exact 0."""
    return _in_powers_of_ten(say, "step", say("gradient_steps"), say("loss"))


def gradient_by_block(say: Words) -> ChartType:
    """Return the gradient's relative length before every block, from the input to the output."""
    return _in_powers_of_ten(say, "layer", say("blocks_before"), say("relative_length"))


def lengths(say: Words) -> ChartType:
    """Return the lengths of a layer's three gradients over the scale of its weights."""
    names = {key: say(f"gradient_at.{key}") for key in ("output", "weight", "input")}
    looks = {
        "output": (style.QUIET, [2, 3]),
        "weight": (style.BRANCH, [1, 0]),
        "input": (style.IDENTITY, [8, 3]),
    }
    colour, dash = style.lines("quantity", names, looks, columns=1)
    x = alt.X("s:Q").axis(title=say("scale_of_weights"))
    y = alt.Y("length:Q").axis(title=say("length"))
    base = style.rows()
    line = base.mark_line(strokeWidth=3).encode(x, y, colour, dash)
    here = base.transform_filter("datum.here").mark_point(filled=True, size=110, opacity=1)
    tips = style.reading("s:Q", say("scale_of_weights")), style.reading("length:Q", say("length"))
    layers = line, here.encode(x, y, colour), style.touch(base, x, y, *tips)
    return alt.layer(*layers).properties(height=290)


def directions(say: Words) -> ChartType:
    """Return where every direction of the gradient ends; the pointer or a slider picks one.

    Tables: `rows` and `window`.
    """
    x, y = _axes()
    pick = alt.selection_point(
        name="turn",
        fields=["turn"],
        nearest=True,
        on="pointermove",
        clear=False,
        empty=False,
        value=[{"turn": 70}],
        bind=alt.binding_range(min=0, max=360, step=5, name=f"{say('direction')} "),
    )
    names = {"start": say("gradient_at_output"), "residual": say("residual"), "plain": say("plain")}
    looks = {
        "start": (style.IDENTITY, [2, 3]),
        "residual": (style.RESIDUAL, style.DASH["residual"]),
        "plain": (style.PLAIN, style.DASH["plain"]),
    }
    colour, dash = style.lines("who", names, looks)
    base = style.rows()
    curve = base.mark_line(strokeWidth=2).encode(x, y, colour, dash, alt.Order("turn:Q"))
    points = base.mark_point(size=60, opacity=0).encode(x, y).add_params(pick)
    picked = base.transform_filter(pick)
    arrows = picked.mark_rule(strokeWidth=3).encode(x, y, colour, x2=alt.datum(0), y2=alt.datum(0))
    tips = picked.mark_point(filled=True, size=90, opacity=1).encode(x, y, colour)
    gains = [
        picked.transform_filter(f"datum.who === '{who}'")
        .mark_text(fontSize=13, fontWeight="bold", dx=14, dy=dy, align="left")
        .encode(x, y, colour, text="label:N")
        for who, dy in (("residual", -9), ("plain", 13))
    ]
    return alt.layer(*_cross(), curve, points, arrows, tips, *gains).properties(height=360)


def _in_powers_of_ten(say: Words, field: str, counted: str, title: str) -> ChartType:
    colour, dash = _two_blocks(say)
    base = style.rows()
    x = alt.X(f"{field}:Q").axis(title=counted, tickMinStep=1)
    tips = (
        alt.Tooltip(f"{field}:Q", title=counted),
        style.reading_log10(title),
    )
    y = alt.Y("log10:Q").axis(style.powers_of_ten(title, between=True))
    line = base.mark_line(strokeWidth=3, point=True).encode(x, y, colour, dash)
    zero = (
        base.transform_filter("datum.zero")
        .mark_point(shape="triangle-down", filled=True, size=70, opacity=1)
        .encode(x, colour, y=alt.value("height"))
    )
    return alt.layer(line, zero, style.touch(base, x, y, *tips)).properties(height=270)


def _two_blocks(say: Words) -> tuple[alt.Color, alt.StrokeDash]:
    return style.contestants({name: say(name) for name in ("residual", "plain")})


def _axes(x: str = "x", y: str = "y") -> tuple[alt.X, alt.Y]:
    """Axes over the window, which is data; the longer side of the chart shows more of the plane."""
    return _axis(alt.X, x, "left", "width"), _axis(alt.Y, y, "bottom", "height")


def _axis(channel: type, field: str, low: str, side: str):
    where = "data('window')[0]"
    middle, half = f"{where}.{low}+{where}.size/2", f"{where}.size/2*{side}/min(width,height)"
    scale = alt.Scale(
        domainMin=alt.ExprRef(f"{middle}-{half}"),
        domainMax=alt.ExprRef(f"{middle}+{half}"),
        nice=False,
        zero=False,
    )
    return channel(f"{field}:Q", scale=scale, axis=alt.Axis(title=None, tickCount=6))


def _cross() -> list[ChartType]:
    """The two axes of the plane; they also bring the window's table into the chart."""
    window = alt.Chart(alt.NamedData("window")).mark_rule(color=style.QUIET, opacity=0.6)
    return [window.encode(x=alt.datum(0)), window.encode(y=alt.datum(0))]


def _circles(x: alt.X, y: alt.Y) -> ChartType:
    line = alt.Chart(alt.NamedData("circles")).mark_line(
        color=style.QUIET, strokeDash=[3, 3], strokeWidth=1, clip=True
    )
    return line.encode(x, y, alt.Detail("name:N"), alt.Order("order:Q"), alt.Tooltip("name:N"))


def _arrows(x: alt.X, y: alt.Y, tooltip: list[alt.Tooltip]) -> list[ChartType]:
    base = style.rows()
    roles = list(_COLOUR)
    scale = alt.Scale(domain=roles, range=[_COLOUR[role] for role in roles])
    colour = alt.Color("role:N", scale=scale, legend=None)
    tip_x, tip_y = alt.X("x2:Q"), alt.Y("y2:Q")
    shaft = base.mark_rule(strokeWidth=3, clip=True).encode(
        x, y, alt.X2("x2:Q"), alt.Y2("y2:Q"), colour, tooltip=tooltip
    )
    head = (
        base.transform_filter("!datum.zero")
        .mark_point(shape=_HEAD, filled=True, size=320, opacity=1, clip=True)
        .encode(tip_x, tip_y, colour, alt.Angle("angle:Q", scale=None), tooltip=tooltip)
    )
    ring = (
        base.transform_filter("datum.zero")
        .mark_point(shape="circle", size=90, strokeWidth=3, opacity=1)
        .encode(tip_x, tip_y, colour, tooltip=tooltip)
    )
    labels = base.mark_text(
        fontSize=13, fontWeight="bold", align=_ALIGN, baseline=_BASELINE
    ).encode(alt.X("lx:Q"), alt.Y("ly:Q"), colour, text="label:N")
    return [shaft, head, ring, labels]
