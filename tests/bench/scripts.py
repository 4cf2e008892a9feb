"""The script run of each page under AppTest, against a minimal page drawn with altair_chart."""

import gc
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from streamlit.testing.v1 import AppTest

from pages import LESSONS
from tests.bench.measure import Measure, in_turn
from tests.bench.options import Options
from tests.conftest import open_page

MINIMAL = Path(__file__).parent / "minimal.py"
BUDGETS = {"median": 2.0}
SWING = 8
"""How many values the slider takes, one after the other."""


def moved(app: AppTest, turn: int) -> None:
    """Give the first slider of a page its next value and run the page."""
    slider: Any = app.main.get("slider")[0]
    slider.set_value(slider.min + (1 + turn % SWING) * slider.step).run()
    assert not app.exception


def script_runs(options: Options) -> Iterator[Measure]:
    """Measure one row a page.

    What earlier rows have left in this process, torch above all, is kept from the collector: no
    server holds it, and a page that makes more objects would pay for it more often.
    """
    gc.collect()
    gc.freeze()
    minimal = AppTest.from_file(str(MINIMAL)).run()
    for lesson in LESSONS:
        name = f"script run: {lesson.stem}"
        if not options.wants(name):
            continue
        app = open_page(lesson.stem)
        times = in_turn(
            lambda turn, app=app: moved(app, turn),
            lambda turn: moved(minimal, turn),
            options.repetitions,
            options.clock,
        )
        yield Measure(name, *times, BUDGETS)
