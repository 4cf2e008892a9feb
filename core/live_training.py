"""Live training: the same deep network with and without its shortcuts, and what came of it.

The experiment of article 2, section 4, made fair: the contestants differ in their shortcuts alone,
see the same batches and start from the same weights. What is said about a run stands in
`core/verdict.py`, the tables over its steps in `core/history.py`.
"""

from urllib.parse import quote

import numpy as np
import pandas as pd

from core.datasets import load
from core.history import HIGHEST
from core.jobs import Call
from core.records import Ending, Epoch, Rows
from core.settings import GRID, GRID_EDGE, STRIP_RATES, Settings, strip, strip_held

PRESETS = {
    "article": Settings(),
    "as_written": Settings(contestants=("plain_half", "residual"), depth=40),
    "fifty": Settings(depth=50),
    "few": Settings(contestants=("plain", "few", "residual"), depth=50),
    "three": Settings(depth=3, per_branch=1, init="He"),
    "explodes": Settings(depth=50, init="He"),
    "cures": Settings(
        contestants=("residual", "scaled", "zero_last", "pre_ln"), depth=50, init="He"
    ),
    "plain_learns": Settings(init="He", optimiser="Adam", rate=0.001),
    "dead": Settings(init="He", optimiser="Adam", rate=0.01),
    "sigmoid": Settings(activation="sigmoid"),
    "bn": Settings(contestants=("plain", "residual", "plain_bn", "residual_bn"), depth=40),
    "rate": Settings(rate=10.0),
    "spirals": Settings(data="spirals", width=32, epochs=60, rate=0.03),
}
"""Experiments by name; what each is to show is held in the tests."""


def rates(settings: Settings, rows: Rows) -> pd.DataFrame:
    """Return the learning-rate strip: `who, rate, loss, drawn, diverged`.

    `settings` are those of the strip; `loss` is the mean over its last epoch (nats), missing where
    the network diverged.
    """
    table = np.array([row.losses for row in rows], dtype=float)
    last = table[-settings.steps_per_epoch :].mean(axis=0)
    tried = STRIP_RATES[settings.optimiser]
    loss = np.where(np.isfinite(table).all(axis=0), last, np.nan)
    return pd.DataFrame(
        {
            "who": np.repeat(settings.contestants, len(tried)),
            "rate": np.tile(tried, len(settings.contestants)),
            "loss": loss,
            "drawn": np.minimum(loss, HIGHEST),
            "diverged": np.isnan(loss),
        }
    )


def answers(settings: Settings, ending: Ending) -> pd.DataFrame:
    """Return what each contestant says the shown digits are: a row a digit.

    Columns `picture` (an address that holds the picture), `truth`, and the contestants.
    """
    data = load(settings.data)
    said = [ending.answers[c * settings.seeds] for c in range(len(settings.contestants))]
    columns = {
        "truth": data.test_y[ending.shown],
        **dict(zip(settings.contestants, said, strict=True)),
    }
    table = pd.DataFrame(columns).astype(str).replace("-1", "NaN")
    table.insert(0, "picture", [_picture(data.test_x[row]) for row in ending.shown])
    return table


def _picture(pixels: np.ndarray) -> str:
    """Return a digit as the address of an SVG picture that it holds, black on white."""
    ink = (pixels - pixels.min()) / np.ptp(pixels)
    squares = "".join(
        f"<rect x='{at % 8}' y='{at // 8}' width='1' height='1' fill-opacity='{strength:.2f}'/>"
        for at, strength in enumerate(ink)
    )
    head = "<svg xmlns='http://www.w3.org/2000/svg' width='64' height='64' viewBox='0 0 8 8'>"
    paper = "<rect width='8' height='8' fill='white'/>"
    return "data:image/svg+xml," + quote(f"{head}{paper}{squares}</svg>")


def surface(settings: Settings, epoch: Epoch, contestant: int) -> pd.DataFrame:
    """Return a contestant's answer over the plane: `x, y, p`, the probability of class 1."""
    assert epoch.surface
    line = np.linspace(-GRID_EDGE, GRID_EDGE, GRID)
    x, y = np.meshgrid(line, line, indexing="ij")
    p = epoch.surface[contestant * settings.seeds]
    return pd.DataFrame({"x": x.ravel(), "y": y.ravel(), "p": p})


def points(settings: Settings) -> pd.DataFrame:
    """Return some of the training points of the spirals: `x, y, label`."""
    data = load(settings.data).head(300)
    x, y = data.train_x.T
    return pd.DataFrame({"x": x, "y": y, "label": data.train_y.astype(str)})


def call(settings: Settings) -> Call:
    """Return the job that trains the contestants."""
    return Call("core.training", "train", settings, settings.work, settings.held)


def profile_call(settings: Settings, step: int) -> Call:
    """Return the job that shows one step in slow motion."""
    work = settings.work * step / settings.steps
    return Call("core.training", "replay", (settings, step), work, settings.held)


def strip_call(settings: Settings) -> Call:
    """Return the job behind the learning-rate strip of these settings."""
    short = strip(settings)
    work = short.work * len(STRIP_RATES[short.optimiser])
    return Call("core.training", "learning_rates", short, work, strip_held(short))
