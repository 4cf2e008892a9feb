"""Training: against `torch.optim` and `torch.nn`, bit for bit, and the claims of the lesson."""

import math
from collections.abc import Iterable
from dataclasses import asdict, replace
from itertools import islice
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as profile_of
from hypothesis import strategies as draw

from core.backend import torch
from core.contestants import CONTESTANTS
from core.datasets import linear_accuracy, load
from core.records import Ending, Epoch, Lights, Profile, Step
from core.settings import GRID, GRID_EDGE, STRIP_RATES, Settings, strip
from core.training import (
    SHOWN_DIGITS,
    SMALLEST,
    _norms,
    learning_rates,
    prepare,
    profile,
    replay,
    train,
)
from tests.test_networks import Reference

nn = torch.nn
Tensor = torch.Tensor
GUESSING = math.log(10)


def small(**changed: Any) -> Settings:
    values: dict[str, Any] = {"depth": 4, "width": 16, "batch": 32, "epochs": 2, "share": 20}
    return Settings(**(values | changed))


def run(settings: Settings) -> list[Step]:
    return list(train(settings))


def epochs(steps: Iterable[Step]) -> list[Epoch]:
    return [step.epoch for step in steps if step.epoch]


def lights(step: Step) -> Lights:
    assert step.lights
    return step.lights


def ending(steps: list[Step]) -> Ending:
    assert steps[-1].ending
    return steps[-1].ending


# Updates


def test_what_has_no_gradient_does_not_move() -> None:
    for optimiser in ("SGD", "Adam"):
        s = small(contestants=("scaled", "plain_half"), optimiser=optimiser)
        before, after = prepare(s), prepare(s)
        for x, y in after.batches():
            after.stack.backward(after.stack.forward(x, training=True), y)
            after.optimiser.step()
        assert torch.equal(before.stack.weights["alpha"], after.stack.weights["alpha"])
        unused = [run.stack.weights["hidden_w"][2:, 1] for run in (before, after)]
        assert torch.equal(*unused)


@pytest.mark.parametrize("optimiser", ["SGD", "Adam"])
@pytest.mark.parametrize("name", CONTESTANTS)
def test_a_run_is_that_of_a_plain_loop_with_torch(name: str, optimiser: str) -> None:
    s = small(contestants=("residual", name) if name != "residual" else (name,), init="He")
    s = replace(s, optimiser=optimiser, rate=0.005)
    made = prepare(s)
    reference = Reference(made.stack, len(s.contestants) - 1)
    optimisers = {
        "SGD": lambda p: torch.optim.SGD(p, lr=s.rate, momentum=0.9),
        "Adam": lambda p: torch.optim.Adam(p, lr=s.rate),
    }
    if not CONTESTANTS[name].learned:
        reference.alpha.requires_grad_(False)
    theirs, losses = optimisers[optimiser](reference.parameters()), []
    for norm in reference.norms:
        norm.float()
    for x, y in made.batches():
        loss = nn.functional.cross_entropy(reference(x[0]), y[0])
        theirs.zero_grad()
        loss.backward()
        theirs.step()
        losses.append(loss.item())
    ours = [step.losses[-1] for step in train(s)]
    assert ours == pytest.approx(losses, rel=2e-3)


# Batches


def test_an_epoch_shows_rows_once_and_in_a_new_order_to_all_contestants_alike() -> None:
    s = small(seeds=3, seed=4)
    made = prepare(s)
    batches = list(made.batches())
    assert len(batches) == s.steps
    orders = []
    for start in (0, s.steps_per_epoch):
        x = torch.cat([x for x, _ in batches[start : start + s.steps_per_epoch]], dim=1)
        assert torch.equal(x[:3], x[3:])
        for rows in x[:3]:
            assert len(rows.unique(dim=0)) >= 0.98 * len(rows)
            orders.append(rows)
    assert all(not torch.equal(a, b) for i, a in enumerate(orders) for b in orders[:i])


def test_batches_hold_pairs_of_the_training_set() -> None:
    s = small()
    data = load("digits")
    pairs = {(x.tobytes(), int(y)) for x, y in zip(data.train_x, data.train_y, strict=True)}
    first = {x.tobytes() for x in data.train_x[: s.rows]}
    for x, y in prepare(s).batches():
        for row, label in zip(x[0].numpy(), y[0].tolist(), strict=True):
            assert (row.tobytes(), label) in pairs
            assert row.tobytes() in first


def test_training_leaves_the_global_generator_alone() -> None:
    before = torch.get_rng_state()
    run(small())
    assert torch.equal(before, torch.get_rng_state())


# Bit-equal histories


def same(a: object, b: object) -> bool:
    """Return whether two values are equal to the last bit, NaN being equal to NaN."""
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(same, a, b))
    return a == b or (a != a and b != b)


def history(steps: list[Step], m: int) -> dict[tuple[int, str], object]:
    """Return what was recorded of one member by (step, what)."""
    found: dict[tuple[int, str], object] = {}
    for step in steps:
        found[step.step, "loss"] = step.losses[m]
        for part in (step.lights, step.epoch, step.layers):
            if part:
                for what, values in asdict(part).items():
                    found[step.step, what] = values and values[m]
        if step.ending:
            found[step.step, "without"] = step.ending.without_branches[m]
            found[step.step, "answers"] = step.ending.answers[m]
            found[step.step, "shown"] = step.ending.shown
    return found


def agree(a: dict, b: dict) -> bool:
    """Return whether two histories hold the same wherever both have looked."""
    both = a.keys() & b.keys()
    return len(both) > 0 and all(same(a[key], b[key]) for key in both)


MIXED = ("plain", "plain_half", "residual", "few", "rezero", "pre_ln", "residual_bn", "scaled")


@pytest.mark.parametrize("data", ["digits", "spirals"])
def test_equal_settings_give_bit_equal_histories(data: str) -> None:
    s = small(contestants=("residual_bn", "rezero", "plain", "pre_ln"), data=data)
    assert same([asdict(step) for step in run(s)], [asdict(step) for step in run(s)])
    other = run(replace(s, seed=1))
    assert not agree(history(run(s), 0), history(other, 0))


@profile_of(max_examples=12)
@given(
    draw.lists(draw.sampled_from(MIXED), min_size=2, max_size=4, unique=True),
    draw.sampled_from([1, 2, 3]),
    draw.sampled_from([8, 16, 64]),
    draw.sampled_from([8, 32]),
    draw.sampled_from(["ReLU", "LeakyReLU", "GELU", "tanh", "sigmoid"]),
    draw.sampled_from(["SGD", "Adam"]),
)
def test_a_history_is_bit_equal_alone_swapped_and_in_company(
    names: list[str], per_branch: int, width: int, batch: int, activation: str, optimiser: str
) -> None:
    s = small(depth=6, per_branch=per_branch, width=width, batch=batch, epochs=1)
    s = replace(s, activation=activation, optimiser=optimiser)
    together, swapped = (
        run(replace(s, contestants=tuple(order))) for order in (names, names[::-1])
    )
    for m, name in enumerate(names):
        mine = history(together, m)
        mine = {at: seen for at, seen in mine.items() if at[1] not in ("answers", "shown")}
        assert agree(mine, history(swapped, len(names) - 1 - m))
        assert agree(mine, history(run(replace(s, contestants=(name,))), 0))


def test_the_default_pair_is_bit_equal_with_two_more_beside_it_and_swapped() -> None:
    pair = Settings(epochs=1, share=40)
    steps = run(pair)
    four = run(replace(pair, contestants=("rezero", "residual", "residual_bn", "plain")))
    swapped = run(replace(pair, contestants=("residual", "plain")))
    for m, (in_four, in_swapped) in enumerate(((3, 1), (1, 0))):
        mine = history(steps, m)
        assert agree(mine, history(swapped, in_swapped))
        shared = {at: seen for at, seen in mine.items() if at[1] not in ("answers", "shown")}
        assert agree(shared, history(four, in_four))


def test_a_seed_of_several_is_bit_equal_to_the_run_with_that_seed() -> None:
    s = small(contestants=("plain", "residual_bn"), seed=3, seeds=3)
    band = run(s)
    for m, (name, seed) in enumerate(s.members):
        alone = history(run(replace(s, contestants=(name,), seed=seed, seeds=1)), 0)
        mine = {at: v for at, v in history(band, m).items() if at[1] not in ("answers", "shown")}
        assert agree(mine, alone)


# What the lesson claims


def test_by_default_the_plain_network_stays_where_it_is_and_the_residual_one_learns() -> None:
    """Article 2, 4.2, of the fair pair (`h + W₂φ(W₁φ(h))`); digits, three seeds at once."""
    steps = run(Settings(epochs=3, seeds=3))
    last = np.mean([step.losses for step in steps[-21:]], axis=0)
    assert last[:3] == pytest.approx([GUESSING] * 3, abs=0.02)
    assert max(last[3:]) < 1.2
    accuracy = epochs(steps)[-1].accuracy
    assert max(accuracy[:3]) < 0.15
    assert min(accuracy[3:]) > 0.7
    first = lights(steps[0]).norms
    for m in range(3):
        assert first[m][0] / first[m][-1] < 1e-4
        assert 0.1 < first[m + 3][0] / first[m + 3][-1] < 10


def test_with_he_at_fifty_layers_the_residual_network_explodes_beside_a_sound_plain_one() -> None:
    steps = run(Settings(depth=50, width=32, init="He", epochs=3, share=30, seeds=3))
    table = np.array([step.losses for step in steps])
    assert len(table) == 18
    assert np.isfinite(table[:, :3]).all()
    for m in (3, 4, 5):
        assert table[0, m] > 100
        broken = ~np.isfinite(table[:, m])
        assert broken.argmax() >= 1
        assert np.isnan(table[broken.argmax() + 1 :, m]).all()
    last = steps[-1]
    assert last.epoch
    assert last.ending
    assert np.isnan(last.epoch.accuracy[3:]).all()
    assert np.isfinite(last.epoch.accuracy[:3]).all()
    assert np.isnan(lights(last).norms[3:]).all()
    assert last.layers
    assert np.isnan(last.layers.moved[3:]).all()
    assert np.isnan(np.array(last.ending.without_branches[3:], dtype=float)).all()


def test_a_run_ends_when_all_have_diverged() -> None:
    s = small(rate=10, width=64, depth=20)
    steps = run(s)
    assert 1 < len(steps) < s.steps
    assert not np.isfinite(steps[-1].losses).any()
    assert np.isfinite(steps[-2].losses).any()
    assert steps[-1].lights
    assert steps[-1].epoch
    assert np.isnan(steps[-1].epoch.accuracy).all()
    assert ending(steps).linear == linear_accuracy("digits", s.rows)


# What is recorded


@pytest.mark.parametrize("name", CONTESTANTS)
def test_recorded_gradients_are_those_of_autograd(name: str) -> None:
    s = small(contestants=("plain_bn", name) if name != "plain_bn" else (name,), init="He")
    made = prepare(s)
    m = len(s.contestants) - 1
    reference = Reference(made.stack, m)
    x, y = next(made.batches())
    for norm in reference.norms:
        norm.float()
    nn.functional.cross_entropy(reference(x[0]), y[0]).backward()
    first = lights(next(train(s)))
    for layer, linear in enumerate(reference.hidden):
        assert isinstance(linear, nn.Linear)
        assert linear.weight.grad is not None
        expected = linear.weight.grad.norm().item()
        assert first.norms[m][layer] == pytest.approx(expected, rel=1e-4)
        assert first.lost[m][layer] == (expected < SMALLEST)


def test_a_zero_last_layer_or_factor_stops_the_gradient_exactly() -> None:
    """At the first step the branch sends nothing back: 0, not something small."""
    s = small(contestants=("zero_last", "rezero", "residual"), depth=6)
    first, *_, last = run(s)
    seen = lights(first)
    assert [norm == 0 for norm in seen.norms[0]] == [True, False] * 3
    assert seen.lost[0] == [True, False] * 3
    assert seen.norms[1] == [0] * 6
    assert seen.lost[1] == [True] * 6
    assert not any(seen.lost[2])
    assert not any(map(any, lights(last).lost))


def test_the_smallest_number_is_that_of_float32() -> None:
    assert pytest.approx(torch.finfo(torch.float32).tiny, rel=1e-8) == SMALLEST


def test_what_float32_cannot_hold_is_marked_and_looked_up_in_float64() -> None:
    s = small(depth=100, activation="sigmoid")
    made = prepare(s)
    x, y = next(made.batches())
    seen = lights(next(train(s)))
    reference = Reference(made.stack.in_double(), 0)
    nn.functional.cross_entropy(reference(x[0].double()), y[0]).backward()
    lost = np.array(seen.lost[0])
    assert 20 < lost.sum() < 90
    assert not np.diff(lost.astype(int)).any() or lost[: lost.sum()].all()
    for layer, linear in enumerate(reference.hidden):
        assert isinstance(linear, nn.Linear)
        assert linear.weight.grad is not None
        exact = linear.weight.grad.norm().item()
        rel = 1e-6 if lost[layer] else 1e-3
        assert seen.norms[0][layer] == pytest.approx(exact, rel=rel, abs=1e-40 * (not lost[layer]))
        assert (exact < SMALLEST) == lost[layer]
    assert min(seen.norms[0]) > 0
    assert not any(seen.lost[1])


def test_gradients_are_recorded_every_stride_and_at_the_end() -> None:
    s = small(depth=100, width=8, epochs=4, share=50, contestants=tuple(CONTESTANTS)[:4])
    assert s.stride > 1
    steps = run(s)
    recorded = [step.step for step in steps if step.lights]
    assert recorded == sorted({*range(1, s.steps + 1, s.stride), s.steps})
    looked = [step.step for step in steps if step.epoch]
    assert looked == list(range(s.steps_per_epoch, s.steps + 1, s.steps_per_epoch))
    assert [step.step for step in steps if step.layers] == looked
    assert [step.step for step in steps if step.ending] == [s.steps]
    assert [step.step for step in steps] == list(range(1, s.steps + 1))


def test_layers_are_looked_at_in_a_few_epochs_and_the_last() -> None:
    s = small(depth=4, width=8, epochs=19, share=10)
    steps = run(s)
    looked = [step.step // s.steps_per_epoch for step in steps if step.layers]
    assert looked == [4, 8, 12, 16, 19]
    assert len(epochs(steps)) == 19


def test_norms_are_those_of_float64_where_squares_are_lost() -> None:
    made = prepare(small(depth=4, width=8))
    grads = made.stack.grads["hidden_w"]
    for size in (1.0, 1e-10, 1e-25, 1e25):
        grads.copy_(size * torch.randn(grads.shape, generator=torch.Generator().manual_seed(0)))
        exact = grads.double().flatten(2).norm(dim=2).T.numpy()
        np.testing.assert_allclose(_norms(made.stack), exact, rtol=1e-6)


def test_numbers_are_plain_and_of_the_promised_size() -> None:
    s = small(contestants=("plain", "rezero", "few"), seeds=3)
    for step in train(s):
        assert len(step.losses) == 9
        assert all(type(loss) is float for loss in step.losses)
        for table in (lights(step).norms, lights(step).lost):
            assert [len(row) for row in table] == [s.layers] * 9
        if step.epoch:
            assert step.epoch.surface is None
            assert len(step.epoch.accuracy) == 9
        if step.layers:
            tables = asdict(step.layers).values()
            assert all([len(row) for row in table] == [s.layers] * 9 for table in tables)


@pytest.mark.parametrize("activation", ["ReLU", "GELU"])
def test_the_look_at_the_networks_is_that_of_torch_nn(activation: str) -> None:
    names = ("residual", "rezero", "few", "plain")
    s = small(contestants=names, activation=activation, depth=6, few=2, rate=0.05)
    steps = run(s)
    seen, accuracy = steps[-1].layers, epochs(steps)[-1].accuracy
    assert seen
    made = prepare(s)
    start = made.stack.weights["hidden_w"].clone()
    for x, y in made.batches():
        made.stack.backward(made.stack.forward(x, training=True), y)
        made.optimiser.step()
    x, y = torch.tensor(made.data.test_x), torch.tensor(made.data.test_y)
    for m, name in enumerate(names):
        reference = Reference(made.stack, m).eval()
        entered, left = streams_of(reference, x)
        right = (reference(x).argmax(1) == y).float().mean().item()
        assert accuracy[m] == pytest.approx(right, abs=1e-6)
        for layer in range(s.layers):
            weight = made.stack.weights["hidden_w"][layer, m]
            moved = (weight - start[layer, m]).norm() / start[layer, m].norm()
            assert seen.moved[m][layer] == pytest.approx(moved.item(), rel=1e-3)
            scale = entered[layer].square().mean().sqrt().item()
            assert seen.scale[m][layer] == pytest.approx(scale, rel=1e-3)
            dead = (entered[layer] <= 0).all(0).float().mean().item()
            assert seen.dead[m][layer] == (pytest.approx(dead) if activation == "ReLU" else 0)
        spans = {last: first for first, last in reference.blocks}
        for layer, ratio in enumerate(seen.ratio[m]):
            if layer not in spans:
                assert ratio is None
                continue
            branch = reference.alpha[layer].detach() * left[layer]
            assert ratio == pytest.approx(
                (branch.norm() / entered[spans[layer]].norm()).item(), rel=1e-3
            )
        alpha = [1.0] * s.layers if name != "rezero" else reference.alpha.tolist()
        assert seen.alpha[m] == pytest.approx(alpha)
    learned = [seen.alpha[1][layer] for layer in (1, 3, 5)]
    assert all(alpha != 0 for alpha in learned)
    assert seen.alpha[1][::2] == [1, 1, 1]


@torch.no_grad()
def streams_of(reference: Reference, x: Tensor) -> tuple[list[Tensor], list[Tensor]]:
    """Return what enters each hidden layer, and what it makes of it."""
    spans = {last: first for first, last in reference.blocks}
    entered, left = [reference.stem(x)], []
    for layer, hidden in enumerate(reference.hidden):
        left.append(hidden(reference.phi(entered[layer])))
        h = left[layer]
        if layer in spans:
            h = entered[spans[layer]] + reference.alpha[layer] * h
        entered.append(h)
    return entered, left


def test_the_ending_deletes_branches_and_shows_digits() -> None:
    s = small(contestants=("plain", "residual", "residual_bn", "plain_half"), width=32, epochs=6)
    steps = run(s)
    end = ending(steps)
    assert end.without_branches[0] is None
    assert end.without_branches[3] is None
    made = prepare(s)
    for x, y in made.batches():
        made.stack.backward(made.stack.forward(x, training=True), y)
        made.optimiser.step()
    x, y = torch.tensor(made.data.test_x), torch.tensor(made.data.test_y)
    w = made.stack.weights
    h = x @ w["stem_w"][1] + w["stem_b"][1]
    bare = (h.relu() @ w["head_w"][1] + w["head_b"][1]).argmax(1)
    assert end.without_branches[1] == pytest.approx((bare == y).float().mean().item(), abs=1e-6)
    assert 0 <= (end.without_branches[2] or math.nan) <= 1
    assert len(set(end.shown)) == len(end.shown) == SHOWN_DIGITS
    answers = made.stack.forward(x[None]).argmax(-1)
    assert end.answers == answers[:, end.shown].tolist()
    right = (answers == y).sum(0)
    worst = sorted(right.tolist())[: SHOWN_DIGITS // 2]
    assert right[end.shown[: SHOWN_DIGITS // 2]].tolist() == worst
    assert end.linear == linear_accuracy("digits", s.rows)


def test_the_surface_of_the_spirals_is_the_probability_of_class_one_over_the_plane() -> None:
    s = small(data="spirals", contestants=("residual", "pre_ln"), share=30)
    steps = run(s)
    assert all(not step.epoch or step.epoch.surface for step in steps)
    surface = epochs(steps)[-1].surface
    assert surface
    assert [len(points) for points in surface] == [GRID**2] * 2
    assert all(0 <= p <= 1 for points in surface for p in points)
    made = prepare(s)
    for x, y in made.batches():
        made.stack.backward(made.stack.forward(x, training=True), y)
        made.optimiser.step()
    line = np.linspace(-GRID_EDGE, GRID_EDGE, GRID)
    for across, up in ((0, 0), (0, GRID - 1), (GRID - 1, 0), (7, 30)):
        point = torch.tensor([[line[across], line[up]]], dtype=torch.float32)
        for m in range(2):
            reference = Reference(made.stack, m).eval()
            expected = reference(point).softmax(-1)[0, 1].item()
            assert surface[m][across * GRID + up] == pytest.approx(expected, rel=1e-4)


# Slow motion and the strip


@pytest.mark.parametrize("step", [1, 2, 7, 16])
def test_slow_motion_replays_the_identical_run_and_agrees_with_what_was_recorded(step: int) -> None:
    s = small(contestants=("plain", "residual_bn", "rezero", "pre_ln"), depth=6)
    steps = run(s)
    *before, seen = profile(s, step)
    assert [row.losses for row in before if isinstance(row, Step)] == [
        row.losses for row in steps[: step - 1]
    ]
    assert len(before) == step - 1
    assert isinstance(seen, Profile)
    assert seen.step == step
    recorded = lights(steps[step - 1])
    for exact, held, lost in zip(seen.norms, recorded.norms, recorded.lost, strict=True):
        assert held == pytest.approx(exact, rel=1e-3)
        for e, h, gone in zip(exact, held, lost, strict=True):
            assert not gone or e == h
    assert seen.loss == steps[step - 1].losses


def test_slow_motion_shows_the_update_and_its_effect_on_the_same_batch() -> None:
    s = small(contestants=("plain", "residual"))
    made = prepare(s)
    x, y = next(made.batches())
    stack = made.stack
    logits, before = stack.forward(x, training=True), stack.weights["hidden_w"].clone()
    scale = [[c[0][m].square().mean().sqrt().item() for c in stack.cache[:-1]] for m in (0, 1)]
    expected = stack.backward(logits, y).tolist()
    made.optimiser.step()
    change = (stack.weights["hidden_w"] - before).flatten(2).norm(dim=2)
    (seen,) = replay((s, 1))
    assert isinstance(seen, Profile)
    assert seen.loss == expected
    assert seen.scale == [pytest.approx(row) for row in scale]
    sizes = before.flatten(2).norm(dim=2)
    assert seen.change == [pytest.approx(row) for row in (change / sizes).T.tolist()]
    after = stack.backward(stack.forward(x, training=True), y).tolist()
    assert seen.after == pytest.approx(after)
    assert all(b < a for a, b in zip(seen.loss, seen.after, strict=True))


@pytest.mark.parametrize("optimiser", ["SGD", "Adam"])
def test_the_strip_is_bit_equal_to_runs_with_these_rates(optimiser: str) -> None:
    s = strip(small(contestants=("residual", "rezero", "plain_bn"), optimiser=optimiser))
    rates = STRIP_RATES[optimiser]
    seven = [row.losses for row in learning_rates(s)]
    assert len(seven) == s.steps
    for at in (0, 2, 6):
        alone = np.array([row.losses for row in train(replace(s, rate=rates[at]))])
        mine = np.array([losses[at :: len(rates)] for losses in seven])[: len(alone)]
        np.testing.assert_array_equal(mine, alone)


def test_training_can_be_left_at_any_step() -> None:
    s = small()
    start = list(islice(train(s), 5))
    assert [step.losses for step in start] == [step.losses for step in run(s)[:5]]
