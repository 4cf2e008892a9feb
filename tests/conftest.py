"""Shared by all tests: a small deterministic hypothesis profile and the app under AppTest."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
import streamlit as st
from hypothesis import HealthCheck, settings
from streamlit.testing.v1 import AppTest

ROOT = Path(__file__).parent.parent
os.environ.setdefault("STREAMLIT_CLIENT_SHOW_ERROR_DETAILS", "full")

settings.register_profile(
    "small",
    max_examples=40,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
settings.load_profile("small")


def open_page(stem: str, lang: str = "en", **query: object) -> AppTest:
    """Return the app opened on a lesson, through `dashboard.py`, in the state of a link."""
    app = AppTest.from_file(str(ROOT / "dashboard.py"), default_timeout=60)
    app.query_params["lang"] = lang
    for key, value in query.items():
        app.query_params[key] = list(value) if isinstance(value, list | tuple) else str(value)
    if stem != "overview":
        app.switch_page(f"pages/{stem}.py")
    return app.run()


@pytest.fixture(autouse=True)
def _empty_caches() -> Iterator[None]:
    """Streamlit's caches are shared by the whole process; empty them between tests."""
    yield
    st.cache_data.clear()
    st.cache_resource.clear()
