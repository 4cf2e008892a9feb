"""The gradient multiplier in a real browser: keyboard, pointer, tabs, claims, links."""

import re
from collections.abc import Callable

from playwright.sync_api import Locator, Page, expect

from tests.e2e.conftest import SETTLED


def chart(page: Page, number: int) -> Locator:
    return page.get_by_test_id("stVegaLiteChart").nth(number)


def point_at(page: Page, target: Locator, across: float, down: float) -> None:
    target.scroll_into_view_if_needed()
    box = target.bounding_box()
    assert box
    x, y = box["x"] + across * box["width"], box["y"] + down * box["height"]
    page.mouse.move(x - 8, y)
    page.mouse.move(x, y)


def test_the_whole_way_through_the_page(visit: Callable[[str], Page]) -> None:
    page = visit("/gradient_multiplier")
    expect(page.get_by_test_id("stMetricValue")).to_have_text(["9.54×10⁻⁷", "3,325"])
    slider = page.get_by_role("slider", name="Local derivative")
    slider.focus()
    slider.press("ArrowLeft")
    expect(page).to_have_url(re.compile(r"gm_a=0\.49"))
    expect(page.get_by_test_id("stMetricValue")).to_have_text(["6.37×10⁻⁷", "2,909"])
    page.get_by_role("button", name="Exactly zero", exact=True).click()
    expect(page.get_by_test_id("stMetricValue")).to_have_text(["1", "0"])
    expect(page.get_by_text("the branch cancels the shortcut in every layer")).to_be_visible()
    page.get_by_role("radio", name="Paths", exact=True).click()
    expect(page).to_have_url(re.compile("tab=paths"))
    expect(page.get_by_text("paths together give exactly")).to_be_visible()
    expect(chart(page, 1).locator("svg, canvas").first).to_be_visible()
    page.get_by_role("radio", name="Common wrong claims", exact=True).click()
    page.get_by_role("button", name="Show it on this page").nth(2).click()
    expect(page.get_by_role("radio", name="Matrices", exact=True)).to_be_checked()
    expect(page.get_by_text("yet the product has grown")).to_be_visible()
    expect(page.get_by_role("slider", name="Matrices multiplied")).to_have_value("20")
    page.get_by_role("radio", name="Check it", exact=True).click()
    torch_loads = 60_000  # milliseconds, on a busy machine
    expect(page.get_by_text("Largest difference")).to_be_visible(timeout=torch_loads)


def test_the_strip_and_the_map_follow_the_pointer(visit: Callable[[str], Page]) -> None:
    page = visit("/gradient_multiplier?tab=map")
    strip = chart(page, 0)
    expect(strip.get_by_text("touch the strip")).to_be_visible()
    point_at(page, strip, 0.5, 0.4)
    expect(strip.get_by_text(re.compile("a = "))).to_be_visible()
    first = strip.get_by_text(re.compile("a = ")).text_content() or ""
    point_at(page, strip, 0.3, 0.4)
    expect(strip.get_by_text(first, exact=True)).to_have_count(0)
    expect(strip.get_by_text("residual is smaller")).to_be_visible()
    half_map = chart(page, 1)
    expect(half_map.locator("canvas")).to_be_visible()
    before = half_map.screenshot()
    point_at(page, half_map, 0.7, 0.6)
    page.wait_for_timeout(500)
    assert half_map.screenshot() != before
    expect(page.get_by_test_id("stMetricValue")).to_have_text(["9.54×10⁻⁷", "3,325"])


def test_a_link_opens_a_tab_with_its_controls_and_the_language_keeps_both(
    visit: Callable[[str], Page],
) -> None:
    page = visit("/gradient_multiplier?tab=matrices&gm_m_family=s·E&gm_m_d=2&gm_m_s=10&gm_n=50")
    expect(page.get_by_role("radio", name="Matrices", exact=True)).to_be_checked()
    expect(page.get_by_text("0.099").first).to_be_visible()
    page.get_by_text("简体中文").click()
    expect(page.get_by_role("radio", name="矩阵", exact=True)).to_be_checked()
    expect(page.get_by_text("0.099").first).to_be_visible()
    page.get_by_role("radio", name="各层不等", exact=True).click()
    expect(page.get_by_role("slider", name="a 的离散程度")).to_be_visible()
    page.get_by_role("radio", name="矩阵", exact=True).click()
    page.wait_for_selector(SETTLED)
    strength = page.get_by_role("group", name="s", exact=True).get_by_role("slider")
    expect(strength).to_have_value("10")
    expect(page).to_have_url(re.compile("gm_m_d=2"))
