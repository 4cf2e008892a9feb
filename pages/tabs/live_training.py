"""Live training, deeper: what stands below the first picture."""

from collections.abc import Mapping
from typing import Any

import streamlit as st

from core import history
from core import live_training as core
from core.charts import live_training as charts
from core.contestants import CONTESTANTS
from core.datasets import linear_accuracy
from core.settings import Settings, parameters, strip
from core.viewing import Viewing
from core.words import Words
from pages.shared import controls as widgets
from pages.shared import frame, training

RATES = (0.0001, 0.0003, 0.001, 0.003, 0.01, 0.02, 0.03, 0.06, 0.1, 0.3, 1.0, 3.0, 10.0)
WIDTHS = (16, 32, 64, 128, 256)
BATCHES = (16, 32, 64, 128, 256)
DEEPER = ("lt_measure", "lt_step")
FIELDS = ("depth", "per_branch", "few", "width", "activation", "init", "optimiser", "rate")
FIELDS += ("batch", "epochs", "share", "seed", "seeds")


def settings(state: Mapping[Any, Any]) -> Settings:
    """Return the settings that the controls describe. Raises `Refused`."""
    fields = {field: state[f"lt_{field}"] for field in FIELDS}
    contestants = tuple(name for name in CONTESTANTS if state[f"lt_with_{name}"])
    data = "spirals" if state["lt_spirals"] else "digits"
    return Settings(contestants=contestants, data=data, **fields)


def controls(settings: Settings) -> dict[str, object]:
    """Return the controls' values that describe the settings."""
    values: dict[str, object] = {f"lt_{field}": getattr(settings, field) for field in FIELDS}
    values |= {f"lt_with_{name}": name in settings.contestants for name in CONTESTANTS}
    return values | {"lt_spirals": settings.data == "spirals"}


def more(say: Words, activations: tuple, optimisers: tuple, seeds: tuple) -> None:
    """Draw the settings that are seldom changed."""
    d = Settings()
    tip = {name: say(f"help.{name}") for name in ("per_branch", "width", "share", "seed", "seeds")}
    widgets.steps(say("width"), WIDTHS, d.width, key="lt_width", help=tip["width"])
    widgets.slider(
        say("per_branch"), 1, 4, d.per_branch, 1, key="lt_per_branch", help=tip["per_branch"]
    )
    name = say("activation")
    widgets.dropdown(name, activations, key="lt_activation", help=say("help.activation"))
    widgets.choice(say("optimiser"), optimisers, key="lt_optimiser", help=say("help.optimiser"))
    widgets.steps(say("batch"), BATCHES, d.batch, key="lt_batch", help=say("help.batch"))
    widgets.slider(say("epochs"), 1, 60, d.epochs, 1, key="lt_epochs", help=say("help.epochs"))
    widgets.slider(say("share"), 5, 100, d.share, 5, key="lt_share", help=tip["share"])
    widgets.number(say("seed"), 0, 999, d.seed, 1, key="lt_seed", help=tip["seed"])
    widgets.choice(say("seeds"), seeds, key="lt_seeds", help=tip["seeds"])
    widgets.toggle(say("spirals"), False, key="lt_spirals", help=say("help.spirals"))


def progress(say: Words, view: Viewing, rows: list) -> None:
    """Say what is shown, how far it is, and what it waits for."""
    s: Settings = view.job.call.argument
    job = view.job
    done, share = len(rows), len(rows) / view.steps
    if job.state == "failed":
        key = "failed_clock" if job.error == "wall clock" else "failed"
        st.warning(say(f"state.{key}", error=job.error), icon="✋")
    elif job.state == "dropped":
        st.info(say("state.dropped"))
    left = ""
    if job.state == "running" and view.mode == "follow" and done:
        left = say("time_left", seconds=round(job.seconds * (view.steps - done) / done))
    state = (
        "stopped" if view.mode == "stopped" else "replay" if view.mode == "replay" else job.state
    )
    text = say(f"progress.{state}", step=done, steps=view.steps, place=0 if done else 1)
    st.progress(min(1.0, share), text=f"{text} {left}")
    st.caption(("" if view.mine else say("shared_run") + " ") + describe(say, s))


def lights(say: Words, settings: Settings, rows: list) -> None:
    """Draw one light map a contestant, on one shared scale."""
    names = settings.contestants
    for column, (c, name) in zip(st.columns(len(names)), enumerate(names), strict=True):
        with column:
            st.markdown(f"**{say(f'contestant.{name}')}**")
            table = history.lights(settings, rows, c)
            shape = (settings.steps, settings.layers_of(name))
            frame.figure(charts.lights, say, table, *shape, alt="alt.lights", save=False)


def loss(say: Words, settings: Settings, rows: list) -> None:
    """Draw the training loss of all contestants."""
    table = history.losses(settings, rows)
    options = (settings.contestants, settings.steps, core.guessing(settings))
    frame.figure(charts.loss, say, table, *options, alt="alt.loss")
    st.caption(say("lights_legend"))


def describe(say: Words, s: Settings) -> str:
    """Return a line that says which run is shown."""
    data = say("data.spirals" if s.data == "spirals" else "data.digits")
    return (
        f"{s.layers} × {s.width} · {s.activation} · {s.init} · {s.optimiser} {s.rate:g} · "
        f"{say('batch')} {s.batch} · {data} ({s.rows}) · {say('seed')} {s.seed}"
        + (f"–{s.seed + s.seeds - 1}" if s.seeds > 1 else "")
    )


def sentence(say: Words, key: str, values: Mapping[str, object]) -> str:
    """Return a sentence of the verdict, with the contestants' names in the reader's language."""
    names = {k: say(f"contestant.{v}") for k, v in values.items() if k in ("who", "other")}
    return say(key, **{**values, **names})


def deeper(say: Words, view: Viewing) -> None:
    """Draw the verdict and the tabs."""
    rows = view.job.rows[: int(view.played)]
    settings: Settings = view.job.call.argument
    with st.container(border=True):
        if not view.moving and len(rows) and rows[-1].ending:
            for key, values in core.verdict(settings, rows):
                st.markdown(sentence(say, key, values))
        else:
            st.markdown(say("verdict_later"))
    frame.tabs(
        say,
        {
            "depth": lambda: use_of_depth(say, settings, rows),
            "accuracy": lambda: accuracy(say, settings, rows),
            "layers": lambda: layers(say, settings, rows),
            "profile": lambda: profile(say, settings, rows),
            "strip": lambda: learning_rates(say, settings),
            "answers": lambda: answers(say, settings, rows),
            "counts": lambda: counts(say, settings),
        },
    )


def use_of_depth(say: Words, settings: Settings, rows: list) -> None:
    """Delete all branches of the trained networks and see what is left."""
    st.markdown(say("depth_intro"))
    for key, values in core.first_to_last(settings, rows) if rows else []:
        st.markdown("- " + sentence(say, key, values))
    for key, values in core.use_of_depth(settings, rows) if rows else []:
        st.markdown("- " + sentence(say, key, values))


def accuracy(say: Words, settings: Settings, rows: list) -> None:
    """Draw test accuracy over epochs with a linear model beside it."""
    linear = 100 * linear_accuracy(settings.data, settings.rows)
    table = history.accuracies(settings, rows)
    options = (settings.contestants, settings.epochs, linear)
    frame.figure(charts.accuracy, say, table, *options, alt="alt.accuracy")
    st.caption(say("linear_rule", linear=f"{linear:.1f}"))


def layers(say: Words, settings: Settings, rows: list) -> None:
    """Draw one measure of each layer after the last epoch."""
    measure = widgets.choice(say("measure"), history.MEASURES, key="lt_measure")
    epoch = next((row.epoch for row in reversed(rows) if row.epoch), None)
    st.markdown(say(f"measure_help.{measure}"))
    if epoch:
        table = history.layers(settings, epoch, measure)
        options = (settings.contestants, measure)
        frame.figure(charts.layers, say, table, *options, alt="alt.layers")


def profile(say: Words, settings: Settings, rows: list) -> None:
    """Draw the gradient over layers at a recorded step that the reader picks."""
    recorded = [row for row in rows if row.lights]
    if len(recorded) < 2:
        return
    step = st.select_slider(say("step"), [row.step for row in recorded], key="lt_step")
    look = next(row.lights for row in recorded if row.step == step)
    table = history.profile(settings, look.norms, look.lost)
    options = (settings.contestants, settings.layers)
    frame.figure(charts.profile, say, table, *options, alt="alt.profile")


def learning_rates(say: Words, settings: Settings) -> None:
    """Train at seven learning rates at once; draw last loss against rate."""
    st.markdown(say("strip_intro"))
    _ = (strip(settings), training.POLL)


def answers(say: Words, settings: Settings, rows: list) -> None:
    """Show some test digits and what each contestant says they are."""
    ending = rows[-1].ending if rows else None
    if ending and settings.data == "digits":
        frame.figure(charts.digits, say, core.digits(settings, ending), alt="alt.digits")
        table = core.answers(settings, ending)
        table.index = [say("truth"), *(say(f"contestant.{n}") for n in settings.contestants)]
        st.dataframe(table)


def counts(say: Words, settings: Settings) -> None:
    """Say how many parameters each contestant has."""
    for name in settings.contestants:
        count = f"{parameters(settings, name):,}"
        st.markdown(f"- {say(f'contestant.{name}')}: {count}")
