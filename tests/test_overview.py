"""Overview: every sentence about every road is true, and every door opens."""

import json
from itertools import product

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as draw

from core import gradient_multiplier, overview, residual_explorer, roads
from core.charts import overview as charts
from core.roads import Road
from core.words import LANGUAGES, Words
from pages import LESSONS
from tests.conftest import open_page

ROADS = draw.builds(
    Road,
    draw.integers(0, 30).map(lambda step: round(0.05 * step, 2)),
    draw.integers(1, 20),
    draw.sampled_from(roads.MIDDLE),
    draw.integers(0, 9),
)


def test_a_closed_station_stops_the_plain_road_only() -> None:
    closed = overview.arrivals(Road(0.2, 20, "0"))
    assert closed["plain"].size == 0
    assert closed["residual"].kind == "legible"


def test_a_station_that_returns_minus_x_stops_the_bypass_only() -> None:
    """Article 1, section 7: F(x) = −x leaves 0."""
    cancelled = overview.arrivals(Road(0.2, 20, "-x"))
    assert cancelled["residual"].size == 0
    assert cancelled["plain"].size > 0


def test_every_verdict_on_every_road_is_true() -> None:
    for step, n, middle, digit in product(range(31), range(1, 21), roads.MIDDLE, (0, 3, 7)):
        road = Road(round(0.05 * step, 2), n, middle, digit)
        plain, residual = overview.arrivals(road).values()
        assert plain.kind != "legible", road
        match overview.moral(plain, residual):
            case "bypass":
                assert residual.likeness >= 0.5
                assert 0.045 <= residual.size <= 10
            case "cancelled":
                assert residual.size == 0
                assert middle == "-x"
            case "harm":
                assert residual.size > 1
                assert 1 / residual.size < plain.size < residual.size
            case "drowned":
                assert residual.likeness < 0.5
                assert middle != "-x"


@given(ROADS)
def test_what_is_drawn(road: Road) -> None:
    pixels, stops = overview.pixels(road), pd.DataFrame(overview.stops(road))
    shown = min(road.stations + 1, 6)
    assert len(stops) == 2 * shown
    assert len(pixels) == 128 * shown
    assert np.isfinite(pixels["ink"]).all()
    assert set(stops["station"]) >= {0, road.stations}
    assert list(stops["fault"]).count("") == len(stops) - (0 if road.middle == "F(x)" else 2)
    last = pixels["ink"].to_numpy()[-64:]
    assert last == pytest.approx(roads.drive(road)["residual"][-1])


@given(ROADS)
def test_every_visible_pixel_is_drawn_in_its_place_and_colour(road: Road) -> None:
    left, top, drawn = overview.PITCH, overview.TOP, pd.DataFrame(overview.visible(road))
    expected = [
        (
            slot * left + column + 0.5,
            top[who] + row + 0.5,
            who if ink >= 0 else "negative",
            pytest.approx(min(abs(ink), 1)),
        )
        for who, slot, _, row, column, ink in overview.pixels(road).to_numpy()
        if abs(ink) >= 1 / 256
    ]
    assert list(drawn.itertuples(index=False, name=None)) == expected
    assert not drawn.duplicated(["x", "y"]).any()


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_chart_is_whole_and_says_no_axis_in_every_layer(lang: str) -> None:
    """A layer with an axis among layers without one makes Vega-Lite fail, and the page is empty."""
    spec = charts.road(Words("overview", lang)).to_dict()
    names = {layer["data"].get("name") for layer in spec["layer"]}
    assert {"rows", "stops"} <= names
    for layer in spec["layer"]:
        assert all(layer["encoding"][way]["axis"] is None for way in ("x", "y"))
    assert Words("overview", lang)("road.plain") in json.dumps(spec, ensure_ascii=False)


def sections(listed: str) -> set[str]:
    """Return the sections that a list such as `3.1 – 3.4, 8` names."""
    found: set[str] = set()
    for part in filter(None, listed.split(", ")):
        first, _, last = part.partition(" – ")
        if last:
            chapter, low, high = first.split(".")[0], first.split(".")[1], last.split(".")[1]
            found |= {f"{chapter}.{number}" for number in range(int(low), int(high) + 1)}
        else:
            found.add(first)
    return found


def test_every_section_of_the_articles_has_a_door() -> None:
    own = ({"1", "9", "10"}, {"1.1", "1.3", "3.1", "3.2", "5.1", "5.2", "5.3", "5.4"})
    first = own[0].union(*(sections(listed) for listed, _ in overview.ARTICLES.values()))
    second = own[1].union(*(sections(listed) for _, listed in overview.ARTICLES.values()))
    assert {str(number) for number in (1, 2, 4, 5, 6, 7, 8, 9, 10)} <= first
    assert {"3.1", "3.2", "3.3", "3.4"} <= first
    counts = {1: 3, 2: 3, 3: 3, 4: 3, 5: 4}
    assert {f"{a}.{b + 1}" for a, count in counts.items() for b in range(count)} <= second
    assert set(overview.ARTICLES) == {lesson.stem for lesson in LESSONS[1:6]}


@pytest.mark.parametrize("name", overview.QUESTIONS)
def test_a_door_opens_a_state_that_the_lesson_takes(name: str) -> None:
    stem, query = overview.QUESTIONS[name]
    app = open_page(stem, "en", **query)
    assert not app.exception
    assert not any("=" in code.value for code in app.code)
    for key, value in query.items():
        assert app.session_state[key] == value


@pytest.mark.parametrize("lang", LANGUAGES)
def test_numbers_in_the_words_are_those_of_the_lessons(lang: str) -> None:
    say = Words("overview", lang)
    missed = residual_explorer.misses(residual_explorer.PRESETS["article"]).plain
    assert f"{missed:.2f}" in say("card.residual_explorer")
    assert 10 ** gradient_multiplier.log10_plain(0.5, 20) == pytest.approx(9.54e-7, rel=1e-3)
    assert 10 ** gradient_multiplier.log10_residual(0.5, 20) == pytest.approx(3325, abs=0.5)
    assert all(number in say("card.gradient_multiplier") for number in ("9.54×10⁻⁷", "3,325"))
    assert 10 ** gradient_multiplier.log10_plain(-0.9, 20) == pytest.approx(0.122, rel=5e-3)
    assert gradient_multiplier.log10_residual(-0.9, 20) == pytest.approx(-20)
    w, g = np.array([[0.1, 0.2], [-0.1, 0.3]]), np.array([0.5, 1.5])
    assert w.T @ g == pytest.approx([-0.1, 0.55])
    assert g + w.T @ g == pytest.approx([0.4, 2.05])


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("tab", ["lessons", "questions", "depth", "blocks", "practice", "code"])
def test_every_tab_opens(tab: str, lang: str) -> None:
    app = open_page("overview", lang, tab=tab)
    assert not app.exception


def test_a_preset_and_a_claim_set_the_road() -> None:
    app = open_page("overview", "en", tab="depth")
    app.button(key="preset_overview_strong").click().run()
    assert app.slider(key="ov_share").value == 1.0
    app.button(key="claim_overview_original_arrives").click().run()
    assert app.session_state["ov_middle"] == "-x"
    assert any("not a guarantee" in text.value for text in app.markdown)
