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
    viewer = st.session_state.setdefault("viewer", uuid.uuid4().hex)
    _connection(viewer)
    jobs().arrive(viewer)
    return viewer


@st.cache_resource(
    show_spinner=False, scope="session", on_release=lambda viewer: jobs().depart(viewer)
)
def _connection(viewer: str) -> str:
    """Exist as long as the session's connection; its end tells the coordinator."""
    return viewer
