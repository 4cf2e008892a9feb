"""Charts of live training. Every spec is constant during a run; the rows alone change."""

import json

import altair as alt
from altair.typing import ChartType

from core.charts import style
from core.history import PARTS
from core.words import Words

DARK, BRIGHT = -10, 1
"""The shared scale of all light maps, log₁₀ of the gradient norm; what lies outside is clamped."""
OVERLAP = alt.RelativeBandSize(band=1.1)
"""The height of a cell in layers: cells overlap a little, so that no seam shines through."""
STATES = {"zero": "gray", "tiny": "violet", "overflow": "orange", "gone": "red"}


def lights(say: Words, name: str, steps: int, layers: int) -> ChartType:
    """Return a contestant's light map: the gradient norm of each layer, layer 1 at the bottom.

    Its columns come in parts, from left to right: of a map that grows only the last one changes,
    and the browser draws up the others no more.
    """
    x = alt.X("step:Q").scale(domain=[1, steps + 1], nice=False).axis(title=None, grid=False)
    label = "datum.value == 1 || datum.value % 10 == 0 ? datum.value : ''"
    y = alt.Y("layer:O").sort(None).scale(domain=list(range(layers, 0, -1)), padding=0)
    y = y.axis(title=say("layer"), labelExpr=label, ticks=False, labelOverlap=False)
    norm = alt.Color("log10:Q").scale(scheme="inferno", domain=[DARK, BRIGHT], clamp=True)
    tips = [
        alt.Tooltip("layer:O", title=say("layer")),
        alt.Tooltip("step:Q", title=say("step")),
        style.reading_log10("‖∂L/∂W‖"),
    ]
    maps: list[alt.Chart] = [_cells(part, x, y, tips).encode(norm.legend(None)) for part in PARTS]
    said = json.dumps({name: say(f"state.{name}") for name in STATES})
    flat = alt.Color("state:N").scale(domain=list(STATES), range=list(STATES.values()))
    state = alt.Tooltip("said:N", title=say("state_of_gradient"))
    marked = _cells("marked", x, y, [*tips, state]).encode(flat.legend(None))
    maps.append(marked.transform_calculate(said=f"{said}[datum.state]"))
    chart = alt.layer(*maps).resolve_scale(color="independent")
    title = alt.TitleParams(say(f"contestant.{name}"), anchor="start", fontSize=14, offset=4, dy=-2)
    return style.on_canvas(chart.properties(height=205, title=title))


def _cells(part: str, x: alt.X, y: alt.Y, tips: list[alt.Tooltip]) -> alt.Chart:
    base = alt.Chart(alt.NamedData(part)).mark_rect(x2Offset=0.7, height=OVERLAP, invalid=None)
    return base.encode(x, alt.X2("until:Q"), y, tooltip=tips)


def loss(
    say: Words, names: tuple[str, ...], steps: int, guessing: float, seeds: int = 1
) -> ChartType:
    """Return the training loss over steps on a logarithmic axis; a cross marks a divergence.

    With several `seeds` a band shows their range.
    """
    base = style.rows()
    colour, dash = style.contestants({name: say(f"contestant.{name}") for name in names})
    x = alt.X("step:Q").scale(domain=[0, steps], nice=False).axis(title=say("step"))
    y = alt.Y("drawn_loss:Q").scale(type="log").axis(title=say("loss"), format="~g", grid=False)
    tips = [
        alt.Tooltip("step:Q", title=say("step")),
        style.reading("loss:Q", say("loss")),
    ]
    band = base.mark_area(opacity=0.18).encode(
        x, alt.Y("drawn_low:Q").scale(type="log"), alt.Y2("drawn_high:Q"), colour
    )
    line = base.mark_line(strokeWidth=2.5, clip=True).encode(x, y, colour, dash, tooltip=tips)
    cross = (
        base.transform_filter("datum.diverged")
        .mark_point(shape="cross", size=160, filled=True, angle=45)
        .encode(x, y, colour)
    )
    chance = style.rule(y=alt.datum(guessing))
    layers = [band, chance, line, cross] if seeds > 1 else [chance, line, cross]
    return style.on_canvas(alt.layer(*layers).properties(height=230))


def accuracy(say: Words, names: tuple[str, ...], epochs: int, linear: float) -> ChartType:
    """Return the test accuracy per epoch, with the accuracy of a linear model as a rule."""
    base = style.rows()
    colour, dash = style.contestants({name: say(f"contestant.{name}") for name in names})
    x = alt.X("epoch:Q").scale(domain=[0, epochs]).axis(title=say("epoch"), tickMinStep=1)
    y = alt.Y("accuracy:Q").scale(domain=[0, 100]).axis(title=say("accuracy"))
    band = base.mark_area(opacity=0.18).encode(x, alt.Y("low:Q"), alt.Y2("high:Q"), colour)
    tips = [
        alt.Tooltip("epoch:Q", title=say("epoch")),
        style.reading("accuracy:Q", say("accuracy"), ".1f"),
    ]
    line = base.mark_line(strokeWidth=2.5, point=True).encode(x, y, colour, dash, tooltip=tips)
    return alt.layer(band, style.rule(y=alt.datum(linear)), line).properties(height=260)


def profile(say: Words, names: tuple[str, ...], layers: int, phase: str) -> ChartType:
    """Return one step's numbers over layers; a triangle at the bottom marks an exact 0."""
    base = style.rows()
    colour, dash = style.contestants({name: say(f"contestant.{name}") for name in names}, columns=1)
    x = alt.X("layer:Q").scale(domain=[1, max(2, layers)]).axis(title=say("layer"), tickMinStep=1)
    y = alt.Y("log10:Q").axis(style.powers_of_ten(say(f"axis.{phase}")))
    tips = [
        alt.Tooltip("layer:Q", title=say("layer")),
        style.reading_log10(say(f"axis.{phase}")),
    ]
    line = base.mark_line(strokeWidth=2.5, point=True).encode(x, y, colour, dash, tooltip=tips)
    tiny = (
        base.transform_filter("datum.state == 'tiny'")
        .mark_point(shape="circle", size=90)
        .encode(x, y, colour)
    )
    zero = (
        base.transform_filter("datum.state == 'zero'")
        .mark_point(shape="triangle-down", filled=True, size=70)
        .encode(x, colour, y=alt.value("height"))
    )
    over = (
        base.transform_filter("datum.state == 'gone' || datum.state == 'overflow'")
        .mark_point(shape="cross", filled=True, size=70, angle=45)
        .encode(x, colour, y=alt.value(0))
    )
    return alt.layer(line, tiny, zero, over).properties(height=260)


def layers(say: Words, names: tuple[str, ...], measure: str) -> ChartType:
    """Return one measure of the layers (moved, scale, dead, ratio, alpha) over depth."""
    colour, dash = style.contestants({name: say(f"contestant.{name}") for name in names})
    x = alt.X("layer:Q").axis(title=say("layer"), tickMinStep=1)
    y = alt.Y("value:Q").axis(title=say(f"measure_name.{measure}"), format="~g")
    if measure in ("moved", "scale"):
        y = y.scale(type="symlog", constant=0.01)
    tips = [
        alt.Tooltip("layer:Q", title=say("layer")),
        style.reading("value:Q", say(f"measure_name.{measure}")),
    ]
    line = style.rows().mark_line(strokeWidth=2.5, point=True)
    return line.encode(x, y, colour, dash, tooltip=tips).properties(height=260)


def rates(
    say: Words, names: tuple[str, ...], tried: tuple[float, ...], guessing: float
) -> ChartType:
    """Return the last loss against the rates `tried`; a cross at the top marks a divergence."""
    base = style.rows()
    colour, dash = style.contestants({name: say(f"contestant.{name}") for name in names})
    x = (
        alt.X("rate:Q")
        .scale(type="log", nice=False, padding=20)
        .axis(title=say("rate"), format="~g", values=tried)
    )
    y = alt.Y("drawn:Q").scale(type="log").axis(title=say("last_loss"), format="~g")
    tips = [
        style.reading("rate:Q", say("rate"), "~g"),
        style.reading("loss:Q", say("last_loss")),
    ]
    line = base.mark_line(strokeWidth=2.5, point=True).encode(x, y, colour, dash, tooltip=tips)
    cross = (
        base.transform_filter("datum.diverged")
        .mark_point(shape="cross", filled=True, size=120, angle=45)
        .encode(x, colour, y=alt.value(0))
    )
    return alt.layer(style.rule(y=alt.datum(guessing)), line, cross).properties(height=260)


def surface(say: Words) -> ChartType:
    """Return the plane coloured by the network's answer, and training points on it."""
    edges = {"domain": [-1.3, 1.3], "nice": False}
    x = alt.X("x:Q").scale(**edges).axis(None)
    y = alt.Y("y:Q").scale(**edges).axis(None)
    answer = alt.Color("p:Q").scale(scheme="blueorange", domain=[0, 1]).legend(None)
    field = style.rows().mark_square(size=80, opacity=0.9).encode(x, y, answer)
    shape = alt.Shape("label:N").scale(domain=["0", "1"], range=["circle", "cross"]).legend(None)
    points = (
        alt.Chart(alt.NamedData("points"))
        .mark_point(filled=True, size=22, color="black", opacity=0.8)
        .encode(x, y, shape)
    )
    return style.on_canvas(alt.layer(field, points).properties(height=240))
