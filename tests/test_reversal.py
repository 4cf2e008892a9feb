"""The reversal task: what is refused, what is drawn, and that every verdict is true."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as draw

from core.limits import Refused
from core.reversal import (
    EXPERIMENTS,
    GUESSING,
    MOST_WORK,
    POINTS,
    Reversal,
    Step,
    losses,
    swaps,
    verdicts,
)
from pages.tabs.layernorm_placement_run import RATES

PAIR = Reversal(blocks=2, steps=20)


def rows_of(*values: list[float], accuracy: list[float]) -> list[Step]:
    steps = [Step(k, list(pair)) for k, pair in enumerate(zip(*values, strict=True), 1)]
    return [*steps[:-1], Step(len(steps), steps[-1].losses, accuracy)]


def test_work_is_three_products_a_weight() -> None:
    """12 blocks of 4d² + 2·d·4d weights, d = 48, on 32 × 12 tokens, 200 steps, two contestants."""
    assert Reversal().work == 3 * 2 * 12 * (12 * 48**2) * 32 * 12 * 200


@pytest.mark.parametrize(
    "bad",
    [
        {"placements": ()},
        {"placements": ("Pre-LN", "Mid-LN")},
        {"placements": ("Pre-LN", "Post-LN", "Peri-LN")},
        {"blocks": 25},
        {"rate": math.nan},
        {"rate": 1.0},
        {"warmup": -1},
        {"steps": 10},
        {"seed": -1},
    ],
)
def test_bad_settings_are_refused(bad: dict) -> None:
    with pytest.raises(Refused):
        Reversal(**bad)


def test_too_much_work_is_refused_by_its_cap() -> None:
    with pytest.raises(Refused, match="reversal") as refused:
        Reversal(blocks=24, steps=600, placements=("Pre-LN", "Post-LN"))
    assert refused.value.values["cap"] == "4.00×10¹¹"
    assert MOST_WORK == 4e11


@given(
    draw.lists(draw.floats(0.001, 5), min_size=10, max_size=30),
    draw.floats(0, 1),
    draw.integers(0, 30),
)
def test_verdicts_are_true(values: list[float], share: float, ends: int) -> None:
    other = [value if k < ends else math.nan for k, value in enumerate(values)]
    first, second = verdicts(PAIR, rows_of(values, other, accuracy=[share, math.nan]))
    mean = np.mean(values[-10:])
    assert first.loss == pytest.approx(mean)
    assert (first.case == "learnt") == (share >= 0.99)
    if share < 0.99:
        assert (first.case == "worse") == (mean > GUESSING + 0.1)
        assert (first.case == "stuck") == (abs(mean - GUESSING) < 0.1)
    if ends < len(values):
        assert (second.case, second.steps) == ("diverged", ends)


@given(draw.floats(0, 1), draw.floats(0, 1))
def test_what_is_said_of_a_moved_norm_is_true(own: float, other: float) -> None:
    shares = {"Pre-LN": own, "Post-LN": other, "No-LN": math.nan}
    diverged = dict.fromkeys(shares, math.nan)
    (swap,) = swaps(PAIR, [shares, diverged])
    assert (swap.who, swap.worst) == ("Pre-LN", "Post-LN")
    lost = swap.own - swap.low
    assert (swap.case == "nothing") == (100 * own < 50)
    if swap.case != "nothing":
        assert (swap.case == "breaks") == (lost >= 10)
        assert (swap.case == "holds") == (lost < 1)


def test_losses_are_thinned_and_a_divergence_is_marked_once() -> None:
    values = [1.0] * 400
    broken = [2.0] * 201 + [math.nan] * 199
    table = losses(PAIR, rows_of(values, broken, accuracy=[0.5, math.nan]))
    whole, ended = (part for _, part in table.groupby("who", sort=False))
    assert len(whole) <= POINTS
    assert whole["step"].tolist()[-1] == 400
    assert not any(whole["diverged"].tolist())
    assert ended["step"].tolist()[-1] == 201
    assert ended["diverged"].tolist().count(True) == 1
    assert all(math.isfinite(loss) for loss in table["loss"].tolist())


def test_a_contestant_that_never_had_a_finite_loss_has_no_rows() -> None:
    table = losses(PAIR, rows_of([1.0] * 3, [math.nan] * 3, accuracy=[0.5, math.nan]))
    assert set(table["who"]) == {"Pre-LN"}


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_experiments_are_settings_that_the_page_offers(name: str) -> None:
    values = EXPERIMENTS[name]
    assert values["ln_rrate"] in RATES
    assert int(values["ln_rsteps"]) % 20 == 0
    Reversal(
        (str(values["ln_top"]), str(values["ln_low"])),
        int(values["ln_rL"]),
        float(values["ln_rrate"]),
        int(values["ln_rwarm"]),
        int(values["ln_rsteps"]),
    )
