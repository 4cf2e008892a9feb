"""LayerNorm placement in a real browser: step through the block, play it, move the box."""

import re
from collections.abc import Callable

from playwright.sync_api import Page, expect


def test_stepping_by_keyboard_and_by_button(visit: Callable[[str], Page]) -> None:
    page = visit("/layernorm_placement")
    expect(page.get_by_text("7,087,872").first).to_be_visible()
    expect(page.get_by_test_id("stVegaLiteChart")).to_have_count(2)
    slider = page.get_by_role("slider", name="Step")
    slider.focus()
    slider.press("ArrowRight")
    expect(page.get_by_text("LN gives every token mean 0 and variance 1")).to_have_count(1)
    expect(page.get_by_text("32 × 12 × 128 × 128")).to_have_count(1)
    for _ in range(4):
        page.get_by_role("button", name="Next", exact=True).click()
        page.wait_for_timeout(300)
    expect(slider).to_have_value("5")
    expect(page).to_have_url(re.compile("ln_step=5"))
    expect(page.get_by_text("32 × 128 × 3072")).to_have_count(1)


def test_playing_runs_to_the_end_and_stops(visit: Callable[[str], Page]) -> None:
    page = visit("/layernorm_placement?ln_step=6")
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.get_by_role("button", name="Pause", exact=True)).to_be_visible()
    expect(page.get_by_role("slider", name="Step")).to_have_value("8")
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()


def test_a_link_opens_another_pair_in_chinese(visit: Callable[[str], Page]) -> None:
    page = visit("/layernorm_placement?ln_low=Peri-LN&ln_step=10&lang=zh")
    expect(page.get_by_role("slider", name="步骤")).to_have_value("10")
    expect(page.get_by_text("计算完毕")).to_be_visible()
    expect(page.get_by_text("Peri-LN：")).to_be_visible()
