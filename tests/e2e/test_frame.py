"""The frame in a real browser: cold deep links, language, embedding, what a link says."""

import re
import socket
from collections.abc import Callable

import pandas as pd
import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from core.words import Words
from pages import LESSONS, Lesson
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


def test_the_language_comes_from_the_browser(browser: Browser, server: str) -> None:
    context = browser.new_context(locale="zh-CN")
    page = context.new_page()
    page.goto(f"{server}/gradient_multiplier")
    expect(page.get_by_role("heading", name="梯度倍率")).to_be_visible()
    expect(page).to_have_url(re.compile("lang=zh"))
    context.close()


def test_an_unknown_language_is_noted_until_one_is_chosen(visit: Callable[[str], Page]) -> None:
    page = visit("/gradient_multiplier?lang=fr")
    expect(page.get_by_text("lang=fr")).to_be_visible()
    expect(page).to_have_url(re.compile("lang=en"))
    page.get_by_text("简体中文").click()
    expect(page.get_by_role("heading", name="梯度倍率")).to_be_visible()
    expect(page.get_by_text("lang=fr")).to_have_count(0)


def test_the_open_tab_stays_open_in_the_other_language(visit: Callable[[str], Page]) -> None:
    page = visit("/")
    page.get_by_role("radio", name="Blocks in practice", exact=True).click()
    expect(page).to_have_url(re.compile("tab=blocks"))
    page.get_by_text("简体中文").click()
    tab = page.get_by_role("radio", name="残差块的工程细节", exact=True)
    expect(tab).to_be_checked()
    expect(page).to_have_url(re.compile("tab=blocks"))


def test_embedded_pages_lead_to_embedded_pages(visit: Callable[[str], Page]) -> None:
    page = visit("/?embed=true&lang=zh")
    page.get_by_role("link", name="梯度倍率").first.click()
    expect(page.get_by_role("heading", name="梯度倍率")).to_be_visible()
    expect(page.get_by_test_id("stSidebar")).to_have_count(0)
    expect(page).to_have_url(re.compile("embed=true"))


def test_what_a_link_said_in_vain_stays_noted_until_its_control_moves(
    visit: Callable[[str], Page],
) -> None:
    page = visit("/?ov_share=abc&ov_stations=inf&ov_digit=7.9&ov_x=<b>1</b>&ov_middle=0")
    note = page.get_by_test_id("stCode")
    for said in ("ov_share=abc", "ov_stations=inf", "ov_digit=7.9", "ov_x=<b>1</b>"):
        expect(note).to_contain_text(said)
    expect(page.get_by_role("slider", name="Number of stations")).to_have_value("20")
    expect(page.get_by_role("slider", name="Parcel")).to_have_value("7")
    page.get_by_role("slider", name="Share").press("ArrowRight")
    expect(note).not_to_contain_text("ov_share")
    expect(note).to_contain_text("ov_stations=inf")
    page.get_by_role("slider", name="Number of stations").press("ArrowLeft")
    expect(note).not_to_contain_text("ov_stations")
    expect(note).to_contain_text("ov_x=<b>1</b>")


CHARTS = "[...document.querySelectorAll('[data-testid=stVegaLiteChart] :is(svg, canvas)')]"
MARK = f"{CHARTS}.forEach(it => it.drawnOnce = true)"
KEPT = f"{CHARTS}.map(it => it.drawnOnce === true)"


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.stem)
def test_a_slider_moved_by_the_keyboard_redraws_no_chart_from_scratch(
    visit: Callable[[str], Page], lesson: Lesson
) -> None:
    page = visit(f"/{'' if lesson.stem == 'overview' else lesson.stem}")
    expect(page.get_by_test_id("stVegaLiteChart").first.locator("svg, canvas")).to_be_visible()
    page.wait_for_timeout(500)  # the charts settle in the width they are given
    page.evaluate(MARK)
    slider = page.get_by_test_id("stMain").get_by_role("slider").first
    for key in ("ArrowRight", "ArrowRight", "ArrowRight", "ArrowLeft"):
        slider.press(key)
        page.wait_for_selector(SETTLED)
    expect(page).to_have_url(re.compile(lesson.prefix))
    kept = page.evaluate(KEPT)
    assert kept
    assert all(kept)


TOLD = """
window.told = new Set();
new MutationObserver(() => {
    const tip = document.querySelector('#vg-tooltip-element.visible');
    if (tip) told.add(tip.innerText);
}).observe(document, {subtree: true, childList: true, attributes: true});
"""
COLUMN = re.compile(r"(?<!\w)(?!log)[a-z_]{2,}\d?")
"""What names a column of a table and stands in no Chinese tooltip: `x2`, `who`, `drawn_loss`."""


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.stem)
def test_a_tooltip_speaks_the_readers_language(
    visit: Callable[[str], Page], page: Page, lesson: Lesson
) -> None:
    page.add_init_script(TOLD)
    visit(f"/{'' if lesson.stem == 'overview' else lesson.stem}?lang=zh")
    chart = page.get_by_test_id("stVegaLiteChart").locator("svg, canvas").first
    expect(chart).to_be_visible()
    page.wait_for_timeout(500)
    chart.scroll_into_view_if_needed()
    box = chart.bounding_box()
    assert box
    for line in range(1, 8):
        y = box["y"] + box["height"] * line / 8
        page.mouse.move(box["x"], y)
        page.mouse.move(box["x"] + box["width"], y, steps=24)
    told = page.evaluate("[...told]")
    assert not [tip for tip in told if COLUMN.search(tip)]
    assert told or lesson.stem in ("gradient_multiplier", "layernorm_placement")  # they draw it


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.stem)
def test_a_page_asks_no_other_host_for_anything(
    visit: Callable[[str], Page], page: Page, server: str, lesson: Lesson
) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    visit(f"/{'' if lesson.stem == 'overview' else lesson.stem}?lang=zh")
    expect(page.get_by_test_id("stVegaLiteChart").first.locator("svg, canvas")).to_be_visible()
    own = (server, server.replace("http", "ws"), "data:", "blob:")
    assert asked
    assert not [url for url in asked if not url.startswith(own)]


def test_the_rows_of_a_figure_can_be_saved(visit: Callable[[str], Page]) -> None:
    page = visit("/")
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save data").click()
    assert saved.value.suggested_filename == "overview-road.csv"
    rows = pd.read_csv(saved.value.path())
    assert list(rows) == ["who", "slot", "station", "row", "column", "ink"]
    assert len(rows) == 768


def test_the_keyboard_reaches_everything(visit: Callable[[str], Page]) -> None:
    page = visit("/")
    page.get_by_test_id("stSidebarNavLink").first.focus()
    reached: set[str] = set()
    name = (
        "(it => it.getAttribute('aria-label') || it.innerText || it.name)(document.activeElement)"
    )
    for _ in range(60):
        page.keyboard.press("Tab")
        reached.add(str(page.evaluate(name)).strip())
    wanted = ["Gradient multiplier", "One station cancels", "Save data", "The lessons"]
    wanted += ["Number of stations n", "Share g that a station hands on", "简体中文"]
    assert not [text for text in wanted if not any(text in it for it in reached)], reached


def test_the_server_looks_nothing_up_when_it_starts() -> None:
    """Any look-up over HTTP would go through the proxy, which counts."""
    with socket.create_server(("127.0.0.1", 0)) as proxy:
        proxy.settimeout(0.1)
        address = f"http://127.0.0.1:{proxy.getsockname()[1]}"
        with (
            serve(address=None, env={"http_proxy": address, "https_proxy": address}),
            pytest.raises(TimeoutError),
        ):
            proxy.accept()


def test_going_back_in_the_browser_goes_back_through_the_tabs(
    visit: Callable[[str], Page],
) -> None:
    page = visit("/gradient_multiplier?lang=en")
    say = Words("gradient_multiplier", "en")

    def tab(name: str) -> Locator:
        return page.get_by_role("radio", name=say(f"tab.{name}"), exact=True)

    def is_open(name: str) -> None:
        expect(tab(name)).to_be_checked()

    for name in ("depth", "paths"):
        tab(name).click()
        expect(page).to_have_url(re.compile(f"tab={name}"))
        is_open(name)
    page.go_back()
    is_open("depth")
    expect(page.get_by_test_id("stException")).to_have_count(0)
    page.go_back()
    is_open("try")
    page.go_forward()
    is_open("depth")
