"""Who trains when: one coordinator for all readers, one training process behind it.

Equal calls are one job (single flight); a few jobs run in turns of 50 ms, so that a short one is
not held up by a long one, and one that is alone in turns of 100 ms, so that it seldom waits for a
busy server; the others wait in a bounded queue. Runs that together would hold too much memory
do not run at once. Finished jobs are kept in a bounded store, so that a repeated setting answers
at once.

Watchers: a watcher is a living session. When none of a job's watchers has been there for
`PAUSE_AFTER` seconds the job pauses between two steps, after `DROP_AFTER` it is dropped. Stop takes
its reader off the job; when nobody else watches, it pauses at once.
"""

import itertools
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

from core.limits import Refused
from core.remote import Gone, Remote

SLICE, SLICE_ALONE = 0.05, 0.1
RUNNING, LONG_RUNNING, WAITING, PAUSED, KEPT = 4, 3, 40, 8, 24
LONG = 2e11
MOST_HELD = 2e8
"""Bytes that all runs together may hold between their steps; one that needs more runs alone."""
PAUSE_AFTER, DROP_AFTER = 20.0, 120.0
WALL_CLOCK = 180.0

State = Literal["queued", "running", "paused", "done", "failed", "dropped"]
HOLDING = ("queued", "running", "paused")
"""The states in which a job that has begun holds memory."""


class Call(NamedTuple):
    """What to run: `module.function(argument)`, a generator.

    `work` in multiply-adds; `held`, the bytes it keeps between two steps.
    """

    module: str
    function: str
    argument: Any
    work: float = 0.0
    held: float = 0.0


@dataclass(eq=False, slots=True)
class Job:
    """One call on its way: the rows so far, its state, and who watches.

    Once `begun`, the training process holds it, until it ends or is put away. It is `behind` while
    it runs again, after that or after a lost process, through rows that are here already.
    """

    key: int
    call: Call
    rows: list = field(default_factory=list)
    state: State = "queued"
    error: str = ""
    watchers: set[str] = field(default_factory=set)
    pinned: bool = False
    begun: bool = False
    behind: bool = False
    seconds: float = 0.0
    losses: int = 0
    turn: int = 0
    alone_since: float | None = None

    @property
    def live(self) -> bool:
        """Whether more rows will come while somebody watches."""
        return self.state in ("queued", "running")


class Jobs:
    """The coordinator. All methods may be called from any thread."""

    def __init__(
        self,
        worker: Callable[[], Any] = Remote,
        clock: Callable[[], float] = time.monotonic,
        thread: bool = True,
    ) -> None:
        """Start nothing yet. With `thread=False` the owner calls `turn` (for tests)."""
        self._worker, self._clock, self._threaded = worker(), clock, thread
        self._lock = threading.RLock()
        self._work = threading.Condition(self._lock)
        self._jobs: dict[Call, Job] = {}
        self._gone: dict[str, float] = {}
        self._to_drop: list[int] = []
        self._numbers = itertools.count()
        self._thread: threading.Thread | None = None
        self._closed = False

    def submit(self, call: Call, viewer: str, pinned: bool = False) -> Job:
        """Return the job of a call, watched by `viewer`: a new one, or the one that is there.

        A paused job goes on. `pinned` keeps the job in the store, and has a place even in a full
        queue; any other is then refused: raises `Refused("busy")`.
        """
        with self._work:
            job = self._jobs.get(call)
            if job is None or job.state == "failed":
                waiting = sum(job.state == "queued" for job in self._jobs.values())
                if waiting >= WAITING and not pinned:
                    raise Refused("busy", waiting=waiting)
                job = Job(next(self._numbers), call, pinned=pinned)
            self._jobs.pop(call, None)
            self._jobs[call] = job  # at the end: the store forgets what was asked for longest ago
            job.pinned |= pinned
            job.watchers.add(viewer)
            job.alone_since = None
            if job.state == "paused":
                job.state = "queued"
            if self._closed:
                job.state = "dropped"
            self._start()
            self._work.notify()
            return job

    def leave(self, job: Job, viewer: str) -> None:
        """Take a reader off a job (Stop); without other living watchers it pauses at once."""
        with self._lock:
            job.watchers.discard(viewer)
            if job.live and not self._watched(job):
                job.state, job.alone_since = "paused", self._clock()

    def arrive(self, viewer: str) -> None:
        """Note that a reader's session lives."""
        with self._lock:
            self._gone.pop(viewer, None)

    def depart(self, viewer: str) -> None:
        """Note that a reader's connection has ended. It may come back."""
        with self._lock:
            self._gone[viewer] = self._clock()

    def place(self, job: Job) -> int:
        """Return the job's place in the queue, from 1; 0 when it does not wait."""
        with self._lock:
            waiting = self._waiting()
            return waiting.index(job) + 1 if job in waiting else 0

    def close(self) -> None:
        """Stop the thread and the training process; what was running is dropped."""
        with self._work:
            self._closed = True
            for job in self._jobs.values():
                if job.state not in ("done", "failed"):
                    job.state = "dropped"
            self._work.notify()
        self._worker.kill()
        if self._thread:
            self._thread.join(10)
        self._worker.close()

    def turn(self) -> bool:
        """Give the next running job its slice; return whether there was one."""
        with self._lock:
            self._tidy()
            job, seconds = self._next()
            drop, self._to_drop = self._to_drop, []
        for key in drop:
            self._worker.drop(key)
        if job is None:
            return False
        self._slice(job, seconds)
        return True

    def _start(self) -> None:
        if self._threaded and self._thread is None:
            self._thread = threading.Thread(target=self._loop, name="jobs", daemon=True)
            self._thread.start()

    def _loop(self) -> None:
        while not self._closed:
            if not self.turn():
                with self._work:
                    self._work.wait(0.5)

    def _slice(self, job: Job, seconds: float) -> None:
        """Run one slice in the training process; the lock is not held meanwhile."""
        began = self._clock()
        try:
            rows, said = self._worker.slice(job.key, job.call[:3], len(job.rows), seconds)
        except Gone as error:
            rows, said = [], "running"
            job.losses += 1
            if job.losses > 1:
                said = str(error)
        except Exception as error:  # whatever it is, it ends this job and not the coordinator
            rows, said = [], f"{type(error).__name__}: {error}"
        with self._lock:
            job.rows.extend(rows)
            job.behind = said == "running" and bool(job.rows) and not rows
            job.seconds += self._clock() - began
            if self._closed:
                return
            if said == "done":
                job.state = "done"
            elif said != "running":
                job.state, job.error = "failed", said
            elif job.seconds > WALL_CLOCK:
                job.state, job.error = "failed", "wall clock"
                self._to_drop.append(job.key)

    def _watched(self, job: Job) -> bool:
        return any(viewer not in self._gone for viewer in job.watchers)

    def _tidy(self) -> None:
        """Pause what nobody watches, drop what nobody came back to, bound the store."""
        now = self._clock()
        for call, job in list(self._jobs.items()):
            if job.state in ("done", "failed"):
                continue
            if self._watched(job):
                job.alone_since = None
                if job.state == "paused":
                    job.state = "queued"
                continue
            left = [self._gone[viewer] for viewer in job.watchers]
            if job.alone_since is None:
                job.alone_since = max(left, default=now)
            if now - job.alone_since >= DROP_AFTER:
                self._drop(call)
            elif now - job.alone_since >= PAUSE_AFTER and job.live:
                job.state = "paused"
        paused = [call for call, job in self._jobs.items() if job.state == "paused"]
        for call in paused[: max(0, len(paused) - PAUSED)]:
            self._drop(call)
        ended = [c for c, job in self._jobs.items() if job.state in ("done", "failed")]
        spare = [call for call in ended if not self._jobs[call].pinned]
        for call in spare[: max(0, len(ended) - KEPT)]:
            del self._jobs[call]
        for viewer in [v for v, t in self._gone.items() if now - t > 2 * DROP_AFTER]:
            del self._gone[viewer]
            for job in self._jobs.values():
                job.watchers.discard(viewer)

    def _drop(self, call: Call) -> None:
        job = self._jobs.pop(call)
        job.state = "dropped"
        self._to_drop.append(job.key)

    def _waiting(self) -> list[Job]:
        """Return the queue: who asked first comes first, whoever joined later."""
        queued = (job for job in self._jobs.values() if job.state == "queued")
        return sorted(queued, key=lambda job: job.key)

    def _make_room(self, job: Job) -> bool:
        """Put paused jobs away until this one fits; return whether it does.

        What is put away and wanted again runs once more up to where it was.
        """
        begun = [other for other in self._jobs.values() if other.begun and other is not job]
        paused = [other for other in begun if other.state == "paused"]
        held = job.call.held + sum(other.call.held for other in begun if other.state in HOLDING)
        while held > MOST_HELD and paused:
            other = paused.pop(0)
            held -= other.call.held
            other.begun, other.behind, other.seconds = False, bool(other.rows), 0.0
            self._to_drop.append(other.key)
        return held <= MOST_HELD

    def _next(self) -> tuple[Job | None, float]:
        """Fill the free places from the queue; return whose turn it is, and for how long."""
        running = [job for job in self._jobs.values() if job.state == "running"]
        long = sum(job.call.work > LONG for job in running)
        for job in self._waiting():
            if len(running) < RUNNING:
                if job.call.work > LONG and long >= LONG_RUNNING:
                    continue
                if not self._make_room(job) and running:
                    continue
                job.state, job.begun = "running", True
                long += job.call.work > LONG
                running.append(job)
        job = min(running, key=lambda job: job.turn, default=None)
        if job:
            job.turn = next(self._numbers)
        return job, SLICE if len(running) > 1 else SLICE_ALONE
