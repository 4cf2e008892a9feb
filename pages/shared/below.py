"""What stands below the first screen of a lesson: its tabs, and the parts that they share."""

import ast
import inspect
import textwrap
from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np
import pandas as pd
import streamlit as st

from core import numbers
from core.sources import PAPERS
from core.words import Words
from pages.shared import controls
from pages.shared.frame import refusals

ROOT = Path(__file__).parent.parent.parent


def shows(say: Words, **parts: object) -> None:
    """Hand over to the tabs what the first screen shows: the last call of its fragment.

    The open tab may have been drawn with something else. Then the page is run again; the picture,
    which was sent before, does not wait for it.
    """
    st.session_state.setdefault(f"{say.stem}_shown", {}).update(parts)
    drawn = st.session_state.get(f"{say.stem}_drawn", {})
    if any(drawn.get(name, part) != part for name, part in parts.items()):
        st.rerun()


@st.fragment
def tabs(say: Words, bodies: Mapping[str, Callable[..., None]]) -> None:
    """Draw the deeper part of a page: one tab a body, and only the body of the open tab is run.

    A body is called with `say` and with those parts of what the first screen `shows` that its other
    parameters name, and is drawn anew when one of them changes. A tab's title is the phrase
    `tab.<name>`, of the lesson or shared. The open tab stands in the URL as `tab=<name>`, in every
    language; the first one is not written there. Who goes back in the browser goes back here.
    """
    if st.session_state.pop("redraw", False):
        st.rerun()
    names, key = list(bodies), f"{say.stem}_tab"
    asked = st.query_params.get("tab")
    drawn, written = st.session_state.get(f"{key}_drawn", (None, asked))
    went_back = st.session_state.get(key) == drawn and asked != written
    to = names[0] if asked is None else asked
    if to not in names:
        controls.note("tab", to, names[0])
    elif key not in st.session_state or went_back:
        st.session_state[key] = to
    with st.container():  # always there, so that a note that comes or goes moves no chart
        controls.ignored(say, "tab")
    name = st.segmented_control(
        say("deeper"),
        names,
        default=names[0],
        key=key,
        required=True,
        format_func=lambda name: say(f"tab.{name}"),
        label_visibility="collapsed",
    )
    controls.settle("tab", name)
    if name == names[0]:
        st.query_params.pop("tab", None)
    elif asked != name:
        st.query_params["tab"] = name
    st.session_state[f"{key}_drawn"] = (name, st.query_params.get("tab"))
    with st.container(), refusals(say):
        _draw(say, bodies[name])


def _draw(say: Words, body: Callable[..., None]) -> None:
    shown = st.session_state.get(f"{say.stem}_shown", {})
    wanted = list(inspect.signature(body).parameters)[1:]
    parts = {name: shown[name] for name in wanted if name in shown}
    st.session_state[f"{say.stem}_drawn"] = parts
    if len(parts) == len(wanted):  # else the first screen has refused what it was asked for
        body(say, **parts)


def in_tab(say: Words, name: str) -> dict[str, str]:
    """Return the setting that opens a tab, to go with the settings of a preset or of a claim."""
    return {f"{say.stem}_tab": name}


def code(*parts: Callable | str) -> None:
    """Show code: the very functions of core that made the page's numbers, or a snippet to run."""
    for part in parts:
        st.code(part if isinstance(part, str) else inspect.getsource(part), language="python")


def listing(module: str, *names: str) -> None:
    """Show functions of a module by their text: importing it here would load torch."""
    text = (ROOT / module).read_text("utf-8")
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef) and node.name in names:
            code(textwrap.dedent(ast.get_source_segment(text, node, padded=True) or ""))


def try_it(say: Words) -> None:
    """Ask what the first screen answers; being one text, this tab costs a moving slider nothing."""
    st.markdown(say("try_it"))


def check(say: Words, rows: pd.DataFrame) -> None:
    """Show closed form and autograd side by side; `rows` has `quantity`, `closed`, `autograd`.

    The sentence above the table names the largest absolute difference.
    """
    largest = float(np.abs(rows["closed"].to_numpy() - rows["autograd"].to_numpy()).max())
    st.markdown(say("largest_difference", difference=numbers.text(largest)))
    names = {
        "quantity": say("quantity"),
        "closed": say("closed_form"),
        "autograd": "torch.autograd",
    }
    written = rows.assign(
        **{who: [numbers.text(value, 6) for value in rows[who]] for who in ("closed", "autograd")}
    )
    st.dataframe(written.rename(columns=names), hide_index=True)


def claim(
    say: Words, name: str, settings: Mapping[str, object] | None = None, **values: object
) -> None:
    """Show a common wrong claim and what is right, with a button that sets the page to show it.

    The claim is the phrase `claim.<name>`, the answer `claim_answer.<name>`, filled by `values`.
    """
    with st.container(border=True):
        st.markdown(f"❌ {say(f'claim.{name}')}")
        st.markdown(f"✅ {say(f'claim_answer.{name}', **values)}")
        if settings:
            controls.preset(say("show_me"), settings, key=f"claim_{say.stem}_{name}")


def sources(say: Words, *papers: str) -> None:
    """List where the page's content comes from: the phrase `sources`, then the papers named."""
    st.markdown(say("sources"))
    st.markdown("\n".join(f"- {PAPERS[key]}" for key in papers))
