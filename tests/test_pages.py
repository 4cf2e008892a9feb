"""Every lesson, in both languages, through `dashboard.py`."""

import json
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from core.words import LANGUAGES, Words, catalogue
from pages import LESSONS, Lesson
from tests.conftest import open_page

STEMS = [lesson.stem for lesson in LESSONS]


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("stem", STEMS)
def test_a_lesson_opens_with_its_title_and_a_chart(stem: str, lang: str) -> None:
    app = open_page(stem, lang)
    assert not app.exception
    assert app.title[0].value == Words(stem, lang)("title")
    assert app.get("vega_lite_chart")


@pytest.mark.parametrize("stem", STEMS)
def test_changing_the_language_keeps_the_page(stem: str) -> None:
    app = open_page(stem, "en")
    app.sidebar.segmented_control(key="lang").set_value("zh").run()
    assert not app.exception
    assert app.title[0].value == Words(stem, "zh")("title")


@pytest.mark.parametrize("stem", STEMS[1:])
def test_a_link_with_an_unknown_value_is_noted(stem: str) -> None:
    prefix = next(lesson.prefix for lesson in LESSONS if lesson.stem == stem)
    app = open_page(stem, "en", **{f"{prefix}nonsense": "<b>1</b>"})
    assert not app.exception
    assert any(f"{prefix}nonsense=<b>1</b>" in code.value for code in app.code)


@pytest.mark.parametrize("lesson", LESSONS, ids=STEMS)
def test_nothing_is_noted_about_a_link_to_the_page_as_it_is(lesson: Lesson) -> None:
    app = open_page(lesson.stem)
    link = values(app, lesson.prefix)
    app = open_page(lesson.stem, "en", **link)
    assert values(app, lesson.prefix) == link
    assert not any(f"{key}=" in code.value for code in app.code for key in link)


BAD = ["abc", "5000000", "-inf", "", "<b>$x$</b> ![](http://example.org/p.png)"]
KINDS = ("slider", "select_slider", "number_input", "segmented_control", "selectbox", "toggle")


def values(app: AppTest, prefix: str) -> dict[str, object]:
    """Return the controls of a page that are drawn, by their keys."""
    drawn: list[Any] = [widget for kind in KINDS for widget in app.main.get(kind)]
    return {str(it.key): it.value for it in drawn if str(it.key).startswith(prefix)}


@pytest.mark.parametrize("bad", BAD)
@pytest.mark.parametrize("lesson", LESSONS, ids=STEMS)
def test_no_control_chokes_on_what_a_link_says(lesson: Lesson, bad: str) -> None:
    defaults = values(open_page(lesson.stem), lesson.prefix)
    assert defaults
    app = open_page(lesson.stem, "en", **dict.fromkeys(defaults, bad))
    assert not app.exception
    assert values(app, lesson.prefix) == defaults
    noted = [line for code in app.code for line in code.value.splitlines()]
    assert sum(line.split("=")[0] in defaults for line in noted) >= min(len(defaults), 8)
    assert not any(bad in text.value for text in app.markdown if bad.startswith("<"))


TABS = [
    (stem, key.removeprefix("tab."))
    for stem in STEMS
    for key in catalogue(stem)
    if key.startswith("tab.")
]


def reads(part: Any) -> bool:
    """Tell whether some layer of a chart says under the pointer what it shows."""
    if isinstance(part, list):
        return any(map(reads, part))
    if not isinstance(part, dict):
        return False
    return bool(part.get("tooltip")) or "params" in part or any(map(reads, part.values()))


@pytest.mark.parametrize(("stem", "tab"), TABS)
def test_every_chart_says_its_numbers_under_the_pointer(stem: str, tab: str) -> None:
    app = open_page(stem, "en", tab=tab)
    assert not app.exception
    specs = [json.loads(chart.proto.spec) for chart in app.get("vega_lite_chart")]
    assert specs
    for spec in specs:
        a_drawing = '"axis": {"' not in json.dumps(spec["layer"])
        assert a_drawing or reads(spec), spec


def label_expressions(part: Any) -> list[str]:
    """Return what the legends and axes of a spec write in place of their keys."""
    if isinstance(part, list):
        return [found for each in part for found in label_expressions(each)]
    if not isinstance(part, dict):
        return []
    own = [part["labelExpr"]] if "labelExpr" in part else []
    return own + label_expressions(list(part.values()))


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize(("stem", "tab"), TABS)
def test_no_apostrophe_ends_a_word_in_a_legend(stem: str, tab: str, lang: str) -> None:
    for chart in open_page(stem, lang, tab=tab).get("vega_lite_chart"):
        for expression in label_expressions(json.loads(chart.proto.spec)):
            if expression.startswith("{"):
                names, end = json.JSONDecoder().raw_decode(expression)
                assert all(names.values())
                assert expression[end:] == "[datum.label]"
