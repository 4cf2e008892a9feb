"""Settings of a run: what is refused, what a run consists of, the numbers of article 2."""

import math
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, reject
from hypothesis import strategies as draw

from core.contestants import CONTESTANTS, Shape
from core.datasets import load
from core.limits import Refused
from core.networks import Stack
from core.settings import (
    INITS,
    MOST_CELLS,
    MOST_CONTESTANTS,
    MOST_IN_STRIP,
    MOST_MEMORY,
    MOST_PARAMETERS,
    MOST_WORK,
    PER_LAYER,
    SEEDS,
    STRIP_EPOCHS,
    STRIP_RATES,
    STRIP_WORK,
    Settings,
    parameters,
    strip,
    strip_memory,
)
from tests.test_networks import Reference

NAMES = tuple(CONTESTANTS)
RANGES = {
    "depth": (1, 100),
    "per_branch": (1, 4),
    "few": (1, 50),
    "width": (8, 256),
    "rate": (1e-5, 10),
    "batch": (8, 256),
    "epochs": (1, 60),
    "share": (5, 100),
    "seed": (0, 9999),
}


def small(**changed: Any) -> Settings:
    values: dict[str, Any] = {"depth": 2, "width": 8, "epochs": 1}
    return Settings(**(values | changed))


@pytest.mark.parametrize(("field", "low", "high"), [(k, *v) for k, v in RANGES.items()])
def test_a_field_is_accepted_up_to_its_ends_and_refused_beyond(
    field: str, low: float, high: float
) -> None:
    for value in (low, high):
        assert getattr(small(**{field: value}), field) == value
    beyond = 1 if isinstance(low, int) else low / 2
    for value in (low - beyond, high + 1, -high, math.nan, math.inf, -math.inf, 10**400):
        with pytest.raises(Refused, match="range") as refused:
            small(**{field: value})
        assert refused.value.values["low"] == low
        assert refused.value.values["high"] == high


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("activation", "relu"),
        ("init", "Kaiming"),
        ("optimiser", "RMSprop"),
        ("data", "mnist"),
        ("contestants", ("plain", "unknown")),
        ("seeds", 2),
        ("seeds", 0),
        ("seeds", math.nan),
    ],
)
def test_what_is_unknown_is_refused(field: str, value: object) -> None:
    with pytest.raises(Refused, match="choice") as refused:
        small(**{field: value})
    assert "allowed" in refused.value.values


def test_there_are_one_to_four_contestants_and_none_is_there_twice() -> None:
    for names in ((), NAMES[: MOST_CONTESTANTS + 1]):
        with pytest.raises(Refused, match="range"):
            small(contestants=names)
    for count in range(1, MOST_CONTESTANTS + 1):
        assert len(small(contestants=NAMES[:count]).members) == count
    with pytest.raises(Refused, match="twice"):
        small(contestants=("plain", "residual", "plain"))


def test_too_much_work_and_too_many_weights_are_refused_with_both_numbers() -> None:
    with pytest.raises(Refused, match="work") as work:
        Settings(depth=100, epochs=60, contestants=NAMES[:4])
    assert set(work.value.values) == {"work", "cap"}
    with pytest.raises(Refused, match="size") as size:
        Settings(depth=100, width=256, epochs=1, share=5, batch=8)
    assert set(size.value.values) == {"size", "cap"}


def test_too_much_memory_is_refused_though_the_weights_are_few() -> None:
    wide: dict[str, Any] = {"depth": 100, "epochs": 1, "width": 64, "seeds": 5}
    assert Settings(**wide, batch=64).memory <= MOST_MEMORY
    with pytest.raises(Refused, match="memory") as memory:
        Settings(**wide, batch=256)
    assert set(memory.value.values) == {"size", "cap"}
    narrow = small(contestants=NAMES[:4], depth=100, width=64, batch=256)
    with pytest.raises(Refused, match="memory"):
        strip(narrow)


def test_the_caps_leave_room_for_the_runs_of_the_lesson() -> None:
    Settings(contestants=NAMES[:4])
    Settings(contestants=("plain", "few", "residual"), depth=50)
    Settings(seeds=5)
    Settings(activation="sigmoid", depth=100)


def test_the_experiment_of_article_2_is_the_default() -> None:
    """Article 2, section 4.1: 20 hidden layers of 128, ReLU, SGD with momentum, one seed."""
    s = Settings()
    assert (s.layers, s.width, s.activation, s.optimiser, s.seeds) == (20, 128, "ReLU", "SGD", 1)
    assert s.contestants == ("plain", "residual")
    assert s.blocks == 10
    assert (s.rows, s.steps_per_epoch, s.steps) == (1400, 21, 420)


def test_the_pair_of_article_2_is_not_fair_and_ours_is() -> None:
    """The article's plain block has one linear layer and its residual block two (its code, 4.1)."""

    def hidden(s: Settings, name: str) -> int:
        return parameters(s, name) - (64 + 1) * 128 - (128 + 1) * 10

    theirs = Settings(contestants=("plain_half", "residual"), depth=40)
    assert hidden(theirs, "plain_half") == 330_240
    assert hidden(theirs, "residual") == 660_480
    assert (theirs.layers_of("plain_half"), theirs.layers_of("residual")) == (20, 40)
    ours = Settings()
    assert {hidden(ours, name) for name in ours.contestants} == {330_240}


@pytest.mark.parametrize("data", ["digits", "spirals"])
@pytest.mark.parametrize("name", NAMES)
def test_parameters_are_those_of_the_same_network_in_torch_nn(name: str, data: str) -> None:
    s = Settings(contestants=(name,), depth=6, width=8, data=data)
    shape = Shape(load(data).features, load(data).classes, s.layers, 8, 2, 2, "ReLU", "He")
    reference = Reference(Stack(shape, [(CONTESTANTS[name], 0)]), 0)
    linears = [reference.stem, *reference.hidden, reference.head]
    count = sum(p.numel() for layer in linears for p in layer.parameters())
    assert parameters(s, name) == count + len(reference.blocks) * CONTESTANTS[name].learned


@pytest.mark.parametrize(
    ("depth", "per_branch", "layers"),
    [(1, 1, 1), (1, 4, 4), (3, 4, 4), (7, 2, 6), (20, 2, 20), (20, 3, 18), (99, 4, 96)],
)
def test_a_depth_becomes_whole_blocks(depth: int, per_branch: int, layers: int) -> None:
    s = Settings(depth=depth, per_branch=per_branch, width=8, epochs=1)
    assert s.layers == layers
    assert s.blocks == layers // per_branch


accepted = draw.builds(
    dict,
    contestants=draw.lists(draw.sampled_from(NAMES), min_size=1, max_size=4, unique=True).map(
        tuple
    ),
    depth=draw.integers(1, 100),
    per_branch=draw.integers(1, 4),
    few=draw.integers(1, 50),
    width=draw.integers(1, 32).map(lambda k: 8 * k),
    init=draw.sampled_from(INITS),
    optimiser=draw.sampled_from(sorted(STRIP_RATES)),
    batch=draw.integers(1, 32).map(lambda k: 8 * k),
    epochs=draw.integers(1, 60),
    share=draw.integers(5, 100),
    seed=draw.integers(0, 9999),
    seeds=draw.sampled_from(SEEDS),
    data=draw.sampled_from(["digits", "spirals"]),
)


def affordable(values: dict[str, Any]) -> Settings:
    """Return the settings; what is in range may be refused only because it is too much."""
    try:
        return Settings(**values)
    except Refused as refused:
        if refused.reason in ("work", "size", "memory"):
            reject()
        raise


@given(accepted)
def test_what_is_accepted_can_be_run_and_drawn(values: dict[str, Any]) -> None:
    s = affordable(values)
    assert s.steps >= 1
    assert s.steps == s.epochs * s.steps_per_epoch
    assert s.batch <= s.rows <= len(load(s.data).train_x)
    assert s.steps_per_epoch * s.batch <= s.rows < (s.steps_per_epoch + 1) * s.batch
    assert s.layers % s.per_branch == 0
    assert s.blocks >= 1
    assert 0 <= max(s.depth - s.layers, 0) < s.per_branch
    assert s.work <= MOST_WORK
    assert s.size <= MOST_PARAMETERS
    assert s.held < s.memory <= MOST_MEMORY
    recorded = len(range(0, s.steps, s.stride))
    assert 1 <= recorded <= 84
    assert recorded * s.layers * len(s.contestants) <= MOST_CELLS
    assert recorded == s.steps or recorded >= 12
    assert len(s.members) == len(s.contestants) * s.seeds


@given(accepted)
def test_the_strip_of_what_is_accepted_is_accepted_and_short(values: dict[str, Any]) -> None:
    s = affordable(values)
    if len(STRIP_RATES[s.optimiser]) * replace(s, seeds=1).size > MOST_IN_STRIP:
        with pytest.raises(Refused, match="size"):
            strip(s)
        return
    if strip_memory(replace(s, seeds=1)) > MOST_MEMORY:
        with pytest.raises(Refused, match="memory"):
            strip(s)
        return
    short = strip(s)
    assert 1 <= short.epochs <= min(s.epochs, STRIP_EPOCHS)
    assert short.seeds == 1
    together = short.work * len(STRIP_RATES[s.optimiser])
    assert together <= STRIP_WORK or short.epochs == 1
    assert together <= MOST_WORK
    assert (short.contestants, short.depth, short.seed) == (s.contestants, s.depth, s.seed)


def test_equal_settings_are_one_key_and_different_ones_are_not() -> None:
    assert hash(small()) == hash(small())
    assert len({small(), small(), small(seed=1)}) == 2
    assert small() != small(contestants=("residual", "plain"))


def test_members_stand_contestant_by_contestant() -> None:
    s = small(contestants=("residual", "plain"), seed=7, seeds=3)
    assert s.members == tuple((name, seed) for name in ("residual", "plain") for seed in (7, 8, 9))


def test_work_counts_three_products_a_weight_and_row_and_an_overhead_a_layer() -> None:
    s = Settings(contestants=("plain",), depth=4, width=16, batch=8, epochs=2, share=10, seeds=3)
    assert s.size == 3 * 4 * 16 * 16
    layers = 3 * 4
    assert s.work == (3 * s.size * 8 + PER_LAYER * layers) * s.steps
