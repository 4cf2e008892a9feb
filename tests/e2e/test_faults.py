"""What goes wrong ends with a sentence to the reader, and the others train on.

The lab is a copy of the tree in which some things break on purpose, run by `tests.e2e.hasty`, where
a run is paused and dropped after a twentieth of the real time.
"""

import asyncio
import itertools
import os
import shutil
import signal
import time
import urllib.request
from collections.abc import Iterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import NamedTuple

import pandas as pd
import pytest
from playwright.sync_api import Page, expect

from core import history, jobs
from core.settings import Settings
from core.training import train
from core.words import LANGUAGES, Words
from pages import LESSONS
from tests.e2e import processes
from tests.e2e.hasty import DROP_AFTER, PAUSE_AFTER
from tests.e2e.live import NUMBER, PAGE, SAY, finished, state, step, until_at_rest
from tests.e2e.server import ROOT, free_port, serve
from tests.e2e.sessions import Session, run, visit

pytestmark = pytest.mark.skipif(not processes.KNOWN, reason="asks Linux about processes")

LONG = 200.0
LOSS = 2
IN = {lang: Words(PAGE, lang) for lang in LANGUAGES}
SEEDS = itertools.count(500)
BREAKS, WAITING = 13, 2
FAULTS = {
    "core/jobs.py": f"WAITING = {WAITING}",
    "core/training.py": f"""
whole = prepare


def prepare(settings, rates=()):
    run, left = whole(settings, rates), iter(range(5))
    backward = run.stack.backward

    def breaks(*arguments):
        if next(left, None) is None:
            raise RuntimeError("a *fault* in a step")
        return backward(*arguments)

    if settings.seed == {BREAKS}:
        run.stack.backward = breaks
    return run
""",
}
"""What is appended to files of the copy."""


class Lab(NamedTuple):
    """A running copy of the app."""

    address: str
    folder: Path
    log: Path


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    folder, log = tmp_path_factory.mktemp("lab") / "copy", tmp_path_factory.mktemp("log") / "log"
    shutil.copytree(ROOT, folder, ignore=shutil.ignore_patterns(".venv", ".git", "*cache*"))
    for name, fault in FAULTS.items():
        with (folder / name).open("a") as file:
            file.write(fault)
    script, program = folder / "dashboard.py", "tests.e2e.hasty"
    with serve(script, cwd=folder, program=program, log=log) as address:
        yield Lab(address, folder, log)
    assert log.read_text().count("Traceback") == log.read_text().count("in breaks")


def long(**more: object) -> dict[str, object]:
    """Return a link to a run that outlasts its test, on a seed of its own."""
    return {"lt_depth": 40, "lt_epochs": 60, "lt_seed": next(SEEDS), **more}


def small(**more: object) -> dict[str, object]:
    """Return a link to a run that is soon over, on a seed of its own."""
    return {"lt_depth": 4, "lt_width": 16, "lt_epochs": 2, "lt_seed": next(SEEDS), **more}


async def both(stack: AsyncExitStack, lab: str, query: dict) -> dict[str, Session]:
    """Open the page twice, for a reader of each language."""
    visits = [visit(lab, PAGE, {**query, "lang": lang}) for lang in IN]
    return dict(zip(IN, [await stack.enter_async_context(one) for one in visits], strict=True))


async def all_is_well(lab: str) -> None:
    """Let another reader train to the end, and ask the server for its health."""
    with urllib.request.urlopen(f"{lab}/_stcore/health") as answer:
        assert answer.status == 200
    async with visit(lab, PAGE, small()) as other:
        await other.press("lt_go")
        await other.watch(finished, LONG)
        assert SAY("shared_run") not in other.text


async def under_way(session: Session) -> None:
    await session.watch(step, LONG)


def assert_as_if_alone(drawn: pd.DataFrame, settings: Settings) -> None:
    """Hold the losses that a page drew against those of the same run with nobody else about."""
    alone = pd.DataFrame(history.drawn_losses(settings, list(train(settings))))
    pd.testing.assert_frame_equal(drawn, alone, check_dtype=False, check_exact=True)


def test_a_closed_tab_ends_the_run_of_nobody_else(lab: Lab) -> None:
    async def read() -> None:
        query = long()
        async with visit(lab.address, PAGE, query) as other:
            async with visit(lab.address, PAGE, query) as reader:
                await reader.press("lt_go")
                await other.press("lt_go")
                await under_way(reader)
            await asyncio.sleep(2 * PAUSE_AFTER)
            await other.poll()
            seen = step(other)
            await other.watch(lambda other: step(other) > seen, LONG)
        await all_is_well(lab.address)

    run(read())


@pytest.mark.parametrize("seconds", [5, 60])
def test_a_cut_line_does_not_change_the_run(lab: Lab, seconds: float) -> None:
    settings = Settings(depth=20, width=64, epochs=30, seed=next(SEEDS))
    query = {"lt_width": 64, "lt_epochs": 30, "lt_seed": settings.seed}

    async def read() -> pd.DataFrame:
        async with visit(lab.address, PAGE, query) as reader:
            await reader.press("lt_go")
            await under_way(reader)
            left_at = step(reader)
            reader.cut()
        await asyncio.sleep(seconds * PAUSE_AFTER / jobs.PAUSE_AFTER)
        async with visit(lab.address, PAGE, query, back=reader) as reader:
            assert step(reader) >= left_at
            await reader.watch(finished, LONG)
            return reader.rows(LOSS)

    assert_as_if_alone(run(read()), settings)


def test_a_line_cut_for_too_long_drops_the_run_and_says_so(lab: Lab) -> None:
    async def read() -> None:
        query = long()
        async with AsyncExitStack() as stack:
            readers = await both(stack, lab.address, query)
            for reader in readers.values():
                await reader.press("lt_go")
            await under_way(readers["en"])
            for reader in readers.values():
                reader.cut()
            await asyncio.sleep(DROP_AFTER + 1)
            for lang, reader in readers.items():
                link = {**query, "lang": lang}
                async with visit(lab.address, PAGE, link, back=reader) as returned:
                    assert IN[lang]("ended.dropped") in returned.text
                    assert not returned.polls
                    await returned.press("lt_go")
                    assert IN[lang]("ended.dropped") not in returned.text
                    assert returned.polls
        await all_is_well(lab.address)

    run(read())


def test_a_server_that_is_killed_and_started_anew_says_that_the_run_is_gone(page: Page) -> None:
    port = free_port()
    with serve(port=port) as address:
        page.goto(f"{address}/{PAGE}?lt_depth=40&lt_epochs=60")
        page.get_by_role("button", name=SAY("train"), exact=True).click()
        expect(page.get_by_text("40 × 128")).to_be_visible()
        server = processes.server(address)
        worker = processes.worker(server)
        os.kill(server, signal.SIGKILL)
        end = time.monotonic() + LONG
        while worker and processes.trains(worker):
            assert time.monotonic() < end
            time.sleep(0.05)
    with serve(port=port) as address:
        expect(page.get_by_text(SAY("ended.forgotten"))).to_be_visible(timeout=120_000)
        expect(page.get_by_test_id("stException")).to_have_count(0)
        page.get_by_role("button", name=SAY("train"), exact=True).click()
        expect(page.get_by_text("40 × 128")).to_be_visible()
        expect(page.get_by_text(SAY("ended.forgotten"))).to_have_count(0)

        async def read() -> None:
            async with visit(address, PAGE) as stranger:
                assert SAY("ended.forgotten") not in stranger.text
            stranger.name = "of-the-server-before"
            async with visit(address, PAGE, {"lang": "zh"}, back=stranger) as reader:
                assert IN["zh"]("ended.forgotten") in reader.text
            await all_is_well(address)

        run(read())


def test_an_error_in_the_middle_of_a_step_is_told(lab: Lab) -> None:
    async def read() -> None:
        async with AsyncExitStack() as stack:
            readers = await both(stack, lab.address, small(lt_seed=BREAKS))
            for _ in range(2):  # and again when it is tried again
                for lang, reader in readers.items():
                    await reader.press("lt_go")
                    await reader.watch(lambda reader: not reader.polls, LONG)
                    error = r"RuntimeError\: a \*fault\* in a step"
                    assert IN[lang]("ended.error", error=error) in reader.text
                    assert state(reader).strip() == IN[lang]("progress.failed", step=5, steps=42)
        await all_is_well(lab.address)

    run(read())
    assert "in breaks" in lab.log.read_text()


async def kill_the_worker(lab: str) -> None:
    """Kill the training process, and wait until there is another."""
    server = processes.server(lab)
    before = processes.worker(server)
    assert before
    os.kill(before, signal.SIGKILL)
    end = time.monotonic() + LONG
    while processes.worker(server) in (None, before):
        assert time.monotonic() < end
        await asyncio.sleep(0.05)


def catches_up(session: Session) -> bool:
    """Tell whether the page says that the run repeats what it had made."""
    steps = NUMBER.findall(state(session))[-1]
    return state(session).strip() == SAY("progress.behind", step=step(session), steps=steps)


def test_a_training_process_that_is_killed_once_costs_nothing_but_time(lab: Lab) -> None:
    settings = Settings(depth=20, width=64, epochs=30, seed=next(SEEDS))
    query = {"lt_width": 64, "lt_epochs": 30, "lt_seed": settings.seed}

    async def read() -> pd.DataFrame:
        async with visit(lab.address, PAGE, query) as reader:
            await reader.press("lt_go")
            await under_way(reader)
            await kill_the_worker(lab.address)
            await reader.watch(catches_up, LONG)
            await reader.watch(finished, LONG)
            return reader.rows(LOSS)

    assert_as_if_alone(run(read()), settings)


def test_a_training_process_that_is_killed_twice_is_told(lab: Lab) -> None:
    async def read() -> None:
        async with AsyncExitStack() as stack:
            readers = await both(stack, lab.address, long())
            for reader in readers.values():
                await reader.press("lt_go")
            await under_way(readers["en"])
            await kill_the_worker(lab.address)
            worker = processes.worker(processes.server(lab.address))
            assert worker
            os.kill(worker, signal.SIGKILL)
            for lang, reader in readers.items():
                await reader.watch(lambda reader: not reader.polls, LONG)
                told = IN[lang]("ended.error", error="the training process ended")
                assert told in reader.text
        await all_is_well(lab.address)

    run(read())


def test_a_full_queue_is_told_and_a_place_is_given_when_there_is_one(lab: Lab) -> None:
    async def read() -> None:
        async with AsyncExitStack() as stack:
            visits = [visit(lab.address, PAGE, long()) for _ in range(jobs.LONG_RUNNING + WAITING)]
            others = [await stack.enter_async_context(one) for one in visits]
            for number, other in enumerate(others, 1 - jobs.LONG_RUNNING):
                await other.press("lt_go")
                if number > 0:
                    assert state(other).strip() == SAY("progress.queued", place=number)
                else:
                    await under_way(other)
            readers = await both(stack, lab.address, long())
            for lang, reader in readers.items():
                await reader.press("lt_go")
                assert IN[lang]("refused.busy", waiting=WAITING) in reader.text
                assert IN[lang]("shared_run") in reader.text
            await others[-1].press("lt_stop")
            for lang, reader in readers.items():
                await reader.press("lt_go")
                assert IN[lang]("refused.busy", waiting=WAITING) not in reader.text
                assert IN[lang]("shared_run") not in reader.text
        await until_at_rest(lab.address)
        await all_is_well(lab.address)

    run(read())


TOO_MUCH = {
    "work": {"lt_depth": 100, "lt_width": 256, "lt_seeds": 5, "lt_epochs": 60},
    "size": {"lt_depth": 100, "lt_width": 256, "lt_epochs": 1},
    "memory": {"lt_depth": 100, "lt_width": 64, "lt_seeds": 5, "lt_batch": 256, "lt_epochs": 1},
}


@pytest.mark.parametrize("reason", TOO_MUCH)
def test_what_is_too_much_is_refused_before_it_starts(lab: Lab, reason: str) -> None:
    async def read() -> None:
        async with AsyncExitStack() as stack:
            readers = await both(stack, lab.address, TOO_MUCH[reason])
            for lang, reader in readers.items():
                asked = IN[lang](f"refused.{reason}").partition("{")[0]
                assert asked in reader.text
                await reader.press("lt_go")
                assert asked in reader.text
                assert IN[lang]("shared_run") in reader.text
                assert not reader.shown("exception")
        await all_is_well(lab.address)

    run(read())


def test_a_page_file_that_is_edited_disturbs_no_run(lab: Lab) -> None:
    file = lab.folder / "pages" / f"{PAGE}.py"

    async def read() -> None:
        async with visit(lab.address, PAGE, small(lt_epochs=40)) as reader:
            await reader.press("lt_go")
            await under_way(reader)
            with file.open("a") as page:
                page.write('st.caption("a new line")\n')
            await reader.load()
            assert not reader.shown("exception")
            await reader.watch(finished, LONG)
            await all_is_well(lab.address)
        await all_is_well(lab.address)

    run(read())


@pytest.fixture(scope="module")
def without_torch(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    """Run the app where an import of torch fails as if it were not installed."""
    folder = tmp_path_factory.mktemp("without")
    (folder / "torch.py").write_text("raise ModuleNotFoundError(\"No module named 'torch'\")\n")
    with serve(env={"PYTHONPATH": str(folder)}, log=folder / "log") as address:
        yield Lab(address, folder, folder / "log")


@pytest.mark.parametrize("lang", IN)
def test_without_torch_only_what_needs_it_is_missing(without_torch: Lab, lang: str) -> None:
    lab, missing = without_torch.address, IN[lang]("refused.torch")

    async def read() -> None:
        for lesson in LESSONS:
            page = "" if lesson is LESSONS[0] else lesson.stem
            async with visit(lab, page, {"lang": lang, "tab": "check"}) as reader:
                assert not reader.shown("exception")
                assert reader.shown("vega_lite_chart")
                await reader.watch(lambda reader: not reader.polls, LONG)
                assert not reader.shown("exception")
                assert (missing in reader.text) == (lesson is not LESSONS[0])
        for page, button in ((PAGE, "lt_go"), ("layernorm_placement", "ln_go")):
            async with visit(lab, page, {"lang": lang, "tab": "training"}) as reader:
                await reader.watch(lambda reader: not reader.polls, LONG)
                before = reader.text.count(missing)
                await reader.press(button)
                await reader.watch(lambda reader: not reader.polls, LONG)
                assert not reader.shown("exception")
                assert reader.text.count(missing) == before + (page != PAGE)
        with urllib.request.urlopen(f"{lab}/_stcore/health") as answer:
            assert answer.status == 200

    run(read())
    assert "Traceback" not in without_torch.log.read_text()
