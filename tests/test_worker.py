"""The training process: its generators, its protocol, and how it ends."""

import io
import pickle
import subprocess
import sys
import time
from collections.abc import Iterator
from typing import Any

import pytest

from core.settings import Settings
from core.training import train
from core.worker import Generators, serve
from tests.conftest import ROOT

COUNTING = "tests.counting"
SERVE = "import sys, core.worker as worker; worker.STEP_LIMIT = 3; "
SERVE += "worker.serve(sys.stdin.buffer, sys.stdout.buffer)"


def whole(generators: Generators, call: tuple[str, str, Any], skip: int = 0) -> tuple[list, str]:
    rows, said = [], "running"
    while said == "running":
        more, said = generators.slice(0, call, skip, 0.01)
        rows += more
    return rows, said


# Generators


def test_a_job_comes_in_slices_that_add_up() -> None:
    generators = Generators()
    rows, said = generators.slice(0, (COUNTING, "slowly", 20), 0, 0.01)
    assert said == "running"
    assert rows == list(range(len(rows)))
    assert 1 <= len(rows) < 20
    rest, said = whole(generators, (COUNTING, "slowly", 20))
    assert rows + rest == list(range(20))
    assert said == "done"


def test_a_slice_takes_about_its_time() -> None:
    began = time.monotonic()
    Generators().slice(0, (COUNTING, "slowly", 10**6), 0, 0.1)
    assert 0.1 <= time.monotonic() - began < 5


@pytest.mark.parametrize("skip", [0, 1, 7, 10])
def test_a_job_can_be_taken_up_again_where_it_was(skip: int) -> None:
    assert whole(Generators(), ("builtins", "range", 10), skip) == (list(range(skip, 10)), "done")


def test_only_the_start_of_a_job_skips() -> None:
    generators = Generators()
    first, _ = generators.slice(0, (COUNTING, "slowly", 30), 3, 0.01)
    second, _ = generators.slice(0, (COUNTING, "slowly", 30), 3 + len(first), 0.01)
    assert first + second == list(range(3, 3 + len(first) + len(second)))


def test_jobs_do_not_disturb_each_other() -> None:
    generators = Generators()
    rows: dict[int, list[int]] = {0: [], 1: []}
    for _ in range(4):
        for key in rows:
            rows[key] += generators.slice(key, (COUNTING, "slowly", 10**6), 0, 0.005)[0]
    for found in rows.values():
        assert found == list(range(len(found)))
        assert found


def test_an_error_is_told_after_the_rows_before_it() -> None:
    assert whole(Generators(), (COUNTING, "breaks", 3)) == ([0, 1, 2], "ValueError: no more")


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (("core.nowhere", "train", 0), "ModuleNotFoundError: No module named 'core.nowhere'"),
        (("core.training", "fly", 0), "AttributeError: module 'core.training' has no attribute"),
        (("builtins", "int", "x"), "ValueError: invalid literal"),
        (("builtins", "abs", 1), "TypeError: 'int' object is not iterable"),
    ],
)
def test_what_cannot_be_started_is_told(call: tuple[str, str, Any], error: str) -> None:
    generators = Generators()
    rows, said = generators.slice(0, call, 0, 0.01)
    assert rows == []
    assert said.startswith(error)
    assert whole(generators, ("builtins", "range", 2)) == ([0, 1], "done")


def test_the_traceback_of_an_error_is_in_the_log(capsys: pytest.CaptureFixture[str]) -> None:
    whole(Generators(), (COUNTING, "breaks", 1))
    assert "in breaks" in capsys.readouterr().err


def test_a_refusal_is_told_by_its_reason_alone(capsys: pytest.CaptureFixture[str]) -> None:
    assert whole(Generators(), (COUNTING, "lacks", 0)) == ([0], "torch")
    assert not capsys.readouterr().err


def test_what_is_dropped_starts_anew() -> None:
    generators = Generators()
    generators.slice(0, (COUNTING, "slowly", 10**6), 0, 0.01)
    generators.drop(0)
    generators.drop(1)
    rows, _ = generators.slice(0, (COUNTING, "slowly", 10**6), 0, 0.01)
    assert rows[0] == 0


def test_what_is_over_is_forgotten() -> None:
    generators = Generators()
    for name in ("slowly", "breaks"):
        whole(generators, (COUNTING, name, 2))
    generators.slice(5, (COUNTING, "slowly", 10**6), 0, 0.01)
    generators.drop(5)
    assert not generators._running


# The protocol


def test_requests_are_answered_in_order_until_the_other_end_closes() -> None:
    requests, answers = io.BytesIO(), io.BytesIO()
    for method, arguments in (
        ("slice", (0, ("builtins", "range", 3), 0, 5.0)),
        ("drop", (0,)),
        ("slice", (1, (COUNTING, "breaks", 0), 0, 5.0)),
    ):
        pickle.dump((method, arguments), requests)
    requests.seek(0)
    serve(requests, answers)
    answers.seek(0)
    said = [pickle.load(answers) for _ in range(3)]
    assert said == [([0, 1, 2], "done"), ([], "dropped"), ([], "ValueError: no more")]
    assert answers.read() == b""


# The process


class Child:
    """The real process, spoken to by hand."""

    def __init__(self, *command: str) -> None:
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(
            [sys.executable, *command], cwd=ROOT, stdin=pipe, stdout=pipe, stderr=pipe
        )

    def ask(self, method: str, *arguments: object) -> Any:
        assert self.process.stdin
        assert self.process.stdout
        pickle.dump((method, arguments), self.process.stdin)
        self.process.stdin.flush()
        return pickle.load(self.process.stdout)

    def end(self) -> tuple[int, str]:
        """Close its input; return its exit code and what it wrote to its error output."""
        _, errors = self.process.communicate(timeout=30)
        return self.process.returncode, errors.decode()


@pytest.fixture
def child() -> Iterator[Child]:
    made = Child("-m", "core.worker")
    yield made
    made.process.kill()
    made.process.communicate()


def test_the_process_ends_when_its_input_does(child: Child) -> None:
    assert child.ask("slice", 0, ("builtins", "range", 2), 0, 1.0) == ([0, 1], "done")
    assert child.process.poll() is None
    assert child.end() == (0, "")


def test_the_process_ends_when_its_input_does_although_jobs_run(child: Child) -> None:
    rows, said = child.ask("slice", 0, (COUNTING, "slowly", 10**6), 0, 0.02)
    assert said == "running"
    assert rows
    assert child.end() == (0, "")


def test_what_a_job_prints_does_not_disturb_its_rows(child: Child) -> None:
    assert child.ask("slice", 0, (COUNTING, "chatters", 3), 0, 5.0) == ([0, 1, 2], "done")
    code, printed = child.end()
    assert code == 0
    assert printed == "".join(f"row {i}\nand past Python\n" for i in range(3))


def test_training_there_is_bit_equal_to_training_here(child: Child) -> None:
    s = Settings(depth=4, width=16, epochs=1, share=20, contestants=("plain", "residual", "pre_ln"))
    rows, said = [], "running"
    while said == "running":
        more, said = child.ask("slice", 7, ("core.training", "train", s), len(rows), 0.05)
        rows += more
    assert said == "done"
    assert rows == list(train(s))


def test_a_step_that_takes_too_long_ends_the_process() -> None:
    made = Child("-c", SERVE)
    began = time.monotonic()
    with pytest.raises(EOFError):
        made.ask("slice", 0, (COUNTING, "sleeps", 60), 0, 5.0)
    code, errors = made.end()
    assert 3 <= time.monotonic() - began < 55
    assert code == 1
    assert "Timeout" in errors
    assert "in sleeps" in errors


def test_waiting_for_the_next_request_is_no_step() -> None:
    made = Child("-c", SERVE)
    assert made.ask("slice", 0, ("builtins", "range", 1), 0, 1.0) == ([0], "done")
    time.sleep(3.5)
    assert made.ask("slice", 0, ("builtins", "range", 1), 0, 1.0) == ([0], "done")
    assert made.end() == (0, "")
