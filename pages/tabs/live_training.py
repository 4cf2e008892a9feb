"""Live training, deeper: the verdict, and one function a tab below it."""

import functools
import time

import streamlit as st

from core import history, numbers, verdict
from core import live_training as core
from core.charts import live_training as charts
from core.datasets import linear_accuracy
from core.records import Rows
from core.script import script
from core.settings import STRIP_RATES, Settings, hidden_parameters, parameters, strip
from core.viewing import Viewing
from core.words import Words
from pages.shared import below, controls, frame, sessions, training
from pages.tabs import live_training_run as run
from pages.tabs import live_training_setup as setup

TICK, TICKS = 0.4, 8
PHASES = {"forward": "scale", "backward": "norms", "update": "change"}


def draw(say: Words, view: Viewing) -> None:
    """Draw the verdict and the tabs; only the body of the open tab is run."""
    rows = view.rows
    settings: Settings = view.job.call.argument
    with st.container(border=True):
        if rows and rows[-1].ending:
            for key, values in verdict.verdict(settings, rows):
                st.markdown(run.sentence(say, key, values))
        else:
            st.markdown(say("verdict_later"))
    below.shows(say, settings=settings, rows=rows)
    below.tabs(say, TABS)


def use_of_depth(say: Words, settings: Settings, rows: Rows) -> None:
    """Delete all branches of the trained networks and see what is left."""
    st.markdown(say("uses_intro"))
    if not rows or not rows[-1].ending:
        st.markdown(say("uses_later"))
    for key, values in verdict.use_of_depth(settings, rows) if rows else []:
        st.markdown("- " + run.sentence(say, key, values))
    st.markdown(say("ratio_intro"))
    for key, values in verdict.first_to_last(settings, rows) if rows else []:
        st.markdown("- " + run.sentence(say, key, values))


def accuracy(say: Words, settings: Settings, rows: Rows) -> None:
    """Draw test accuracy over epochs with a linear model beside it."""
    linear = 100 * linear_accuracy(settings.data, settings.rows)
    table = history.accuracies(settings, rows)
    options = (settings.contestants, settings.epochs, linear)
    frame.figure(charts.accuracy, say, table, *options, alt="alt.accuracy")
    st.caption(say("linear_rule", linear=numbers.text(linear)))


def layers(say: Words, settings: Settings, rows: Rows) -> None:
    """Draw one measure of each layer after the last epoch."""
    measure = controls.choice(
        say("measure"),
        history.MEASURES,
        key="lt_measure",
        help=say("help.measure"),
    )
    st.markdown(say(f"measure_help.{measure}"))
    look = next((row.layers for row in reversed(rows) if row.layers), None)
    if look:
        table = history.layers(settings, look, measure)
        options = (settings.contestants, measure)
        if len(table):
            frame.figure(charts.layers, say, table, *options, alt="alt.layers")
        for who, why in history.without(settings, look, measure):
            st.markdown("- " + run.sentence(say, f"layers.{why}", {"who": who}))


def slow_motion(say: Words, settings: Settings, rows: Rows) -> None:
    """Show one step forward, backward and update; replayed for this reader alone."""
    st.markdown(say("slow_intro"))
    last = max(2, len(rows))
    step = st.slider(say("step"), 1, last, 1, key="lt_step", help=say("help.step"))
    plan = functools.partial(lambda: (core.profile_call(settings, step), step))
    click = {"on_click": training.start, "args": ("lt_slow_", plan)}
    st.button(say("slow_go", step=step), key="lt_slow_go", **click)
    with frame.refusals(say):
        training.refusal("lt_slow_")
    view = training.watched("lt_slow_")
    if view:
        moving = view.moving
        play = moving or st.toggle(say("slow_play"), True, key="lt_slow_play")
        st.fragment(run_every=TICK if play else None)(_slow_pictures)(say, view, moving, play)


def _slow_pictures(say: Words, view: Viewing, moving: bool, play: bool) -> None:
    sessions.alive()
    rows = view.advance(time.monotonic())
    if moving and not view.moving:
        st.rerun()
    if view.job.state != "done":
        run.progress(say, view, rows)
        return
    settings, _ = view.job.call.argument
    step = view.job.rows[-1]
    whole = TICKS * len(PHASES)
    tick = int(time.monotonic() / TICK) % whole if play else whole
    for number, (column, phase) in enumerate(zip(st.columns(3), PHASES, strict=True)):
        with column:
            st.markdown(say(f"phase.{phase}"))
            share = min(1.0, max(0.0, (tick - TICKS * number) / (TICKS - 2)))
            table = history.slow_motion(settings, step, PHASES[phase])
            shown = history.revealed(table, phase, share)
            options = (settings.contestants, settings.layers, phase)
            frame.figure(
                charts.profile, say, shown, *options, alt="alt.profile", name=phase, save=False
            )
    for c, name in enumerate(settings.contestants):
        before, after = step.loss[c * settings.seeds], step.after[c * settings.seeds]
        change = {"before": numbers.text(before, 4), "after": numbers.text(after, 4)}
        st.markdown("- " + run.sentence(say, "slow_loss", {"who": name, **change}))


def learning_rates(say: Words, settings: Settings, rows: Rows) -> None:
    """Train at seven learning rates at once; draw last loss against rate."""
    st.markdown(say("strip_intro"))
    short = strip(settings)

    def plan() -> training.Plan:
        return core.strip_call(settings), short.steps

    go = {"on_click": training.start, "args": ("lt_strip_", plan)}
    st.button(say("strip_go"), key="lt_strip_go", **go)
    with frame.refusals(say):
        training.refusal("lt_strip_")
    view = training.watched("lt_strip_")
    if view:
        moving = view.moving
        every = training.POLL if moving else None
        st.fragment(run_every=every)(_strip_picture)(say, view, moving)


def _strip_picture(say: Words, view: Viewing, moving: bool) -> None:
    sessions.alive()
    rows, settings = view.advance(time.monotonic()), view.job.call.argument
    if moving and not view.moving:
        st.rerun()
    run.progress(say, view, rows)
    st.caption(run.describe(say, settings))
    if rows:
        table = core.rates(settings, rows)
        tried = STRIP_RATES[settings.optimiser]
        options = (settings.contestants, tried, verdict.guessing(settings))
        frame.figure(charts.rates, say, table, *options, alt="alt.rates")
        if view.job.state == "done":
            for key, values in verdict.tolerance(settings, table):
                st.markdown("- " + run.sentence(say, key, values))


def answers(say: Words, settings: Settings, rows: Rows) -> None:
    """Show some test digits and what each contestant says they are."""
    ending = rows[-1].ending if rows else None
    if settings.data != "digits" or not ending:
        st.markdown(say("answers_later"))
        return
    st.markdown(say("answers_intro"))
    names = {name: say(f"contestant.{name}") for name in settings.contestants}
    titles = {"picture": say("picture"), "truth": say("truth")} | names
    st.dataframe(
        core.answers(settings, ending).rename(columns=titles),
        hide_index=True,
        row_height=48,
        height="content",
        column_config={titles["picture"]: st.column_config.ImageColumn()},
    )


def compare(say: Words, settings: Settings, rows: Rows) -> None:
    """Show an earlier run beside the present one, and save the whole history."""
    before = training.earlier("lt_")
    if not before:
        st.markdown(say("compare_nothing"))
    else:
        described = {run.describe(say, view.job.call.argument): view for view in before}
        name = st.selectbox(say("compare_with"), described, key="lt_compare")
        view = described[name]
        old: Settings = view.job.call.argument
        for title, s, lines in ((name, old, view.job.rows), (say("compare_now"), settings, rows)):
            st.markdown(f"**{title}**")
            options = (s.contestants, s.steps, verdict.guessing(s), s.seeds)
            key = "earlier" if s is old else "now"
            table = history.losses(s, lines)
            frame.figure(charts.loss, say, table, *options, alt="alt.loss", name=f"loss_{key}")
    st.download_button(
        say("save_history"),
        lambda: history.table(settings, rows).to_csv(index=False).encode("utf-8-sig"),
        file_name="history.csv",
        mime="text/csv",
        key="lt_history",
        on_click="ignore",
    )


def counts(say: Words, settings: Settings, rows: Rows) -> None:
    """Say how many parameters each contestant has, and where they differ."""
    st.markdown(say("counts_intro"))
    for name in settings.contestants:
        values = {
            "who": name,
            "count": f"{parameters(settings, name):,}",
            "layers": settings.layers_of(name),
        }
        st.markdown("- " + run.sentence(say, "counts_line", values))


CLAIMS = {
    "same_structure": "as_written",
    "plain_never": "plain_learns",
    "first_layer": "three",
    "stable": "explodes",
    "dense": "few",
    "bn": "bn",
    "fifteen": "three",
    "dead": "dead",
    "needed": "plain_learns",
}
"""Common wrong claims, and the experiment that shows what is right."""


def claims(say: Words, settings: Settings, rows: Rows) -> None:
    """Common wrong claims; the button starts the experiment that answers it."""
    unfair = core.PRESETS["as_written"]
    hidden = {name: f"{hidden_parameters(unfair, name):,}" for name in unfair.contestants}
    unequal = {"plain": hidden["plain_half"], "residual": hidden["residual"]}
    for name, experiment in CLAIMS.items():
        below.claim(say, name, None, **(unequal if name == "same_structure" else {}))
        click = {"on_click": setup.experiment, "args": (core.PRESETS[experiment],)}
        label = say("claim_start", experiment=say(f"preset.{experiment}"))
        st.button(label, key=f"claim_live_training_{name}", **click)


def code(say: Words, settings: Settings, rows: Rows) -> None:
    """The run as a script that reproduces it."""
    st.markdown(say("code_intro"))
    below.code(script(settings))
    st.markdown(say("code_core"))
    below.listing("core/networks.py", "forward", "backward")


def sources(say: Words, settings: Settings, rows: Rows) -> None:
    """Where the page's content comes from."""
    below.sources(say, "he2015", "he2016", "zhang2019", "bachlechner2020", "de2020", "xiao2018")


TABS = {
    "uses": use_of_depth,
    "accuracy": accuracy,
    "layers": layers,
    "slow": slow_motion,
    "strip": learning_rates,
    "answers": answers,
    "compare": compare,
    "counts": counts,
    "claims": claims,
    "code": code,
    "sources": sources,
}
