"""Every lesson, in both languages, through `dashboard.py`."""

import pytest

from core.words import LANGUAGES, Words
from pages import LESSONS
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
