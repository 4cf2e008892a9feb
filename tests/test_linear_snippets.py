"""Every program on the page runs as it is and makes the numbers on the page."""

from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as draw

from core import accumulation, linear_snippets, linear_stack, weight_gradient
from core.backend import torch
from core.linear_block import Setting, run
from core.linear_descent import VARIABLES, Descent, descend
from core.worked_example import PRESETS
from tests.linear_settings import SETTINGS, SMALL, floats


@pytest.fixture(autouse=True)
def _default_dtype() -> Iterator[None]:
    yield
    torch.set_default_dtype(torch.float32)


def execute(program: str) -> dict:
    scope: dict = {}
    exec(program, scope)
    return scope


@given(SETTINGS)
def test_block(setting: Setting) -> None:
    scope, p = execute(linear_snippets.block(setting)), run(setting)
    assert scope["loss"].item() == pytest.approx(float(p.loss), abs=1e-9)
    assert scope["x"].grad.tolist() == pytest.approx(floats(p.grad_x), abs=1e-9)
    assert scope["W"].grad.numpy() == pytest.approx(floats(p.grad_w), abs=1e-9)


def test_at_the_article_it_asserts_what_the_articles_second_listing_asserts() -> None:
    program = linear_snippets.block(Setting())
    for line in (
        "assert torch.allclose(y, torch.tensor([1.5, 2.5]))",
        "assert torch.allclose(x.grad, torch.tensor([0.4, 2.05]))",
        "assert torch.allclose(loss, torch.tensor(1.25))",
    ):
        assert line in program


def test_a_wrong_number_would_fail() -> None:
    program = linear_snippets.block(Setting())
    with pytest.raises(AssertionError):
        execute(program.replace("[0.4, 2.05]", "[0.4, 2.06]"))


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("variable", VARIABLES)
def test_descent(preset: str, variable: str) -> None:
    setting, how = PRESETS[preset], Descent(variable, 0.1, 20)
    losses = execute(linear_snippets.descent(setting, how))["losses"]
    for who, loss in losses.items():
        exactly = float(descend(setting, how, who == "residual")[-1].loss)
        assert loss == pytest.approx(exactly, rel=1e-6, abs=1e-20)


@settings(max_examples=15)
@given(SETTINGS, draw.integers(1, 4), draw.booleans())
def test_accumulated(setting: Setting, calls: int, clear: bool) -> None:
    scope = execute(linear_snippets.accumulated(setting, calls, clear))
    assert scope["x"].grad.tolist() == pytest.approx(
        floats(accumulation.expected(setting, calls, clear)), abs=1e-9
    )


@settings(max_examples=15)
@given(SETTINGS, draw.integers(0, 20).map(lambda n: n / 20), draw.booleans())
def test_layer(setting: Setting, s: float, shortcut: bool) -> None:
    scope = execute(linear_snippets.layer(setting, s, shortcut))
    ours = weight_gradient.layer(setting, s, shortcut)
    assert scope["W1"].grad.numpy() == pytest.approx(floats(ours.weight), abs=1e-9)
    assert scope["x"].grad.numpy() == pytest.approx(floats(ours.input), abs=1e-9)


@settings(max_examples=15)
@given(SMALL, draw.integers(1, 20))
def test_stack(setting: Setting, n: int) -> None:
    scope = execute(linear_snippets.stack(setting, n))
    ours = floats(linear_stack.run(setting, n).gradients[0])
    assert scope["x"].grad.numpy() == pytest.approx(ours, rel=1e-6, abs=1e-6)
