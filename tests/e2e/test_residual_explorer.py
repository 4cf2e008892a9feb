"""The residual explorer in a real browser: α walks x to H, and claims lead to their proofs."""

import re
from collections.abc import Callable

from playwright.sync_api import Page, expect


def test_alpha_walks_x_to_the_target_and_the_link_opens_that_state(
    visit: Callable[[str], Page],
) -> None:
    page = visit("/residual_explorer?re_alpha=0.95")
    said = page.get_by_test_id("stMarkdown")
    expect(said.filter(has_text="With α = 0.95, x + αF misses it by 0.0274")).to_be_visible()
    alpha = page.get_by_role("slider", name="Scale α of the update")
    alpha.focus()
    page.keyboard.press("ArrowRight")
    expect(said.filter(has_text="F alone misses the target by 6.16")).to_be_visible()
    expect(said.filter(has_text="misses it by 0: it hits it exactly")).to_be_visible()
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    expect(page).to_have_url(re.compile(r"re_alpha=0\.9(&|$)"))
    page.goto(page.url)
    expect(page.get_by_role("slider", name="Scale α of the update")).to_have_value("0.9")
    expect(page.get_by_test_id("stVegaLiteChart").first.locator("canvas, svg")).to_be_visible()


def test_a_wrong_claim_leads_to_its_counterexample(visit: Callable[[str], Page]) -> None:
    page = visit("/residual_explorer?tab=claims")
    page.get_by_role("button", name="Show it on this page").first.click()
    expect(page.get_by_text("Nothing of")).to_be_visible()
    expect(page).to_have_url(re.compile("tab=scaling"))
    first = page.get_by_role("spinbutton", name="J₁₁")
    expect(first).to_have_value("-1.00")
    first.fill("0.5")
    first.press("Enter")
    expect(page.get_by_text("cannot be inverted")).to_be_visible()
    page.get_by_role("slider", name=re.compile("^Scale α(?! of)")).focus()
    page.keyboard.press("ArrowLeft")
    expect(page.get_by_text("can be inverted", exact=False).first).to_be_visible()
    expect(page).to_have_url(re.compile(r"re_scale_alpha=0\.95"))
    expect(page).to_have_url(re.compile(r"re_scale_j11=0\.5"))


def test_a_branch_at_zero_wakes_up_and_stays_open_in_the_other_language(
    visit: Callable[[str], Page],
) -> None:
    page = visit("/residual_explorer?tab=nothing&lang=zh")
    expect(page.get_by_text("逐位等于")).to_be_visible()
    expect(page.get_by_text("分支醒了过来")).to_be_visible()
    page.get_by_role("radio", name="W₁=W₂=0").click()
    expect(page.get_by_text("自始至终只有")).to_be_visible()
    page.get_by_text("English").click()
    expect(page.get_by_text("ever receives a gradient")).to_be_visible()
    expect(page).to_have_url(re.compile("tab=nothing"))
