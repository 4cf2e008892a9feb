"""Charts of `I + αJ_F`: a ring of inputs that it moves, and its singular values."""

import altair as alt
from altair.typing import ChartType

from core.charts import style
from core.words import Words


def ring(say: Words, window: float) -> ChartType:
    """Return a ring of inputs and where `x + αJ_F x` sends it, with equal scales on both axes."""

    def scale(side: str) -> alt.Scale:
        half = f"{window}*{side}/min(width,height)"
        ends = {"domainMin": alt.ExprRef(f"-{half}"), "domainMax": alt.ExprRef(half)}
        return alt.Scale(nice=False, zero=False, **ends)

    x = alt.X("x:Q", scale=scale("width")).axis(title=None, tickCount=5)
    y = alt.Y("y:Q", scale=scale("height")).axis(title=None, tickCount=5)
    names = {"identity": say("ring.inputs"), "residual": say("ring.outputs")}
    looks = {"identity": (style.IDENTITY, [3, 3]), "residual": (style.RESIDUAL, [1, 0])}
    colour, dash = style.lines("who", names, looks)
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
    looks = {
        "largest": (style.TARGET, [8, 3]),
        "smallest": (style.RESIDUAL, [1, 0]),
        "floor": (style.QUIET, [2, 3]),
    }
    colour, dash = style.lines("which", names, looks)
    x = alt.X("alpha:Q").axis(title="α").scale(nice=False)
    y = alt.Y("value:Q").axis(title=say("singular_value"))
    base = style.rows()
    line = base.mark_line(strokeWidth=3).encode(x, y, colour, dash)
    tips = [
        alt.Tooltip("alpha:Q", title="α", format=".3~f"),
        alt.Tooltip("value:Q", title=say("singular_value"), format=".4~g"),
    ]
    here = base.transform_filter("datum.here && isValid(datum.value)")
    point = here.mark_point(filled=True, size=120, opacity=1).encode(x, y, colour, tooltip=tips)
    return alt.layer(line, point, style.touch(base, x, y, *tips)).properties(height=380)
