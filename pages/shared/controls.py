"""Controls bound to the URL. A link opens the page in the state it describes.

What a link asked for and did not get is noted on the page: the raw value can be read until the
control is first drawn, and is compared with what the control made of it. A note goes when its own
control is moved, and all notes go with the page.
"""

import math
from collections.abc import Callable, Iterable, Mapping
from contextlib import contextmanager
from typing import Any, TypeVar

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.limits import to_step
from core.words import Words
from pages import LESSONS

Number = TypeVar("Number", int, float)
LONGEST, MOST = 60, 8
"""How much of a link is repeated on the page: characters a value, lines in all."""


def slider(
    label: str, low: Number, high: Number, value: Number, step: Number, *, key: str, **options
) -> Number:
    """Draw a slider and return its value; a number with decimals is rounded to its step."""

    def on_grid(got: Number) -> Number:
        return type(value)(to_step(got, step, low))

    return _bound(st.slider, label, low, high, value, step, key=key, read=on_grid, **options)


def number(
    label: str, low: Number, high: Number, value: Number, step: Number, *, key: str, **options
) -> Number:
    """Draw a number field and return its value."""
    return _bound(st.number_input, label, low, high, value, step, key=key, **options)


def choice(label: str, options: Iterable[str | int], *, key: str, **more):
    """Draw a choice between language-neutral options and return the one chosen.

    The URL carries what is displayed, so the options must read the same in both languages.
    """
    names = list(options)
    more.setdefault("default", names[0])
    return _bound(st.segmented_control, label, names, key=key, required=True, **more)


def steps(label: str, values: Iterable[Number], value: Number, *, key: str, **options) -> Number:
    """Draw a slider over the given values and return the one chosen."""
    return _bound(st.select_slider, label, list(values), value, key=key, **options)


def dropdown(label: str, options: Iterable[str | int], *, key: str, **more):
    """Draw a drop-down list of language-neutral options and return the one chosen."""
    return _bound(st.selectbox, label, list(options), key=key, **more)


def toggle(label: str, value: bool = False, *, key: str, **options) -> bool:
    """Draw a switch and return whether it is on."""
    return _bound(st.toggle, label, value, key=key, **options)


def _bound(
    widget: Callable, label: str, *args, key: str, read: Callable = lambda got: got, **options
):
    raw = None if key in st.session_state else st.query_params.get_all(key)
    value = read(widget(label, *args, key=key, bind="query-params", **options))
    readers, notes = _kept()
    readers[key] = read
    if raw and not (len(raw) == 1 and _says(raw[0], value)):
        note(key, ", ".join(raw[:MOST]), value)
    if key in notes:
        settle(key, value)
    return value


def value(key: str) -> Any:
    """Return what a control holds: when it has moved, already before it is drawn again.

    Raises `KeyError` for one that was never drawn.
    """
    readers, _ = _kept()
    return readers[key](st.session_state[key])


def clean(prefix: str) -> None:
    """Take out of the link what makes some of Streamlit's controls raise, and run again.

    These are an empty text, infinities and NaN.
    """
    found = [key for key in st.query_params if key.startswith(prefix)]
    for key in (key for key in found if key not in st.session_state):
        raw = st.query_params.get_all(key)
        if not all(map(_readable, raw)):
            note(key, ", ".join(raw[:MOST]))
            del st.query_params[key]
    if any(key not in st.query_params for key in found):
        st.rerun()


def _readable(raw: str) -> bool:
    try:
        return math.isfinite(float(raw))
    except ValueError:
        return bool(raw)


def note(key: str, raw: str, got: object = None) -> None:
    """Keep in mind that a link asked for `raw` and that the reader sees `got` instead.

    Without `got` it is what the control shows when it is drawn.
    """
    _notes()[key] = (" ".join(raw[:LONGEST].split()), got)


def settle(key: str, value: object) -> None:
    """Forget the note about a control that no longer has the value it had then."""
    if key in _notes():
        raw, got = _notes()[key]
        if got is None:
            _notes()[key] = (raw, value)
        elif got != value:
            del _notes()[key]


def forget() -> None:
    """Forget all notes."""
    _notes().clear()


def _notes() -> dict[str, tuple[str, object]]:
    return _kept()[1]


def _kept() -> tuple[dict[str, Callable], dict[str, tuple[str, object]]]:
    """Return how each control is read, and the notes, by its key: one look into the session."""
    return st.session_state.setdefault("controls", ({}, {}))


def _says(raw: str, value: object) -> bool:
    if isinstance(value, bool):
        return raw.lower() in ({"true", "1"} if value else {"false", "0"})
    if isinstance(value, int | float):
        try:
            return math.isclose(float(raw), value, rel_tol=1e-9, abs_tol=1e-12)
        except ValueError:
            return False
    return raw == str(value)


@contextmanager
def panel(say: Words, prefix: str, deeper: tuple[str, ...] = ()):
    """Draw a bordered box for the controls of a page; under them, what the link had in vain.

    Keys that begin with one of `deeper` belong to a panel of their own, in a tab that may be shut.
    """
    with st.container(border=True):
        yield
        with st.container():  # always drawn, so that a note that comes or goes moves no chart
            _ignored(say, prefix, deeper)


def _ignored(say: Words, prefix: str, deeper: tuple[str, ...]) -> None:
    def ours(key: str) -> bool:
        return key.startswith(prefix) and not key.startswith(deeper)

    for key in filter(ours, st.query_params):
        if key not in st.session_state and key not in _notes():
            note(key, st.query_params[key])
    of_the_page = prefix in {lesson.prefix for lesson in LESSONS}
    ignored(say, *filter(ours, _notes()), *(("lang",) if of_the_page else ()))


def ignored(say: Words, *keys: str) -> None:
    """Show which of these a link asked for in vain, as text; nothing when there is nothing."""
    asked = [f"{key[:LONGEST]}={_notes()[key][0]}" for key in keys if key in _notes()]
    if asked:
        st.caption(say("link_ignored"))
        st.code("\n".join(asked[:MOST]) + ("\n…" if len(asked) > MOST else ""), language=None)


def presets(say: Words, values: Mapping[str, Mapping[str, object]]) -> DeltaGenerator:
    """Draw one button a preset; return their row. `values` maps a name to the controls it sets.

    A preset's label is the phrase `preset.<name>`.
    """
    row = st.container(horizontal=True, gap="small")
    with row:
        for name, settings in values.items():
            preset(say(f"preset.{name}"), settings, key=f"preset_{say.stem}_{name}")
    return row


def preset(label: str, settings: Mapping[str, object], *, key: str) -> None:
    """Draw a button that sets the controls named in `settings`, wherever they stand on the page."""
    st.button(label, key=key, on_click=put, args=(dict(settings),))


def put(settings: Mapping[str, object]) -> None:
    """Set controls (in a callback), and ask a tab in which this was pressed to redraw the page."""
    st.session_state.update(settings, redraw=True)
