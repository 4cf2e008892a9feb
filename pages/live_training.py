"""Live training: a plain and a residual deep network, training side by side."""

import time

import streamlit as st

from core import history
from core import live_training as core
from pages.shared import frame, sessions, training
from pages.tabs import live_training as tabs
from pages.tabs import live_training_run as run
from pages.tabs import live_training_setup as setup

FORMULA = r"h\leftarrow s\cdot h+\alpha\,F(h)"
PROMINENT = ("article", "fifty", "few", "explodes", "cures")

say = frame.begin("live_training", FORMULA)


def experiment_button(name: str) -> None:
    """Draw the button of one experiment."""
    st.button(
        say(f"preset.{name}"),
        key=f"preset_live_training_{name}",
        help=say(f"preset_help.{name}"),
        on_click=setup.experiment,
        args=(core.PRESETS[name],),
    )


def more_experiments() -> None:
    """Draw a menu of the experiments that have no button."""
    st.menu_button(
        say("more_experiments"),
        [name for name in core.PRESETS if name not in PROMINENT],
        key="lt_more",
        on_click=lambda: setup.experiment(core.PRESETS[st.session_state["lt_more"]]),
        format_func=lambda name: say(f"preset.{name}"),
    )


def buttons() -> None:
    """Draw Train, Stop or Continue, Reset and New seed, always in the same places."""
    stopped, busy = view.mode == "stopped", moving and view.mine
    with st.container(horizontal=True, gap="small"):
        click = {"on_click": training.start, "args": ("lt_", setup.plan)}
        st.button(say("train"), type="primary", key="lt_go", **click)
        if stopped:
            st.button(say("continue"), key="lt_continue", on_click=training.resume, args=("lt_",))
        else:
            click = {"on_click": training.stop, "args": ("lt_",)}
            st.button(say("stop"), key="lt_stop", disabled=not busy, **click)
        st.button(say("reset"), key="lt_reset", on_click=training.again, args=("lt_",))
        st.button(say("new_seed"), key="lt_new_seed", on_click=setup.new_seed)


with st.container(horizontal=True, gap="small"):
    for name in PROMINENT:
        experiment_button(name)
    more_experiments()

view = training.current("lt_", (core.call(setup.DEFAULT), setup.DEFAULT.steps))
moving = view.moving
settings = view.job.call.argument


@st.fragment(run_every=training.POLL if moving else None)
def pictures() -> None:
    """Draw the run as far as the reader sees it; while it trains, twice a second.

    All of it is drawn anew each time, so what never changes stands below.
    """
    if moving:
        sessions.alive()
    rows = view.advance(time.monotonic())
    st.text(run.state(say, view, rows))
    run.lights(say, settings, rows)
    run.loss(say, settings, rows)
    run.surfaces(say, settings, rows)
    if moving and not view.moving:
        st.rerun()


left, right = st.columns([1, 2])
with left:
    setup.draw(say)
with right:
    buttons()
    pictures()
    st.caption(say("lights_legend"))
    for name, preset in core.PRESETS.items():
        if preset == settings:
            st.caption(f"**{say(f'preset.{name}')}** · {say(f'preset_help.{name}')}")
    st.caption(("" if view.mine else say("shared_run") + " ") + run.describe(say, settings))
    frame.save_button(say, "loss", lambda: history.losses(settings, view.rows))
tabs.draw(say, view)
