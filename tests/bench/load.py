"""A class in the lab: training watched in a browser, thirty people who move sliders, memory.

Nothing but this machine is asked; sessions and seconds are bounded.
"""

import asyncio
import itertools
import re
import statistics
import time
from collections.abc import Iterator, Sequence
from contextlib import AsyncExitStack
from dataclasses import replace
from itertools import pairwise

from playwright.sync_api import Page, expect, sync_playwright

from core.settings import Settings
from pages import LESSONS
from tests.bench.measure import Measure
from tests.bench.options import Options
from tests.e2e import processes
from tests.e2e.browser import FLAGS, find
from tests.e2e.ready import SCREEN, ready
from tests.e2e.server import serve
from tests.e2e.sessions import Session, visit

PEOPLE, WINDOW, WINDOWS = 30, 2.0, 24
"""How many people there are; how many seconds one state of the class lasts, and how often."""
LOOK, LOOKS = 2.0, 48
"""How many seconds a watched run is looked at, in turn with one alone, and how often."""
RUN, LONG = Settings(epochs=60), Settings(depth=50, batch=16, epochs=60)
"""Runs that outlast the seconds in which they are looked at: one window, and three."""
GROUP, GROUPS = 5, 6
"""How many sessions come between two looks at the memory, and how many such groups are judged."""
WATCH = """
window.seen = [];
new MutationObserver(() => {
  const text = document.querySelector('[data-testid=stText]')?.textContent ?? '';
  const step = Number(text.match(/^Step (\\d+)/)?.[1] ?? 0);
  if (step && step !== seen.at(-1)?.[1]) seen.push([performance.now() / 1000, step]);
}).observe(document, {subtree: true, childList: true, characterData: true});
"""


def watched(options: Options) -> Iterator[Measure]:
    """Compare training alone with training that a browser watches, in turn: seconds a step."""
    name = "training: alone / watched"
    if not options.wants(name):
        return
    with serve() as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find(), args=FLAGS)
        page = browser.new_page(viewport=SCREEN, locale="en-US")
        page.add_init_script(WATCH)
        page.goto(f"{address}/live_training?lt_epochs={RUN.epochs}")
        ready(page)
        times = [(_alone(seed), _watched(page)) for seed in range(LOOKS)]
        browser.close()
    alone, seen = zip(*times, strict=True)
    yield Measure(name, alone, seen, {"median": 0.9}, at_least=True)


def _watched(page: Page) -> float:
    """Train in the lab with a new seed; return the seconds a step in a window, and stop."""
    page.locator(".st-key-lt_new_seed button").click()
    page.wait_for_function("seen.length && seen.at(-1)[1] > 1", timeout=60_000)
    page.evaluate("seen.length = 0")
    page.wait_for_timeout(1000 * LOOK)
    looks = page.evaluate("seen")
    page.locator(".st-key-lt_stop button").click()
    expect(page.locator(".st-key-lt_continue button")).to_be_visible(timeout=60_000)
    return _seconds_a_step(looks)


def _seconds_a_step(looks: Sequence[tuple[float, int]]) -> float:
    """Return the slope of the line through all looks `(second, step)`.

    Steps are seen by the turn of the training process, so two looks alone say little.
    """
    seconds, steps = zip(*looks, strict=True)
    return 1 / statistics.linear_regression(seconds, steps).slope


def _alone(seed: int) -> float:
    """Run the same generator here, with nobody else; return the seconds a step in a window."""
    from core.training import train

    going = train(replace(RUN, seed=seed))
    next(going)
    began = time.perf_counter()
    count = next(n for n, _ in enumerate(going, 1) if time.perf_counter() - began > LOOK)
    return (time.perf_counter() - began) / count


def moves(options: Options) -> Iterator[Measure]:
    """Compare thirty people who move a slider once a second while a job trains with one person.

    Three states take turns: nobody moves, one person moves, thirty move; one reader watches the
    job in all of them. Its seconds a step are compared between the first and the last.
    """
    names = ("a move: 30 people / 1", "the job: alone / 30 people move")
    if not any(map(options.wants, names)):
        return
    with serve() as address:
        one, thirty, alone, crowded = asyncio.run(_states(address))
    yield Measure(names[0], thirty, one, {"p95": 3.0})
    yield Measure(names[1], alone, crowded, {"median": 0.9}, at_least=True)


async def _states(address: str) -> tuple[list[float], list[float], list[float], list[float]]:
    paces: dict[int, list[float]] = {0: [], 1: [], PEOPLE: []}
    answers: dict[int, list[float]] = {0: [], 1: [], PEOPLE: []}
    query = {f"lt_{field}": getattr(LONG, field) for field in ("depth", "batch", "epochs")}
    async with AsyncExitStack() as stack:

        async def opened(page: str, query: dict) -> Session:
            return await stack.enter_async_context(visit(address, page, query))

        reader = await opened("live_training", query)
        people = [await opened("gradient_multiplier", {}) for _ in range(PEOPLE)]
        for seed in range(WINDOWS):
            await reader.move("lt_seed", seed)
            await reader.press("lt_go")
            await reader.watch(lambda reader: _step(reader) > 0, 120)
            for count in sorted(paces, reverse=bool(seed % 2)):
                moving = asyncio.gather(*_evenly(people[:count]))
                pace, took = await asyncio.gather(_pace(reader), moving)
                paces[count].append(pace)
                answers[count] += itertools.chain.from_iterable(took)
            await reader.press("lt_stop")
    return answers[1], answers[PEOPLE], paces[0], paces[PEOPLE]


def _step(reader: Session) -> int:
    """Return the step that the page shows; a run that waits shows none."""
    text = reader.shown("text")[0].body
    found = re.match(r"Step (\d+)", text)
    return int(found[1]) if found else 0


async def _pace(reader: Session) -> float:
    """Poll for the length of a window, and until a step is seen; return the seconds a step."""
    looks: list[tuple[float, int]] = []
    while not looks or looks[-1][0] < looks[0][0] + WINDOW or looks[-1][1] == looks[0][1]:
        await reader.poll()
        looks.append((time.perf_counter(), _step(reader)))
        assert looks[-1][1], "the run ended before its pace was known"
        await asyncio.sleep(0.5)
    return _seconds_a_step(looks)


def _evenly(people: list[Session]) -> list:
    """Return what these people do in a window: a move a second each, spread over the second.

    One person alone moves five times a second, so that there are enough answers for a percentile.
    """
    every = 1.0 if len(people) > 1 else 0.2
    return [_moves(person, every, number / len(people)) for number, person in enumerate(people)]


async def _moves(person: Session, every: float, after: float) -> list[float]:
    """Move a slider so often, and return how long each move took to be answered."""
    took = []
    began = time.perf_counter() + after
    for turn in range(int(WINDOW / every)):
        await asyncio.sleep(max(0.0, began + turn * every - time.perf_counter()))
        took.append(await person.move("gm_n", 20 + turn % 20))
    return took


def memory(options: Options) -> Iterator[Measure]:
    """Say how many MB a further session, with the live page drawn, adds to the server process."""
    name = "memory of a further session"
    if options.wants(name) and processes.KNOWN:
        with serve() as address:
            grown = asyncio.run(_grown(address))
        yield Measure(name, grown, [1.0] * len(grown), {"median": 3.0}, unit="MB")


async def _grown(address: str) -> list[float]:
    """Open sessions by the group and keep them; return the MB a session of each group."""
    server, held = processes.server(address), []
    async with AsyncExitStack() as stack:
        for _ in range(1 + GROUPS):
            for _ in range(GROUP):
                reader = await stack.enter_async_context(visit(address, "live_training"))
                await reader.watch(lambda reader: not reader.polls, 300)
            held.append(processes.resident(server) / 1e6)
    return [(after - before) / GROUP for before, after in pairwise(held)]


def torch_in_server(options: Options) -> Iterator[Measure]:
    """Count torch's libraries in the server after each page that can be drawn without torch."""
    name = "torch in the server: libraries"
    if options.wants(name) and processes.KNOWN:
        with serve() as address:
            found = asyncio.run(_toured(address))
        yield Measure(name, found, [1.0] * len(found), {"median": 0.0}, unit="")


async def _toured(address: str) -> list[float]:
    found = []
    for lesson in LESSONS:
        if lesson.stem not in processes.TORCH_AT_ONCE:
            async with visit(address, "" if lesson is LESSONS[0] else lesson.stem):
                libraries = processes.libraries(processes.server(address))
            found.append(float(sum(name.startswith("libtorch") for name in libraries)))
    return found
