"""The contestants: each differs from plain or residual in what its name says and nothing else."""

from dataclasses import asdict, replace

import pytest
from hypothesis import given
from hypothesis import strategies as draw

from core.contestants import CONTESTANTS, Contestant, spans

PLAIN, RESIDUAL = Contestant("plain", shortcuts="none"), Contestant("residual")
DIFFERENCES = {
    "plain": (PLAIN, {}),
    "residual": (RESIDUAL, {}),
    "few": (RESIDUAL, {"shortcuts": "few"}),
    "scaled": (RESIDUAL, {"scaled": True}),
    "zero_last": (RESIDUAL, {"zero_last": True}),
    "rezero": (RESIDUAL, {"learned": True}),
    "pre_ln": (RESIDUAL, {"norm": "layer"}),
    "plain_bn": (PLAIN, {"norm": "batch"}),
    "residual_bn": (RESIDUAL, {"norm": "batch"}),
    "plain_half": (PLAIN, {"half": True}),
}


@pytest.mark.parametrize("name", CONTESTANTS)
def test_a_contestant_differs_in_one_thing(name: str) -> None:
    start, changed = DIFFERENCES[name]
    assert CONTESTANTS[name] == replace(start, name=name, **changed)


def test_no_two_contestants_are_the_same() -> None:
    kinds = [tuple((asdict(kind) | {"name": ""}).items()) for kind in CONTESTANTS.values()]
    assert len(set(kinds)) == len(kinds)


@given(draw.integers(1, 100), draw.data())
def test_spans_share_out_all_layers_evenly(layers: int, data: draw.DataObject) -> None:
    count = data.draw(draw.integers(1, layers))
    found = spans(layers, count)
    assert [layer for a, b in found for layer in range(a, b + 1)] == list(range(layers))
    lengths = {b - a + 1 for a, b in found}
    assert len(found) == count
    assert min(lengths) >= 1
    assert max(lengths) - min(lengths) <= 1


def test_spans_of_the_lessons() -> None:
    assert spans(20, 10) == tuple((i, i + 1) for i in range(0, 20, 2))
    assert spans(50, 2) == ((0, 24), (25, 49))
    assert spans(50, 5) == ((0, 9), (10, 19), (20, 29), (30, 39), (40, 49))
    assert spans(7, 1) == ((0, 6),)
