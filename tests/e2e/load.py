"""A class at once over the real websocket, on this machine alone: `python -m tests.e2e.load`.

Of ten people six move a slider once a second, on five pages; the others train and poll: on equal
settings, on settings of their own, or on one long run that they follow together. Then as many
sliders are moved on the minimal page. People and minutes are bounded; no figure is judged.
"""

import argparse
import asyncio
import itertools
import re
import statistics
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Awaitable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from tests.bench.measure import percentile95
from tests.e2e import processes, sessions
from tests.e2e.live import PAGE, finished
from tests.e2e.server import ROOT, serve
from tests.e2e.sessions import Session, visit

PEOPLE, MINUTES = (30, 60), 2.0
LEAST_PEOPLE, MOST_PEOPLE, MOST_MINUTES = 10, 100, 10.0
EVERY, READING, LONGEST, LOOKS = 1.0, 5.0, 300.0, 12
"""Seconds between two moves, for what a run came to, and at most for a run; looks at the memory."""
ERROR = re.compile("error|exception|traceback|warning", re.IGNORECASE)


class Slider(NamedTuple):
    """A slider to be moved: on which page, its key, and by how much."""

    name: str
    page: str
    key: str
    by: float
    query: Mapping[str, object] = MappingProxyType({})


class Training(NamedTuple):
    """Runs on a link's settings, one seed after the other; `own` seeds are nobody else's."""

    name: str
    query: Mapping[str, object]
    own: bool = False
    page: str = PAGE


SLIDERS = (
    Slider("overview", "", "ov_share", 0.1),
    Slider("residual explorer", "residual_explorer", "re_alpha", 0.1),
    Slider("gradient multiplier", "gradient_multiplier", "gm_n", 1),
    Slider("worked example", "worked_example", "we_alpha", 0.1),
    Slider("LayerNorm placement", "layernorm_placement", "ln_step", 1),
)
MINIMAL = Slider("minimal page", "", "n", 1)
SMALL, LONG = {"lt_width": 32, "lt_epochs": 4}, {"lt_depth": 40, "lt_epochs": 20}
EQUAL, OWN = Training("equal", SMALL), Training("different", SMALL, own=True)
FOLLOWED = Training("long", LONG)
TEN = (*SLIDERS, EQUAL, OWN, EQUAL, FOLLOWED, SLIDERS[2])
"""What ten people do."""


class Memory(NamedTuple):
    """Bytes that the server and its training process hold, some seconds after the start."""

    after: float
    server: int
    worker: int


class Class:
    """People in one lab at the same time, and what they meet there."""

    def __init__(self, address: str, tasks: Sequence[Slider | Training], seconds: float) -> None:
        """Have met nothing yet."""
        self._address, self._tasks, self._seconds = address, tasks, seconds
        self._own = itertools.count(100)
        self.took: dict[str, list[float]] = defaultdict(list)
        self.ended: list[tuple[str, int]] = []
        self.lost: list[str] = []
        self.memory: list[Memory] = []

    async def meet(self) -> None:
        """Let all people come at once, do what they do for so many seconds, and go."""
        remembering = asyncio.create_task(self._remember())
        await asyncio.gather(*map(self._person, itertools.count(), self._tasks))
        remembering.cancel()

    async def _person(self, number: int, task: Slider | Training) -> None:
        try:
            began = time.monotonic()
            async with visit(self._address, task.page, task.query) as session:
                opened = time.monotonic()
                self.took["a page is opened"].append(opened - began)
                end = opened + self._seconds
                if isinstance(task, Training):
                    await self._train(session, task, end)
                else:
                    await self._move(session, task, end, number / len(self._tasks))
                await self._note("a page is drawn again", session, session.load())
        except Exception as error:
            self.lost.append(f"{task}: {type(error).__name__}: {error}")

    async def _note(self, kind: str, session: Session, asking: Awaitable[float]) -> None:
        """Note how long an answer took. Raises `RuntimeError` when it was an error."""
        self.took[kind].append(await asking)
        if session.shown("exception"):
            raise RuntimeError(f"the page shows an error: {session.text[-300:]}")

    async def _move(self, session: Session, slider: Slider, end: float, phase: float) -> None:
        """Move it once a second, each person at another moment of the second."""
        due = time.monotonic() + EVERY * phase
        for turn in itertools.count(1):
            await asyncio.sleep(due - time.monotonic())
            moved = session.move(slider.key, round(slider.by * (1 + turn % 8), 1))
            await self._note(f"a slider moves: {slider.name}", session, moved)
            due = max(due + EVERY, time.monotonic())
            if due > end:
                return

    async def _train(self, session: Session, training: Training, end: float) -> None:
        """Train until it is time to go; a run that has begun is seen to its end."""
        for seed in self._own if training.own else itertools.count():
            await self._note("a seed is set", session, session.move("lt_seed", seed % 1000))
            await self._note("Train is pressed", session, session.press("lt_go"))
            looks = await session.watch(finished, LONGEST)
            self.took["a run is polled"] += [look.took for look in looks]
            self.ended.append((training.name, seed))
            if time.monotonic() + READING > end:
                return
            await asyncio.sleep(READING)

    async def _remember(self) -> None:
        """Look at the memory at equal intervals, until cancelled."""
        if not processes.KNOWN:
            return
        began, server = time.monotonic(), processes.server(self._address)
        while True:
            worker = processes.worker(server)
            held = (processes.resident(server), processes.resident(worker) if worker else 0)
            self.memory.append(Memory(time.monotonic() - began, *held))
            await asyncio.sleep(self._seconds / LOOKS)


def tasks(people: int) -> list[Slider | Training]:
    """Return what so many people do in the lab."""
    return list(itertools.islice(itertools.cycle(TEN), people))


def met(doing: Sequence[Slider | Training], seconds: float, log: Path) -> Class:
    """Return what a class meets: in the lab, or in the minimal page's shell if it moves that."""
    minimal = MINIMAL in doing
    script = ROOT / "tests" / "bench" / "shell.py" if minimal else ROOT / "dashboard.py"
    with serve(script, log=log) as address:
        people = Class(address, doing, seconds)
        sessions.run(people.meet())
    return people


def errors(log: Path) -> list[str]:
    """Return the lines of a server's log that speak of an error or warn of something."""
    return [line for line in log.read_text().splitlines() if ERROR.search(line)]


def _figures(took: Mapping[str, list[float]]) -> None:
    """Print how many answers of each kind there were, and how long they took."""
    print(f"  {'':40}{'answers':>9}{'p50':>9}{'p95':>9}{'most':>9}  ms")
    for kind, seconds in sorted(took.items()):
        three = (statistics.median(seconds), percentile95(seconds), max(seconds))
        times = "".join(f"{1000 * value:9.0f}" for value in three)
        print(f"  {kind:40}{len(seconds):9}{times}")


def _told(people: Class, log: Path) -> None:
    """Print what a class met."""
    _figures(people.took)
    if people.ended:
        different = len(set(people.ended))
        print(f"  runs seen to their end: {len(people.ended)}, by {different} jobs")
    for name, of in (("server", 1), ("training process", 2)):
        held = [f"{look.after:.0f} s {look[of] / 1e6:.0f}" for look in people.memory if look[of]]
        if held:
            print(f"  memory of the {name}, MB: {', '.join(held)}")
    print(f"  people lost: {len(people.lost)}; lines of error in the log: {len(errors(log))}")
    print("".join(f"  {line}\n" for line in (*people.lost, *errors(log))), end="", flush=True)


def run(people: int, minutes: float) -> bool:
    """Let people into the lab, then to the minimal page; print it; return whether all was well."""
    well = True
    with tempfile.TemporaryDirectory() as folder:
        doing = tasks(people)
        moving = [MINIMAL for task in doing if isinstance(task, Slider)]
        lab = f"{people} people in the lab for {60 * minutes:.0f} s"
        minimal = f"{len(moving)} sliders of the minimal page"
        for title, each, length in ((lab, doing, minutes), (minimal, moving, minutes / 4)):
            log = Path(folder) / f"{len(each)}-{length}"
            print(f"{title}:", flush=True)
            seen = met(each, 60 * length, log)
            _told(seen, log)
            well = well and not seen.lost and not errors(log)
    return well


def main(arguments: Sequence[str] | None = None) -> int:
    """Read the command line and run; the exit code is 1 when somebody was lost or an error met."""
    parser = argparse.ArgumentParser(prog="python -m tests.e2e.load", description=__doc__)
    parser.add_argument("--minutes", type=float, default=MINUTES)
    parser.add_argument("--people", type=int, nargs="+", default=PEOPLE, help="class after class")
    given = parser.parse_args(arguments)
    if not all(LEAST_PEOPLE <= people <= MOST_PEOPLE for people in given.people):
        parser.error(f"a class has {LEAST_PEOPLE} to {MOST_PEOPLE} people")
    if not 0 < given.minutes <= MOST_MINUTES:
        parser.error(f"it lasts at most {MOST_MINUTES:g} minutes")
    well = [run(people, given.minutes) for people in given.people]
    return 0 if all(well) else 1


if __name__ == "__main__":
    sys.exit(main())
