"""Which readers are there, and the one coordinator of training for all of them."""

import uuid

import streamlit as st

from core.jobs import Jobs


@st.cache_resource(show_spinner=False, on_release=lambda jobs: jobs.close())
def jobs() -> Jobs:
    """Return the coordinator of this server."""
    return Jobs()


def alive() -> str:
    """Note that this session's reader is there and return the reader's name.

    Called on every run: a connection that was cut and came back is a living session again.
    """
    if "viewer" not in st.session_state:
        st.session_state.update(viewer=uuid.uuid4().hex, forgotten=_names_another())
    viewer = st.session_state["viewer"]
    _connection(viewer)
    jobs().arrive(viewer)
    return viewer


def forgotten() -> bool:
    """Return whether this reader was here before, in a session that the server no longer has."""
    return st.session_state.get("forgotten", False)


def _names_another() -> bool:
    """Return whether the browser, opening the connection, named a session that it had before.

    Its words there are "streamlit", a token, and the name of that session.
    """
    return st.context.headers.get("Sec-WebSocket-Protocol", "").count(",") == 2


@st.cache_resource(
    show_spinner=False, scope="session", on_release=lambda viewer: jobs().depart(viewer)
)
def _connection(viewer: str) -> str:
    """Exist as long as the session's connection; its end tells the coordinator."""
    return viewer
