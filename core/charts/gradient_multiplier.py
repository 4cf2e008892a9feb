"""Charts of the gradient multiplier."""

import json
from collections.abc import Mapping

import altair as alt
from altair.typing import ChartType

from core.charts import style
from core.words import Words

HUE = {"plain": style.PLAIN, "residual": style.RESIDUAL, "tame": style.IDENTITY}
SHADE = {"explodes": 0.9, "tame": 0.75, "vanishes": 0.2, "plain": 0.2, "residual": 0.2}

BELOW_READING = {"y": alt.value(36), "y2": alt.value("height")}
"""Where a vertical line of the strip runs: from under the reading down to the axis."""


def strip(say: Words) -> ChartType:
    """Return the zones of both chains over `a` = −3 … 3, and above them what the pointer reads.

    Data: `zones`, `rows` (a reading for every `a`), `holes` (where G is 0), `here` (the reader).
    """
    zones, holes = _table("zones"), _table("holes")
    names = {"plain": say("plain"), "residual": say("residual"), "smaller": say("smaller")}
    lanes = ["", *names]  # the first is empty: there the reading is written
    y = alt.Y("who:N").scale(domain=lanes, paddingInner=0.12, paddingOuter=0.04)
    y = y.axis(title=None, labelExpr=f"{_lookup(names)}[datum.label]", ticks=False, domain=False)
    x = alt.X("start:Q").scale(domain=[-3, 3], nice=False)
    x = x.axis(title=say("a"), values=[-3, -2, -1, -0.5, 0, 1, 2, 3], grid=False, format=".1~f")
    hue = "datum.zone == 'tame' || datum.who == 'smaller' ? datum.zone : datum.who"
    colour = alt.Color("hue:N").scale(domain=list(HUE), range=list(HUE.values())).legend(None)
    shade = alt.Opacity("shade:Q").scale(None)
    bars = zones.transform_calculate(hue=hue, shade=f"{_lookup(SHADE)}[datum.zone]")
    bars = bars.mark_bar().encode(x, y, colour, shade, x2="end:Q")
    cells = _lookup({zone: say(f"zone.{zone}") for zone in ("explodes", "vanishes")} | names)
    labels = zones.transform_filter("datum.wide").transform_calculate(cell=f"{cells}[datum.zone]")
    ink = alt.condition("datum.zone == 'explodes'", alt.value("black"), alt.value(style.QUIET))
    labels = labels.mark_text(baseline="middle", fontWeight="bold", fontSize=12).encode(
        alt.X("middle:Q"), y, color=ink, text="cell:N"
    )
    hole = holes.mark_point(filled=True, size=70, opacity=1, color=style.QUIET).encode(
        alt.X("a:Q"), y
    )
    zeros = [
        holes.transform_filter(f"datum.who == '{who}'")
        .mark_text(dx=dx, fontSize=12, fontWeight="bold", color=style.QUIET)
        .encode(alt.X("a:Q"), y, text=alt.value("= 0"))
        for who, dx in (("plain", -20), ("residual", 20))
    ]
    crossing = style.rule(x=alt.datum(-0.5), **BELOW_READING).mark_rule(
        color=style.QUIET, strokeDash=[2, 2], strokeWidth=2
    )
    here = (
        _table("here").mark_rule(strokeWidth=3, color=style.TARGET).encode(x="a:Q", **BELOW_READING)
    )
    layers = [bars, crossing, labels, hole, *zeros, here, *_pointer(say)]
    return alt.layer(*layers).properties(height=210)


def _pointer(say: Words) -> list[alt.Chart]:
    pointer = alt.selection_point(
        name="pointer",
        nearest=True,
        on="pointermove",
        clear="pointerout",
        fields=["a"],
        empty=False,
    )
    base = style.rows()
    write = {"align": "left", "baseline": "top", "fontSize": 12, "lineBreak": "\n"}
    top = {"x": alt.value(0), "y": alt.value(0)}
    caught = (
        base.mark_point(opacity=0, tooltip=None)
        .encode(x="a:Q", y=alt.value(60))
        .add_params(pointer)
    )
    at = base.transform_filter(pointer)
    orders = _lookup({key: say(f"order.{key}") for key in ("smaller", "equal", "larger")})
    parts = [
        "'a = ' + replace(format(datum.a, '.2f'), '-', '−')",
        f"' · ' + {orders}[datum.order]",
        f"'\\n' + {_quoted(say('plain'))} + ' ' + datum.plain",
        f"' · ' + {_quoted(say('residual'))} + ' ' + datum.residual",
    ]
    reading = at.transform_calculate(reading=" + ".join(parts))
    hint = alt.Chart(alt.Data(values=[{}])).transform_filter("!pointer.a")
    return [
        caught,
        at.mark_rule(strokeWidth=2, color=style.QUIET).encode(x="a:Q", **BELOW_READING),
        reading.mark_text(**write, color=style.QUIET, fontWeight="bold").encode(
            **top, text="reading:N"
        ),
        hint.mark_text(**write, color=style.QUIET).encode(**top, text=alt.value(say("point_here"))),
    ]


def by_depth(say: Words) -> ChartType:
    """Return both multipliers over depth; a triangle at the bottom marks an exact 0."""
    base = style.rows()
    colour, dash = style.contestants({"plain": say("plain"), "residual": say("residual")})
    x = alt.X("layers:Q").axis(title=say("layers"), tickMinStep=1)
    y = alt.Y("log10:Q").axis(style.powers_of_ten(say("multiplier")))
    one = style.rule(y=alt.datum(0))
    shown = alt.condition("datum.zero", alt.value(1), alt.value(0))
    line = base.mark_line(strokeWidth=3).encode(x, y, colour, dash)
    zero = base.mark_point(shape="triangle-down", filled=True, size=60).encode(
        x, colour, y=alt.value("height"), opacity=shown
    )
    return alt.layer(one, line, zero).properties(height=300)


def _table(name: str) -> alt.Chart:
    return alt.Chart(alt.NamedData(name))


def _lookup(names: Mapping[str, str | float]) -> str:
    return json.dumps(names, ensure_ascii=False)


def _quoted(word: str) -> str:
    return json.dumps(word, ensure_ascii=False)
