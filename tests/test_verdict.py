"""The verdict is true of any run, and can be said in both languages."""

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as draw

from core import verdict
from core.records import Ending, Epoch, Lights, Step
from core.settings import Settings
from core.words import LANGUAGES, Words

TINY = Settings(depth=2, width=8, epochs=2)


def run(losses: Sequence[Sequence[float]], accuracy: Sequence[float]) -> list[Step]:
    """Return a run of one loss a member, the same at every step of both epochs."""
    steps = [Step(at, list(row)) for at, row in enumerate(losses, 1)]
    epoch = Epoch(list(accuracy))
    steps[-1] = replace(steps[-1], epoch=epoch)
    return steps


def constant(*losses: float, settings: Settings = TINY) -> list[Step]:
    return run([losses] * settings.steps, [0.5] * len(losses))


def test_guessing_among_ten_digits() -> None:
    """Article 2's plateau: ln 10."""
    assert verdict.guessing(TINY) == pytest.approx(2.302585, abs=1e-6)
    assert verdict.guessing(Settings(data="spirals")) == pytest.approx(math.log(2))


@pytest.mark.parametrize(
    ("plain", "residual", "keys"),
    [
        (2.3, 0.01, ["outcome.stuck", "outcome.learned", "compare.best", "advice.stuck"]),
        (0.01, 2.3, ["outcome.learned", "outcome.stuck", "compare.best", "advice.stuck"]),
        (0.10, 0.11, ["outcome.learned", "outcome.learned", "compare.same", "advice.same"]),
        (1.50, 0.10, ["outcome.slow", "outcome.learned", "compare.best"]),
        (2.3, 2.3, ["outcome.stuck", "outcome.stuck", "compare.nobody", "advice.stuck"]),
        (
            0.5,
            math.nan,
            ["outcome.learned", "outcome.diverged", "compare.alone", "advice.diverged"],
        ),
        (
            math.inf,
            math.nan,
            ["outcome.diverged"] * 2 + ["compare.all_diverged", "advice.diverged"],
        ),
        (9.0, 1e30, ["outcome.stuck", "outcome.stuck", "compare.nobody", "advice.stuck"]),
    ],
)
def test_the_verdict_follows_the_run(plain: float, residual: float, keys: list[str]) -> None:
    assert [key for key, _ in verdict.verdict(TINY, constant(plain, residual))] == keys


losses = draw.one_of(draw.floats(0, 50), draw.sampled_from([math.nan, math.inf, 0.0, 2.3026]))


@given(draw.lists(draw.tuples(losses, losses), min_size=TINY.steps, max_size=TINY.steps))
def test_every_sentence_is_true_and_can_be_said_in_both_languages(table: list) -> None:
    rows = run(table, [0.5, 0.5])
    seen = np.array(table)
    last = seen[-TINY.steps_per_epoch :].mean(axis=0)
    for who, outcome, mean, column in zip(
        TINY.contestants, verdict.outcomes(TINY, rows), last, seen.T, strict=True
    ):
        assert outcome.who == who
        assert (outcome.kind == "diverged") == (not np.isfinite(column).all())
        if outcome.kind == "stuck":
            assert mean >= 0.9 * math.log(10)
        if outcome.kind == "learned":
            assert mean < 0.5 * math.log(10)
    sentences = verdict.verdict(TINY, rows)
    said = dict(sentences)
    if "compare.best" in said:
        kinds = {outcome.who: outcome for outcome in verdict.outcomes(TINY, rows)}
        best, worst = (
            kinds[str(said["compare.best"]["who"])],
            kinds[str(said["compare.best"]["other"])],
        )
        assert worst.loss >= 1.25 * best.loss
    for lang in LANGUAGES:
        for key, values in sentences:
            assert Words("live_training", lang)(key, **values)


def test_seeds_that_disagree_are_counted() -> None:
    three = replace(TINY, seeds=3, contestants=("residual",))
    rows = run([[0.1, 2.3, math.nan]] * three.steps, [0.9, 0.1, math.nan])
    key, values = verdict.verdict(three, rows)[0]
    assert key == "outcome.mixed"
    assert (values["learned"], values["stuck"], values["diverged"]) == (1, 1, 1)


@pytest.mark.parametrize(("without", "key"), [(0.945, "branches.unused"), (0.6, "branches.used")])
def test_what_is_left_without_the_branches(without: float, key: str) -> None:
    rows = constant(2.3, 0.1)
    epoch = Epoch([0.1, 0.95])
    rows[-1] = replace(rows[-1], epoch=epoch, ending=Ending([None, without], [], [], 0.9))
    assert [key for key, _ in verdict.use_of_depth(TINY, rows)] == [key]


@pytest.mark.parametrize(
    ("accuracy", "key"), [(0.12, "branches.guesses"), (math.nan, "branches.diverged")]
)
def test_a_network_with_nothing_to_lose_is_told(accuracy: float, key: str) -> None:
    rows = constant(2.3, 2.3)
    ending = Ending([None, accuracy], [], [], 0.9)
    rows[-1] = replace(rows[-1], epoch=Epoch([0.1, accuracy]), ending=ending)
    assert verdict.use_of_depth(TINY, rows) == [(key, {"who": "residual"})]


def test_the_first_layers_gradient_against_the_last() -> None:
    lights = Lights([[1e-8, 1.0], [0.0, 0.0]], [[False, False], [True, True]])
    rows = [Step(1, [2.3, 2.3], lights)]
    (first, values), (none, _) = verdict.first_to_last(TINY, rows)
    assert (first, values["ratio"], none) == ("ratio.first", "1.00×10⁻⁸", "ratio.none")
