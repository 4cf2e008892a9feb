"""Who trains when: the coordinator with a worker and a clock of the tests' own."""

import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as draw
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from core.jobs import (
    DROP_AFTER,
    KEPT,
    LONG,
    LONG_RUNNING,
    MOST_HELD,
    PAUSE_AFTER,
    RUNNING,
    SLICE,
    SLICE_ALONE,
    WAITING,
    WALL_CLOCK,
    Call,
    Job,
    Jobs,
)
from core.limits import Refused
from core.remote import Gone

Argument = tuple[str, int]
ROUNDING = 1e-6
"""Seconds by which sums of tenths of a second may miss a limit."""


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


class Worker:
    """Counts from 0 instead of training: one row a slice, which takes the seconds asked for."""

    def __init__(self, clock: Clock | None = None) -> None:
        self.clock, self.running = clock, dict[int, Iterator[int]]()
        self.asked: list[tuple[int, str, int]] = []
        self.dropped: list[int] = []
        self.closed = False
        self.errors: list[Exception] = []
        self.during: Callable[[], object] = lambda: None
        self.repeats, self.skip = False, dict[int, int]()

    def slice(self, key: int, call: tuple[str, str, Argument], skip: int, seconds: float):
        name, length = call[2]
        self.asked.append((key, name, skip))
        if self.clock:
            self.clock.now += seconds
        self.during()
        if self.errors:
            error = self.errors.pop()
            if isinstance(error, Gone):
                self.running.clear()
            raise error
        if key not in self.running:
            self.running[key] = iter(range(0 if self.repeats else skip, length))
            self.skip[key] = skip
        row = next(self.running[key], None)
        if row is None:
            del self.running[key]
            return [], "done"
        if row < self.skip[key]:
            return [], "running"
        return ([], "ValueError: no") if name == "wrong" else ([row], "running")

    def drop(self, key: int) -> None:
        self.dropped.append(key)
        self.running.pop(key, None)

    def kill(self) -> None:
        self.killed = True

    def close(self) -> None:
        self.closed = True

    @property
    def names(self) -> list[str]:
        return [name for _, name, _ in self.asked]


class Desk:
    """A coordinator with its worker and its clock, moved by hand."""

    def __init__(self) -> None:
        self.clock = Clock()
        self.worker = Worker(self.clock)
        self.jobs = Jobs(lambda: self.worker, self.clock, thread=False)

    def submit(self, name: str, viewer: str = "ann", length: int = 1000, **options: Any) -> Job:
        return self.jobs.submit(call(name, length), viewer, **options)

    def long(self, name: str, viewer: str = "ann") -> Job:
        return self.jobs.submit(call(name, 1000, 2 * LONG), viewer)

    def large(self, name: str, held: float, length: int = 1000, viewer: str = "ann") -> Job:
        return self.jobs.submit(call(name, length, held=held), viewer)

    def turns(self, count: int) -> None:
        for _ in range(count):
            self.jobs.turn()

    def finish(self) -> None:
        while self.jobs.turn():
            pass

    def wait(self, seconds: float) -> None:
        self.clock.now += seconds
        self.jobs.turn()


def call(name: str, length: int = 1000, work: float = 0, held: float = 0) -> Call:
    return Call("module", "function", (name, length), work, held)


@pytest.fixture
def desk() -> Desk:
    return Desk()


# One job for equal calls


def test_equal_calls_are_one_job_that_runs_once(desk: Desk) -> None:
    job = desk.submit("a", "ann", 3)
    assert desk.submit("a", "bob", 3) is job
    assert job.watchers == {"ann", "bob"}
    desk.finish()
    assert (job.state, job.rows) == ("done", [0, 1, 2])
    assert desk.worker.asked == [(job.key, "a", skip) for skip in (0, 1, 2, 3)]


def test_what_is_finished_answers_at_once(desk: Desk) -> None:
    job = desk.submit("a", length=3)
    desk.finish()
    asked = len(desk.worker.asked)
    again = desk.submit("a", "bob", 3)
    assert again is job
    assert again.state == "done"
    desk.turns(3)
    assert len(desk.worker.asked) == asked


def test_another_argument_is_another_job(desk: Desk) -> None:
    first, second = desk.submit("a"), desk.submit("b")
    assert first is not second
    assert first.key != second.key


# Turns


def test_a_turn_is_long_for_one_job_and_short_for_several(desk: Desk) -> None:
    def took() -> float:
        began = desk.clock.now
        desk.turns(1)
        return desk.clock.now - began

    desk.submit("a")
    assert took() == pytest.approx(SLICE_ALONE)
    other = desk.submit("b")
    assert [took(), took(), took()] == pytest.approx([SLICE] * 3)
    desk.jobs.leave(other, "ann")
    assert took() == pytest.approx(SLICE_ALONE)


def test_running_jobs_take_turns(desk: Desk) -> None:
    for name in "abc":
        desk.submit(name)
    desk.turns(9)
    assert desk.worker.names == list("abc") * 3


def test_a_short_job_is_not_held_up_by_long_ones(desk: Desk) -> None:
    for name in "xyz":
        desk.long(name)
    desk.turns(30)
    short = desk.submit("short", length=3)
    desk.turns(4 * 4)
    assert short.state == "done"
    assert desk.worker.names[30] == "short"


def test_only_some_jobs_run_and_fewer_long_ones(desk: Desk) -> None:
    long = [desk.long(name) for name in "vwxyz"]
    desk.turns(1)
    assert [job.state for job in long] == ["running"] * LONG_RUNNING + ["queued"] * 2
    short = [desk.submit(name, length=2) for name in "ab"]
    desk.turns(1)
    assert [job.state for job in short] == ["running", "queued"]
    desk.turns(30)
    assert [job.state for job in short] == ["done", "done"]
    assert sum(job.state == "running" for job in long) == LONG_RUNNING
    desk.jobs.leave(long[1], "ann")
    desk.turns(1)
    assert [job.state for job in long] == ["running", "paused", "running", "running", "queued"]


def test_only_a_few_jobs_run_at_once(desk: Desk) -> None:
    jobs = [desk.submit(str(i), length=5) for i in range(RUNNING + 2)]
    desk.turns(1)
    assert [job.state for job in jobs] == ["running"] * RUNNING + ["queued"] * 2
    desk.finish()
    assert {job.state for job in jobs} == {"done"}


def test_without_a_job_there_is_nothing_to_do(desk: Desk) -> None:
    assert desk.jobs.turn() is False
    desk.submit("a")
    assert desk.jobs.turn() is True


# The queue


def test_the_queue_is_bounded_but_joining_is_always_possible(desk: Desk) -> None:
    jobs = [desk.submit(str(i)) for i in range(WAITING)]
    with pytest.raises(Refused, match="busy") as refused:
        desk.submit("one more", "bob")
    assert refused.value.values == {"waiting": WAITING}
    assert desk.submit("3", "bob") is jobs[3]
    desk.turns(1)
    for i in range(RUNNING):
        desk.submit(f"then {i}")
    with pytest.raises(Refused, match="busy"):
        desk.submit("one more", "bob")


def test_what_is_pinned_has_a_place_in_a_full_queue(desk: Desk) -> None:
    for i in range(WAITING):
        desk.submit(str(i))
    job = desk.submit("the lab's own", pinned=True)
    assert desk.jobs.place(job) == WAITING + 1
    with pytest.raises(Refused, match="busy"):
        desk.submit("one more")


def test_the_place_in_the_queue_counts_down(desk: Desk) -> None:
    jobs = [desk.submit(str(i), length=2) for i in range(RUNNING + 3)]
    assert [desk.jobs.place(job) for job in jobs] == list(range(1, RUNNING + 4))
    desk.turns(1)
    assert [desk.jobs.place(job) for job in jobs] == [0] * RUNNING + [1, 2, 3]
    seen = [desk.jobs.place(jobs[-1])]
    while jobs[-1].state == "queued":
        desk.turns(1)
        seen.append(desk.jobs.place(jobs[-1]))
    assert seen == sorted(seen, reverse=True)
    assert set(seen) == {0, 1, 2, 3}
    desk.finish()
    assert [desk.jobs.place(job) for job in jobs] == [0] * len(jobs)


# Stop and Continue


def test_stop_by_one_of_two_takes_only_that_one_off(desk: Desk) -> None:
    job = desk.submit("a", "ann")
    desk.submit("a", "bob")
    desk.turns(2)
    desk.jobs.leave(job, "ann")
    assert (job.state, job.watchers) == ("running", {"bob"})
    desk.turns(2)
    assert len(job.rows) == 4


def test_stop_by_the_last_pauses_at_once(desk: Desk) -> None:
    job = desk.submit("a", "ann")
    desk.submit("a", "bob")
    desk.turns(2)
    desk.jobs.leave(job, "bob")
    desk.jobs.leave(job, "ann")
    assert job.state == "paused"
    desk.turns(5)
    assert len(job.rows) == 2
    assert not job.live


def test_stop_pauses_at_once_when_the_other_watcher_is_gone(desk: Desk) -> None:
    job = desk.submit("a", "ann")
    desk.submit("a", "bob")
    desk.turns(1)
    desk.jobs.depart("bob")
    desk.jobs.leave(job, "ann")
    assert job.state == "paused"


def test_stop_takes_a_waiting_job_out_of_the_queue(desk: Desk) -> None:
    first, second = desk.submit("a"), desk.submit("b")
    desk.jobs.leave(first, "ann")
    assert first.state == "paused"
    assert [desk.jobs.place(job) for job in (first, second)] == [0, 1]


def test_stop_during_a_slice_keeps_that_slice_and_stays_paused(desk: Desk) -> None:
    job = desk.submit("a")
    desk.worker.during = lambda: desk.jobs.leave(job, "ann")
    desk.turns(1)
    assert (job.state, job.rows) == ("paused", [0])
    desk.turns(1)
    assert job.rows == [0]


def test_a_job_that_ends_in_the_slice_it_is_stopped_in_is_done(desk: Desk) -> None:
    job = desk.submit("a", length=0)
    desk.worker.during = lambda: desk.jobs.leave(job, "ann")
    desk.turns(1)
    assert job.state == "done"


@pytest.mark.parametrize("viewer", ["ann", "bob"])
def test_continue_goes_on_from_the_same_row(desk: Desk, viewer: str) -> None:
    job = desk.submit("a", length=6)
    desk.turns(3)
    desk.jobs.leave(job, "ann")
    desk.wait(DROP_AFTER - 1)
    assert desk.submit("a", viewer, 6) is job
    assert job.state == "queued"
    desk.finish()
    assert (job.state, job.rows) == ("done", [0, 1, 2, 3, 4, 5])
    assert {key for key, _, _ in desk.worker.asked} == {job.key}
    assert desk.worker.dropped == []


def test_stop_of_what_is_done_changes_nothing(desk: Desk) -> None:
    job = desk.submit("a", length=1)
    desk.finish()
    desk.jobs.leave(job, "ann")
    assert job.state == "done"


# Memory


def test_runs_that_do_not_fit_together_do_not_run_together(desk: Desk) -> None:
    first, second = desk.large("a", 0.6 * MOST_HELD, 3), desk.large("b", 0.6 * MOST_HELD, 3)
    small = desk.large("c", 0.4 * MOST_HELD, 3)
    desk.turns(2)
    assert (first.state, second.state, small.state) == ("running", "queued", "running")
    desk.finish()
    assert [job.rows for job in (first, second, small)] == 3 * [[0, 1, 2]]
    assert "b" not in desk.worker.names[:6]
    assert desk.worker.dropped == []


def test_one_that_fits_with_nothing_runs_alone(desk: Desk) -> None:
    small, huge = desk.submit("a", length=2), desk.large("b", 2 * MOST_HELD, 2)
    desk.finish()
    assert (small.rows, huge.rows) == ([0, 1], [0, 1])
    assert desk.worker.names == ["a", "a", "a", "b", "b", "b"]


def test_a_paused_run_is_put_away_only_when_its_memory_is_wanted(desk: Desk) -> None:
    paused = [desk.large(name, 0.4 * MOST_HELD, 4) for name in ("a", "b")]
    desk.turns(4)
    for job in paused:
        desk.jobs.leave(job, "ann")
    desk.large("c", 0.1 * MOST_HELD)
    desk.turns(1)
    assert desk.worker.dropped == []
    desk.large("d", 0.4 * MOST_HELD)
    desk.turns(1)
    assert desk.worker.dropped == [paused[0].key]
    assert [(job.state, job.rows) for job in paused] == 2 * [("paused", [0, 1])]


def test_what_was_put_away_runs_again_with_the_identical_rows_and_all_its_time(desk: Desk) -> None:
    job = desk.large("a", MOST_HELD, 6)
    desk.turns(3)
    assert job.seconds > 0
    desk.jobs.leave(job, "ann")
    other = desk.large("b", MOST_HELD, 2)
    desk.turns(1)
    assert (desk.worker.dropped, job.seconds) == ([job.key], 0)
    assert desk.large("a", MOST_HELD, 6) is job
    desk.finish()
    assert (job.state, job.rows) == ("done", list(range(6)))
    assert (other.state, other.rows) == ("done", [0, 1])
    assert (job.key, "a", 3) in desk.worker.asked


def test_what_was_put_away_is_behind_until_it_is_where_it_was(desk: Desk) -> None:
    desk.worker.repeats = True
    job = desk.large("a", MOST_HELD)
    desk.turns(3)
    assert not job.behind
    desk.jobs.leave(job, "ann")
    desk.large("b", MOST_HELD, 2)
    desk.finish()
    assert job.behind
    desk.large("a", MOST_HELD)
    for made in range(1, 4):
        desk.turns(1)
        assert (job.behind, len(job.rows)) == (True, 3), made
    desk.turns(1)
    assert (job.behind, job.rows) == (False, [0, 1, 2, 3])


# Leaving and coming back


def test_a_job_that_nobody_watches_pauses_after_a_while(desk: Desk) -> None:
    job = desk.submit("a")
    desk.turns(1)
    desk.jobs.depart("ann")
    left = desk.clock.now
    desk.wait(PAUSE_AFTER - 2 * SLICE_ALONE)
    assert job.state == "running"
    desk.wait(left + PAUSE_AFTER - desk.clock.now + ROUNDING)
    assert job.state == "paused"
    rows = len(job.rows)
    desk.turns(5)
    assert len(job.rows) == rows


def test_coming_back_resumes_by_itself_with_the_identical_rows(desk: Desk) -> None:
    job = desk.submit("a", length=8)
    desk.turns(3)
    desk.jobs.depart("ann")
    desk.wait(PAUSE_AFTER + 1)
    assert job.state == "paused"
    desk.jobs.arrive("ann")
    desk.turns(1)
    assert job.state == "running"
    desk.finish()
    assert job.rows == list(range(8))
    assert len({key for key, _, _ in desk.worker.asked}) == 1


def test_a_short_absence_changes_nothing(desk: Desk) -> None:
    job = desk.submit("a")
    desk.turns(1)
    for _ in range(5):
        desk.jobs.depart("ann")
        desk.wait(PAUSE_AFTER / 2)
        assert job.state == "running"
        desk.jobs.arrive("ann")
        desk.wait(1)
        assert job.state == "running"


def test_a_job_that_is_left_for_long_is_dropped_here_and_there(desk: Desk) -> None:
    job = desk.submit("a")
    desk.turns(1)
    desk.jobs.depart("ann")
    left = desk.clock.now
    desk.wait(DROP_AFTER - 0.1)
    assert job.state == "paused"
    assert desk.worker.dropped == []
    desk.wait(left + DROP_AFTER - desk.clock.now + ROUNDING)
    assert job.state == "dropped"
    desk.turns(1)
    assert desk.worker.dropped == [job.key]
    desk.jobs.arrive("ann")
    again = desk.submit("a")
    assert again is not job
    assert again.rows == []


def test_a_stopped_job_is_dropped_in_time_although_its_reader_is_there(desk: Desk) -> None:
    job = desk.submit("a")
    desk.turns(1)
    desk.jobs.leave(job, "ann")
    desk.wait(DROP_AFTER - 0.1)
    assert job.state == "paused"
    desk.wait(0.2)
    assert job.state == "dropped"
    assert desk.worker.dropped == [job.key]


def test_one_watcher_is_enough(desk: Desk) -> None:
    job = desk.submit("a", "ann")
    desk.submit("a", "bob")
    desk.jobs.depart("ann")
    for _ in range(10):
        desk.wait(DROP_AFTER)
        assert job.state == "running"
    desk.jobs.depart("bob")
    desk.wait(PAUSE_AFTER)
    assert job.state == "paused"


def test_the_time_alone_counts_from_the_last_who_left(desk: Desk) -> None:
    job = desk.submit("a", "ann")
    desk.submit("a", "bob")
    desk.jobs.depart("ann")
    desk.wait(15)
    desk.jobs.depart("bob")
    desk.wait(PAUSE_AFTER - 1)
    assert job.state == "running"
    desk.wait(1)
    assert job.state == "paused"


def test_a_waiting_job_is_left_and_found_again_too(desk: Desk) -> None:
    for i in range(RUNNING):
        desk.submit(str(i))
    job = desk.submit("a", "bob")
    desk.jobs.depart("bob")
    desk.wait(PAUSE_AFTER)
    assert job.state == "paused"
    desk.jobs.arrive("bob")
    desk.turns(1)
    assert desk.jobs.place(job) == 1


def test_a_finished_job_outlives_its_watchers(desk: Desk) -> None:
    job = desk.submit("a", length=1)
    desk.finish()
    desk.jobs.depart("ann")
    for _ in range(5):
        desk.wait(DROP_AFTER)
    assert job.state == "done"
    assert desk.submit("a", "bob", 1) is job
    assert job.watchers == {"bob"}


# The store


def test_the_store_forgets_what_was_asked_for_longest_ago(desk: Desk) -> None:
    jobs = [desk.submit(str(i), length=0) for i in range(KEPT)]
    desk.finish()
    desk.submit("0", length=0)
    last = desk.submit("last", length=0)
    desk.finish()
    asked = len(desk.worker.asked)
    assert desk.submit("0", length=0) is jobs[0]
    assert desk.submit("2", length=0) is jobs[2]
    assert desk.submit("last", length=0) is last
    assert desk.submit("1", length=0) is not jobs[1]
    desk.finish()
    assert len(desk.worker.asked) == asked + 1


def test_what_is_pinned_stays_in_the_store(desk: Desk) -> None:
    pinned = desk.submit("pinned", length=0, pinned=True)
    desk.finish()
    for i in range(2 * KEPT):
        desk.submit(str(i), length=0)
        desk.finish()
    assert desk.submit("pinned", length=0) is pinned
    assert len(desk.jobs._jobs) == KEPT


def test_running_jobs_are_not_forgotten(desk: Desk) -> None:
    running = desk.submit("running")
    for i in range(2 * KEPT):
        desk.submit(str(i), length=0)
        desk.turns(4)
    assert running.state == "running"
    assert desk.submit("running") is running


# What goes wrong


def test_an_error_fails_the_job_and_the_next_submit_tries_again(desk: Desk) -> None:
    job, other = desk.submit("wrong"), desk.submit("a")
    desk.turns(2)
    assert (job.state, job.error) == ("failed", "ValueError: no")
    assert other.state == "running"
    assert not job.live
    again = desk.submit("wrong")
    assert again is not job
    assert again.live
    assert again.key != job.key


def test_a_lost_worker_is_forgiven_once_and_the_job_goes_on_where_it_was(desk: Desk) -> None:
    job, other = desk.submit("a", length=6), desk.submit("b", length=6)
    desk.turns(6)
    desk.worker.errors = [Gone("the training process ended")]
    desk.turns(1)
    assert job.state == "running"
    desk.finish()
    for one in (job, other):
        assert (one.state, one.rows) == ("done", list(range(6)))
    assert (job.key, "a", 3) in desk.worker.asked


def test_after_a_lost_worker_a_job_is_behind_and_one_without_rows_is_not(desk: Desk) -> None:
    desk.worker.repeats = True
    job = desk.submit("a")
    desk.turns(2)
    desk.worker.errors = [Gone("the training process ended")]
    other = desk.submit("b")
    desk.turns(1)
    assert (job.behind, other.behind) == (False, False)
    desk.turns(1)
    assert (job.behind, other.behind) == (True, False)
    desk.turns(6)
    assert (job.behind, other.behind) == (False, False)
    assert job.rows == list(range(len(job.rows)))


def test_a_worker_lost_twice_fails_the_job_that_ran_and_no_other(desk: Desk) -> None:
    job, other = desk.submit("a"), desk.submit("b", length=6)
    desk.turns(2)
    for _ in range(2):
        desk.worker.errors = [Gone("the training process ended")]
        desk.turns(2)
    assert (job.state, job.error) == ("failed", "the training process ended")
    desk.finish()
    assert (other.state, other.rows) == ("done", list(range(6)))


def test_a_job_may_not_take_for_ever(desk: Desk) -> None:
    job = desk.submit("a", length=10**9)
    other = desk.submit("b", length=10**9)
    needed = round(WALL_CLOCK / SLICE)
    desk.turns(2 * needed - 10)
    assert job.state == "running"
    desk.jobs.leave(other, "ann")
    desk.turns(20)
    assert (job.state, job.error) == ("failed", "wall clock")
    assert other.state == "paused"
    assert desk.worker.dropped == [job.key]


def test_the_time_of_others_does_not_count(desk: Desk) -> None:
    job = desk.submit("a")
    desk.clock.now += 10 * WALL_CLOCK
    desk.turns(2)
    assert job.state == "running"
    assert job.seconds == pytest.approx(2 * SLICE_ALONE)


# With the thread


def until(condition: Callable[[], bool], seconds: float = 10) -> bool:
    end = time.monotonic() + seconds
    while not condition() and time.monotonic() < end:
        time.sleep(0.005)
    return condition()


@pytest.fixture
def threaded() -> Iterator[tuple[Jobs, Worker]]:
    worker = Worker()
    jobs = Jobs(lambda: worker)
    yield jobs, worker
    jobs.close()


def test_the_thread_runs_what_is_submitted(threaded: tuple[Jobs, Worker]) -> None:
    jobs, _ = threaded
    assert jobs._thread is None
    job = jobs.submit(call("a", 50), "ann")
    assert until(lambda: job.state == "done")
    assert job.rows == list(range(50))
    second = jobs.submit(call("b", 5), "ann")
    assert until(lambda: second.state == "done")


def test_stop_and_continue_against_the_thread(threaded: tuple[Jobs, Worker]) -> None:
    jobs, worker = threaded
    worker.during = lambda: time.sleep(0.001)
    job = jobs.submit(call("a", 300), "ann")
    while job.state != "done":
        jobs.leave(job, "ann")
        assert job.state in ("paused", "done")
        jobs.submit(job.call, "ann")
        time.sleep(0.01)
    assert job.rows == list(range(300))


def test_many_readers_press_train_at_the_same_moment(threaded: tuple[Jobs, Worker]) -> None:
    jobs, _ = threaded
    found: list[Job] = []
    gate = threading.Barrier(20)

    def press(viewer: str) -> None:
        gate.wait()
        found.append(jobs.submit(call("a", 30), viewer))

    threads = [threading.Thread(target=press, args=(str(i),)) for i in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(map(id, found))) == 1
    assert until(lambda: found[0].state == "done")
    assert found[0].rows == list(range(30))
    assert len(found[0].watchers) == 20


def test_an_unexpected_error_ends_its_job_and_not_the_coordinator(
    threaded: tuple[Jobs, Worker],
) -> None:
    jobs, worker = threaded
    worker.errors = [TypeError("cannot pickle")]
    job = jobs.submit(call("a", 5), "ann")
    assert until(lambda: not job.live)
    assert (job.state, job.error) == ("failed", "TypeError: cannot pickle")
    second = jobs.submit(call("b", 5), "ann")
    assert until(lambda: second.state == "done")


def test_close_ends_the_thread_and_the_worker(threaded: tuple[Jobs, Worker]) -> None:
    jobs, worker = threaded
    jobs.submit(call("a", 10**9), "ann")
    assert until(lambda: bool(worker.asked))
    thread = jobs._thread
    assert thread
    jobs.close()
    assert not thread.is_alive()
    assert worker.closed


def test_close_without_a_job_closes_the_worker() -> None:
    worker = Worker()
    Jobs(lambda: worker).close()
    assert worker.closed


# Whatever happens in whatever order


class Classroom(RuleBasedStateMachine):
    """Readers come, press, leave and return at any moment."""

    VIEWERS = draw.sampled_from(["ann", "bob", "eve"])
    WORK = draw.sampled_from([0, 2 * LONG])
    HELD = draw.sampled_from([0, 0.4 * MOST_HELD, 0.7 * MOST_HELD])
    CALLS = draw.builds(call, draw.sampled_from("abc"), draw.sampled_from([4, 400]), WORK, HELD)

    @initialize()
    def open(self) -> None:
        self.desk = Desk()
        self.seen: list[Job] = []
        self.there = {"ann", "bob", "eve"}

    @rule(viewer=VIEWERS, what=CALLS)
    def train(self, viewer: str, what: Call) -> None:
        self.desk.jobs.arrive(viewer)
        self.there.add(viewer)
        job = self.desk.jobs.submit(what, viewer)
        assert viewer in job.watchers
        assert job.live or job.state == "done"
        if job not in self.seen:
            self.seen.append(job)

    @precondition(lambda self: self.seen)
    @rule(viewer=VIEWERS, data=draw.data())
    def stop(self, viewer: str, data: draw.DataObject) -> None:
        job = data.draw(draw.sampled_from(self.seen))
        self.desk.jobs.leave(job, viewer)
        assert viewer not in job.watchers
        if not job.watchers & self.there:
            assert not job.live

    @rule(viewer=VIEWERS)
    def go(self, viewer: str) -> None:
        if viewer in self.there:
            self.there.remove(viewer)
            self.desk.jobs.depart(viewer)

    @rule(viewer=VIEWERS)
    def come(self, viewer: str) -> None:
        self.there.add(viewer)
        self.desk.jobs.arrive(viewer)

    @rule(count=draw.integers(1, 12))
    def work(self, count: int) -> None:
        self.desk.turns(count)

    @rule(seconds=draw.sampled_from([1.0, 19.0, 21.0, 90.0, 130.0]))
    def wait(self, seconds: float) -> None:
        self.desk.wait(seconds)
        for job in self.seen:
            if job.watchers & self.there:
                assert job.state != "paused"

    @rule()
    def lose_the_worker(self) -> None:
        self.desk.worker.running.clear()

    @invariant()
    def every_row_is_there_once_and_in_order(self) -> None:
        for job in self.seen:
            assert job.rows == list(range(len(job.rows)))
            assert job.state != "done" or len(job.rows) == job.call.argument[1]
            assert job.state != "failed"

    @invariant()
    def the_bounds_hold(self) -> None:
        running = [job for job in self.seen if job.state == "running"]
        assert len(running) <= RUNNING
        assert sum(job.call.work > LONG for job in running) <= LONG_RUNNING
        held = [job.call.held for job in self.seen if job.key in self.desk.worker.running]
        assert sum(held) <= MOST_HELD or len(running) <= 1


Classroom.TestCase.settings = settings(max_examples=40, stateful_step_count=25, deadline=None)
TestClassroom = Classroom.TestCase
