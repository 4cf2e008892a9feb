"""Thirty readers at once over the real websocket. What takes how long is printed, never judged."""

import asyncio
import statistics
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import AsyncExitStack

import pandas as pd
import pytest

from core import history
from core.settings import Settings
from core.training import train
from tests.e2e import processes
from tests.e2e.hasty import DROP_AFTER
from tests.e2e.live import PAGE, SAY, finished, state, step, until_at_rest
from tests.e2e.server import serve
from tests.e2e.sessions import Look, Session, run, visit

LONG = 200.0
LOSS = 2
"""The light maps of both contestants come first, then the loss."""


@pytest.fixture(scope="module")
def lab() -> Iterator[str]:
    with serve(program="tests.e2e.hasty") as address:
        yield address


async def gathered(sessions: list[Session], act: Callable[[Session], Awaitable]) -> list:
    return await asyncio.gather(*map(act, sessions))


async def opened(stack: AsyncExitStack, lab: str, queries: list[dict]) -> list[Session]:
    """Open a session a query, all at the same time."""
    visits = [stack.enter_async_context(visit(lab, PAGE, query)) for query in queries]
    return await asyncio.gather(*visits)


async def to_the_end(session: Session) -> list[Look]:
    return await session.watch(finished, LONG, step)


async def under_way(session: Session) -> list[Look]:
    return await session.watch(step, LONG, step)


def told(what: str, looks: list[list[Look]], seconds: float) -> None:
    """Print how long the polls took, and everything together."""
    took = sorted(look.took for looks_of_one in looks for look in looks_of_one)
    p95 = statistics.quantiles(took, n=20)[-1]
    middle = statistics.median(took)
    print(
        f"\n{what}: finished in {seconds:.1f} s; {len(took)} polls, "
        f"p50 {1000 * middle:.0f} ms, p95 {1000 * p95:.0f} ms, most {1000 * took[-1]:.0f} ms"
    )


def test_thirty_who_train_the_same_share_one_job_and_all_see_its_end(lab: str) -> None:
    async def read() -> tuple[list[list[Look]], list[pd.DataFrame]]:
        async with AsyncExitStack() as stack:
            readers = await opened(stack, lab, 30 * [{"lt_epochs": 4, "lt_seed": 3}])
            began = time.monotonic()
            await gathered(readers, lambda reader: reader.press("lt_go"))
            looks = await gathered(readers, to_the_end)
            told("thirty on one run", looks, time.monotonic() - began)
            return looks, [reader.rows(LOSS) for reader in readers]

    looks, tables = run(read())
    # One job: who looks later never sees less. Thirty jobs in turn would overtake each other.
    seen = [(look.began, look.began + look.took, look.shows) for one in looks for look in one]
    for began, _, shows in seen:
        assert shows >= max((other for _, ended, other in seen if ended < began), default=0)
    settings = Settings(epochs=4, seed=3)
    alone = pd.DataFrame(history.drawn_losses(settings, list(train(settings))))
    for table in tables:
        pd.testing.assert_frame_equal(table, alone, check_dtype=False, check_exact=True)


def test_readers_on_different_seeds_all_finish_each_with_a_run_of_their_own(lab: str) -> None:
    async def read() -> list[pd.DataFrame]:
        async with AsyncExitStack() as stack:
            queries = [{"lt_epochs": 2, "lt_seed": seed} for seed in range(11, 17)]
            readers = await opened(stack, lab, queries)
            began = time.monotonic()
            await gathered(readers, lambda reader: reader.press("lt_go"))
            looks = await gathered(readers, to_the_end)
            told("six on six runs", looks, time.monotonic() - began)
            return [reader.rows(LOSS) for reader in readers]

    ends = [tuple(table["loss"].tail(2)) for table in run(read())]
    assert len(set(ends)) == len(ends)


def test_a_reader_who_stops_stops_nobody_else_and_may_continue(lab: str) -> None:
    async def read() -> None:
        async with AsyncExitStack() as stack:
            query = {"lt_epochs": 40, "lt_seed": 21}
            one, *others = await opened(stack, lab, 4 * [query])
            await gathered([one, *others], lambda reader: reader.press("lt_go"))
            await under_way(one)
            await one.press("lt_stop")
            frozen = state(one)
            assert frozen.strip() == SAY("progress.stopped", step=step(one), steps=840)
            assert step(one) < 840
            assert not one.polls
            await gathered(others, to_the_end)
            await one.load()
            assert state(one) == frozen
            await one.press("lt_continue")
            await to_the_end(one)
            assert all(one.rows(LOSS).equals(other.rows(LOSS)) for other in others)

    run(read())


@pytest.mark.skipif(not processes.KNOWN, reason="asks Linux how busy a process is")
def test_without_readers_the_job_rests_and_later_is_dropped(lab: str) -> None:
    query = {"lt_epochs": 60, "lt_depth": 40, "lt_seed": 31}

    async def start(reader: Session) -> int:
        await reader.press("lt_go")
        await reader.watch(lambda reader: step(reader) > 150, LONG)
        return step(reader)

    async def read() -> None:
        async with visit(lab, PAGE, query) as reader:
            left_at = await start(reader)
            reader.cut()
        await until_at_rest(lab)
        async with visit(lab, PAGE, query, back=reader) as reader:
            assert step(reader) >= left_at  # who comes back in time finds the run, and it goes on
            rested_at = step(reader)
            await reader.watch(lambda reader: step(reader) > rested_at, LONG)
            reader.cut()
        await until_at_rest(lab)
        await asyncio.sleep(DROP_AFTER)
        async with visit(lab, PAGE, query) as reader:
            await reader.press("lt_go")
            looks = await reader.watch(step, LONG, step)
            assert looks[-1].shows < left_at  # a new run, from its first step
            await reader.press("lt_stop")

    run(read())
