"""The yardstick in the browser: that minimal page inside the lab's navigation and sidebar."""

import runpy
from pathlib import Path

import streamlit as st

from core.words import LANGUAGES
from pages import LESSONS

MINIMAL = str(Path(__file__).parent / "minimal.py")


def minimal() -> None:
    """Draw the minimal page."""
    runpy.run_path(MINIMAL)


pages = [
    st.Page(
        minimal,
        title=lesson.stem,
        icon=lesson.icon,
        url_path=lesson.stem,
        default=lesson is LESSONS[0],
    )
    for lesson in LESSONS
]
page = st.navigation({"": pages[:1], "Lessons": pages[1:]})
st.set_page_config(page_title=page.title, page_icon=page.icon, layout="wide")
with st.sidebar:
    st.segmented_control("Language / 语言", list(LANGUAGES), default="en", key="lang")
page.run()
