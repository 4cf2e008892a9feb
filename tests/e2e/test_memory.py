"""What the server process holds: no torch before a page needs it."""

import asyncio
from collections.abc import Iterator

import pytest

from pages import LESSONS
from tests.e2e import processes
from tests.e2e.server import serve
from tests.e2e.sessions import visit

pytestmark = pytest.mark.skipif(not processes.KNOWN, reason="asks Linux about a process")


@pytest.fixture(scope="module")
def lab() -> Iterator[str]:
    with serve() as address:
        yield address


def holds_torch(pid: int) -> bool:
    return any(name.startswith("libtorch") for name in processes.libraries(pid))


STEMS = [lesson.stem for lesson in LESSONS if lesson.stem not in processes.TORCH_AT_ONCE]


@pytest.mark.parametrize("stem", STEMS)
def test_the_first_screen_of_a_page_loads_no_torch_into_the_server(lab: str, stem: str) -> None:
    async def read() -> None:
        async with visit(lab, "" if stem == LESSONS[0].stem else stem) as reader:
            assert reader.shown("vega_lite_chart") or reader.polls
            assert not reader.shown("exception")

    asyncio.run(read())
    assert not holds_torch(processes.server(lab))


def test_training_loads_torch_into_a_process_of_its_own(lab: str) -> None:
    async def read() -> None:
        async with visit(lab, "live_training") as reader:
            await reader.watch(lambda reader: reader.shown("vega_lite_chart"), 200)
            pid = processes.server(lab)
            worker = processes.worker(pid)
            assert worker
            assert holds_torch(worker)
            assert not holds_torch(pid)

    asyncio.run(read())
