"""Live training: a plain and a residual deep network, training side by side."""

import time

import streamlit as st

from core import live_training as core
from core.contestants import CONTESTANTS
from core.settings import ACTIVATIONS, INITS, OPTIMISERS, SEEDS, Settings
from pages.shared import controls, frame, sessions, training
from pages.tabs import live_training as tabs

FORMULA = r"h\leftarrow s\cdot h+\alpha\,F(h)"
DEFAULT = Settings()
PROMINENT = ("article", "fifty", "few", "explodes", "cures")

say = frame.begin("live_training", FORMULA)


def plan() -> training.Plan:
    """Return the run that the controls describe now."""
    settings = tabs.settings(st.session_state)
    return core.call(settings), settings.steps


def experiment(settings: Settings) -> None:
    """Set the controls to an experiment and start it (a callback)."""
    st.session_state.update(tabs.controls(settings))
    training.start("lt_", plan)


def new_seed() -> None:
    """Start the same run from other weights and another order of the data (a callback)."""
    st.session_state["lt_seed"] = (st.session_state["lt_seed"] + 1) % 1000
    training.start("lt_", plan)


def experiments() -> None:
    """Draw a button for each experiment."""
    with st.container(horizontal=True, gap="small"):
        for name in PROMINENT:
            _experiment(name)
        with st.popover(say("more_experiments")):
            for name in core.PRESETS:
                if name not in PROMINENT:
                    _experiment(name)


def _experiment(name: str) -> None:
    help_text = say(f"preset_help.{name}")
    label = say(f"preset.{name}")
    key = f"preset_live_training_{name}"
    st.button(label, key=key, help=help_text, on_click=experiment, args=(core.PRESETS[name],))


@st.fragment
def setup() -> None:
    """Draw the controls. They describe the next run and change nothing about the one shown."""
    with controls.panel(say, "lt_", deeper=tabs.DEEPER):
        d = DEFAULT
        controls.slider(say("depth"), 1, 100, d.depth, 1, key="lt_depth", help=say("help.depth"))
        controls.steps(say("rate"), tabs.RATES, d.rate, key="lt_rate", help=say("help.rate"))
        controls.dropdown(say("init"), INITS, key="lt_init", help=say("help.init"))
        with st.popover(say("contestants"), width="stretch"):
            for name in CONTESTANTS:
                label, on = say(f"contestant.{name}"), name in d.contestants
                tip = say(f"contestant_help.{name}")
                controls.toggle(label, on, key=f"lt_with_{name}", help=tip)
            controls.slider(say("few"), 1, 50, d.few, 1, key="lt_few", help=say("help.few"))
        with st.popover(say("more_settings"), width="stretch"):
            tabs.more(say, ACTIVATIONS, OPTIMISERS, SEEDS)
        with st.container():
            with frame.refusals(say):
                settings = tabs.settings(st.session_state)
                if settings.layers != settings.depth:
                    st.caption(say("whole_blocks", depth=settings.depth, layers=settings.layers))
            with frame.refusals(say):
                training.refusal("lt_")


view = training.current("lt_", (core.call(DEFAULT), DEFAULT.steps))


def buttons() -> None:
    """Draw Train, Stop or Continue, Reset and New seed; always the same places."""
    with st.container(horizontal=True, gap="small"):
        busy = view.moving and view.mine
        st.button(
            say("train"), type="primary", on_click=training.start, args=("lt_", plan), key="lt_go"
        )
        if view.mode == "stopped":
            st.button(say("continue"), on_click=training.resume, args=("lt_",), key="lt_continue")
        else:
            st.button(
                say("stop"), on_click=training.stop, args=("lt_",), key="lt_stop", disabled=not busy
            )
        st.button(say("reset"), on_click=training.again, args=("lt_",), key="lt_reset")
        st.button(say("new_seed"), on_click=new_seed, key="lt_new_seed")


@st.fragment(run_every=training.POLL if view.moving else None)
def pictures() -> None:
    """Draw the run as far as the reader sees it; while it trains, twice a second."""
    was_moving = view.moving
    sessions.alive()
    rows = view.advance(time.monotonic())
    settings = view.job.call.argument
    tabs.progress(say, view, rows)
    if rows:
        tabs.lights(say, settings, rows)
        tabs.loss(say, settings, rows)
    if was_moving and not view.moving:
        st.rerun()


experiments()
left, right = st.columns([1, 2])
with left:
    setup()
with right:
    buttons()
    pictures()
tabs.deeper(say, view)
