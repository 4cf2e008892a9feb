"""Products of Jacobians: the counterexamples, and exact arithmetic for 2 × 2."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given

from core import jacobian_products as core
from core.gradient_claims import BLOCKS
from core.jacobian_families import ORDERS, SHIFT, Blocks, first, layer
from core.jacobian_spectrum import measure, promise_verdict
from core.words import Words, catalogue
from tests.test_jacobian_families import any_blocks, blocks

SAME, ALTERNATE, FRESH = ORDERS


def norm_at(setting: Blocks, n: int, who: str = "plain", side: str = "high") -> float:
    rows = core.by_depth(setting).set_index(["who", "layers"])
    return 10 ** rows.loc[(who, n)][side]


def test_radius_zero_explodes() -> None:
    """A = [[0, 2], [0, 0]] and its transpose: article 2, 2.1 says the product shrinks."""
    assert first(BLOCKS["radius_zero"], "plain").tolist() == [[0, 2], [0, 0]]
    assert core.last(BLOCKS["radius_zero"], "plain", "high") == pytest.approx(np.log10(1_048_576))
    assert measure(BLOCKS["radius_zero"]).radius_high == 0
    assert core.radius_verdict(BLOCKS["radius_zero"]) == "grows"


@pytest.mark.parametrize(("k", "norm"), [(1, 5.2), (5, 16.4), (10, 19.4), (50, 1.4)])
def test_one_matrix_of_radius_below_one_first_grows(k: int, norm: float) -> None:
    direct = np.linalg.norm(np.linalg.matrix_power(np.array([[0.9, 5], [0, 0.9]]), k), 2)
    assert norm_at(BLOCKS["hump"], k) == pytest.approx(direct, rel=1e-12)
    assert round(direct, 1) == norm


def test_fifty_nilpotent_factors_grow() -> None:
    assert core.last(BLOCKS["nilpotent"], "plain", "high") > 6
    assert measure(BLOCKS["nilpotent"]).radius_high == 0


def test_projections_of_radius_two_shrink() -> None:
    found = measure(BLOCKS["projections"])
    assert found.radius_low == pytest.approx(2)
    assert core.last(BLOCKS["projections"], "plain", "high") < -40
    assert core.radius_verdict(BLOCKS["projections"]) == "shrinks"


def test_the_identity_gives_no_floor() -> None:
    assert core.last(BLOCKS["no_floor"], "residual", "high") == pytest.approx(50 * np.log10(0.5))
    lower = Blocks("s·Q", SAME, 3, -0.9, 0.0, 20, 0)
    assert norm_at(lower, 20) == pytest.approx(0.9**20)
    assert norm_at(lower, 20, "residual") == pytest.approx(1e-20)


def test_rotations_lose_nothing_without_a_shortcut() -> None:
    for side in ("high", "low"):
        assert core.last(BLOCKS["rotations"], "plain", side) == pytest.approx(0, abs=1e-12)


@given(blocks)
def test_the_norm_is_that_of_the_product(setting: Blocks) -> None:
    for who in SHIFT:
        product = np.eye(setting.d)
        for index in range(setting.n):
            product = layer(setting, index, who).matrix @ product
        direct, found = np.linalg.norm(product, 2), core.last(setting, who, "high")
        if direct == 0:
            assert found == -np.inf
        else:
            assert found == pytest.approx(np.log10(direct), abs=1e-6)


@given(any_blocks(("s·E", "s·G"), (2,)))
def test_the_smallest_singular_value_of_two_by_two_follows_from_the_determinant(
    setting: Blocks,
) -> None:
    """σ_min = |det| / σ_max, and the determinant of a product is exact in fractions."""
    for who in SHIFT:
        determinant = Fraction(1)
        for index in range(setting.n):
            (a, b), (c, d) = layer(setting, index, who).matrix.tolist()
            determinant *= Fraction(a) * Fraction(d) - Fraction(b) * Fraction(c)
        low = core.last(setting, who, "low")
        if determinant == 0:
            assert low == -np.inf
        else:
            size = abs(determinant)
            exact = math.log10(size.numerator) - math.log10(size.denominator)
            assert low == pytest.approx(exact - core.last(setting, who, "high"), abs=1e-6)


def test_exactly_zero_and_too_small_are_told_apart() -> None:
    nilpotent = core.by_depth(Blocks("s·E", SAME, 3, 0.0, 2.0, 5, 0))
    plain = nilpotent[nilpotent["who"] == "plain"]
    assert plain["zero"].tolist() == [False, False, False, True, True, True]
    assert plain["low_zero"].tolist() == [False] + [True] * 5
    tiny = core.by_depth(Blocks("s·E", SAME, 50, 0.05, 10.0, 100, 0))
    low = tiny[(tiny["who"] == "plain") & (tiny["layers"] == 1)]["low"].item()
    exact = 50 * np.log10(0.05) - 49 * np.log10(10)  # |det| over the 49 large singular values
    assert low == pytest.approx(exact, abs=0.1)


@given(blocks)
def test_what_is_drawn_is_finite_and_what_is_said_exists(setting: Blocks) -> None:
    assert not np.isinf(core.by_depth(setting)[["low", "middle", "high"]].to_numpy()).any()
    phrases = catalogue("gradient_multiplier")
    for key in (f"radius.{core.radius_verdict(setting)}", f"matrix.{promise_verdict(setting)}"):
        assert key in phrases
        assert Words("gradient_multiplier", "zh")(key, **core.written(setting))


def test_radii_that_do_not_mislead() -> None:
    assert core.radius_verdict(BLOCKS["small"]) == "agrees"
