"""A deep link opened in a browser, wherever the app is served."""

import re

from playwright.sync_api import Page, expect

from tests.e2e.conftest import SETTLED


def answers(page: Page, address: str) -> None:
    """Open a link into a lesson, move its slider, and see the numbers and the chart follow."""
    page.goto(f"{address}/gradient_multiplier?gm_a=-1&lang=en")
    page.wait_for_selector(SETTLED)
    numbers = page.get_by_test_id("stMetricValue")
    expect(numbers).to_have_text(["1", "0"])
    before = page.get_by_test_id("stVegaLiteChart").first.locator("svg").inner_html()
    page.get_by_role("slider", name="Local derivative").press("ArrowRight")
    expect(numbers.first).to_have_text("0.818")
    expect(page).to_have_url(re.compile(r"gm_a=-0\.99"))
    page.wait_for_function(
        "before => document.querySelector('[data-testid=stVegaLiteChart] svg').innerHTML != before",
        arg=before,
    )
    expect(page.get_by_test_id("stException")).to_have_count(0)
