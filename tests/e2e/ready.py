"""When a page is ready to be photographed or measured."""

from playwright.sync_api import Page, ViewportSize, expect

SCREEN = ViewportSize(width=1280, height=720)


def ready(page: Page) -> None:
    """Wait until the charts stand in their final width, and an English page has trained."""
    charts = page.get_by_test_id("stVegaLiteChart").locator("svg, canvas")
    expect(charts.first).to_be_visible(timeout=60_000)
    page.wait_for_timeout(2500)
    state = page.get_by_test_id("stText").first
    if state.count():
        expect(state).to_contain_text("Finished", timeout=180_000)
        page.wait_for_timeout(2500)
