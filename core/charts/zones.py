"""Zones of a gradient multiplier, and the two lines of text that follow the pointer over them.

How strong a gradient is left is shown by how strong the colour is; the colour is the chain's.
"""

import json
from collections.abc import Mapping
from typing import Any

import altair as alt

from core.charts import style
from core.words import Words

HUE = {"plain": style.PLAIN, "residual": style.RESIDUAL, "tame": style.IDENTITY}
SHADE = {"explodes": 0.9, "tame": 0.75, "vanishes": 0.2, "plain": 0.2, "residual": 0.2}
QUIET = alt.value(style.QUIET)


def table(name: str) -> alt.Chart:
    """Return an empty chart over the data named `name`."""
    return alt.Chart(alt.NamedData(name))


def a_axis(say: Words, field: str) -> alt.X:
    """Return the axis of the local derivative, −3 … 3, with the crossing at −½ among its ticks."""
    ticks = [-3, -2, -1, -0.5, 0, 1, 2, 3]
    axis = alt.Axis(title=say("a"), values=ticks, grid=False, format=".1~f")
    return alt.X(f"{field}:Q", axis=axis, scale=alt.Scale(domain=[-3, 3], nice=False))


def colour() -> alt.Color:
    """Return the colour of a column `hue` whose values are the keys of `HUE`."""
    return alt.Color("hue:N").scale(domain=list(HUE), range=list(HUE.values())).legend(None)


def shade() -> alt.Opacity:
    """Return the strength of the colour, as `shaded` computed it."""
    return alt.Opacity("shade:Q").scale(None)


def shaded(base: alt.Chart, hue: str) -> alt.Chart:
    """Add the columns `hue` (a Vega expression) and `shade` (from the column `zone`)."""
    return base.transform_calculate(hue=hue, shade=f"{lookup(SHADE)}[datum.zone]")


def pointer(*fields: str, nearest: bool = True) -> alt.Parameter:
    """Return the selection `pointer`: the row under, or nearest to, the pointer in the browser."""
    return alt.selection_point(
        name="pointer",
        nearest=nearest,
        on="pointermove",
        clear="pointerout",
        fields=list(fields),
        empty=False,
    )


def reading(say: Words, at: alt.Chart, where: str, hint: str, y: float) -> list[alt.Chart]:
    """Return two lines of text at height `y`: what `at` says, or `hint` while it says nothing.

    `where` is a Vega expression for the place; the rows have `plain`, `residual` and `order`.
    """
    orders = lookup({key: say(f"order.{key}") for key in ("smaller", "equal", "larger")})
    parts = [
        where,
        f"' · ' + {orders}[datum.order]",
        f"'\\n' + {quoted(say('plain'))} + ' ' + datum.plain",
        f"' · ' + {quoted(say('residual'))} + ' ' + datum.residual",
    ]
    look: dict[str, Any] = {"align": "left", "baseline": "top", "fontSize": 12, "lineBreak": "\n"}
    place = {"x": alt.value(0), "y": alt.value(y), "color": QUIET}
    written = at.transform_calculate(reading=" + ".join(parts))
    idle = alt.Chart(alt.Data(values=[{}])).transform_filter("!pointer.a")
    return [
        written.mark_text(**look, fontWeight="bold").encode(**place, text="reading:N"),
        idle.mark_text(**look).encode(**place, text=alt.value(hint)),
    ]


def triangles(
    base: alt.Chart, x: alt.X, colour: alt.Color, flag: str = "zero", filled: bool = True
) -> alt.Chart:
    """Return triangles at the bottom where the column `flag` is true: an exact 0 has no logarithm.

    The row of 0 layers is kept, unseen: a layer with no row at all has no extent.
    """
    shown = alt.condition(f"datum.{flag}", alt.value(1), alt.value(0))
    marked = base.transform_filter(f"datum.{flag} || datum.layers == 0")
    marked = marked.mark_point(shape="triangle-down", filled=filled, size=60, strokeWidth=1.5)
    return marked.encode(x, colour, y=alt.value("height"), opacity=shown)


def signed(field: str) -> str:
    """Return the Vega expression that writes a column with two decimals and a true minus."""
    return f"replace(format(datum.{field}, '.2f'), '-', '−')"


def lookup(names: Mapping[str, str | float]) -> str:
    """Return a mapping as a Vega expression."""
    return json.dumps(names, ensure_ascii=False)


def quoted(word: str) -> str:
    """Return a word as a Vega expression."""
    return json.dumps(word, ensure_ascii=False)
