"""Charts of the worked example."""

from typing import Literal

import altair as alt
from altair.typing import ChartType

from core.charts import style
from core.plane import Window
from core.words import Words

_Align = Literal["left", "center", "right"]
_Baseline = Literal["top", "middle", "bottom"]
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
_LABELS: tuple[tuple[str, _Align, _Baseline], ...] = (
    ("right", "left", "middle"),
    ("left", "right", "middle"),
    ("over", "center", "bottom"),
    ("under", "center", "top"),
)
"""A label on this side of its anchor is aligned so."""


def plane(say: Words, where: Window) -> ChartType:
    """Return arrows in the plane, with equal scales on both axes whatever the chart's width."""
    x, y = _axes(where)
    return alt.layer(
        style.rule(x=alt.datum(0)),
        style.rule(y=alt.datum(0)),
        _circles(x, y),
        *_arrows(x, y, [alt.Tooltip("label:N", title=say("arrow"))]),
    ).properties(height=280)


def _axes(where: Window) -> tuple[alt.X, alt.Y]:
    """Axes over the window; the longer side of the chart shows more of the plane."""

    def scale(low: float, side: str) -> alt.Scale:
        half = f"{where.size / 2}*{side}/min(width,height)"
        middle = low + where.size / 2
        return alt.Scale(
            domainMin=alt.ExprRef(f"{middle}-{half}"),
            domainMax=alt.ExprRef(f"{middle}+{half}"),
            nice=False,
            zero=False,
        )

    axis = alt.Axis(title=None, tickCount=6)
    x = alt.X("x:Q", scale=scale(where.left, "width"), axis=axis)
    y = alt.Y("y:Q", scale=scale(where.bottom, "height"), axis=axis)
    return x, y


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
    labels = [
        base.transform_filter(f"datum.side === '{side}'")
        .mark_text(fontSize=13, fontWeight="bold", align=align, baseline=baseline)
        .encode(alt.X("lx:Q"), alt.Y("ly:Q"), colour, text="label:N")
        for side, align, baseline in _LABELS
    ]
    return [shaft, head, ring, *labels]
