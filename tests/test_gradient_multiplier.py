"""Gradient multiplier: the first screen, the tabs, and every link to them."""

import json
from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest
from altair.typing import ChartType
from hypothesis import given
from hypothesis import strategies as draw

from core import gradient_multiplier as core
from core import multiplier
from core.charts import gradient_multiplier as charts
from core.gradient_claims import BLOCKS, NEURONS
from core.limits import to_step
from core.multiplier import A_LOW, A_STEP, LOG10, Chain
from core.words import LANGUAGES, Words, catalogue
from pages.tabs import gradient_multiplier as tabs
from tests.conftest import open_page

TABS = ("map", "unequal", "paths", "matrices", "ceilings", "check", "claims", "code", "sources")
hundredths = draw.integers(-300, 300)
depths = draw.integers(1, 1000)


def test_every_verdict_has_its_sentence_and_every_sentence_can_come_up() -> None:
    said = {core.verdict(Chain(k / 100, n)) for k in range(-300, 301) for n in (1, 2, 20, 1000)}
    phrases = {key for key in catalogue("gradient_multiplier") if key.startswith("verdict.")}
    assert {f"verdict.{name}" for name in said} == phrases


@given(hundredths, depths)
def test_the_sentences_hold(k: int, n: int) -> None:
    """What a verdict says beyond its two zones."""
    name = core.verdict(Chain(k / 100, n))
    assert name != "zero_tame" or k == 0
    assert name != "tame_zero" or k == -100
    if name == "explodes_tame":
        assert abs(abs(1 + k / 100) - 1) < abs(abs(k / 100) - 1)


def test_by_depth_marks_an_exact_zero_and_draws_no_infinity() -> None:
    rows = core.by_depth(Chain(-1.0, 20))
    residual = rows[rows["who"] == "residual"]
    assert residual["zero"].tolist() == [False] + [True] * 20
    assert not np.isinf(rows["log10"].to_numpy()).any()


@given(hundredths, depths)
def test_the_strip_shows_the_zone_that_the_number_is_in(k: int, n: int) -> None:
    a = k / 100
    rows = pd.DataFrame(core.zones(n))
    for who, log10 in LOG10.items():
        row = rows[(rows["who"] == who) & (rows["start"] <= a) & (a <= rows["end"])]
        assert multiplier.zone(log10(a, n)).replace("zero", "vanishes") in set(row["zone"])
        mine = rows.query("who == @who")
        assert mine["start"].iloc[0] == -3
        assert mine["end"].iloc[-1] == 3
        assert mine["start"].tolist()[1:] == mine["end"].tolist()[:-1]


def test_the_strip_reads_the_numbers_of_the_article() -> None:
    rows = pd.DataFrame(core.readings(20)).set_index("a")
    assert rows.loc[0.5].tolist() == ["9.54×10⁻⁷", "3,325", "larger"]
    assert rows.loc[-0.5].tolist() == ["9.54×10⁻⁷", "9.54×10⁻⁷", "equal"]
    assert rows.loc[-1.0].tolist() == ["1", "0", "smaller"]
    assert rows.loc[0.0].tolist() == ["0", "1", "larger"]


@pytest.mark.parametrize("name", core.PRESETS)
def test_a_preset_lies_on_the_grid_of_the_controls(name: str) -> None:
    chain = Chain(*core.PRESETS[name])
    assert chain.a == to_step(chain.a, A_STEP, A_LOW)


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


@pytest.mark.parametrize(("a", "n"), [*core.PRESETS.values(), (-3.0, 1000), (0.0, 1)])
def test_the_snippet_prints_the_two_numbers(
    a: float, n: int, capsys: pytest.CaptureFixture[str]
) -> None:
    exec(core.snippet(Chain(a, n)), {})
    for line, (who, log10) in zip(capsys.readouterr().out.splitlines(), LOG10.items(), strict=True):
        name, printed = line.split()
        assert name == who
        assert float(printed) == pytest.approx(log10(a, n), abs=1e-9)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_first_screen(lang: str) -> None:
    app = open_page("gradient_multiplier", lang)
    say = Words("gradient_multiplier", lang)
    assert [metric.value for metric in app.metric] == ["9.54×10⁻⁷", "3,325"]
    assert any(say("verdict.vanishes_explodes", n=20) in text.value for text in app.markdown)
    app.slider(key="gm_a").set_value(-1.0).run()
    assert [metric.value for metric in app.metric] == ["1", "0"]
    assert any(say("verdict.tame_zero") in text.value for text in app.markdown)


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("tab", TABS)
def test_a_link_opens_a_tab(tab: str, lang: str) -> None:
    app = open_page("gradient_multiplier", lang, tab=tab, gm_a=-0.9, gm_n=100)
    assert not app.exception
    assert app.session_state["gradient_multiplier_tab"] == tab
    assert [metric.value for metric in app.metric] == ["2.66×10⁻⁵", "1.00×10⁻¹⁰⁰"]


@pytest.mark.parametrize("name", BLOCKS)
def test_a_link_opens_a_matrix_preset(name: str) -> None:
    query = tabs.matrix_keys(BLOCKS[name])
    app = open_page("gradient_multiplier", "zh", tab="matrices", **query)
    assert not app.exception
    assert len(app.code) == 1  # the program; nothing in the link was ignored
    assert app.slider(key="gm_m_n").value == BLOCKS[name].n
    app.button(key=f"preset_gradient_multiplier_{name}").click().run()
    assert not app.exception
    assert app.slider(key="gm_m_s").value == BLOCKS[name].scale


def test_a_link_keeps_the_controls_of_a_shut_tab_and_notes_what_is_unknown() -> None:
    app = open_page("gradient_multiplier", "en", gm_m_n=50, gm_nonsense=1)
    noted = [code.value for code in app.code]
    assert any("gm_nonsense=1" in text for text in noted)
    assert not any("gm_m_n" in text for text in noted)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_buttons_of_claims_open_what_they_speak_of(lang: str) -> None:
    app = open_page("gradient_multiplier", lang, tab="claims")
    for name, tab, a in (("copy", "depth", -1.0), ("direct_path", "paths", -0.9)):
        app.button(key=f"claim_gradient_multiplier_{name}").click().run()
        assert not app.exception
        assert app.slider(key="gm_a").value == a
        assert app.session_state["gradient_multiplier_tab"] == tab
        app.session_state["gradient_multiplier_tab"] = "claims"
        app.run()
    app.button(key="claim_gradient_multiplier_ceiling").click().run()
    assert not app.exception
    assert app.slider(key="gm_c_w").value == NEURONS["above_one"].w


@pytest.mark.parametrize(("a", "n"), [(-3.0, 1000), (-1.0, 1), (0.0, 1000), (3.0, 1)])
def test_every_tab_stands_at_the_edges(a: float, n: int) -> None:
    for tab in ("depth", "map", "unequal", "paths", "ceilings", "check"):
        app = open_page("gradient_multiplier", "zh", tab=tab, gm_a=a, gm_n=n)
        assert not app.exception
