"""The accumulation trap, measured in PyTorch and held against what it must be."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as draw

from core import accumulation
from core.limits import Refused
from core.linear_block import Setting, run
from tests.linear_settings import SETTINGS, floats


@given(SETTINGS, draw.integers(1, 6), draw.booleans())
def test_x_grad_holds_the_gradient_once_a_call_unless_it_is_cleared(
    setting: Setting, calls: int, clear: bool
) -> None:
    grads = accumulation.held(setting, calls, clear)
    assert len(grads) == calls
    gradient = floats(run(setting).grad_x)
    for call, grad in enumerate(grads, start=1):
        assert grad == pytest.approx((1 if clear else call) * gradient, abs=1e-9)
    assert grads[-1] == pytest.approx(
        floats(accumulation.expected(setting, calls, clear)), abs=1e-9
    )


def test_twice_at_the_article() -> None:
    assert accumulation.transcript(Setting(), 2, clear=False).splitlines() == [
        "loss = ...; loss.backward()    # x.grad: [0.4, 2.05]",
        "loss = ...; loss.backward()    # x.grad: [0.8, 4.1]",
    ]
    assert accumulation.transcript(Setting(), 2, clear=True).count("[0.4, 2.05]") == 2


def test_one_forward_pass_can_be_used_once() -> None:
    assert accumulation.backward_twice(Setting()).startswith("RuntimeError: Trying to backward")


@given(SETTINGS, draw.integers(1, 6), draw.booleans())
def test_the_arrows_lead_to_what_is_held(setting: Setting, calls: int, clear: bool) -> None:
    arrows = accumulation.arrows(setting, calls, clear)
    assert len(arrows) == (1 if clear else calls)
    assert np.array(arrows[-1].end) == pytest.approx(
        floats(accumulation.expected(setting, calls, clear))
    )
    for before, after in pairwise(arrows):
        assert before.end == pytest.approx(after.start)


@pytest.mark.parametrize(
    ("setting", "calls", "clear", "word"),
    [
        (Setting(), 1, False, "once"),
        (Setting(), 3, False, "times"),
        (Setting(), 3, True, "cleared"),
        (Setting(t1=1.5, t2=2.5), 3, False, "zero"),
    ],
)
def test_each_case(setting: Setting, calls: int, clear: bool, word: str) -> None:
    assert accumulation.verdict(setting, calls, clear) == word


def test_the_numbers_of_the_sentences() -> None:
    written = accumulation.written(Setting(), 3, clear=False)
    assert written == {"calls": 3, "gradient": "(0.4, 2.05)", "held": "(1.2, 6.15)"}


@pytest.mark.parametrize("calls", [0, 7])
def test_a_count_out_of_range_is_refused(calls: int) -> None:
    with pytest.raises(Refused):
        accumulation.held(Setting(), calls, clear=False)
