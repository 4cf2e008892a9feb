"""A running app and a browser. Both are started once; every test gets a fresh page."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.e2e.browser import FLAGS, find
from tests.e2e.server import serve

expect.set_options(timeout=40_000)
SETTLED = "[data-testid=stApp][data-test-script-state=notRunning]"
STILL = """settled => {
    const [app, now] = [document.querySelector(settled), performance.now()];
    const height = app ? app.querySelector("[data-testid=stMain]").scrollHeight : 0;
    if (height !== window.height) [window.height, window.since] = [height, now];
    const waiting = document.querySelector("[data-testid=stSkeleton]");
    return height > 0 && !waiting && now - window.since > 200;
}"""
"""Whether a page has been drawn and has stopped growing.

The browser fetches sliders, charts and formulas when it first meets one. They push down what
stands below, and a press that comes then can hit the button above or below the one it meant.
"""


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        path = find()
        assert path, "no browser: run `make test`, or `python -m tests.e2e.browser`"
        chromium = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield chromium
        chromium.close()


@pytest.fixture(scope="session")
def server() -> Iterator[str]:
    with serve() as address:
        yield address


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 1280, "height": 720}, locale="en-US")
    context.set_default_timeout(40_000)
    yield context.new_page()
    context.close()


@pytest.fixture
def visit(server: str, page: Page) -> Callable[[str], Page]:
    """Return a function that opens a path of the app and waits until it has been drawn."""

    def open_path(path: str) -> Page:
        page.goto(server + path)
        page.wait_for_selector(SETTLED)
        page.wait_for_function(STILL, arg=SETTLED)
        expect(page.get_by_test_id("stException")).to_have_count(0)
        return page

    return open_path
