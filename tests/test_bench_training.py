"""The training rows compare like with like, and name a step that was made slower."""

from collections import Counter

import pytest

from core.backend import torch
from core.networks import Stack
from core.settings import Settings
from core.training import prepare
from tests.bench import __main__ as bench
from tests.bench import training
from tests.bench.networks import Network
from tests.bench.options import Options

SMALL = Settings(depth=4, width=16, epochs=2, share=10)


def test_the_yardstick_computes_what_the_contestants_compute() -> None:
    run = prepare(SMALL)
    x, y = next(run.batches())
    ours = run.stack.backward(run.stack.forward(x, training=True), y)
    weights = run.stack.weights
    for member, s in enumerate((0, 1)):
        network = Network(64, SMALL.width, 10, SMALL.blocks, SMALL.per_branch, s)
        hidden = [linear for block in network.blocks for linear in block]  # type: ignore
        for linear, name in ((network.stem, "stem"), (network.head, "head")):
            linear.weight.data = weights[f"{name}_w"][member].T
            linear.bias.data = weights[f"{name}_b"][member, 0]
        for layer, linear in enumerate(hidden):
            linear.weight.data = weights["hidden_w"][layer, member].T
            linear.bias.data = weights["hidden_b"][layer, member, 0]
        loss = torch.nn.functional.cross_entropy(network(x[0]), y[0])
        torch.testing.assert_close(loss, ours[member])


def test_the_products_are_those_of_a_step(monkeypatch: pytest.MonkeyPatch) -> None:
    shapes: list[Counter] = []

    def counted(name: str) -> None:
        product = getattr(torch, name)

        def count(*factors, **options):
            left, right = factors[-2:]
            shapes[-1][tuple(left.shape), tuple(right.shape)] += 1
            return product(*factors, **options)

        monkeypatch.setattr(torch, name, count)

    counted("bmm")
    counted("baddbmm")
    for steps in (training.bare, training.products):
        shapes.append(Counter())
        next(iter(steps(SMALL)))
    assert shapes[0] == shapes[1]
    assert sum(shapes[0].values()) == 3 * (SMALL.layers + 2) - 1


def test_a_step_made_slower_on_purpose_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    quick = Stack.forward

    def slow(*arguments, **options):
        for _ in range(60):
            quick(*arguments, **options)
        return quick(*arguments, **options)

    monkeypatch.setattr(training, "BASE", SMALL)
    monkeypatch.setattr(Stack, "forward", slow)
    assert bench.run(Options(repetitions=3), rows=[training.against_plain_loop]) == 1
    last = capsys.readouterr().out.splitlines()[-1]
    assert last == "Budgets missed: training: plain loop / ours"


def test_a_row_without_a_budget_is_shown_and_not_judged(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(training, "SHAPES", {"4 × 16, M = 2": SMALL})
    assert bench.run(Options(repetitions=3), rows=[training.product_share]) == 0
    row = capsys.readouterr().out.splitlines()[1]
    assert row.startswith("products / step: 4 × 16, M = 2")
    assert "≤" not in row
    assert "≥" not in row
