"""The −½ map: zones of the residual chain over `a` and depth."""

import altair as alt
from altair.typing import ChartType

from core.charts import style, zones
from core.words import Words

LABELS = (
    (-2.6, 40, "explodes", "black"),
    (1.6, 40, "explodes", "black"),
    (-1.45, 60, "vanishes", style.QUIET),
    (0.62, 4, "tame", "black"),
)
"""Where the map writes what: `a`, `n`, zone, colour."""


def half_map(say: Words) -> ChartType:
    """Return the map; a ring follows the pointer, the diamond is the reader's own point.

    Data: `borders`, `plain_borders` (dashed), `rows` (the readings), `here` (the reader). It has
    thousands of points to catch the pointer, so it is drawn on a canvas.
    """
    x = zones.a_axis(say, "a")
    y = alt.Y("n:Q").scale(type="log", domain=[1, 1000], nice=False)
    y = y.axis(title=say("n"), values=[1, 2, 5, 10, 20, 50, 100, 200, 500, 1000], grid=False)
    piece = alt.Detail("piece:N")
    areas = zones.shaded(zones.table("borders"), "datum.zone == 'tame' ? 'tame' : 'residual'")
    areas = areas.mark_area(orient="horizontal").encode(
        zones.a_axis(say, "start"), y, zones.colour(), zones.shade(), piece, x2="end:Q"
    )
    plain = zones.table("plain_borders").mark_line(strokeDash=[6, 3], strokeWidth=1.5)
    plain = plain.encode(x, y, piece, alt.Order("n:Q"), color=alt.value(style.PLAIN))
    here = zones.table("here").mark_point(shape="diamond", size=170, filled=True, opacity=1)
    here = here.encode(x, y, color=alt.value(style.TARGET))
    lines = [
        style.rule(x=alt.datum(a), color=zones.QUIET).mark_rule(strokeDash=dash, strokeWidth=2)
        for a, dash in ((-1, [1, 0]), (-0.5, [2, 2]))
    ]
    pointer = zones.pointer("a", "n")
    catch = style.rows().mark_point(opacity=0, tooltip=None).encode(x, y).add_params(pointer)
    at = style.rows().transform_filter(pointer)
    ring = at.mark_point(size=140, strokeWidth=3, opacity=1)
    ring = ring.encode(x, y, color=alt.value(style.TARGET))
    where = f"'a = ' + {zones.signed('a')} + ' · n = ' + datum.n"
    read = zones.reading(say, at, where, say("point_map"), -32)
    layers = [areas, *lines, plain, *_labels(say), here, catch, ring, *read]
    return style.on_canvas(alt.layer(*layers).properties(height=420))


def _labels(say: Words) -> list[alt.Chart]:
    text = alt.Chart(alt.Data(values=[{}])).mark_text(fontWeight="bold", fontSize=12)
    return [
        text.encode(
            x=alt.datum(a),
            y=alt.datum(n),
            text=alt.value(say(f"zone.{zone}")),
            color=alt.value(ink),
        )
        for a, n, zone, ink in LABELS
    ]
