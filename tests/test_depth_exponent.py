"""The exponent of depth at initialisation: the spreads of the facts, and the fit itself."""

import numpy as np
import pandas as pd
import pytest

from core.depth_exponent import BOUND, DEPTHS, Exponent, bound_slopes, case, fit, measure
from core.initial_gradients import Stack, profile

SPREADS = {"Pre-LN": (-0.62, -0.46), "Post-LN": (-0.02, 0.19)}
"""Facts, four groups of 3 seeds, L ≥ 8: Pre −.48 to −.60, Post +.04 to +.13; other draws here."""


@pytest.fixture(scope="module")
def measured() -> dict[str, dict[int, pd.DataFrame]]:
    return {name: {L: measure(name, L) for L in DEPTHS} for name in SPREADS}


@pytest.mark.parametrize("name", SPREADS)
def test_exponents_lie_in_the_spreads_of_the_facts(measured: dict, name: str) -> None:
    exponent = fit(measured[name])
    low, high = SPREADS[name]
    assert low < exponent.low <= exponent.value <= exponent.high < high
    assert case(exponent) == {"Pre-LN": "falls", "Post-LN": "flat"}[name]


def test_deepnorm_falls_by_the_gain_within_the_weights() -> None:
    """Facts: −.50 with the gain inside the weight."""
    assert fit({L: measure("DeepNorm", L) for L in (8, 32)}).value == pytest.approx(-0.5, abs=0.04)


def test_the_last_gradients_are_those_of_the_profile() -> None:
    table = profile(Stack("Pre-LN", 4))
    last = table[table["layer"] == 4]["gradient"].tolist()
    assert measure("Pre-LN", 4)["gradient"].tolist() == last


def test_the_fit_finds_a_power() -> None:
    powers = {L: pd.DataFrame({"gradient": [3 * L**-0.5, 3 * L**-0.4]}) for L in (2, 8, 16, 64)}
    powers[2] = powers[2] * 100  # not fitted
    exponent = fit(powers)
    assert (exponent.low, exponent.high) == (pytest.approx(-0.5), pytest.approx(-0.4))
    assert -0.5 < exponent.value < -0.4


@pytest.mark.parametrize(
    ("low", "high", "said"), [(0.3, 1, "grows"), (-1, -0.3, "falls"), (-0.3, 0.3, "flat")]
)
def test_case(low: float, high: float, said: str) -> None:
    assert case(Exponent((low + high) / 2, low, high)) == said


def test_bound_lines_have_the_slopes_of_the_theorem(measured: dict) -> None:
    lines = bound_slopes(measured)
    for name, slope in BOUND.items():
        values = lines["gradient"].to_numpy()[lines["who"].to_numpy() == name]
        assert np.allclose(np.diff(np.log(values)) / np.diff(np.log(DEPTHS)), slope)
