"""A training run in a real browser: Train, Stop, Continue, Reset, leaving and coming back."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

FINISHED = re.compile(r"Finished after (\d+) of \1 steps")
SMALL = "lt_depth=20&lt_width=64&lt_epochs=60"
"""Long enough to be stopped on the way, small enough to wait for."""


def button(page: Page, name: str) -> Locator:
    return page.get_by_role("button", name=name, exact=True)


def step(page: Page) -> int:
    """Return the step that the page shows."""
    text = page.get_by_test_id("stText").first.inner_text()
    found = re.search(r"\d+", text)
    return int(found.group()) if found else 0


@pytest.fixture
def lab(visit: Callable[[str], Page]) -> Page:
    """Return the page with the lab's own run finished and a small run on the controls."""
    page = visit(f"/live_training?{SMALL}")
    expect(page.get_by_text(FINISHED)).to_be_visible(timeout=240_000)
    return page


def test_the_labs_own_run_is_shown_with_a_verdict(lab: Page) -> None:
    expect(lab.get_by_text("The lab's own run")).to_be_visible()
    expect(lab.get_by_text("plain is stuck")).to_be_visible()
    expect(lab.get_by_text(re.compile("^residual learned"))).to_be_visible()
    expect(lab.get_by_test_id("stVegaLiteChart").nth(2)).to_be_visible()


def test_train_to_the_end_stop_and_continue(lab: Page) -> None:
    button(lab, "Train").click()
    expect(button(lab, "Stop")).to_be_enabled()
    expect(lab.get_by_text("20 × 64")).to_be_visible()
    moved = re.compile(r"Step [1-9]\d* of 1260")
    expect(lab.get_by_test_id("stText").first).to_have_text(moved, timeout=120_000)
    button(lab, "Stop").click()
    expect(lab.get_by_text(re.compile("Stopped at step"))).to_be_visible()
    stopped = step(lab)
    assert 0 < stopped < 1260
    lab.wait_for_timeout(1500)
    assert step(lab) == stopped
    button(lab, "Continue").click()
    expect(lab.get_by_text(FINISHED)).to_be_visible(timeout=240_000)
    expect(lab.get_by_text(re.compile("^residual learned"))).to_be_visible()

    button(lab, "Reset and replay").click()
    expect(lab.get_by_text(re.compile("Playing: step"))).to_be_visible()
    expect(lab.get_by_text(FINISHED)).to_be_visible(timeout=120_000)


def test_a_run_goes_on_while_its_reader_looks_at_another_page(lab: Page) -> None:
    lab.get_by_role("slider", name="Learning rate").press("ArrowRight")
    button(lab, "Train").click()
    expect(button(lab, "Stop")).to_be_enabled()
    lab.get_by_test_id("stSidebarNavLink").filter(has_text="Gradient multiplier").click()
    expect(lab.get_by_role("heading", name="Gradient multiplier")).to_be_visible()
    lab.wait_for_timeout(2000)
    lab.get_by_test_id("stSidebarNavLink").filter(has_text="Live training").click()
    expect(lab.get_by_text("SGD 0.02")).to_be_visible()
    expect(lab.get_by_role("slider", name="Hidden layers")).to_have_value("20")
    expect(lab.get_by_text(FINISHED)).to_be_visible(timeout=240_000)


def test_an_experiment_sets_the_controls_and_starts(lab: Page) -> None:
    button(lab, "More experiments").click()
    lab.get_by_role("menuitem", name="Learning rate 10").click()
    expect(lab.get_by_text("SGD 10")).to_be_visible()
    expect(lab.get_by_text("Far too large a step")).to_be_visible()
    expect(lab.get_by_text(re.compile("^plain diverged"))).to_be_visible(timeout=120_000)
    expect(lab.get_by_text(re.compile("^residual diverged"))).to_be_visible()
    expect(lab.get_by_test_id("stException")).to_have_count(0)
