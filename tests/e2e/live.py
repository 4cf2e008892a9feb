"""What a session without a browser sees of a run on the page of live training, in English."""

import asyncio
import re
import time

from core.words import Words
from tests.e2e import processes
from tests.e2e.sessions import Session

PAGE = "live_training"
SAY = Words(PAGE, "en")
NUMBER = re.compile(r"\d+")


def state(session: Session) -> str:
    """Return what the page says about the run that it shows."""
    assert not session.shown("exception")
    return session.shown("text")[0].body


def step(session: Session) -> int:
    """Return how many steps of the run the page shows; a run that waits has none."""
    waits = NUMBER.sub("", state(session)) == NUMBER.sub("", SAY("progress.queued", place=1))
    return 0 if waits else int(NUMBER.findall(state(session))[0])


def finished(session: Session) -> bool:
    """Tell whether the page shows a whole run and has stopped polling."""
    done, steps = step(session), int(NUMBER.findall(state(session))[-1])
    whole = state(session).strip() == SAY("progress.done", step=done, steps=steps)
    return whole and done == steps and not session.polls


async def until_at_rest(lab: str, seconds: float = 200.0) -> None:
    """Wait until the training process has done nothing for most of a second."""
    pid, end = processes.worker(processes.server(lab)), time.monotonic() + seconds
    assert pid
    before = -1.0
    while processes.busy(pid) != before:
        assert time.monotonic() < end
        before = processes.busy(pid)
        await asyncio.sleep(0.8)
