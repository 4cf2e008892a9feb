"""The frame in a real browser: cold deep links, language, embedding, what a link says."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from pages import LESSONS
from tests.e2e.conftest import SETTLED
from tests.e2e.server import serve


def test_a_deep_link_opens_its_state_on_a_cold_server(page: Page) -> None:
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    with serve() as address:
        page.goto(f"{address}/gradient_multiplier?gm_a=-1&gm_n=50&lang=zh")
        page.wait_for_selector(SETTLED)
        expect(page.get_by_role("heading", name="梯度倍率")).to_be_visible()
        expect(page.get_by_role("slider", name="局部导数")).to_have_value("-1")
        expect(page.get_by_role("slider", name="层数")).to_have_value("50")
        expect(page.get_by_test_id("stSidebarNavLink")).to_have_count(len(LESSONS))
        expect(page.get_by_role("dialog")).to_have_count(0)
        expect(page.get_by_test_id("stException")).to_have_count(0)
        assert "gm_a=-1" in page.url
        assert "lang=zh" in page.url
        foreign = [url for url in requests if not url.startswith((address, "data:", "blob:"))]
        assert not foreign


def test_the_language_control_changes_the_words_and_keeps_the_state(
    visit: Callable[[str], Page],
) -> None:
    page = visit("/gradient_multiplier?gm_n=50")
    page.get_by_text("简体中文").click()
    expect(page.get_by_role("heading", name="梯度倍率")).to_be_visible()
    expect(page.get_by_role("slider", name="层数")).to_have_value("50")
    expect(page).to_have_url(re.compile("lang=zh"))
    expect(page).to_have_url(re.compile("gm_n=50"))


def test_an_unknown_language_is_noted(visit: Callable[[str], Page]) -> None:
    page = visit("/gradient_multiplier?lang=fr")
    expect(page.get_by_text("lang=fr")).to_be_visible()


def test_embedded_the_page_stands_alone(visit: Callable[[str], Page]) -> None:
    page = visit("/gradient_multiplier?embed=true")
    expect(page.get_by_test_id("stVegaLiteChart").first).to_be_visible()
    expect(page.get_by_test_id("stSidebar")).to_have_count(0)


@pytest.mark.parametrize("stem", [lesson.stem for lesson in LESSONS])
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_nothing_scrolls_sideways_on_a_phone(
    visit: Callable[[str], Page], page: Page, stem: str, lang: str
) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    visit(f"/{'' if stem == 'overview' else stem}?lang={lang}")
    main = "document.querySelector('[data-testid=stMain]')"
    page.wait_for_function(f"{main}.scrollWidth <= {main}.clientWidth")
