"""The tables that the pictures of a training run are drawn from.

A table shows a contestant by its median over the seeds and the range between the smallest and the
largest; the light maps show the first seed.
"""

import math
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import pandas as pd

from core.records import SMALLEST, Layers, Numbers, Profile, Rows
from core.settings import Settings

POINTS = 150
HIGHEST = 1e4
"""Where a loss that runs away is drawn."""
PARTS = ("first", "second", "third", "fourth")
"""The parts of a light map, by its steps. While it grows, only the last of them changes."""


def losses(settings: Settings, rows: Rows) -> pd.DataFrame:
    """Return training loss over steps: `who, step, loss, low, high, diverged`, thinned.

    `loss` is the median over seeds (nats), `low` and `high` the range. Where a seed is no longer
    finite its last finite loss is marked `diverged`. What cannot stand on a logarithmic axis is
    NaN; `drawn_loss`, `drawn_low` and `drawn_high` are at most 10⁴.
    """
    return pd.DataFrame(_losses(settings, rows))


def drawn_losses(settings: Settings, rows: Rows) -> dict[str, np.ndarray]:
    """Return of the losses what the chart draws: with one seed there is no band."""
    band = () if settings.seeds > 1 else ("low", "high", "drawn_low", "drawn_high")
    columns = _losses(settings, rows).items()
    return {name: column for name, column in columns if name not in band}


def _losses(settings: Settings, rows: Rows) -> dict[str, np.ndarray]:
    table = np.array([row.losses for row in rows], dtype=float)
    table = table.reshape(len(rows), len(settings.contestants), settings.seeds)
    finite = np.isfinite(table)
    keep = _thin(len(rows))
    parts = []
    for c, who in enumerate(settings.contestants):
        mine = np.where(finite[:, c] & (table[:, c] > 0), table[:, c], np.nan)
        ends = finite[:, c].sum(axis=0)
        diverged = np.zeros(len(rows), bool)
        diverged[[end - 1 for end in ends if 0 < end < len(rows)]] = True
        at = np.union1d(keep, np.flatnonzero(diverged)).astype(int)
        low, middle, high = (_over_seeds(mine[at], q) for q in (0, 0.5, 1))
        parts.append((np.full(len(at), who), at + 1, middle, low, high, diverged[at]))
    who, step, loss, low, high, diverged = map(np.concatenate, zip(*parts, strict=True))
    ends = {"loss": loss, "low": low, "high": high}
    drawn = {f"drawn_{name}": np.minimum(end, HIGHEST) for name, end in ends.items()}
    return {"who": who, "step": step, **ends, **drawn, "diverged": diverged}


def _over_seeds(values: np.ndarray, quantile: float) -> np.ndarray:
    """Return the quantile of each row's finite values; NaN where there is none."""
    ordered = np.sort(values, axis=1)
    count = np.isfinite(ordered).sum(axis=1)
    at = np.ceil(quantile * (count - 1)).astype(int).clip(0)
    return ordered[np.arange(len(values)), at]


def _thin(count: int) -> np.ndarray:
    """Return at most `POINTS` of the indices 0 … count − 1, evenly, with the first and the last."""
    return np.unique(np.linspace(0, count - 1, min(count, POINTS)).round().astype(int))


def accuracies(settings: Settings, rows: Rows) -> pd.DataFrame:
    """Return test accuracy per epoch: `who, epoch, accuracy, low, high` in percent."""
    found = [row for row in rows if row.epoch]
    parts = []
    for number, row in enumerate(found, 1):
        assert row.epoch
        table = 100 * np.array(row.epoch.accuracy).reshape(-1, settings.seeds)
        low, middle, high = (_over_seeds(table, q) for q in (0, 0.5, 1))
        parts.append(
            pd.DataFrame(
                {
                    "who": settings.contestants,
                    "epoch": number,
                    "accuracy": middle,
                    "low": low,
                    "high": high,
                }
            )
        )
    columns = ["who", "epoch", "accuracy", "low", "high"]
    return pd.concat(parts, ignore_index=True) if parts else pd.DataFrame(columns=columns)


def lights(settings: Settings, rows: Rows, contestant: int) -> dict[str, np.ndarray]:
    """Return a contestant's light map: `step, until, layer, log10, state`, first seed.

    `state` is "held", "tiny" (below the smallest normal float32; `log10` is from float64), "zero"
    (exactly 0), "overflow" (too large for float32) or "gone" (after divergence); outside "held" and
    "tiny" there is no logarithm.
    """
    m, layers = contestant * settings.seeds, settings.layers_of(settings.contestants[contestant])
    seen = [(row.step, row.lights) for row in rows if row.lights]
    steps = np.array([step for step, _ in seen], dtype=np.int32)
    norms = np.array([look.norms[m][:layers] for _, look in seen], dtype=float).reshape(-1, layers)
    lost = np.array([look.lost[m][:layers] for _, look in seen], dtype=bool).reshape(-1, layers)
    return {
        "step": np.repeat(steps, layers),
        "until": np.repeat(steps + settings.stride, layers),
        "layer": np.tile(np.arange(1, layers + 1, dtype=np.int16), len(seen)),
        "log10": _log10(norms).ravel().astype(np.float32),
        "state": _states(norms, lost).ravel(),
    }


def in_parts(settings: Settings, cells: dict[str, np.ndarray]) -> dict[str, dict[str, np.ndarray]]:
    """Return a light map in its parts: what is held, by quarters of the run's steps, and `marked`.

    `marked` is what has another state; the quarters have no `state`.
    """
    held = cells["state"] == "held"
    known = {name: column[held] for name, column in cells.items() if name != "state"}
    quarters = settings.steps * np.arange(1, len(PARTS)) / len(PARTS)
    ends = [0, *np.searchsorted(known["step"], quarters, side="right"), held.sum()]
    parts = {
        part: {name: column[begin:end] for name, column in known.items()}
        for part, (begin, end) in zip(PARTS, pairwise(ends), strict=True)
    }
    return {**parts, "marked": {name: column[~held] for name, column in cells.items()}}


def _log10(norms: np.ndarray) -> np.ndarray:
    known = np.isfinite(norms) & (norms > 0)
    return np.log10(norms, out=np.full(norms.shape, np.nan), where=known)


def _states(norms: np.ndarray, lost: np.ndarray) -> np.ndarray:
    conditions = [np.isnan(norms), np.isinf(norms), norms == 0, lost]
    return np.select(conditions, ["gone", "overflow", "zero", "tiny"], "held")


def profile(
    settings: Settings, norms: Sequence[Numbers], lost: Sequence[Sequence[bool]] | None = None
) -> pd.DataFrame:
    """Return one step's gradient norms over layers, first seed: `who, layer, log10, state`."""
    parts = []
    for c, who in enumerate(settings.contestants):
        count = settings.layers_of(who)
        mine = np.array(norms[c * settings.seeds][:count], dtype=float)
        gone = np.array(lost[c * settings.seeds][:count]) if lost else mine < SMALLEST
        parts.append(
            pd.DataFrame(
                {
                    "who": who,
                    "layer": np.arange(1, count + 1),
                    "log10": _log10(mine),
                    "state": _states(mine, gone),
                }
            )
        )
    return pd.concat(parts, ignore_index=True)


def slow_motion(settings: Settings, step: Profile, measure: str) -> pd.DataFrame:
    """Return `scale`, `norms` or `change` of one step: `who, layer, log10, state`, first seed."""
    return profile(settings, getattr(step, measure))


def revealed(table: pd.DataFrame, phase: str, share: float) -> pd.DataFrame:
    """Return the layers that have had their turn: from the input on, or back from the output."""
    last = table["layer"].max()
    if phase == "backward":
        return table.loc[table["layer"] > last - round(share * last)]
    return table.loc[table["layer"] <= round(share * last)]


def table(settings: Settings, rows: Rows) -> pd.DataFrame:
    """Return the whole history: one line a step and member, gradient norms where recorded."""
    lines = []
    for row in rows:
        for m, (who, seed) in enumerate(settings.members):
            line = {"step": row.step, "contestant": who, "seed": seed, "loss": row.losses[m]}
            if row.epoch:
                line["test_accuracy"] = row.epoch.accuracy[m]
            if row.lights:
                norms = row.lights.norms[m][: settings.layers_of(who)]
                line |= {f"gradient_{layer}": norm for layer, norm in enumerate(norms, 1)}
            lines.append(line)
    return pd.DataFrame(lines)


SPANNED = ("ratio", "alpha")
"""The measures that exist only where a shortcut ends."""
MEASURES = ("moved", "scale", "dead", *SPANNED)


def layers(settings: Settings, look: Layers, measure: str) -> pd.DataFrame:
    """Return one measure of `Layers` over layers, first seed: `who, layer, value`.

    `alpha` and `ratio` exist only where a shortcut ends; elsewhere there is no row.
    """
    parts = []
    for c, who in enumerate(settings.contestants):
        m = c * settings.seeds
        values = getattr(look, measure)[m][: settings.layers_of(who)]
        spanned = [r is not None for r in look.ratio[m]][: len(values)]
        for layer, (value, ends) in enumerate(zip(values, spanned, strict=True), 1):
            if (ends or measure not in SPANNED) and math.isfinite(value):
                parts.append((who, layer, float(value)))
    return pd.DataFrame(parts, columns=["who", "layer", "value"])


def without(settings: Settings, look: Layers, measure: str) -> list[tuple[str, str]]:
    """Return who has no row in `layers` and why: "no_shortcut" or "diverged"."""
    shown, missing = set(layers(settings, look, measure)["who"]), []
    for c, who in enumerate(settings.contestants):
        if who not in shown:
            bare = all(ratio is None for ratio in look.ratio[c * settings.seeds])
            missing.append((who, "no_shortcut" if bare and measure in SPANNED else "diverged"))
    return missing
