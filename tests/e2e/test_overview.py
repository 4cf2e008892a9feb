"""The overview in a browser: the road answers a key, and a door leads to its lesson."""

import re
from collections.abc import Callable

from playwright.sync_api import Page, expect


def test_the_road_follows_the_keyboard_and_a_door_opens(visit: Callable[[str], Page]) -> None:
    page = visit("/")
    chart = page.get_by_test_id("stVegaLiteChart").locator("canvas")
    before = chart.screenshot()
    expect(page.get_by_text("arrives at 1.05×10⁻¹⁴ times its size")).to_be_visible()
    slider = page.get_by_role("slider", name="Number of stations")
    slider.focus()
    for _ in range(15):
        slider.press("ArrowLeft")
    expect(page.get_by_text("arrives at 3.20×10⁻⁴ times its size")).to_be_visible()
    expect(page).to_have_url(re.compile("ov_stations=5"))
    assert chart.screenshot() != before

    page.get_by_role("button", name="One station cancels").press("Enter")
    expect(page.get_by_text("a sum, not a guarantee")).to_be_visible()
    expect(page).to_have_url(re.compile("ov_middle=-x"))

    page.get_by_test_id("stMain").get_by_role("link", name="Gradient multiplier").click()
    expect(page.get_by_role("heading", name="Gradient multiplier")).to_be_visible()


def test_the_question_about_harm_opens_the_state_that_shows_it(
    visit: Callable[[str], Page],
) -> None:
    page = visit("/?lang=zh")
    page.get_by_role("radio", name="四个问题", exact=True).click()
    page.get_by_test_id("stMain").get_by_role("link", name="梯度倍率").click()
    expect(page.get_by_role("heading", name="梯度倍率")).to_be_visible()
    expect(page.get_by_role("slider", name="局部导数")).to_have_value("-0.9")
    expect(page).to_have_url(re.compile("lang=zh"))


def test_the_program_follows_the_road_and_a_claim_sets_it(visit: Callable[[str], Page]) -> None:
    page = visit("/?tab=code")
    program = page.get_by_test_id("stCode").first
    expect(program).to_contain_text("range(1, 20 + 1)")
    page.get_by_role("slider", name="Number of stations").press("ArrowLeft")
    expect(program).to_contain_text("range(1, 19 + 1)")
    page.get_by_role("radio", name="Why depth needs it", exact=True).click()
    shown = page.get_by_role("button", name="Show it on this page")
    expect(shown).to_have_count(2)  # claims are drawn one after the other
    shown.last.click()
    expect(page.get_by_text("a sum, not a guarantee")).to_be_visible()
    page.get_by_role("radio", name="The code", exact=True).click()
    expect(program).to_contain_text("return -h")
