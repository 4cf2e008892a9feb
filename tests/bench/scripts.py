"""The script run of each page under AppTest, against a minimal page drawn with altair_chart."""

import contextlib
import gc
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest import mock

from streamlit.runtime.pages_manager import PagesManager
from streamlit.testing.v1 import AppTest

from pages import LESSONS
from tests.bench.measure import Measure, in_turn
from tests.bench.options import Options
from tests.conftest import open_page

MINIMAL = Path(__file__).parent / "minimal.py"
BUDGETS = {"median": 2.0}
SWING = 8
"""How many values the slider takes, one after the other."""
RUNS = 4
"""How many runs a repetition is: they are short, and a machine has slow seconds."""


def moved(app: AppTest, turn: int) -> None:
    """Give the first slider of a page its next value and run the page."""
    slider: Any = app.main.get("slider")[0]
    slider.set_value(slider.min + (1 + turn % SWING) * slider.step).run()
    assert not app.exception


@contextlib.contextmanager
def navigated() -> Iterator[None]:
    """Let AppTest know in every run what a server knows after its first: the app has a router.

    Else a folder named `pages` sends each run through Streamlit's older menu first.
    """
    begin = PagesManager.__init__

    def begin_navigated(manager: PagesManager, *given: Any, **named: Any) -> None:
        PagesManager.uses_pages_directory = False
        begin(manager, *given, **named)

    with mock.patch.object(PagesManager, "__init__", begin_navigated):
        yield


def script_runs(options: Options) -> Iterator[Measure]:
    """Measure one row a page.

    What earlier rows have left in this process, torch above all, is kept from the collector: no
    server holds it, and a page that makes more objects would pay for it more often.
    """
    gc.collect()
    gc.freeze()
    with navigated():
        yield from _rows(options)


def _rows(options: Options) -> Iterator[Measure]:
    minimal = AppTest.from_file(str(MINIMAL)).run()
    for lesson in LESSONS:
        name = f"script run: {lesson.stem}"
        if not options.wants(name):
            continue
        app = open_page(lesson.stem)
        times = in_turn(
            lambda turn, app=app: moved(app, turn),
            lambda turn: moved(minimal, turn),
            RUNS * options.repetitions,
            options.clock,
        )
        yield Measure(name, *times, BUDGETS)
