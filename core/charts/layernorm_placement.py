"""Charts of the LayerNorm placement: the block as a computing path, and what was measured."""

import altair as alt
from altair.typing import ChartType

from core.block_drawing import LANE, RISE, WIDTH
from core.charts import style
from core.words import Words

ROLES = {
    "identity": style.IDENTITY,
    "branch": style.BRANCH,
    "norm": style.TARGET,
    "quiet": style.QUIET,
}
LINES = {
    "Pre-LN": (style.RESIDUAL, [1, 0]),
    "Post-LN": (style.TARGET, [6, 3]),
    "Peri-LN": (style.IDENTITY, [2, 2]),
    "Output-LN": (style.BRANCH, [8, 3, 2, 3]),
    "DeepNorm": (style.QUIET, [1, 0]),
    "No-LN": (style.PLAIN, [2, 4]),
}


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
    return alt.layer(*layers, words("text", 13), words("name", 14, align="left")).properties(
        height=230
    )


def profile(say: Words, *names: str) -> ChartType:
    """Return the gradient of each block at initialisation; the band reaches over the seeds."""
    colours, dashes = zip(*(LINES[name] for name in names), strict=True)
    legend = alt.Legend(title=None, orient="top", symbolType="stroke", symbolSize=500)
    colour = alt.Color("who:N").scale(domain=names, range=colours)
    dash = alt.StrokeDash("who:N").scale(domain=names, range=dashes).legend(legend)
    x = alt.X("layer:Q").scale(nice=False).axis(title=say("block_number"), tickMinStep=1)
    y = alt.Y("mean(gradient):Q").scale(type="log", nice=False).axis(title=say("gradient_w2"))
    band = style.rows().mark_area(opacity=0.2).encode(x, colour.legend(None))
    band = band.encode(alt.Y("min(gradient):Q"), alt.Y2("max(gradient):Q"))
    line = style.rows().mark_line(strokeWidth=2.5).encode(x, y, colour.legend(legend), dash)
    return alt.layer(band, line).properties(height=240)
