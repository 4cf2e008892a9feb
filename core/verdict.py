"""What is true of a training run: sentences that are computed from the run they judge.

The rules hold for any data and setting, also when the plain network wins or nobody learns. They
are those of article 2, section 5.3, made precise.
"""

import math
from dataclasses import dataclass

import numpy as np
import pandas as pd

from core.datasets import load
from core.numbers import text
from core.records import Rows
from core.settings import Settings

STUCK, LEARNED = 0.9, 0.5
"""Shares of the loss of guessing: above the first nothing was learned, below the second much."""
SAME = 1.25
"""Two last losses whose ratio is below this do not differ to the eye."""
SAME_ACCURACY = 0.02
"""Nor do two networks that have both learned and are this close in test accuracy."""
UNUSED = 0.01
"""A network that loses less accuracy than this without its branches does not use them."""

Sentence = tuple[str, dict[str, object]]
"""A phrase of the catalogue and the values that fill it."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How one network of the run ended.

    `kind` is "diverged" (at `step` its loss was no longer finite), "stuck", "slow" or "learned";
    `loss` is the mean over the last epoch (nats), `accuracy` that of the test set in [0, 1].
    """

    who: str
    kind: str
    loss: float
    accuracy: float
    step: int


def guessing(settings: Settings) -> float:
    """Return the loss of guessing among all classes, `ln C` (nats): 2.303 for ten digits."""
    return math.log(load(settings.data).classes)


def outcomes(settings: Settings, rows: Rows) -> list[Outcome]:
    """Judge each network by its loss over the last epoch, contestant by contestant."""
    table = np.array([row.losses for row in rows], dtype=float)
    accuracy = next((row.epoch.accuracy for row in reversed(rows) if row.epoch), None)
    last = table[-settings.steps_per_epoch :].mean(axis=0)
    found = []
    for m, (who, _) in enumerate(settings.members):
        broken = np.flatnonzero(~np.isfinite(table[:, m]))
        step = int(broken[0]) + 1 if len(broken) else 0
        share = last[m] / guessing(settings)
        kind = "learned" if share < LEARNED else "slow" if share < STUCK else "stuck"
        known = float(accuracy[m]) if accuracy and not step else math.nan
        found.append(Outcome(who, "diverged" if step else kind, float(last[m]), known, step))
    return found


def verdict(settings: Settings, rows: Rows) -> list[Sentence]:
    """Return what is true of a finished run: each contestant, then the comparison, then advice.

    A sentence is a phrase and its values; `who` and `other` name contestants.
    """
    found = outcomes(settings, rows)
    groups = [found[i : i + settings.seeds] for i in range(0, len(found), settings.seeds)]
    sentences = [_outcome(settings, group) for group in groups]
    if len(groups) > 1:
        sentences.append(_comparison(groups))
    return sentences + _advice(groups)


def _outcome(settings: Settings, group: list[Outcome]) -> Sentence:
    kinds = [outcome.kind for outcome in group]
    who = group[0].who
    if len(set(kinds)) > 1:
        counts = {kind: kinds.count(kind) for kind in ("learned", "slow", "stuck", "diverged")}
        return "outcome.mixed", {"who": who, "seeds": len(group), **counts}
    middle = sorted(group, key=lambda outcome: outcome.loss)[len(group) // 2]
    values: dict[str, object] = {"who": who}
    if middle.kind == "diverged":
        values["step"] = min(outcome.step for outcome in group)
    else:
        values["loss"] = text(middle.loss, 4)
        values["accuracy"] = text(100 * middle.accuracy)
    if middle.kind in ("stuck", "slow"):
        values["guessing"] = text(guessing(settings), 4)
    return f"outcome.{middle.kind}", values


def _comparison(groups: list[list[Outcome]]) -> Sentence:
    """Compare the contestants that stayed finite in all seeds, by their median last loss."""
    stayed = [group for group in groups if all(one.kind != "diverged" for one in group)]
    finite = {group[0].who: float(np.median([one.loss for one in group])) for group in stayed}
    if not finite:
        return "compare.all_diverged", {}
    kinds = {outcome.kind for group in groups for outcome in group}
    if kinds <= {"stuck", "diverged"}:
        return "compare.nobody", {}
    best, worst = min(finite, key=finite.__getitem__), max(finite, key=finite.__getitem__)
    values: dict[str, object] = {"who": best, "loss": text(finite[best], 4)}
    if len(finite) == 1:
        return "compare.alone", values
    right = [float(np.median([one.accuracy for one in group])) for group in stayed]
    learned = all(one.kind == "learned" for group in stayed for one in group)
    close = learned and max(right) - min(right) < SAME_ACCURACY
    if close or finite[worst] < SAME * finite[best]:
        spread = {"low": text(100 * min(right)), "high": text(100 * max(right))}
        return "compare.same", values | {"worst": text(finite[worst], 4)} | spread
    return "compare.best", values | {"other": worst, "worst": text(finite[worst], 4)}


def _advice(groups: list[list[Outcome]]) -> list[Sentence]:
    """Say what to try next (the rules of article 2, section 5.3, made precise)."""
    kinds = {outcome.kind for group in groups for outcome in group}
    if "diverged" in kinds:
        return [("advice.diverged", {})]
    if "stuck" in kinds:
        return [("advice.stuck", {})]
    if len(groups) > 1 and _comparison(groups)[0] == "compare.same":
        return [("advice.same", {})]
    return []


def use_of_depth(settings: Settings, rows: Rows) -> list[Sentence]:
    """Say what is left of each network with shortcuts when all its branches are deleted.

    First seed, and only after the run has ended; or that nothing can be told, for a network that
    has diverged or is no better than guessing.
    """
    ending, epoch = rows[-1].ending, rows[-1].epoch
    if not ending or not epoch:
        return []
    sentences = []
    for c, who in enumerate(settings.contestants):
        m = c * settings.seeds
        before, after = epoch.accuracy[m], ending.without_branches[m]
        if after is None:
            continue
        if not before > 1.5 / load(settings.data).classes:
            why = "diverged" if math.isnan(before) else "guesses"
            sentences.append((f"branches.{why}", {"who": who}))
            continue
        used = "used" if before - after >= UNUSED else "unused"
        percent = {"before": text(100 * before), "after": text(100 * after)}
        sentences.append((f"branches.{used}", {"who": who, "layers": settings.layers, **percent}))
    return sentences


def first_to_last(settings: Settings, rows: Rows) -> list[Sentence]:
    """Say how much smaller the first layer's gradient is than the last layer's at step 1."""
    lights = rows[0].lights
    assert lights
    sentences = []
    for c, who in enumerate(settings.contestants):
        norms = lights.norms[c * settings.seeds][: settings.layers_of(who)]
        if norms[-1] == 0 or not math.isfinite(norms[0] / norms[-1]):
            sentences.append(("ratio.none", {"who": who}))
        else:
            sentences.append(("ratio.first", {"who": who, "ratio": text(norms[0] / norms[-1])}))
    return sentences


def tolerance(settings: Settings, strip: pd.DataFrame) -> list[Sentence]:
    """Say at how many of the rates each contestant learned (article 2, section 4.2, measured)."""
    sentences = []
    for who in settings.contestants:
        mine = strip[strip["who"] == who]
        good = mine[mine["loss"] < LEARNED * guessing(settings)]["rate"].tolist()
        values = {"who": who, "of": len(mine)}
        if good:
            span = {"low": f"{min(good):g}", "high": f"{max(good):g}"}
            sentences.append(("rates.some", values | span | {"count": len(good)}))
        else:
            sentences.append(("rates.none", values))
    return sentences
