"""LayerNorm placement in a real browser: step through the block, play it, move the box."""

import re
from collections.abc import Callable

from playwright.sync_api import Page, expect

from core.layernorm_placement import CLAIM_SETTINGS


def test_stepping_by_keyboard_and_by_button(visit: Callable[[str], Page]) -> None:
    page = visit("/layernorm_placement")
    expect(page.get_by_text("7,087,872").first).to_be_visible()
    expect(page.get_by_test_id("stVegaLiteChart").first).to_be_visible()
    slider = page.get_by_role("slider", name="Step")
    slider.focus()
    slider.press("ArrowRight")
    expect(page.get_by_text("LN gives every token mean 0 and variance 1")).to_have_count(1)
    expect(page.get_by_text("MHA compares every token with every other")).to_have_count(1)
    for step in range(2, 6):
        page.get_by_role("button", name="Next", exact=True).click()
        expect(slider).to_have_value(str(step))
    expect(page).to_have_url(re.compile("ln_step=5"))
    expect(page.get_by_text("FFN widens each token, then GELU: 32 × 128 × 3072")).to_have_count(1)


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
    expect(page.get_by_text("Peri-LN：").first).to_be_visible()


def test_training_from_click_to_verdict(visit: Callable[[str], Page]) -> None:
    page = visit("/layernorm_placement?tab=training&ln_rL=2&ln_rsteps=40")
    page.get_by_role("button", name="Train", exact=True).click()
    expect(page.get_by_text("Finished after 40 of 40 steps.")).to_be_visible(timeout=90_000)
    verdict = re.compile("has learnt it|has learnt part of it|is stuck at guessing")
    expect(page.get_by_text(verdict)).to_have_count(2)
    expect(page.get_by_text("Do not swap the order?")).to_be_visible()


def test_touching_a_token_and_opening_a_claim(visit: Callable[[str], Page]) -> None:
    page = visit("/layernorm_placement?tab=tokens")
    expect(page.get_by_text("Touch token 2: 5 of 5 tokens answer")).to_be_visible()
    page.get_by_text("Causal attention").click()
    expect(page.get_by_text("Touch token 2: 4 of 5 tokens answer")).to_be_visible()
    page.get_by_role("radio", name="Common wrong claims", exact=True).click()
    shown = page.get_by_role("button", name="Show it on this page")
    expect(shown).to_have_count(len(CLAIM_SETTINGS))  # claims are drawn one after the other
    shown.last.click()
    expect(page.get_by_role("radio", name="Jacobians", exact=True)).to_be_checked()
