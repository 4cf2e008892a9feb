"""Random links that mean harm, over the real websocket: `python -m tests.e2e.fuzz --seed 7`.

A link sets all controls of a page, or some, to what `tests.hostile` knows, to random text and to
numbers at and beyond the ends of their ranges; the language, the tab, keys that nobody knows and
broken percent signs too. It is told when a page raises, when it shows what the link says in any
other way than as code, when the training process works for it, and how much memory is held.
"""

import argparse
import random
import string
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote, quote_plus

from pages import LESSONS
from tests.e2e import processes
from tests.e2e.server import serve
from tests.e2e.sessions import Session, run, visit
from tests.hostile import CORPUS, LIMIT, LONG, MARK, tabs

EVERYWHERE = ("lang", "tab", "embed", "embed_options", "utm_source", "", MARK)
BROKEN = ("%", "%zz", "%00", "%ED%A0%80", "%FF%FE", "&&", "=", "#", ";", "+")
GROWTH = 150 * 2**20
"""Bytes that the server may hold more than before; it keeps the last 128 sessions for a while."""


class Link(NamedTuple):
    """What is opened: the path of a page and a query as it is written."""

    page: str
    query: str


class Ranges(NamedTuple):
    """The controls of a page with a tab open: from where to where each goes, if it has ends."""

    page: str
    ends: dict[str, tuple[float, float]]


def controls(session: Session) -> dict[str, tuple[float, float]]:
    """Return the keys of the controls on a page, each with the ends of its range."""
    bodies: list[Any] = [getattr(it, it.WhichOneof("type") or "") for it in session.elements]
    bound = [body for body in bodies if getattr(body, "query_param_key", "")]
    return {
        body.query_param_key: (getattr(body, "min", 0.0), getattr(body, "max", 1.0))
        for body in bound
    }


def text(draw: random.Random) -> str:
    """Return a random text of signs from all over Unicode, with the mark in it."""
    signs = (draw.choice((draw.randrange(1, 0xD800), draw.randrange(0xE000, 0x110000), 36, 92)),)
    plain = draw.choices(string.printable, k=draw.randrange(30))
    return MARK + "".join(map(chr, signs * draw.randrange(1, 9))) + "".join(plain) + MARK


def value(draw: random.Random, low: float, high: float) -> str | tuple[str, ...]:
    """Return what a link says for a control that goes from `low` to `high`."""
    between = draw.uniform(low, high)
    number = draw.choice((low, high, between, round(between), low - 1, high + 1e-9, high * 1e300))
    ends = (str(high), str(low))
    return draw.choice((*draw.choices(CORPUS, k=4), str(number), f"{number:.0f}", ends, text(draw)))


def links(pages: list[Ranges], seed: int) -> Iterator[Link]:
    """Return links without end, the same for the same seed."""
    draw = random.Random(seed)
    while True:
        page, ends = draw.choice(pages)
        ours = draw.sample(sorted(ends), draw.randint(1, len(ends)))
        said = [(key, value(draw, *ends[key])) for key in ours]
        said += [(key, value(draw, 0, 1)) for key in draw.choices(EVERYWHERE, k=draw.randrange(3))]
        if draw.random() < 0.05:
            said += [(draw.choice((ours[0], "tab", text(draw))), LONG[: LIMIT // 2])]
        draw.shuffle(said)
        yield Link(page, written(draw, [("lang", draw.choice(("en", "zh"))), *said]))


def written(draw: random.Random, said: list[tuple[str, str | tuple[str, ...]]]) -> str:
    """Return a query that says all this; in one of ten something in it is broken."""
    query = "&".join(
        f"{quote_plus(key)}={quote(one)}"
        for key, all_of_it in said
        for one in ((all_of_it,) if isinstance(all_of_it, str) else all_of_it)
    )
    if draw.random() < 0.1:
        place = draw.randrange(len(query))
        query = query[:place] + draw.choice(BROKEN) + query[place:]
    return query


def faults(session: Session) -> list[str]:
    """Return what is wrong with a page that a link has opened."""
    kinds = [(it.WhichOneof("type"), it) for it in session.elements]
    wrong = [f"raised {body.message}" for body in session.shown("exception")]
    if len(kinds) < 10:
        wrong.append("shows hardly anything")
    for kind, element in kinds:
        marked = MARK.encode() in element.SerializeToString()
        if marked and (kind != "code" or element.ByteSize() > 4000):
            wrong.append(f"shows the link's own words as {kind}: {str(element)[:300]}")
    return wrong


class Outcome(NamedTuple):
    """How a run of links ended."""

    links: int
    faults: list[str]
    memory: list[int]
    trained: float


async def explore(address: str) -> list[Ranges]:
    """Open every tab of every page, and let the default run come to its end."""
    pages = []
    async with visit(address, "live_training") as reader:
        await reader.watch(lambda session: not session.polls, 200)
    for lesson in LESSONS:
        path = "" if lesson is LESSONS[0] else lesson.stem
        for tab in tabs(lesson.stem):
            async with visit(address, path, {"tab": tab}) as reader:
                pages.append(Ranges(path, controls(reader)))
    return pages


async def attack(address: str, seed: int, count: int, seconds: float) -> Outcome:
    """Open random links, so many or for so long, whichever comes first."""
    pages = await explore(address)
    server = processes.server(address)
    worker = processes.worker(server)
    assert worker, "the default run was trained"
    before, memory, wrong, number = processes.busy(worker), [processes.resident(server)], [], 0
    end = time.monotonic() + seconds
    for number, link in enumerate(links(pages, seed), 1):
        async with visit(address, link.page, link.query) as reader:
            found = faults(reader)
            await reader.load()
            found += faults(reader)
        wrong += [f"/{link.page}?{link.query[:2000]}\n    {fault}" for fault in found]
        if number % 50 == 0:
            memory.append(processes.resident(server))
        if number >= count or time.monotonic() > end:
            break
    memory.append(processes.resident(server))
    return Outcome(number, wrong, memory, processes.busy(worker) - before)


def judged(outcome: Outcome) -> list[str]:
    """Return what did not hold, a line each."""
    wrong = list(dict.fromkeys(outcome.faults))
    if outcome.trained > 0.5:
        wrong.append(f"the training process worked for {outcome.trained:.1f} s")
    if outcome.memory[-1] - outcome.memory[0] > GROWTH:
        wrong.append("the server holds more and more memory")
    return wrong


def told(outcome: Outcome, seed: int) -> str:
    """Return the outcome in a few lines."""
    held = " ".join(f"{held / 2**20:.0f}" for held in outcome.memory)
    return "\n".join(
        [
            f"seed {seed}: {outcome.links} links, {len(judged(outcome))} faults",
            f"memory of the server, MB, every 50 links: {held}",
            *judged(outcome)[:20],
        ]
    )


def main() -> int:
    """Run for some seconds, say what was found, and return 1 if anything was."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=120)
    parser.add_argument("--seed", type=int, default=random.randrange(10**6))
    asked = parser.parse_args()
    print(f"seed {asked.seed}", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "log"
        with serve(log=log) as address:
            outcome = run(attack(address, asked.seed, sys.maxsize, asked.seconds))
        if "Traceback" in log.read_text():
            outcome.faults.append(f"the server has logged: {log.read_text()[-2000:]}")
    print(told(outcome, asked.seed))
    return 1 if judged(outcome) else 0


if __name__ == "__main__":
    sys.exit(main())
