"""Charts of the gradient multiplier: the strip of zones, and both multipliers over depth."""

import altair as alt
from altair.typing import ChartType

from core.charts import style, zones
from core.words import Words

BELOW_READING = {"y": alt.value(36), "y2": alt.value("height")}
"""Where a vertical line of the strip runs: from under the reading down to the axis."""


def strip(say: Words) -> ChartType:
    """Return the zones of both chains over `a` = −3 … 3, and above them what the pointer reads.

    Data: `zones`, `rows` (a reading for every `a`), `holes` (where G is 0), `here` (the reader).
    """
    names = {"plain": say("plain"), "residual": say("residual"), "smaller": say("smaller")}
    lanes = ["", *names]  # the first is empty: there the reading is written
    y = alt.Y("who:N").scale(domain=lanes, paddingInner=0.12, paddingOuter=0.04)
    label = f"{zones.lookup(names)}[datum.label]"
    y = y.axis(title=None, labelExpr=label, ticks=False, domain=False)
    hue = "datum.zone == 'tame' || datum.who == 'smaller' ? datum.zone : datum.who"
    bars = zones.shaded(zones.table("zones"), hue).mark_bar()
    bars = bars.encode(zones.a_axis(say, "start"), y, zones.colour(), zones.shade(), x2="end:Q")
    line = {"color": alt.value(style.TARGET), **BELOW_READING}
    here = zones.table("here").mark_rule(strokeWidth=3).encode(x="a:Q", **line)
    crossing = style.rule(x=alt.datum(-0.5), color=zones.QUIET, **BELOW_READING)
    crossing = crossing.mark_rule(strokeDash=[2, 2], strokeWidth=2)
    layers = [bars, here, crossing, _names(say, names, y), *_holes(y), *_pointer(say)]
    return alt.layer(*layers).properties(height=210)


def _names(say: Words, names: dict[str, str], y: alt.Y) -> alt.Chart:
    cells = zones.lookup({zone: say(f"zone.{zone}") for zone in ("explodes", "vanishes")} | names)
    wide = zones.table("zones").transform_filter("datum.wide")
    ink = alt.condition("datum.zone == 'explodes'", alt.value("black"), zones.QUIET)
    text = wide.transform_calculate(cell=f"{cells}[datum.zone]")
    text = text.mark_text(baseline="middle", fontWeight="bold", fontSize=12)
    return text.encode(alt.X("middle:Q"), y, color=ink, text="cell:N")


def _holes(y: alt.Y) -> list[alt.Chart]:
    holes = zones.table("holes").encode(alt.X("a:Q"), y, color=zones.QUIET)
    texts = [
        holes.transform_filter(f"datum.who == '{who}'")
        .mark_text(dx=dx, fontSize=12, fontWeight="bold")
        .encode(text=alt.value("= 0"))
        for who, dx in (("plain", -20), ("residual", 20))
    ]
    return [holes.mark_point(filled=True, size=70, opacity=1), *texts]


def _pointer(say: Words) -> list[alt.Chart]:
    pointer = zones.pointer("a", nearest=False)
    cells = style.rows().transform_calculate(left="datum.a - 0.025", right="datum.a + 0.025")
    catch = cells.mark_rect(opacity=0, tooltip=None).encode(
        alt.X("left:Q").scale(clamp=True), x2="right:Q", y=alt.value(0), y2=alt.value("height")
    )
    at = style.rows().transform_filter(pointer)
    follow = at.mark_rule(strokeWidth=2).encode(x="a:Q", color=zones.QUIET, **BELOW_READING)
    read = zones.reading(say, at, f"'a = ' + {zones.signed('a')}", say("point_here"), 0)
    return [catch.add_params(pointer), follow, *read]


def by_depth(say: Words) -> ChartType:
    """Return both multipliers over depth; a triangle at the bottom marks an exact 0.

    Where the pointer is, both numbers are shown.
    """
    base = style.rows()
    colour, dash = style.contestants({"plain": say("plain"), "residual": say("residual")})
    x = alt.X("layers:Q").axis(title=say("layers"), tickMinStep=1)
    y = alt.Y("log10:Q").axis(style.powers_of_ten(say("multiplier")))
    line = base.mark_line(strokeWidth=3).encode(x, y, colour, dash)
    tips = [
        alt.Tooltip("layers:Q", title=say("layers")),
        alt.Tooltip("plain:N", title=say("plain")),
        alt.Tooltip("residual:N", title=say("residual")),
    ]
    touch = base.transform_filter("datum.who == 'plain'")
    touch = touch.mark_rect(opacity=0).encode(
        alt.X("left:Q"), x2="right:Q", y=alt.value(0), y2=alt.value("height"), tooltip=tips
    )
    layers = [style.rule(y=alt.datum(0)), line, zones.triangles(base, x, colour), touch]
    return alt.layer(*layers).properties(height=300)
