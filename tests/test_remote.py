"""The server's end of the training process, with the real process behind it."""

import contextlib
import os
import platform
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from core import remote
from core.jobs import Call, Jobs
from core.records import Step
from core.remote import KEEPS, Gone, Remote
from core.settings import MOST_MEMORY, Settings, strip_memory
from core.training import train
from tests.conftest import ROOT

COUNTING = "tests.counting"
RANGE = ("builtins", "range", 3)


def until(condition: Callable[[], object], seconds: float = 60) -> bool:
    end = time.monotonic() + seconds
    while not condition() and time.monotonic() < end:
        time.sleep(0.01)
    return bool(condition())


def alive(pid: int) -> bool:
    """Return whether a process runs; one that has ended and was not waited for does not."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"


def process_of(end: Remote) -> subprocess.Popen:
    assert end._process
    return end._process


@pytest.fixture
def end() -> Iterator[Remote]:
    made = Remote()
    yield made
    made.close()


@pytest.fixture
def jobs() -> Iterator[Jobs]:
    made = Jobs()
    yield made
    made.close()


def test_the_process_starts_with_the_first_request_and_stays(end: Remote) -> None:
    end.drop(0)
    assert end._process is None
    assert end.slice(0, RANGE, 0, 1.0) == ([0, 1, 2], "done")
    pid = process_of(end).pid
    assert end.slice(1, RANGE, 1, 1.0) == ([1, 2], "done")
    assert process_of(end).pid == pid


def test_errors_of_a_job_are_told_and_are_not_the_end(end: Remote) -> None:
    assert end.slice(0, (COUNTING, "breaks", 2), 0, 1.0) == ([0, 1], "ValueError: no more")
    rows, said = end.slice(1, (COUNTING, "nothing", 0), 0, 1.0)
    assert rows == []
    assert said.startswith("AttributeError")
    assert end.slice(2, RANGE, 0, 1.0) == ([0, 1, 2], "done")


def test_what_is_dropped_is_forgotten_there(end: Remote) -> None:
    first, _ = end.slice(0, (COUNTING, "slowly", 10**6), 0, 0.02)
    assert first[0] == 0
    end.drop(0)
    again, _ = end.slice(0, (COUNTING, "slowly", 10**6), 0, 0.02)
    assert again[0] == 0


def test_close_ends_the_process_and_may_be_called_again(end: Remote) -> None:
    end.slice(0, (COUNTING, "slowly", 10**6), 0, 0.02)
    pid = process_of(end).pid
    assert alive(pid)
    end.close()
    assert not alive(pid)
    end.close()
    assert end.slice(0, RANGE, 0, 1.0) == ([0, 1, 2], "done")


def test_close_ends_a_process_that_is_stuck_in_a_step(end: Remote) -> None:
    end.slice(0, RANGE, 0, 1.0)
    pid = process_of(end).pid

    def wait() -> None:
        with contextlib.suppress(Exception):
            end.slice(1, (COUNTING, "sleeps", 60), 0, 1.0)

    thread = threading.Thread(target=wait)
    thread.start()
    time.sleep(0.5)
    began = time.monotonic()
    end.close()
    assert time.monotonic() - began < 30
    assert not alive(pid)
    thread.join(30)
    assert not thread.is_alive()


def test_a_killed_process_is_noticed_and_another_started(end: Remote) -> None:
    end.slice(0, (COUNTING, "slowly", 10**6), 0, 0.02)
    pid = process_of(end).pid
    os.kill(pid, signal.SIGKILL)
    with pytest.raises(Gone):
        end.slice(0, (COUNTING, "slowly", 10**6), 0, 0.02)
    assert not alive(pid)
    rows, said = end.slice(0, (COUNTING, "slowly", 20), 15, 5.0)
    assert (rows, said) == ([15, 16, 17, 18, 19], "done")
    assert process_of(end).pid != pid


def test_dropping_a_job_of_a_killed_process_is_no_error(end: Remote) -> None:
    end.slice(0, (COUNTING, "slowly", 10**6), 0, 0.02)
    process = process_of(end)
    process.kill()
    process.wait()
    end.drop(0)
    assert end.slice(1, RANGE, 0, 1.0) == ([0, 1, 2], "done")


def test_a_job_that_ends_its_process_is_noticed(end: Remote) -> None:
    with pytest.raises(Gone):
        end.slice(0, (COUNTING, "ends", 0), 0, 1.0)


def test_the_process_ends_with_its_server_however_that_ends() -> None:
    program = "import os; from core.remote import Remote; end = Remote(); "
    program += f"end.slice(0, ({COUNTING!r}, 'slowly', 10**6), 0, 0.02); "
    program += "print(end._process.pid, flush=True); os.kill(os.getpid(), 9)"
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, timeout=60)
    assert done.returncode == -signal.SIGKILL
    assert until(lambda: not alive(int(done.stdout)))


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="it is glibc that is told")
def test_the_process_keeps_its_memory_from_step_to_step(end: Remote) -> None:
    call = ("core.training", "train", Settings(epochs=60))

    def faults() -> int:
        stat = Path(f"/proc/{process_of(end).pid}/stat").read_text()
        return int(stat.rpartition(")")[2].split()[7])

    end.slice(0, call, 0, 0.5)
    before = faults()
    rows, said = end.slice(0, call, 0, 0.5)
    assert said == "running"
    assert faults() - before < 10 * len(rows)


PEAK = """
import re, sys
from core import training
from core.settings import Settings
peak = lambda: 1024 * int(re.search(r"VmHWM:\\s+(\\d+)", open("/proc/self/status").read())[1])
list(training.train(Settings(depth=2, width=8, epochs=1)))
before = peak()
list(getattr(training, sys.argv[1])(eval(sys.argv[2])))
print(peak() - before)
"""
SLACK = 1.1
"""What the allocator adds, and the layers before and after the hidden ones."""
LARGEST = {
    "looked at again in float64": Settings(
        contestants=("plain", "residual", "scaled", "zero_last"),
        depth=76,
        batch=128,
        epochs=1,
        activation="sigmoid",
    ),
    "narrow, in the plane": Settings(depth=100, width=32, seeds=5, epochs=1, data="spirals"),
    "normed, with Adam": Settings(
        contestants=("plain_bn", "residual_bn", "pre_ln", "rezero"),
        depth=14,
        per_branch=1,
        width=256,
        optimiser="Adam",
        batch=256,
        epochs=1,
    ),
    "strip": Settings(depth=12, width=256, optimiser="Adam", epochs=1),
}


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="it is glibc that is told")
@pytest.mark.parametrize("name", LARGEST)
def test_a_run_needs_no_more_memory_than_is_said(name: str) -> None:
    s, function, said = LARGEST[name], "train", LARGEST[name].memory
    if name == "strip":
        function, said = "learning_rates", strip_memory(s)
    command = [sys.executable, "-c", PEAK, function, repr(s)]
    done = subprocess.run(
        command, cwd=ROOT, env=KEEPS | os.environ, capture_output=True, timeout=120, check=True
    )
    assert 0.4 * said < int(done.stdout) < SLACK * said <= SLACK * MOST_MEMORY


# With the coordinator


def test_a_run_comes_through_bit_equal(jobs: Jobs) -> None:
    s = Settings(depth=4, width=16, epochs=1, share=20)
    job = jobs.submit(Call("core.training", "train", s, s.work), "ann")
    assert until(lambda: not job.live)
    assert (job.state, job.error) == ("done", "")
    assert job.rows == list(train(s))
    assert all(isinstance(row, Step) for row in job.rows)


def test_an_error_text_comes_through(jobs: Jobs) -> None:
    for function, error in (("breaks", "ValueError: no more"), ("nowhere", "AttributeError")):
        job = jobs.submit(Call(COUNTING, function, 1), "ann")
        assert until(lambda job=job: not job.live)
        assert job.state == "failed"
        assert job.error.startswith(error)


def test_jobs_go_on_from_where_they_were_when_the_process_is_killed(jobs: Jobs) -> None:
    both = [jobs.submit(Call(COUNTING, "slowly", count), "ann") for count in (300, 301)]
    assert until(lambda: all(len(job.rows) > 20 for job in both))
    os.kill(process_of(jobs._worker).pid, signal.SIGKILL)
    assert until(lambda: not any(job.live for job in both))
    assert [job.state for job in both] == ["done", "done"]
    assert [job.rows for job in both] == [list(range(300)), list(range(301))]
    assert sum(job.losses for job in both) == 1


def test_a_job_that_breaks_the_process_twice_fails_and_leaves_the_others(jobs: Jobs) -> None:
    sound = jobs.submit(Call(COUNTING, "slowly", 200), "ann")
    broken = jobs.submit(Call(COUNTING, "ends", 0), "ann")
    assert until(lambda: not sound.live and not broken.live)
    assert (broken.state, broken.error) == ("failed", "the training process ended")
    assert (sound.state, sound.rows) == ("done", list(range(200)))


def test_a_job_that_is_stuck_in_a_step_fails_and_leaves_the_others(
    jobs: Jobs, monkeypatch: pytest.MonkeyPatch
) -> None:
    start = subprocess.Popen
    serve = "import sys, core.worker as worker; worker.STEP_LIMIT = 3; "
    serve += "worker.serve(sys.stdin.buffer, sys.stdout.buffer)"

    def impatient(command: list[str], **options: object) -> subprocess.Popen:
        return start([command[0], "-c", serve], **options)  # pyright: ignore

    monkeypatch.setattr(remote.subprocess, "Popen", impatient)
    stuck = jobs.submit(Call(COUNTING, "sleeps", 60), "ann")
    sound = jobs.submit(Call(COUNTING, "slowly", 100), "ann")
    assert until(lambda: not sound.live and not stuck.live)
    assert (stuck.state, stuck.error) == ("failed", "the training process ended")
    assert (sound.state, sound.rows) == ("done", list(range(100)))


def test_what_cannot_be_sent_fails_and_leaves_the_others(jobs: Jobs) -> None:
    sound = jobs.submit(Call(COUNTING, "slowly", 100), "ann")
    wrong = jobs.submit(Call(COUNTING, "slowly", lambda: 0), "ann")
    assert until(lambda: not sound.live and not wrong.live)
    assert wrong.state == "failed"
    assert sound.rows == list(range(100))


def test_closing_the_coordinator_ends_the_process(jobs: Jobs) -> None:
    job = jobs.submit(Call(COUNTING, "slowly", 10**6), "ann")
    assert until(lambda: job.rows)
    pid = process_of(jobs._worker).pid
    jobs.close()
    assert not alive(pid)


def test_the_process_forgets_what_the_coordinator_dropped() -> None:
    now = [1.0]
    jobs = Jobs(clock=lambda: now[0], thread=False)
    job = jobs.submit(Call(COUNTING, "slowly", 10**6), "ann")
    jobs.turn()
    assert job.rows[0] == 0
    jobs.leave(job, "ann")
    now[0] = 1000.0
    jobs.turn()
    assert job.state == "dropped"
    again, _ = jobs._worker.slice(job.key, job.call[:3], 0, 0.02)
    assert again[0] == 0
    jobs.close()
