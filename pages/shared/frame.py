"""What every page stands in: navigation, language, title, charts.

Streamlit treats a folder named `pages/` as a menu of its own until some session has called
`st.navigation` in the process, and would run a page file alone when a fresh server is first asked
for that page. So every page begins with `begin`, which runs the router itself in that case.
"""

import contextlib
import functools
import re
import threading
import time
from collections.abc import Callable, Mapping
from typing import TypeVar

import altair as alt
import numpy as np
import pandas as pd
import pyarrow
import streamlit as st

from core.charts import style
from core.limits import Refused
from core.words import LANGUAGES, Words
from pages import LESSONS
from pages.shared import controls, sessions

HEAD_START = 0.025
"""Seconds that a picture is ahead of the formulas and buttons that come after it."""
State = TypeVar("State")
Table = pd.DataFrame | Mapping[str, np.ndarray] | Mapping[str, list]
"""Rows of a chart, by columns."""
_run = threading.local()  # one script run is one thread
_building = threading.Lock()
"""Held while a spec is built: when a class opens a page, one reader builds it for all."""


def main() -> None:
    """Run the router: page configuration, language, navigation, then the page asked for."""
    _run.active = True
    try:
        say = Words("shared", language())
        embedded = st.context.is_embedded
        sections: dict[str, list] = {}
        for lesson in LESSONS:
            title = Words(lesson.stem, say.lang)("title")
            page = st.Page(
                f"pages/{lesson.stem}.py",
                title=title,
                icon=lesson.icon,
                default=lesson is LESSONS[0],
            )
            sections.setdefault(lesson.section and say(f"section.{lesson.section}"), []).append(
                page
            )
        page = st.navigation(sections, position="hidden" if embedded else "sidebar")
        st.set_page_config(
            page_title=f"{page.title} · {say('lab')}", page_icon=page.icon, layout="wide"
        )
        sessions.alive()
        if st.session_state.get("on_page") != page.url_path:
            st.session_state["on_page"] = page.url_path
            controls.forget()
        _note_language()
        if not embedded:
            with st.sidebar:
                _choose_language()
        page.run()
    finally:
        _run.active = False


def language() -> str:
    """Return the reader's language: the choice, then the link, then the browser, then English."""
    chosen = st.session_state.get("lang") or st.query_params.get("lang")
    if chosen in LANGUAGES:
        return chosen
    return "zh" if (st.context.locale or "").lower().startswith("zh") else "en"


def _choose_language() -> None:
    st.segmented_control(
        "Language / 语言",
        list(LANGUAGES),
        default=language(),
        key="lang",
        required=True,
        format_func=LANGUAGES.__getitem__,
    )
    # Only when it differs: writing it on every run corrupts bound values under fast key presses.
    if st.query_params.get("lang") != language():
        st.query_params["lang"] = language()


def _note_language() -> None:
    asked = st.query_params.get("lang")
    if asked is not None and asked not in LANGUAGES:
        controls.note("lang", asked, language())
    controls.settle("lang", language())


def begin(stem: str, formula: str | None = None) -> Words:
    """Open a page: title, two sentences and the formula. The first call of every page file."""
    if not getattr(_run, "active", False):
        main()
        st.stop()
    controls.clean(next(lesson.prefix for lesson in LESSONS if lesson.stem == stem))
    for name in (f"{stem}_drawn", f"{stem}_shown", "redraw"):  # the whole page is drawn anew
        st.session_state.pop(name, None)
    say = Words(stem, language())
    st.title(say("title"), anchor=False)
    if formula:
        words_side, formula_side = st.columns([3, 2], vertical_alignment="center")
        words_side.markdown(say("intro"))
        formula_side.latex(formula)
    else:
        st.markdown(say("intro"))
    return say


def door(stem: str, label: str | None = None, **query: str | float) -> None:
    """Draw a link to a lesson, in the state that `query` describes."""
    lang = language()
    icon = next(lesson.icon for lesson in LESSONS if lesson.stem == stem)
    params = {"lang": lang} | {key: str(value) for key, value in query.items()}
    text = label or Words(stem, lang)("title")
    st.page_link(f"pages/{stem}.py", label=text, icon=icon, query_params=params)


def first_screen(
    controls: Callable[[], object],
    read: Callable[[], State],
    picture: Callable[[State], object],
    words: Callable[[State], object],
) -> None:
    """Draw the controls of a lesson, beside them its picture and what it says: one fragment.

    It stands in the column of the picture and writes the controls into the one beside it, so that
    little goes to the browser ahead of the picture when a control moves.
    """
    left, right = st.columns([1, 2])

    def on_the_left() -> None:
        with left:
            controls()

    @st.fragment
    def screen() -> None:
        words(picture_first(on_the_left, read, picture))

    with right:
        screen()


def picture_first(
    controls: Callable[[], object], read: Callable[[], State], picture: Callable[[State], object]
) -> State:
    """Draw the controls and the picture of a fragment, each in its place; return the state.

    When a control has moved, `read` knows it before the control is drawn again. The picture is
    then sent first and has a head start over everything else. When the page is opened, or a
    control is new, it is the controls that make the values.
    """
    state = None
    if not getattr(_run, "active", False):  # the fragment is run, not the page
        with contextlib.suppress(KeyError):
            state = read()
    if state is not None:
        picture(state)
        time.sleep(HEAD_START)
        controls()
        return state
    controls()
    state = read()
    picture(state)
    return state


def figure(
    chart: Callable[..., alt.typing.ChartType],
    say: Words,
    rows: pd.DataFrame | Mapping[str, Table],
    *options: object,
    alt: str,
    name: str | None = None,
    save: bool = True,
    saved: Callable[[], pd.DataFrame] | None = None,
    **described: object,
) -> None:
    """Draw `chart(say, *options)` over `rows`, with a button that saves the rows (if `save`).

    The spec is built once per (chart, language, options) and sent unchanged, so that the browser
    updates the picture in place. `rows` is one table for the data named `rows`, or a table a name.
    `alt` is the key of the phrase that describes the chart, `described` fills it; `name` names the
    file that is saved, `saved` makes its rows where they are not those that are drawn.
    """
    tables = {"rows": rows} if isinstance(rows, pd.DataFrame) else rows
    spec = _spec(chart, say, options)
    sent = {name: _columns(table) for name, table in tables.items()}
    datasets = {**spec.get("datasets", {}), **sent}
    st.vega_lite_chart(None, {**spec, "datasets": datasets}, alt=say(alt, **described))
    if save:
        save_button(say, name or chart.__name__, saved or (lambda: pd.DataFrame(tables["rows"])))


def _columns(table: Table) -> pyarrow.Table:
    """Return a table as it is sent: without its index, which no chart reads."""
    columns = {name: np.asarray(table[name]) for name in table}
    arrays = {name: pyarrow.array(column, from_pandas=True) for name, column in columns.items()}
    return pyarrow.table(arrays)


def save_button(say: Words, name: str, rows: Callable[[], pd.DataFrame]) -> None:
    """Draw a button that saves a table, made when it is pressed."""
    st.download_button(
        say("save_rows"),
        lambda: rows().to_csv(index=False).encode("utf-8-sig"),
        file_name=f"{say.stem}-{name}.csv",
        mime="text/csv",
        key=f"save_{say.stem}_{name}",
        on_click="ignore",
        type="tertiary",
        help=say("save_rows_help"),
    )


def _spec(chart: Callable[..., alt.typing.ChartType], say: Words, options: tuple) -> dict:
    with _building:
        return _built(chart, say, options)


@functools.lru_cache(maxsize=256)
def _built(chart: Callable[..., alt.typing.ChartType], say: Words, options: tuple) -> dict:
    spec = chart(say, *options).to_dict()
    return {**spec, "config": {**spec.get("config", {}), **style.CONFIG}}


@contextlib.contextmanager
def refusals(say: Words):
    """Show a `Refused` from core as one sentence in the reader's language, without a traceback."""
    try:
        yield
    except Refused as refusal:
        values = {
            name: as_text(value) if isinstance(value, str) else value
            for name, value in refusal.values.items()
        }
        st.warning(say(f"refused.{refusal.reason}", **values), icon="✋")


def as_text(value: str) -> str:
    """Return Markdown that shows a text as it is, for it may come from a link or an upload."""
    return re.sub(r"([!-/:-@\[-`{-~])", r"\\\1", value[:60])
