"""The closed form against autograd and central differences, for any setting."""

import numpy as np
import pytest
from hypothesis import given

from core import linear_check
from core.linear_block import Setting
from tests.linear_settings import SETTINGS


@given(SETTINGS)
def test_autograd_and_central_differences_find_the_same(setting: Setting) -> None:
    rows = linear_check.check(setting)
    size = 1 + np.abs(rows["closed"].to_numpy()).max()
    assert linear_check.largest_difference(rows, "autograd") < 1e-13 * size
    assert linear_check.largest_difference(rows, "central") < 1e-7 * size


def test_a_wrong_number_would_show() -> None:
    rows = linear_check.check(Setting())
    rows.loc[5, "closed"] += 0.01
    assert linear_check.largest_difference(rows, "autograd") == pytest.approx(0.01)


def test_what_has_no_difference_quotient_is_a_dash() -> None:
    shown = linear_check.written(linear_check.check(Setting()))
    assert shown["central"].tolist()[:3] == ["–"] * 3
    assert shown["closed"].tolist() == [
        *("1.25", "1.5", "2.5", "0.5", "1.5", "0.4", "2.05"),
        *("0.5", "1", "1.5", "3"),
    ]
