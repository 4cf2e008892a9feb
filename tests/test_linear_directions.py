"""Gains by direction: closed forms against numpy's SVD and eigenvalues, verdicts against both."""

import cmath

import numpy as np
import pytest
from hypothesis import given

from core import linear_directions as directions
from core.linear_block import Setting
from tests.linear_settings import SETTINGS, floats


def test_the_article() -> None:
    """Facts beside the article: eig(I + W) = 1.2 ± 0.1i, singular values 1.3211 and 1.0975."""
    sizes = directions.gains(directions.jacobian(Setting()))
    assert sizes.eigenvalues == (pytest.approx(1.2 + 0.1j), pytest.approx(1.2 - 0.1j))
    assert (sizes.largest, sizes.smallest) == (
        pytest.approx(1.3211, abs=5e-5),
        pytest.approx(1.0975, abs=5e-5),
    )
    assert directions.written(Setting()) == {
        "largest": "1.3211",
        "smallest": "1.0975",
        "eigenvalues": "1.2 ± 0.1i",
        "floor": "0.6382",
    }


@given(SETTINGS)
def test_against_numpy(setting: Setting) -> None:
    for shortcut in (True, False):
        matrix = directions.jacobian(setting, shortcut)
        sizes, rounded = directions.gains(matrix), floats(matrix)
        singular = np.linalg.svd(rounded, compute_uv=False)
        assert sizes.largest == pytest.approx(singular[0], abs=1e-7)
        assert sizes.smallest == pytest.approx(singular[1], abs=1e-7)
        for value in sizes.eigenvalues:
            shifted = rounded - value * np.eye(2)
            assert abs(np.linalg.det(shifted)) < 1e-8 * (1 + abs(value) ** 2)


@given(SETTINGS)
def test_adding_the_identity_moves_every_eigenvalue_by_exactly_one(setting: Setting) -> None:
    with_it = directions.gains(directions.jacobian(setting)).eigenvalues
    without = directions.gains(directions.jacobian(setting, shortcut=False)).eigenvalues
    for one, other in zip(with_it, without, strict=True):
        assert cmath.isclose(one, 1 + other, abs_tol=1e-6)


@given(SETTINGS)
def test_the_verdict_is_true(setting: Setting) -> None:
    matrix = directions.jacobian(setting)
    largest, smallest = np.linalg.svd(floats(matrix), compute_uv=False)
    holds = {
        "all_wiped": largest == 0,
        "wiped": smallest < 1e-7 < largest,
        "kept": abs(largest - 1) < 1e-7 and abs(smallest - 1) < 1e-7,
        "longer": smallest > 1 - 1e-9,
        "shorter": largest < 1 + 1e-9,
        "not_shorter": abs(smallest - 1) < 1e-7 <= largest,
        "not_longer": abs(largest - 1) < 1e-7,
        "both": smallest < 1 + 1e-9 and largest > 1 - 1e-9,
    }
    assert holds[directions.verdict(matrix)]


@given(SETTINGS)
def test_eigenvalues_mislead_only_where_they_do(setting: Setting) -> None:
    matrix = directions.jacobian(setting)
    sizes = directions.gains(matrix)
    least = min(map(abs, sizes.eigenvalues))
    if directions.eigenvalues_mislead(matrix):
        assert least >= 1 - 1e-7
        assert sizes.smallest <= 1
    elif least > 1 + 1e-7:
        assert sizes.smallest >= 1 - 1e-7


@given(SETTINGS)
def test_the_floor_holds(setting: Setting) -> None:
    """σ_min(I + A) ≥ 1 − ‖A‖₂."""
    promised = 1 - directions.gains(directions.jacobian(setting, shortcut=False)).largest
    assert directions.gains(directions.jacobian(setting)).smallest >= promised - 1e-7
    assert (directions.floor(setting) == "some") == (promised > 1e-9)


@pytest.mark.parametrize(
    ("setting", "word", "misled"),
    [
        (Setting(), "longer", False),
        (Setting(alpha=0.0), "kept", False),
        (Setting(w11=-1.0, w12=0.0, w21=0.0, w22=-1.0), "all_wiped", False),
        (Setting(w11=-1.0, w12=0.0, w21=0.0, w22=0.0), "wiped", False),
        (Setting(w11=-0.4, w12=-0.8, w21=0.8, w22=-0.4), "kept", False),
        (Setting(w11=0.0, w12=1.0, w21=0.0, w22=0.0), "both", True),
        (Setting(w11=-0.5, w12=0.0, w21=0.0, w22=-0.5), "shorter", False),
        (Setting(w11=1.0, w12=0.0, w21=0.0, w22=0.0), "not_shorter", False),
        (Setting(w11=-0.5, w12=0.0, w21=0.0, w22=0.0), "not_longer", False),
    ],
)
def test_each_case(setting: Setting, word: str, misled: bool) -> None:
    matrix = directions.jacobian(setting)
    assert directions.verdict(matrix) == word
    assert directions.eigenvalues_mislead(matrix) is misled


@given(SETTINGS)
def test_every_direction_ends_on_the_ellipse(setting: Setting) -> None:
    rows = directions.by_direction(setting)
    assert set(rows["who"]) == {"start", "residual", "plain"}
    ends = rows.query("who == 'residual'")
    turn = np.radians(ends["turn"].to_numpy())
    expected = floats(directions.jacobian(setting)).T @ [np.cos(turn), np.sin(turn)]
    assert pytest.approx(expected) == ends[["x", "y"]].to_numpy().T
    sizes = directions.gains(directions.jacobian(setting))
    gains = ends["gain"].to_numpy()
    assert gains.max() <= sizes.largest + 1e-7
    assert gains.min() >= sizes.smallest - 1e-7
    where = directions.window_of(setting)
    assert rows["x"].between(where.left, where.left + where.size).all()


@given(SETTINGS)
def test_the_formula_is_well_formed(setting: Setting) -> None:
    formula = directions.spectrum_tex(setting)
    assert formula.count("{") == formula.count("}")
    assert "−" not in formula
