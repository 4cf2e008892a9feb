"""Gradient multiplier: the articles' numbers, exact arithmetic as the oracle, the charts."""

import json
import math
from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pytest
from altair.typing import ChartType
from hypothesis import given
from hypothesis import strategies as draw

from core import gradient_multiplier as core
from core.charts import gradient_multiplier as charts
from core.limits import Refused, to_step
from core.words import LANGUAGES, Words, catalogue
from tests.conftest import open_page

GOLDEN = [
    # a, n, plain, residual, where
    (0.5, 20, 9.5367e-7, 3325.26, "article 1, 3.1; the residual figure is not in the article"),
    (0.01, 1, 0.01, 1.01, "article 1, 3.2"),
    (-0.5, 20, 9.5367e-7, 9.5367e-7, "the crossing; article 2, 2.2 says the residual one is safe"),
    (-0.9, 20, 0.12158, 1e-20, "article 2, 2.3 says adding I gives a floor: it does not"),
    (0.9, 20, 0.12158, 375_899.7, "the residual chain explodes"),
]


@pytest.mark.parametrize(("a", "n", "plain", "residual", "where"), GOLDEN)
def test_golden(a: float, n: int, plain: float, residual: float, where: str) -> None:
    assert 10 ** core.log10_plain(a, n) == pytest.approx(plain, rel=1e-4), where
    assert 10 ** core.log10_residual(a, n) == pytest.approx(residual, rel=1e-4), where


def test_minus_one_wipes_the_residual_gradient_out_exactly() -> None:
    """Article 1, section 3.3."""
    assert core.log10_residual(-1, 1) == -math.inf
    assert core.log10_plain(-1, 1) == 0


@given(draw.integers(-300, 300), draw.integers(1, 1000))
def test_logarithms_agree_with_exact_fractions(hundredths: int, n: int) -> None:
    for log10, base in (
        (core.log10_plain, Fraction(hundredths, 100)),
        (core.log10_residual, 1 + Fraction(hundredths, 100)),
    ):
        got = log10(hundredths / 100, n)
        if base == 0:
            assert got == -math.inf
        else:
            power = abs(base) ** n
            exact = math.log10(power.numerator) - math.log10(power.denominator)
            assert got == pytest.approx(exact, rel=1e-9, abs=1e-9)


def test_by_depth_marks_an_exact_zero_and_draws_no_infinity() -> None:
    rows = core.by_depth(core.Chain(-1.0, 20))
    residual = rows[rows["who"] == "residual"]
    assert residual["zero"].tolist() == [False] + [True] * 20
    assert not np.isinf(rows["log10"].to_numpy()).any()


hundredths = draw.integers(-300, 300)
depths = draw.integers(1, 1000)


@given(hundredths, depths)
def test_zone_and_order_agree_with_exact_fractions(hundredths: int, n: int) -> None:
    a = Fraction(hundredths, 100)
    plain, residual = abs(a) ** n, abs(1 + a) ** n
    names = []
    for multiplier in (plain, residual):
        if multiplier == 0:
            names.append("zero")
        elif multiplier < Fraction(1, 10):
            names.append("vanishes")
        else:
            names.append("explodes" if multiplier > 10 else "tame")
    chain = core.Chain(hundredths / 100, n)
    assert core.verdict(chain) == "_".join(names)
    relation = (residual > plain) - (residual < plain)
    assert core.order(chain.a) == {-1: "smaller", 0: "equal", 1: "larger"}[relation]


def test_every_verdict_has_its_sentence_and_every_sentence_can_come_up() -> None:
    said = {
        core.verdict(core.Chain(k / 100, n)) for k in range(-300, 301) for n in (1, 2, 20, 1000)
    }
    phrases = {key for key in catalogue("gradient_multiplier") if key.startswith("verdict.")}
    assert {f"verdict.{name}" for name in said} == phrases


@given(hundredths, depths)
def test_the_strip_shows_the_zone_that_the_number_is_in(hundredths: int, n: int) -> None:
    a = hundredths / 100
    rows = core.zones(n)
    for who, log10 in core.LOG10.items():
        row = rows[(rows["who"] == who) & (rows["start"] <= a) & (a <= rows["end"])]
        assert core.zone(log10(a, n)).replace("zero", "vanishes") in set(row["zone"])
        mine = rows.query("who == @who")
        assert mine["start"].iloc[0] == -3
        assert mine["end"].iloc[-1] == 3
        assert mine["start"].tolist()[1:] == mine["end"].tolist()[:-1]


def test_the_strip_reads_the_numbers_of_the_article() -> None:
    rows = core.readings(20).set_index("a")
    assert rows.loc[0.5].tolist() == ["9.54×10⁻⁷", "3,325", "larger"]
    assert rows.loc[-0.5].tolist() == ["9.54×10⁻⁷", "9.54×10⁻⁷", "equal"]
    assert rows.loc[-1.0].tolist() == ["1", "0", "smaller"]
    assert rows.loc[0.0].tolist() == ["0", "1", "larger"]


@pytest.mark.parametrize("name", core.PRESETS)
def test_a_preset_lies_on_the_grid_of_the_controls(name: str) -> None:
    a, n = core.PRESETS[name]
    core.Chain(a, n)
    assert a == to_step(a, core.A_STEP, core.A_LOW)


@pytest.mark.parametrize(("a", "n"), [(3.01, 1), (math.nan, 1), (-math.inf, 1), (0, 0), (0, 1001)])
def test_what_is_out_of_range_is_refused(a: float, n: int) -> None:
    with pytest.raises(Refused):
        core.Chain(a, n)


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("chart", [charts.strip, charts.by_depth])
def test_chart(chart: Callable[[Words], ChartType], lang: str) -> None:
    text = json.dumps(chart(Words("gradient_multiplier", lang)).to_dict(), ensure_ascii=False)
    assert '"rows"' in text
    assert Words("gradient_multiplier", lang)("plain") in text


def test_the_strip_follows_the_pointer() -> None:
    spec = charts.strip(Words("gradient_multiplier", "en")).to_dict()
    assert spec["params"][0]["select"]["on"] == "pointermove"
    follow = [layer for layer in spec["layer"] if "pointer" in json.dumps(layer)]
    assert {layer["mark"]["type"] for layer in follow} == {"rule", "text"}


@pytest.mark.parametrize("lang", LANGUAGES)
def test_first_screen(lang: str) -> None:
    app = open_page("gradient_multiplier", lang)
    say = Words("gradient_multiplier", lang)
    assert [metric.value for metric in app.metric] == ["9.54×10⁻⁷", "3,325"]
    assert any(say("verdict.vanishes_explodes", n=20) in text.value for text in app.markdown)
    app.slider(key="gm_a").set_value(-1.0).run()
    assert [metric.value for metric in app.metric] == ["1", "0"]
    assert any(say("verdict.tame_zero") in text.value for text in app.markdown)
