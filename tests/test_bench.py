"""The benchmark names what is slow. Time is counted by a clock of the test's own."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from core import gradient_multiplier
from tests.bench import __main__ as bench
from tests.bench import measure, scripts
from tests.bench.measure import Measure
from tests.bench.options import Options


class Clock:
    """A clock that ticks once a reading, and as often as it is told to."""

    now = 0.0

    def __call__(self) -> float:
        self.now += 1
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


def test_two_actions_are_measured_in_turn(clock: Clock) -> None:
    order: list[str] = []

    def subject(turn: int) -> None:
        order.append(f"subject {turn}")
        clock.now += 4

    ours, theirs = measure.in_turn(subject, lambda turn: order.append("yardstick"), 3, clock, 1)
    assert order == [it for turn in range(4) for it in (f"subject {turn}", "yardstick")]
    assert (ours, theirs) == ([5, 5, 5], [1, 1, 1])


@pytest.mark.parametrize(
    ("seconds", "at_least", "met"),
    [(1.2, False, True), (1.4, False, False), (1.4, True, True), (1.2, True, False)],
)
def test_a_budget_is_a_bound_on_the_ratio(seconds: float, at_least: bool, met: bool) -> None:
    row = Measure("row", [seconds] * 20, [1.0] * 20, {"median": 1.3, "p95": 1.3}, at_least)
    assert row.met is met
    assert row.ratio("median") == pytest.approx(seconds)


def test_a_few_slow_turns_are_seen_in_the_p95_and_the_mean_and_not_in_the_median() -> None:
    budgets = {"median": 1.3, "p95": 1.5, "mean": 1.5}
    row = Measure("row", [1.0] * 28 + [9.0, 9.0], [1.0] * 30, budgets)
    assert row.holds("median")
    assert not row.holds("p95")
    assert not row.holds("mean")
    assert row.ratio("mean") == pytest.approx(46 / 30)
    assert not row.met


def rows(options: Options) -> Iterator[Measure]:
    for name, seconds in (("quick", 1.0), ("slow", 3.0)):
        if options.wants(name):
            yield Measure(name, [seconds] * 5, [1.0] * 5, {"median": 2.0})


def test_the_exit_code_and_the_last_line_name_what_misses(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "bench.json"
    assert bench.run(Options(), file, [rows]) == 1
    printed = capsys.readouterr().out.splitlines()
    assert printed[-1] == "Budgets missed: slow"
    assert printed[2].startswith("slow")
    assert printed[2].endswith("MISSED")
    record = json.loads(file.read_text())
    assert [(row["row"], row["met"]) for row in record["rows"]] == [
        ("quick", True),
        ("slow", False),
    ]
    assert record["rows"][1]["ratios"] == {"median": 3.0}
    assert bench.run(Options(only="quick"), rows=[rows]) == 0
    assert bench.run(Options(only="nothing of that name"), rows=[rows]) == 1


def test_a_page_made_slower_on_purpose_is_named(
    clock: Clock, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    quick = gradient_multiplier.strip

    def slow(chain: gradient_multiplier.Chain):
        clock.now += 10
        return quick(chain)

    options = Options(repetitions=4, only="multiplier", clock=clock)
    assert bench.run(options, rows=[scripts.script_runs]) == 0
    monkeypatch.setattr(gradient_multiplier, "strip", slow)
    assert bench.run(options, rows=[scripts.script_runs]) == 1
    last = capsys.readouterr().out.splitlines()[-1]
    assert last == "Budgets missed: script run: gradient_multiplier"


def test_the_benchmark_moves_a_slider_to_a_new_value_every_turn() -> None:
    app = AppTest.from_file(str(scripts.MINIMAL)).run()
    values = []
    for turn in range(5):
        scripts.moved(app, turn)
        values.append(app.slider[0].value)
    assert len(set(values)) == 5


def test_the_command_line(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    given: list[object] = []
    monkeypatch.setattr(bench, "run", lambda *arguments: given.extend(arguments) or 0)
    file = tmp_path / "out.json"
    assert bench.main(["--json", str(file), "--only", "press", "--repetitions", "5"]) == 0
    assert given == [Options(5, "press"), file]
    assert sys.modules["tests.bench.browser"].key_presses in bench.ROWS
