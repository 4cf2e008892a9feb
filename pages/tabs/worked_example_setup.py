"""The worked example's controls: the numbers of the block, and the step that is shown."""

from collections.abc import Mapping
from dataclasses import asdict, fields

import streamlit as st

from core import worked_example as core
from core.linear_block import ALPHA, ENTRY, WEIGHT, Setting
from core.words import Words
from pages.shared import controls

ROWS = (("x1", "w11", "w12"), ("x2", "w21", "w22"), ("t1", "t2"))
LABELS = {"x": "x", "w": "W", "t": "t"}
Shown = tuple[Setting, str]
LARGEST = {"x": ENTRY, "w": WEIGHT, "t": ENTRY}


def presets() -> Mapping[str, Mapping[str, object]]:
    """Return the controls that hold each preset."""
    return {name: values(preset) for name, preset in core.PRESETS.items()}


def values(setting: Setting) -> dict[str, object]:
    """Return the controls that hold a setting."""
    return {f"we_{name}": value for name, value in asdict(setting).items()}


def settings(say: Words) -> None:
    """Draw the fields of `x`, `W` and `t` and the slider of `α`."""
    for row in ROWS:
        with st.container(horizontal=True, wrap=False, gap="xsmall"):
            for name in row:
                _entry(say, name)
    label, about = say("alpha"), say("help.alpha")
    controls.slider(label, -ALPHA, ALPHA, 1.0, 0.1, key="we_alpha", help=about)


def shown() -> Shown:
    """Return what the controls hold: the numbers of the block, and the step."""
    names = (field.name for field in fields(Setting))
    setting = Setting(**{name: controls.value(f"we_{name}") for name in names})
    return setting, core.STEPS[controls.value("we_step")]


def _entry(say: Words, name: str) -> None:
    kind, index = name[0], name[1:].translate(str.maketrans("12", "₁₂"))
    controls.number(
        LABELS[kind] + index,
        -LARGEST[kind],
        LARGEST[kind],
        getattr(Setting(), name),
        0.1 if kind == "w" else 0.5,
        key=f"we_{name}",
        format="%.2f",
        help=say(f"help.{kind}"),
    )


def steps(say: Words) -> None:
    """Draw the step control beside its two buttons."""
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        st.button(say("back"), key="we_go_back", on_click=_go, args=(-1,))
        st.button(say("next"), key="we_go_next", on_click=_go, args=(1,), type="primary")
        controls.choice(
            say("step"),
            range(len(core.STEPS)),
            key="we_step",
            label_visibility="collapsed",
            help=say("help.step"),
        )


def _go(by: int) -> None:
    st.session_state["we_step"] = (st.session_state["we_step"] + by) % len(core.STEPS)
