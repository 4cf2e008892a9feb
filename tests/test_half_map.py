"""The −½ map: its borders against exact powers, its readings against the formula."""

import json
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as draw

from core import half_map as core
from core import multiplier
from core.charts import half_map as charts
from core.multiplier import Chain
from core.words import LANGUAGES, Words


@given(draw.integers(1, 1000))
def test_the_window_is_where_the_multiplier_is_between_a_tenth_and_ten(n: int) -> None:
    low, high = core.window(n)
    for a, power in ((low, Fraction(1, 10)), (high, Fraction(10))):
        inside, outside = Fraction(a) * Fraction(999, 1000), Fraction(a) * Fraction(1001, 1000)
        assert (1 + outside) ** n < power if power < 1 else (1 + outside) ** n > power
        assert Fraction(1, 10) <= (1 + inside) ** n <= 10


def test_the_window_of_a_thousand_layers_is_two_thousandths_wide_on_each_side() -> None:
    assert core.window(1000) == pytest.approx((-0.0022999, 0.0023052), rel=1e-4)


def test_every_row_of_borders_covers_the_map_and_changes_zone_at_the_right_place() -> None:
    rows = core.borders()
    for _, group in rows.groupby("n"):
        assert group["start"].iloc[0] == -3
        assert group["end"].iloc[-1] == 3
        assert group["start"].tolist()[1:] == group["end"].tolist()[:-1]
    for n, zone, start, end in rows[["n", "zone", "start", "end"]].to_numpy().tolist():
        middle = (start + end) / 2
        if end - start > 1e-9 and middle != -1:
            assert multiplier.zone(n * multiplier.log10_residual(middle, 1)) == zone


def test_the_plain_borders_are_the_residual_ones_moved_by_one() -> None:
    plain = core.plain_borders()
    deepest = sorted(plain[plain["n"] == plain["n"].max()]["a"])
    rows = core.borders()
    residual = sorted(rows[rows["n"] == rows["n"].max()]["end"])[:-1]
    assert [a + 1 for a in residual] == pytest.approx(deepest)


def test_readings_are_the_formula_on_the_whole_grid() -> None:
    rows = core.readings().set_index(["a", "n"])
    assert len(rows) == 121 * len(core.DEPTHS)
    found = rows.loc[(0.5, 20)]
    assert (found["plain"], found["residual"], found["order"]) == ("9.54×10⁻⁷", "3,325", "larger")
    assert rows.loc[(-1.0, 1000)]["residual"] == "0"
    assert rows.loc[(-1.0, 1000)]["zone"] == "zero"
    assert rows.loc[(-0.5, 300)]["order"] == "equal"


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_chart_follows_the_pointer_on_a_canvas(lang: str) -> None:
    spec = charts.half_map(Words("gradient_multiplier", lang)).to_dict()
    assert spec["usermeta"]["embedOptions"]["renderer"] == "canvas"
    assert spec["params"][0]["select"]["fields"] == ["a", "n"]
    text = json.dumps(spec, ensure_ascii=False)
    for name in core.tables(Chain(0.5, 20)):
        assert f'"name": "{name}"' in text
