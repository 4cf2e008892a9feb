"""The LayerNorm page's training tab: the placements against each other, without warm-up."""

import time
from collections.abc import Mapping

import pandas as pd
import streamlit as st

from core import numbers
from core.charts import layernorm_placement as charts
from core.jobs import Call
from core.placements import PLACEMENTS
from core.reversal import EXPERIMENTS, GUESSING, Reversal, losses, swaps, verdicts
from core.viewing import Viewing
from core.words import Words
from pages.shared import controls, frame, sessions, training

PREFIX = "ln_r_"
RATES = ("1e-4", "3e-4", "1e-3", "3e-3", "1e-2")


def plan() -> training.Plan:
    """Return the run that the controls describe now. Raises `Refused`."""
    now = st.session_state
    settings = Reversal(
        tuple(dict.fromkeys((now["ln_top"], now["ln_low"]))),
        now["ln_rL"],
        float(now["ln_rrate"]),
        now["ln_rwarm"],
        now["ln_rsteps"],
        now["ln_rseed"],
    )
    return Call("core.reversal_training", "train", settings, settings.work), settings.steps


def _experiment(values: Mapping[str, object]) -> None:
    controls.put(values)
    training.start(PREFIX, plan)


def draw(say: Words) -> None:
    """Draw experiments, controls and the run."""
    st.markdown(say("training_intro", guessing=numbers.text(GUESSING, 4)))
    with st.container(horizontal=True, gap="small"):
        for name, values in EXPERIMENTS.items():
            click = {"on_click": _experiment, "args": (values,)}
            st.button(say(f"experiment.{name}"), key=f"ln_experiment_{name}", **click)
    left, right = st.columns([1, 2])
    with left, controls.panel(say, "ln_r"):
        _controls(say)
    view = training.watched(PREFIX)
    with right:
        _buttons(say, view)
        with frame.refusals(say):
            training.refusal(PREFIX)
        if view:
            moving = view.moving
            every = training.POLL if moving else None
            st.fragment(run_every=every)(_pictures)(say, view, moving)
        else:
            st.info(say("training_empty"))


def _controls(say: Words) -> None:
    controls.slider(say("run_blocks"), 1, 24, 12, 1, key="ln_rL", help=say("help.run_blocks"))
    controls.choice(say("rate"), RATES, key="ln_rrate", default="3e-3", help=say("help.rate"))
    controls.slider(say("warmup"), 0, 200, 0, 10, key="ln_rwarm", help=say("help.warmup"))
    controls.slider(say("steps"), 20, 600, 200, 20, key="ln_rsteps", help=say("help.steps"))
    controls.number(say("seed"), 0, 9999, 0, 1, key="ln_rseed", help=say("help.seed"))


def _buttons(say: Words, view: Viewing | None) -> None:
    with st.container(horizontal=True, gap="small"):
        click = {"on_click": training.start, "args": (PREFIX, plan)}
        st.button(say("train"), type="primary", key="ln_go", **click)
        if view and view.mode == "stopped":
            click = {"on_click": training.resume, "args": (PREFIX,)}
            st.button(say("continue"), key="ln_continue", **click)
        else:
            click = {"on_click": training.stop, "args": (PREFIX,)}
            st.button(say("stop"), key="ln_stop", disabled=not (view and view.moving), **click)
        click = {"on_click": training.again, "args": (PREFIX,)}
        st.button(say("reset"), key="ln_reset", disabled=view is None, **click)


def _pictures(say: Words, view: Viewing, moving: bool) -> None:
    sessions.alive()
    rows = view.advance(time.monotonic())
    settings: Reversal = view.job.call.argument
    _progress(say, view, len(rows))
    if rows:
        options = (settings.steps, *settings.placements)
        frame.figure(charts.losses, say, losses(settings, rows), *options, alt="alt.losses")
    st.caption(
        say(
            "run_caption",
            blocks=settings.blocks,
            rate=f"{settings.rate:g}",
            warmup=settings.warmup,
            seed=settings.seed,
        )
    )
    if len(rows) == view.steps or (rows and rows[-1].swapped):
        for verdict in verdicts(settings, rows):
            values = {
                "name": verdict.who,
                "loss": numbers.text(verdict.loss),
                "accuracy": numbers.text(verdict.accuracy),
                "steps": verdict.steps,
                "guessing": numbers.text(GUESSING, 4),
            }
            st.markdown(say(f"verdict.{verdict.case}", **values))
        _swapped(say, settings, rows[-1].swapped)
    if moving and not view.moving:
        st.rerun()


def _swapped(say: Words, settings: Reversal, swapped: list[dict[str, float]]) -> None:
    """Show the accuracy of the trained weights with the norm in every other place."""
    st.markdown(say("swap_intro"))
    names = [say("trained_as", name=name) for name in settings.placements]
    shares = [[_percent(each[name]) for name in PLACEMENTS] for each in swapped]
    st.dataframe(pd.DataFrame(shares, names, list(PLACEMENTS)))
    for swap in swaps(settings, swapped):
        values = {"name": swap.who, "own": numbers.text(swap.own), "worst": swap.worst}
        st.markdown(say(f"swap.{swap.case}", low=numbers.text(swap.low), **values))


def _percent(share: float) -> str:
    return "–" if share != share else f"{100 * share:.1f} %"


def _progress(say: Words, view: Viewing, done: int) -> None:
    training.ended(say, view)
    place = sessions.jobs().place(view.job)
    text = say(f"progress.{view.state}", step=done, steps=view.steps, place=place)
    st.progress(min(1.0, done / view.steps), text=text)
