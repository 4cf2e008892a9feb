"""Key press → new chart in a real browser, each page against a minimal page in the same shell."""

import contextlib
import itertools
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from pages import LESSONS
from tests.bench.measure import Measure
from tests.bench.options import Options
from tests.e2e.browser import FLAGS, find
from tests.e2e.ready import SCREEN, ready
from tests.e2e.server import serve

SHELL = Path(__file__).parent / "shell.py"
BUDGETS = {"median": 1.3, "p95": 1.5}
PAUSE = 0.1
"""Seconds between two key presses, so that no run meets the one before."""
WARM_UP = 10
"""Key presses on either page that do not count."""
PRESSES = 2
"""How many of them a repetition is: the p95 of thirty would be little more than one of them."""
SWING = 8
"""How many steps the slider is moved to one side, if there is room, and then back."""

NO_CHART = {"live_training"}
"""Pages whose sliders change no chart but say what to train next: the last answer counts."""

WATCH = """
window.bench = {pressed: 0, chart: 0, run: 0};
const press = () => Object.assign(bench, {pressed: performance.now(), chart: 0, run: 0});
addEventListener('keydown', press, true);
const seen = what => { if (bench.pressed && !bench[what]) bench[what] = performance.now(); };
const look = change => {
  const node = change.target.closest ? change.target : change.target.parentElement;
  if (node?.closest('[data-testid=stVegaLiteChart] svg')) seen('chart');
};
new MutationObserver(changes => changes.forEach(look)).observe(
    document, {subtree: true, childList: true, attributes: true, characterData: true});
window.WebSocket = class extends WebSocket {
  constructor(...given) {
    super(...given);
    this.addEventListener('message', () => { bench.run = performance.now(); });
  }
};
for (const name of ['fillRect', 'fill', 'stroke', 'fillText', 'drawImage']) {
  const draw = CanvasRenderingContext2D.prototype[name];
  CanvasRenderingContext2D.prototype[name] = function (...given) {
    if (this.canvas.closest('[data-testid=stVegaLiteChart]')) seen('chart');
    return draw.apply(this, given);
  };
}
"""
QUIET = "bench.run > 0 && performance.now() - bench.run > 500"
ROOM = "it => [it.value - it.min, it.max - it.value].map(room => room / it.step)"


@contextlib.contextmanager
def opened(browser: Browser, address: str) -> Iterator[Page]:
    """Open a page that watches its charts, wait until it is ready, and close it in the end.

    Each row opens both pages anew: a browser runs a script faster the longer it has run it.
    """
    with browser.new_page(viewport=SCREEN, locale="en-US") as page:
        page.add_init_script(WATCH)
        page.goto(address)
        ready(page)
        yield page


def presser(page: Page) -> Callable[[str], float]:
    """Return a function that moves the first slider a step: seconds until `chart` or `run`.

    These are the first change of a chart, and the last answer of the server.
    """
    slider = page.get_by_test_id("stMain").get_by_role("slider").first
    slider.focus()
    below, above = slider.evaluate(ROOM)
    there, back = ("ArrowRight", "ArrowLeft") if above > below else ("ArrowLeft", "ArrowRight")
    swing = int(min(SWING, max(below, above)))
    keys = itertools.cycle(swing * [there] + swing * [back])

    def press(until: str) -> float:
        time.sleep(PAUSE)
        page.keyboard.press(next(keys))
        page.wait_for_function(QUIET if until == "run" else "bench.chart > 0", timeout=20_000)
        return page.evaluate(f"bench.{until} - bench.pressed") / 1000

    return press


def key_presses(options: Options) -> Iterator[Measure]:
    """Measure one row a page."""
    names = {f"key press: {lesson.stem}": lesson for lesson in LESSONS}
    wanted = {name: lesson for name, lesson in names.items() if options.wants(name)}
    if not wanted:
        return
    with contextlib.ExitStack() as stack:
        playwright = stack.enter_context(sync_playwright())
        browser = playwright.chromium.launch(executable_path=find(), args=FLAGS)
        stack.callback(browser.close)
        shell = stack.enter_context(serve(SHELL))
        lab = stack.enter_context(serve())
        for name, lesson in wanted.items():
            address = f"{lab}/{'' if lesson is LESSONS[0] else lesson.stem}"
            until = "run" if lesson.stem in NO_CHART else "chart"
            with opened(browser, address) as page, opened(browser, shell) as minimal:
                subject, yardstick = presser(page), presser(minimal)
                turns = range(WARM_UP + PRESSES * options.repetitions)
                times = [(subject(until), yardstick(until)) for _ in turns]
            ours, theirs = zip(*times[WARM_UP:], strict=True)
            yield Measure(name, ours, theirs, BUDGETS)
