"""Links that mean harm: some at random over the websocket, the worst ones in a browser."""

import random
import re
from urllib.parse import quote

import pytest
from playwright.sync_api import Dialog, Page, expect

from pages import LESSONS
from tests.e2e import processes
from tests.e2e.conftest import SETTLED
from tests.e2e.fuzz import attack, judged, told
from tests.e2e.sessions import run
from tests.hostile import MARK, TEXTS

MADE = f".{MARK}, [href*='javascript:'], [src*='example.org'], [href*='example.org']"
"""What would stand on the page if a hostile text were rendered."""
OUTSIDE_OF_CODE = f"""() => {{
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), found = [];
    while (texts.nextNode())
        if (texts.currentNode.data.includes('{MARK}') &&
            !texts.currentNode.parentElement.closest('[data-testid=stCode], script, style'))
            found.push(texts.currentNode.data);
    return found;
}}"""


@pytest.mark.skipif(not processes.KNOWN, reason="asks Linux about a process")
def test_random_links_do_no_harm(server: str) -> None:
    seed = random.randrange(10**6)
    print(f"seed {seed}")
    outcome = run(attack(server, seed, count=60, seconds=600))
    print(told(outcome, seed))
    assert not judged(outcome)
    assert outcome.links == 60


@pytest.mark.parametrize("number", range(len(LESSONS)), ids=[it.stem for it in LESSONS])
def test_nothing_is_rendered_from_a_link(page: Page, server: str, number: int) -> None:
    asked: list[str] = []
    dialogs: list[Dialog] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("dialog", lambda dialog: dialogs.append(dialog))
    lesson = LESSONS[number]
    keys = ("lang", "tab", *(f"{lesson.prefix}{name}" for name in "abcdef"))
    said = zip(keys, [*TEXTS[number:], *TEXTS], strict=False)
    query = "&".join(f"{key}={quote(text)}" for key, text in [*said, (TEXTS[0], TEXTS[1])])
    page.goto(f"{server}/{'' if number == 0 else lesson.stem}?{query}")
    page.wait_for_selector(SETTLED)
    expect(page.get_by_test_id("stCode").filter(has_text=MARK)).to_have_count(2)
    expect(page.get_by_test_id("stException")).to_have_count(0)
    expect(page.locator(MADE)).to_have_count(0)
    assert page.evaluate(OUTSIDE_OF_CODE) == []
    own = (server, server.replace("http", "ws"), "data:", "blob:")
    assert not [url for url in asked if not url.startswith(own)]
    assert not dialogs


def test_a_page_that_is_not_there_is_not_rendered_either(page: Page, server: str) -> None:
    page.goto(f"{server}/{quote(TEXTS[1], safe='')}")
    page.wait_for_selector(SETTLED)
    expect(page.get_by_role("heading", level=1)).to_have_text(re.compile("."))
    expect(page.locator(MADE)).to_have_count(0)
