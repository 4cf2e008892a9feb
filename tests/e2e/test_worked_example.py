"""The worked example in a real browser: its steps, its numbers, a descent, a trap, a pointer."""

import re
from collections.abc import Callable

from playwright.sync_api import Page, expect

CHART = "[data-testid=stVegaLiteChart] canvas, [data-testid=stVegaLiteChart] svg"


def test_by_keyboard_from_the_result_through_a_step_to_another_number(
    visit: Callable[[str], Page],
) -> None:
    page = visit("/worked_example")
    said = page.get_by_test_id("stMarkdown")
    expect(said.filter(has_text="(0.5, 1.5) + (−0.1, 0.55) = (0.4, 2.05)").first).to_be_visible()
    chart = page.locator(CHART).first
    expect(chart).to_be_visible()
    chart.evaluate("it => { it.dataset.first = 'yes' }")

    page.get_by_role("button", name="Next", exact=False).focus()
    page.keyboard.press("Enter")
    expect(said.filter(has_text="1 · Branch.").first).to_be_visible()
    expect(page).to_have_url(re.compile("we_step=1"))
    page.keyboard.press("Enter")
    expect(said.filter(has_text="2 · Add.").first).to_be_visible()
    expect(said.filter(has_text="(1.5, 2.5)").first).to_be_visible()

    first = page.get_by_role("spinbutton", name="x₁")
    first.fill("2")
    first.press("Enter")
    expect(said.filter(has_text="(2.6, 2.4)").first).to_be_visible()
    page.get_by_role("slider", name="Scale of the branch α").focus()
    page.keyboard.press("ArrowLeft")
    expect(said.filter(has_text="(2.54, 2.36)").first).to_be_visible()
    expect(page).to_have_url(re.compile(r"we_x1=2\b"))
    expect(page).to_have_url(re.compile(r"we_alpha=0\.9"))
    # However far the picture moves: it is the same chart, never drawn anew.
    expect(chart).to_have_attribute("data-first", "yes")


def test_a_claim_leads_to_its_counterexample_in_chinese(visit: Callable[[str], Page]) -> None:
    page = visit("/worked_example?lang=zh&tab=claims")
    page.get_by_role("button", name="在本页演示").first.click()
    said = page.get_by_test_id("stMarkdown")
    expect(said.filter(has_text="(−1, −1) + (1, 1) = (0, 0)").first).to_be_visible()
    expect(page.get_by_role("spinbutton", name="W₁₁")).to_have_value("-1.00")
    expect(page.get_by_role("radio", name="6")).to_be_checked()


def test_descent_and_the_trap(visit: Callable[[str], Page]) -> None:
    page = visit("/worked_example?tab=descent&we_gd_on=W&we_gd_steps=0&we_gd_rate=0.2")
    expect(page.get_by_text("Loss after 0 steps")).to_be_visible()
    page.get_by_role("slider", name="Gradient steps").focus()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_text("exactly the same")).to_be_visible()
    page.get_by_role("radio", name="backward() twice", exact=True).click()
    expect(page.get_by_text("(0.8, 4.1)").first).to_be_visible()
    page.get_by_role("button", name="backward() again").click()
    expect(page.get_by_text("(1.2, 6.15)").first).to_be_visible()
    expect(page).to_have_url(re.compile("tab=trap"))


def test_the_pointer_turns_the_gradient(visit: Callable[[str], Page]) -> None:
    page = visit("/worked_example?tab=directions")
    picture = page.get_by_test_id("stVegaLiteChart").nth(1)
    expect(picture.get_by_role("slider")).to_have_value("70")
    picture.scroll_into_view_if_needed()
    drawn = picture.locator("canvas, svg").first
    drawn.hover(position={"x": 120, "y": 200})
    drawn.hover(position={"x": 125, "y": 205})
    expect(picture.get_by_role("slider")).not_to_have_value("70")
