"""One reader's training run: start, stop, continue, play again; for every page that trains.

The page keeps a `Viewing` in the session. What a start needs is read from the session's state at
that moment: a callback runs the closure of the previous run, which may hold values of yesterday.
"""

import time
from collections.abc import Callable

import streamlit as st

from core.jobs import Call
from core.limits import Refused
from core.viewing import Viewing
from core.words import Words
from pages.shared import frame, sessions

POLL = 0.5
EARLIER = 3
ENDED = {"wall clock": "ended.clock", "torch": "refused.torch"}
"""The phrases for those ends of a job that are no error of the training itself."""
Plan = tuple[Call, int]
"""A call and the number of rows that the whole run yields."""


def current(prefix: str, default: Plan) -> Viewing:
    """Return what the reader watches; before they start anything, the server's default run.

    That one is started again when it was dropped. When it failed it would fail again.
    """
    view = st.session_state.get(f"{prefix}view")
    if view is None or (not view.mine and view.job.state == "dropped"):
        call, steps = default
        job = sessions.jobs().submit(call, sessions.alive(), pinned=True)
        view = st.session_state[f"{prefix}view"] = Viewing(job, steps, mine=False)
    return view


def start(prefix: str, plan: Callable[[], Plan]) -> None:
    """Start the planned run (a callback), or note why not; the run watched before is left."""
    viewer = sessions.alive()
    st.session_state[f"{prefix}refused"] = None
    try:
        call, steps = plan()
        job = sessions.jobs().submit(call, viewer)
    except Refused as refusal:
        st.session_state[f"{prefix}refused"] = refusal
        return
    before = st.session_state.get(f"{prefix}view")
    if before and before.job is not job:
        sessions.jobs().leave(before.job, viewer)
        _remember(prefix, before)
    st.session_state[f"{prefix}view"] = Viewing(job, steps)


def _remember(prefix: str, view: Viewing) -> None:
    """Keep the last few runs that the reader has seen to their end, to compare with."""
    if view.job.state == "done":
        seen = [view, *earlier(prefix)]
        unique = {other.job.call: other for other in reversed(seen)}
        st.session_state[f"{prefix}earlier"] = list(reversed(unique.values()))[:EARLIER]


def earlier(prefix: str) -> list[Viewing]:
    """Return the runs that the reader has seen before the present one, newest first."""
    return st.session_state.get(f"{prefix}earlier", [])


def watched(prefix: str) -> Viewing | None:
    """Return what the reader watches under a prefix that has no default run."""
    return st.session_state.get(f"{prefix}view")


def stop(prefix: str) -> None:
    """Freeze what the reader sees and take them off the job (a callback)."""
    view = st.session_state[f"{prefix}view"]
    view.advance(time.monotonic())
    view.stop()
    sessions.jobs().leave(view.job, sessions.alive())


def resume(prefix: str) -> None:
    """Go on from where the reader stopped (a callback)."""
    view = st.session_state[f"{prefix}view"]
    st.session_state[f"{prefix}refused"] = None
    try:
        view.resume(sessions.jobs().submit(view.job.call, sessions.alive()), time.monotonic())
    except Refused as refusal:
        st.session_state[f"{prefix}refused"] = refusal


def again(prefix: str) -> None:
    """Play the identical run from its first step (a callback)."""
    view = st.session_state[f"{prefix}view"]
    if view.mode == "stopped":
        resume(prefix)
    view.again(time.monotonic())


def ended(say: Words, view: Viewing) -> None:
    """Say why a run will not go on, where that is not plain to see."""
    if view.job.state == "failed":
        error = view.job.error
        st.warning(say(ENDED.get(error, "ended.error"), error=frame.as_text(error)), icon="✋")
    elif view.job.state == "dropped":
        st.info(say("ended.dropped"))
    elif not view.mine and sessions.forgotten():
        st.info(say("ended.forgotten"))


def refusal(prefix: str, reason: str = "") -> None:
    """Raise what a start was refused with (for this reason), so that the page can say so."""
    refused = st.session_state.get(f"{prefix}refused")
    if refused and reason in ("", refused.reason):
        raise refused
