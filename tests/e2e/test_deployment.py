"""The app as hosts run it: with options they force, below a path, in little memory, a clean log."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from pages import LESSONS
from tests.e2e import processes
from tests.e2e.deep_link import answers
from tests.e2e.server import serve
from tests.e2e.sessions import Session, run, visit

COMMUNITY_CLOUD = {
    "STREAMLIT_RUNNER_FAST_RERUNS": "true",
    "STREAMLIT_SERVER_RUN_ON_SAVE": "true",
    "STREAMLIT_SERVER_ENABLE_XSRF_PROTECTION": "true",
    "STREAMLIT_BROWSER_GATHER_USAGE_STATS": "true",
    "STREAMLIT_CLIENT_SHOW_ERROR_DETAILS": "false",
}
"""What Streamlit Community Cloud sets, whatever the configuration of an app says."""
GIGABYTE = 10**9


async def used(address: str, look: Callable[[], object] = lambda: None) -> None:
    """Open every page, move a slider on each, and let the default run come to its end."""
    for lesson in LESSONS:
        path = "" if lesson is LESSONS[0] else lesson.stem
        async with visit(address, path) as reader:
            slider = reader.shown("slider")[0]
            await reader.move(slider.query_param_key, slider.min)
            assert not reader.shown("exception")
            await reader.watch(_at_rest, 200)
            look()


def _at_rest(reader: Session) -> bool:
    return not reader.polls


def test_under_the_options_that_community_cloud_forces(page: Page) -> None:
    with serve(env=COMMUNITY_CLOUD) as address:
        answers(page, address)
        page.goto(f"{address}/live_training?lang=en")
        expect(page.get_by_test_id("stText").first).to_contain_text("Finished", timeout=200_000)


def test_below_a_path(page: Page) -> None:
    with serve(path="/lab") as address:
        answers(page, address)
        page.get_by_test_id("stSidebarNavLink").nth(3).click()
        expect(page).to_have_url(re.compile(f"{address}/{LESSONS[3].stem}"))
        expect(page.get_by_test_id("stVegaLiteChart").first).to_be_visible()


@pytest.mark.skipif(not processes.KNOWN, reason="asks Linux about a process")
def test_all_pages_and_a_run_stay_within_a_gigabyte_and_log_nothing(tmp_path: Path) -> None:
    log = tmp_path / "log"
    held: list[int] = []
    with serve(log=log) as address:
        said = log.read_text()
        assert re.fullmatch(r".* server started on \S+\n", said)
        server = processes.server(address)

        def weigh() -> None:
            worker = processes.worker(server)
            held.append(sum(processes.resident(pid) for pid in (server, worker) if pid))

        run(used(address, weigh))
        assert processes.worker(server)
        assert log.read_text() == said
    print(f"resident, MB, server and training process: {[it // 10**6 for it in held]}")
    assert max(held) < GIGABYTE


def test_a_page_under_another_name_gets_no_session() -> None:
    """What the README advises: `server.allowedHosts` names the hosts of a public instance."""
    with serve(env={"STREAMLIT_SERVER_ALLOWED_HOSTS": "lab.example 127.0.0.1"}) as address:
        port = int(address.rsplit(":", 1)[1])

        async def ask(name: str) -> None:
            where = {"host": "127.0.0.1", "port": port}
            async with connect(f"ws://{name}/_stcore/stream", proxy=None, **where):
                pass

        run(ask("lab.example"))
        with pytest.raises(InvalidStatus):
            run(ask("stranger.example"))
