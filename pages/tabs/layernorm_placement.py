"""The parts of the LayerNorm page: the step controls, what is said at a step, and the tabs."""

import time

import pandas as pd
import streamlit as st

from core import layernorm_placement as core
from core import numbers
from core.block_path import LIMITS
from core.charts import layernorm_placement as charts
from core.initial_gradients import SEEDS, Stack, profile
from core.placements import PLACEMENTS, jacobian
from core.words import Words
from pages.shared import controls, frame

SECONDS_A_STEP = 1.5
SIZES = {"B": 32, "T": 128, "d": 768, "heads": 12, "FFN": 3072}


def playing() -> bool:
    """Return whether the steps are being played."""
    return st.session_state.get("ln_playing", False)


def _move(step: int) -> None:
    st.session_state["ln_step"] = step


def _play(last: int) -> None:
    st.session_state["ln_playing"] = not playing()
    st.session_state["ln_ticked"] = time.monotonic()
    if playing() and st.session_state.get("ln_step", 0) >= last:
        _move(0)


def stepper(say: Words, last: int) -> int:
    """Draw the step control (slider, Back, Next, Play) and return the step; play one if it is due.

    Streamlit takes a fragment's timer from the run of the whole page, so starting and ending the
    play reruns the page.
    """
    step = min(st.session_state.get("ln_step", 0), last)
    was_playing = playing()
    if playing() and time.monotonic() - st.session_state["ln_ticked"] > 0.8 * SECONDS_A_STEP:
        step = min(step + 1, last)
        st.session_state["ln_ticked"] = time.monotonic()
        st.session_state["ln_playing"] = step < last
    if "ln_step" in st.session_state:
        _move(step)
    step = controls.slider(say("step"), 0, last, 0, 1, key="ln_step", help=say("help.step"))
    with st.container(horizontal=True, gap="small"):
        st.button(say("back"), key="ln_back", on_click=_move, args=(step - 1,), disabled=step == 0)
        st.button(
            say("next"), key="ln_next", on_click=_move, args=(step + 1,), disabled=step == last
        )
        pressed = st.button(
            say("pause" if playing() else "play"), key="ln_play", on_click=_play, args=(last,)
        )
    if pressed or playing() != was_playing:
        st.rerun()
    return step


def placements(say: Words) -> tuple[str, str]:
    """Draw the choice of the two placements and return their names."""
    with st.popover(say("more_placements"), width="stretch"):
        names = list(PLACEMENTS)
        top = controls.choice(say("top"), names, key="ln_top", help=say("help.top"))
        low = controls.choice(
            say("low"), names, key="ln_low", default=names[1], help=say("help.low")
        )
    return top, low


def sizes(say: Words) -> list[int]:
    """Draw the sizes of the block and return them in the order of `core.block_path.Sizes`."""
    with st.popover(say("sizes"), width="stretch"):
        return [
            controls.number(
                say(f"size.{name}"),
                *LIMITS[name],
                value,
                1,
                key=f"ln_{name}",
                help=say(f"help.size.{name}"),
            )
            for name, value in SIZES.items()
        ]


def moments(say: Words, view: core.View) -> None:
    """Say what each placement has just computed: formula, shape, cost so far, Jacobian."""
    for column, placement in zip(st.columns(2), view.placements, strict=True):
        now = core.moment(placement, view)
        with column:
            st.latex(now.tex)
            st.markdown(
                say(
                    f"op.{now.op}",
                    shape=now.shape,
                    parameters=now.parameters,
                    multiply_adds=now.multiply_adds,
                )
            )
            st.latex(r"\small J=" + jacobian(placement))


@st.cache_data(max_entries=64, show_spinner=False)
def _profile(name: str, blocks: int) -> pd.DataFrame:
    return profile(Stack(name, blocks))


def measured(say: Words, top: str, low: str, blocks: int) -> None:
    """Draw the measured gradient of each block, and say what it shows."""
    st.subheader(say("measured"), anchor=False)
    names = list(dict.fromkeys((top, low)))
    place = st.empty()
    with place, st.spinner(say("measuring")):
        profiles = {name: _profile(name, blocks) for name in names}
    with place.container():
        frame.figure(
            charts.profile,
            say,
            pd.concat(list(profiles.values())),
            *names,
            alt="alt.profile",
        )
    for name, table in profiles.items():
        first, last = core.ends(table)
        before, after = core.ends(table, "stream")
        st.markdown(
            say(
                f"slope.{core.slope_case(table)}",
                name=name,
                blocks=blocks,
                seeds=SEEDS,
                first=numbers.text(first),
                last=numbers.text(last),
                ratio=numbers.text(max(first, last) / min(first, last)),
                norms=core.normalisations_on_stream(PLACEMENTS[name], blocks),
            )
            + " "
            + say(
                f"stream.{core.stream_case(PLACEMENTS[name])}",
                before=numbers.text(before),
                after=numbers.text(after),
            )
        )


def sources(say: Words) -> None:
    """List the article's sections and the papers."""
    frame.sources(say, "vaswani2017", "xiong2020", "liu2020", "wang2022", "kim2025")
