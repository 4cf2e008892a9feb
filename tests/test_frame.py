"""The frame under AppTest: language, notes, tabs, refusals, the check table."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor

import altair as alt
import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from core.limits import Refused
from core.words import LANGUAGES, Words
from pages import LESSONS
from pages.shared import frame
from tests.conftest import ROOT, open_page


def opened(locale: str | None = None, **query: str) -> AppTest:
    app = AppTest.from_file(str(ROOT / "dashboard.py"), default_timeout=60)
    if locale:
        app.context["locale"] = locale
    for key, value in query.items():
        app.query_params[key] = value
    return app.run()


def noted(app: AppTest) -> list[str]:
    return [line for code in app.code for line in code.value.splitlines() if "=" in line]


@pytest.mark.parametrize(
    ("locale", "query", "lang"),
    [
        (None, {}, "en"),
        ("zh-CN", {}, "zh"),
        ("zh", {}, "zh"),
        ("zh-Hant-TW", {}, "zh"),
        ("de-DE", {}, "en"),
        ("zh-CN", {"lang": "en"}, "en"),
        ("en-US", {"lang": "zh"}, "zh"),
        ("zh-CN", {"lang": "fr"}, "zh"),
        ("en-US", {"lang": ""}, "en"),
    ],
)
def test_the_language_is_the_links_then_the_browsers(
    locale: str | None, query: dict, lang: str
) -> None:
    app = opened(locale, **query)
    assert app.title[0].value == Words("overview", lang)("title")


def test_the_readers_choice_beats_the_link_and_the_browser() -> None:
    app = opened("zh-CN", lang="zh")
    app.sidebar.segmented_control(key="lang").set_value("en").run()
    assert app.title[0].value == "Overview"
    assert app.query_params["lang"] == "en"


def test_an_unknown_language_is_noted_until_one_is_chosen() -> None:
    app = opened(lang="fr")
    assert "lang=fr" in noted(app)
    app.slider(key="ov_stations").set_value(5).run()
    assert "lang=fr" in noted(app)
    app.sidebar.segmented_control(key="lang").set_value("zh").run()
    assert "lang=fr" not in noted(app)


def test_notes_go_with_the_page() -> None:
    app = open_page("overview", "en", ov_stations="5000")
    assert noted(app) == ["ov_stations=5000"]
    app.switch_page("pages/gradient_multiplier.py").run()
    assert noted(app) == []


def test_an_unknown_tab_is_noted_until_a_tab_is_chosen() -> None:
    app = open_page("overview", "en", tab="<b>x</b>")
    assert noted(app) == ["tab=<b>x</b>"]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_link_opens_a_tab_and_only_its_body_is_run(lang: str) -> None:
    app = open_page("overview", lang, tab="blocks")
    assert app.dataframe
    assert not any(caption.value.startswith(("Article 1:", "文章一：")) for caption in app.caption)


def test_the_open_tab_stays_open_in_the_other_language() -> None:
    app = open_page("overview", "en", tab="blocks")
    app.sidebar.segmented_control(key="lang").set_value("zh").run()
    assert not app.exception
    assert Words("overview", "zh")("block.bottleneck") in app.dataframe[0].value.to_string()
    assert app.query_params["tab"] == "blocks"


def test_a_refusal_shows_what_a_link_said_as_text() -> None:
    def script() -> None:
        from core.limits import one_of
        from core.words import Words
        from pages.shared import frame

        with frame.refusals(Words("shared", "en")):
            one_of("init", "![x](http://example.org/y.png) <b> $z$ " + "w" * 500, ("a", "b"))

    app = AppTest.from_function(script).run()
    said = app.warning[0].value
    assert "\\!\\[x\\]\\(http\\:\\/\\/example\\.org" in said
    assert "\\<b\\>" in said
    assert "\\$z\\$" in said
    assert len(said) < 250


def test_a_bug_is_not_mistaken_for_a_refusal() -> None:
    with pytest.raises(ValueError, match="bug"), frame.refusals(Words("shared", "en")):
        raise ValueError("bug")
    assert issubclass(Refused, ValueError)


def test_the_check_table_shows_every_number_to_six_digits() -> None:
    def script() -> None:
        import pandas as pd

        from core.words import Words
        from pages.shared import below

        rows = [("tiny", 0.5**20, 0.5**20 * (1 + 1e-3)), ("large", 1.5**20, 1.5**20)]
        columns = ["quantity", "closed", "autograd"]
        below.check(Words("shared", "en"), pd.DataFrame(rows, columns=columns))

    app = AppTest.from_function(script).run()
    table: pd.DataFrame = app.dataframe[0].value
    assert table["Closed form"].tolist() == ["9.53674×10⁻⁷", "3,325.26"]
    assert table["torch.autograd"].tolist() == ["9.54628×10⁻⁷", "3,325.26"]
    assert "9.54×10⁻¹⁰" in app.markdown[0].value


def test_a_spec_is_built_once_for_a_class_that_opens_a_page_at_the_same_moment() -> None:
    built = []
    gate = threading.Barrier(8)

    def chart(say: Words) -> alt.Chart:
        built.append(say)
        time.sleep(0.05)
        return alt.Chart(alt.NamedData("rows")).mark_point()

    def reader(_: int) -> dict:
        gate.wait()
        return frame._spec(chart, Words("shared", "en"), ())

    with ThreadPoolExecutor(8) as readers:
        first, *others = readers.map(reader, range(8))
    assert len(built) == 1
    assert all(other is first for other in others)


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.stem)
def test_prefixes_and_icons_fit_the_design(lesson) -> None:
    """Keys begin with the prefix, and an icon is an emoji: others make the browser call a host."""
    assert lesson.prefix.endswith("_")
    assert sum(other.prefix == lesson.prefix for other in LESSONS) == 1
    assert not lesson.icon.isascii()
