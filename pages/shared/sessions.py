"""Which readers are there. A training run is kept while one of its readers' sessions lives."""

import uuid

import streamlit as st


def alive() -> str:
    """Note that this session's reader is there and return the reader's name."""
    return st.session_state.setdefault("viewer", uuid.uuid4().hex)
