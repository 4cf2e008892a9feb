"""What the server process holds: no torch before a page needs it."""

from collections.abc import Iterator

import pytest

from pages import LESSONS
from tests.e2e import processes
from tests.e2e.server import serve
from tests.e2e.sessions import run, visit

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

    run(read())
    assert not holds_torch(processes.server(lab))


def test_training_loads_torch_into_a_process_of_its_own(lab: str) -> None:
    async def read() -> None:
        async with visit(lab, "live_training") as reader:
            pid = processes.server(lab)

            def trains(_: object) -> bool:
                worker = processes.worker(pid)
                return worker is not None and holds_torch(worker)

            await reader.watch(trains, 200)
            assert not holds_torch(pid)

    run(read())
