"""Live training: what is seen of a run while it goes on."""

from collections.abc import Mapping

import streamlit as st

from core import history, verdict
from core import live_training as core
from core.charts import live_training as charts
from core.records import Rows
from core.settings import Settings
from core.viewing import Viewing
from core.words import Words
from pages.shared import frame, sessions, training


def state(say: Words, view: Viewing, rows: Rows) -> str:
    """Say what is shown, how far it is, and what it waits for."""
    job, done = view.job, len(rows)
    training.ended(say, view)
    left = ""
    if view.state == "running" and done:
        pace = done / max(job.seconds, 1e-3)
        left = say("time_left", pace=round(pace), seconds=round((view.steps - done) / pace))
    place = sessions.jobs().place(job)
    return f"{say(f'progress.{view.state}', step=done, steps=view.steps, place=place)} {left}"


def progress(say: Words, view: Viewing, rows: Rows) -> None:
    """Draw how far a run is whose picture does not show it."""
    st.progress(min(1.0, len(rows) / view.steps), text=state(say, view, rows))


def lights(say: Words, settings: Settings, rows: Rows) -> None:
    """Draw one light map a contestant, on one shared scale."""
    names = settings.contestants
    for column, (c, name) in zip(st.columns(len(names)), enumerate(names), strict=True):
        parts = history.in_parts(settings, history.lights(settings, rows, c))
        options = (name, settings.steps, settings.layers_of(name))
        who = say(f"contestant.{name}")
        with column:
            frame.figure(charts.lights, say, parts, *options, alt="alt.lights", save=False, who=who)


def loss(say: Words, settings: Settings, rows: Rows) -> None:
    """Draw the training loss of all contestants."""
    options = (settings.contestants, settings.steps, verdict.guessing(settings), settings.seeds)
    tables = {"rows": history.drawn_losses(settings, rows)}
    frame.figure(charts.loss, say, tables, *options, alt="alt.loss", save=False)


def surfaces(say: Words, settings: Settings, rows: Rows) -> None:
    """Draw each contestant's answer over the plane, as of the last epoch."""
    epoch = next((row.epoch for row in reversed(rows) if row.epoch), None)
    if settings.data != "spirals" or not epoch:
        return
    names = settings.contestants
    for column, (c, name) in zip(st.columns(len(names)), enumerate(names), strict=True):
        with column:
            st.markdown(f"**{say(f'contestant.{name}')}**")
            tables = {"rows": core.surface(settings, epoch, c), "points": core.points(settings)}
            frame.figure(charts.surface, say, tables, alt="alt.surface", save=False)


def describe(say: Words, s: Settings) -> str:
    """Return a line that says which run is shown."""
    data = say("data.spirals" if s.data == "spirals" else "data.digits")
    return (
        f"{s.layers} × {s.width} · {s.activation} · {s.init} · {s.optimiser} {s.rate:g} · "
        f"{say('batch')} {s.batch} · {say('epochs')} {s.epochs} · {data} ({s.rows}) · "
        f"{say('seed')} {s.seed}" + (f"–{s.seed + s.seeds - 1}" if s.seeds > 1 else "")
    )


def sentence(say: Words, key: str, values: Mapping[str, object]) -> str:
    """Return a sentence of the verdict, with the contestants' names in the reader's language."""
    names = {k: say(f"contestant.{v}") for k, v in values.items() if k in ("who", "other")}
    return say(key, **{**values, **names})
