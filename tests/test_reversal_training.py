"""Training on the reversal task: it learns, repeats bit for bit; a divergence ends one alone."""

import math

import pytest
import torch

from core.placements import PLACEMENTS
from core.reversal import SYMBOLS, TOKENS, Reversal, verdicts
from core.reversal_training import Contestant, moved, train

SHALLOW = Reversal(blocks=2, steps=60)


@pytest.fixture(scope="module")
def run() -> list:
    return list(train(SHALLOW))


def test_two_blocks_learn_in_either_placement(run: list) -> None:
    """Facts: at 2 layers there is no difference."""
    assert [verdict.case for verdict in verdicts(SHALLOW, run)] == ["learnt", "learnt"]
    assert run[-1].accuracy == [run[-1].swapped[0]["Pre-LN"], run[-1].swapped[1]["Post-LN"]]
    assert set(run[-1].swapped[0]) == set(PLACEMENTS)


def test_a_contestant_does_not_depend_on_who_trains_beside_it(run: list) -> None:
    alone = Reversal(("Post-LN",), 2, steps=20)
    assert [row.losses[0] for row in train(alone)] == [row.losses[1] for row in run[:20]]


def test_a_global_seed_changes_nothing(run: list) -> None:
    state = torch.get_rng_state()
    torch.manual_seed(123)
    assert [row.losses for row in train(Reversal(blocks=2, steps=20))] == [
        row.losses for row in run[:20]
    ]
    torch.set_rng_state(state)


def test_warm_up_begins_slowly() -> None:
    """With a rate that rises over 100 steps, twenty steps change the loss less."""
    quick, slow = (
        [row.losses[0] for row in train(Reversal(("Pre-LN",), 2, 0.01, warmup, 20))]
        for warmup in (0, 100)
    )
    assert quick[0] == slow[0]
    assert quick[1:] != slow[1:]


def test_a_divergence_ends_one_contestant_alone() -> None:
    settings = Reversal(("No-LN", "Pre-LN"), 24, 0.1, steps=20)
    rows = list(train(settings))
    first, second = verdicts(settings, rows)
    finite = [math.isfinite(row.losses[0]) for row in rows]
    assert (first.case, first.steps) == ("diverged", finite.index(False))
    assert second.case != "diverged"
    assert len(rows) == 20
    assert all(math.isfinite(row.losses[1]) for row in rows)


def test_weights_that_are_not_finite_end_a_contestant() -> None:
    contestant = Contestant(Reversal(blocks=1), PLACEMENTS["Pre-LN"])
    x = torch.zeros(2, TOKENS, dtype=torch.int64)
    with torch.no_grad():
        contestant.head.fill_(math.inf)
    assert math.isnan(contestant.train(x, 0.1))
    assert math.isnan(contestant.accuracy(x))
    assert not contestant.alive


def test_the_first_loss_is_near_guessing() -> None:
    first = next(train(Reversal(("Post-LN",), 4, steps=20))).losses[0]
    assert first == pytest.approx(math.log(SYMBOLS), abs=1.2)


@pytest.mark.parametrize("before", PLACEMENTS)
@pytest.mark.parametrize("after", PLACEMENTS)
def test_moving_the_norm_keeps_the_matrices_and_brings_gamma_along(before: str, after: str) -> None:
    source, target = PLACEMENTS[before], PLACEMENTS[after]
    block = Contestant(Reversal(blocks=1), source).blocks[0]
    with torch.no_grad():
        for name, weight in block.items():
            if name.endswith("_gamma"):
                weight.fill_(7.0)
    weights = moved(block, source, target)
    assert weights["qkv"] is block["qkv"]
    gammas = {name: w for name, w in weights.items() if name.endswith("_gamma")}
    slots = target.slots
    assert set(gammas) == {f"{b}_{s}_gamma" for b in ("attention", "ffn") for s in slots}
    for gamma in gammas.values():
        assert (gamma == (7 if source.slots else 1)).all()
