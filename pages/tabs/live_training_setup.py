"""Live training: the controls of a run, and the settings they stand for."""

from collections.abc import Mapping
from typing import Any

import streamlit as st

from core import live_training as core
from core.contestants import CONTESTANTS
from core.limits import Refused
from core.settings import ACTIVATIONS, INITS, OPTIMISERS, SEEDS, Settings
from core.words import Words
from pages.shared import controls, frame, training

DEFAULT = Settings()
RATES = (0.0001, 0.0003, 0.001, 0.003, 0.01, 0.02, 0.03, 0.06, 0.1, 0.3, 1.0, 3.0, 10.0)
WIDTHS = (16, 32, 64, 128, 256)
BATCHES = (16, 32, 64, 128, 256)
FIELDS = ("depth", "per_branch", "few", "width", "activation", "init", "optimiser", "rate")
FIELDS += ("batch", "epochs", "share", "seed", "seeds")
IN_TABS = ("lt_measure", "lt_step")


def settings(state: Mapping[Any, Any]) -> Settings:
    """Return the settings that the controls describe. Raises `Refused`."""
    fields = {field: state[f"lt_{field}"] for field in FIELDS}
    contestants = tuple(name for name in CONTESTANTS if state[f"lt_with_{name}"])
    data = "spirals" if state["lt_spirals"] else "digits"
    return Settings(contestants=contestants, data=data, **fields)


def values(settings: Settings) -> dict[str, object]:
    """Return the controls' values that describe the settings."""
    values: dict[str, object] = {f"lt_{field}": getattr(settings, field) for field in FIELDS}
    values |= {f"lt_with_{name}": name in settings.contestants for name in CONTESTANTS}
    return values | {"lt_spirals": settings.data == "spirals"}


def plan() -> training.Plan:
    """Return the run that the controls describe now. Raises `Refused`."""
    asked = settings(st.session_state)
    return core.call(asked), asked.steps


def experiment(settings: Settings) -> None:
    """Set the controls to an experiment and start it (a callback)."""
    controls.put(values(settings))
    training.start("lt_", plan)


def new_seed() -> None:
    """Start the same run from other weights and another order of the data (a callback)."""
    st.session_state["lt_seed"] = (st.session_state["lt_seed"] + 1) % 1000
    training.start("lt_", plan)


def draw(say: Words) -> None:
    """Draw the controls. They describe the next run and change nothing about the one shown.

    Those that are moved most are one fragment and the others another, so that none waits for all.
    """
    st.session_state.pop("lt_asked", None)
    above = st.container()  # drawn last, for it says what all of them together ask for
    _others(say)
    with above:
        _most_moved(say)


@st.fragment
def _most_moved(say: Words) -> None:
    d = DEFAULT
    with controls.panel(say, "lt_", deeper=IN_TABS):
        controls.slider(say("depth"), 1, 100, d.depth, 1, key="lt_depth", help=say("help.depth"))
        controls.steps(say("rate"), RATES, d.rate, key="lt_rate", help=say("help.rate"))
        controls.dropdown(say("init"), INITS, key="lt_init", help=say("help.init"))
        with st.container(), frame.refusals(say):
            asked = settings(st.session_state)
            if asked.layers != asked.depth:
                st.caption(say("whole_blocks", depth=asked.depth, layers=asked.layers))
            training.refusal("lt_", "busy")  # any other was of settings that are mended now
    st.session_state["lt_asked"] = _asked()


@st.fragment
def _others(say: Words) -> None:
    with st.popover(say("contestants"), width="stretch"):
        _contestants(say)
    with st.popover(say("more_settings"), width="stretch"):
        _more(say)
    if "lt_asked" in st.session_state and st.session_state["lt_asked"] != _asked():
        st.rerun()


def _asked() -> tuple[object, object]:
    """Return what decides on the words under the controls: the layers, or why they are refused."""
    try:
        asked = settings(st.session_state)
    except Refused as refusal:
        return refusal.reason, str(refusal.values)
    return asked.depth, asked.layers


def _contestants(say: Words) -> None:
    for name in CONTESTANTS:
        label, tip = say(f"contestant.{name}"), say(f"contestant_help.{name}")
        on = name in DEFAULT.contestants
        controls.toggle(label, on, key=f"lt_with_{name}", help=tip)
    controls.slider(say("few"), 1, 50, DEFAULT.few, 1, key="lt_few", help=say("help.few"))


def _more(say: Words) -> None:
    d = DEFAULT
    tip = {field: say(f"help.{field}") for field in (*FIELDS, "spirals")}
    controls.steps(say("width"), WIDTHS, d.width, key="lt_width", help=tip["width"])
    label = say("per_branch")
    controls.slider(label, 1, 4, d.per_branch, 1, key="lt_per_branch", help=tip["per_branch"])
    label = say("activation")
    controls.dropdown(label, ACTIVATIONS, key="lt_activation", help=tip["activation"])
    controls.choice(say("optimiser"), OPTIMISERS, key="lt_optimiser", help=tip["optimiser"])
    controls.steps(say("batch"), BATCHES, d.batch, key="lt_batch", help=tip["batch"])
    controls.slider(say("epochs"), 1, 60, d.epochs, 1, key="lt_epochs", help=tip["epochs"])
    controls.slider(say("share"), 5, 100, d.share, 5, key="lt_share", help=tip["share"])
    controls.number(say("seed"), 0, 999, d.seed, 1, key="lt_seed", help=tip["seed"])
    controls.choice(say("seeds"), SEEDS, key="lt_seeds", help=tip["seeds"])
    controls.toggle(say("spirals"), False, key="lt_spirals", help=tip["spirals"])
