"""The check tab: closed form and autograd agree everywhere, and would show if they did not."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as draw

from core import gradient_checks as core
from core import multiplier
from core.multiplier import Chain


@settings(max_examples=15)
@given(draw.integers(-300, 300), draw.integers(1, 200))
def test_they_agree(hundredths: int, n: int) -> None:
    rows = core.check(Chain(hundredths / 100, n))
    assert rows["closed"].to_numpy() == pytest.approx(rows["autograd"].to_numpy(), abs=1e-9)
    assert np.isfinite(rows["closed"]).all()
    assert len(rows) == 10


def test_an_exact_zero_is_compared_as_a_zero() -> None:
    rows = core.check(Chain(-1.0, 20)).set_index("quantity")
    assert rows.loc["|1 + a|ⁿ"].tolist() == [0, 0]


def test_a_wrong_closed_form_would_show(monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = {**multiplier.LOG10, "residual": multiplier.log10_plain}
    monkeypatch.setattr(core, "LOG10", wrong)
    rows = core.check(Chain(0.5, 20))
    assert np.abs(rows["closed"].to_numpy() - rows["autograd"].to_numpy()).max() > 1
