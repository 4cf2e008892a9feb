"""The Jacobian I + αJ_F: numpy's decompositions and autograd as oracles, the facts' numbers."""

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as draw

from core import scaled_jacobian as core
from core.limits import Refused

TENTHS = draw.integers(-100, 100).map(lambda k: k / 10)
ALPHAS = draw.integers(-20, 40).map(lambda k: round(k * 0.05, 2))
SCALINGS = draw.builds(core.Scaling, TENTHS, TENTHS, TENTHS, TENTHS, ALPHAS)
FEW = draw.sampled_from([-1.0, 0.0, 0.5, 1.0])
SPECIAL = draw.builds(core.Scaling, FEW, FEW, FEW, FEW, draw.sampled_from([-1.0, 1.0, 2.0]))


def matrix(scaling: core.Scaling) -> np.ndarray:
    entries = [[scaling.j11, scaling.j12], [scaling.j21, scaling.j22]]
    return np.eye(2) + scaling.alpha * np.array(entries)


def points(table: pd.DataFrame) -> list[np.ndarray]:
    """Return the inputs and the outputs in a table, one row a point."""
    halves = (table.query(f"who == '{who}'") for who in ("identity", "residual"))
    return [np.array([half["x"].tolist(), half["y"].tolist()]).T for half in halves]


@pytest.mark.parametrize(
    ("preset", "verdict", "largest", "smallest", "where"),
    [
        ("gentle", "kept", 1.3211, 1.0975, "article 1, section 4's W"),
        ("minus_x", "wiped", 0, 0, "article 1, section 7"),
        ("forget", "collapsed", 1, 0, "one component gone"),
        ("turn", "kept", 2**0.5, 2**0.5, "√(1 + α²)"),
        ("shear", "shrinks", 10.099, 0.0990, "both eigenvalues are 1, article 2, 2.3 errs"),
    ],
)
def test_golden(preset: str, verdict: str, largest: float, smallest: float, where: str) -> None:
    scaling = core.PRESETS[preset]
    assert core.verdict(scaling) == verdict
    found = core.singular_values(core.block(scaling))
    assert found == pytest.approx((largest, smallest), abs=1e-4), where


def test_a_shear_has_eigenvalues_one_and_shrinks_all_the_same() -> None:
    shear = core.block(core.PRESETS["shear"])
    assert core.eigenvalues(shear) == (1, 1)
    assert core.eigenvalues_text(shear) == "1, 1"
    assert core.eigenvalues_text(core.block(core.PRESETS["gentle"])) == "1.2 ± 0.1i"


@given(draw.one_of(SCALINGS, SPECIAL))
def test_closed_forms_agree_with_numpy(scaling: core.Scaling) -> None:
    largest, smallest = core.singular_values(core.block(scaling))
    want = np.linalg.svd(matrix(scaling), compute_uv=False)
    assert (largest, smallest) == pytest.approx(tuple(want), abs=1e-9)
    got = sorted(core.eigenvalues(core.block(scaling)), key=lambda z: (z.real, z.imag))
    want = sorted(np.linalg.eigvals(matrix(scaling)), key=lambda z: (z.real, z.imag))
    assert np.poly(got) == pytest.approx(np.poly(want), abs=1e-8)
    assert float(core.determinant(core.block(scaling))) == pytest.approx(
        np.linalg.det(matrix(scaling)), abs=1e-9
    )


@given(draw.one_of(SCALINGS, SPECIAL))
def test_the_floor_is_a_floor(scaling: core.Scaling) -> None:
    """Article 2, 2.2 and 2.3 promise more; `σ_min(I + αJ_F) ≥ 1 − |α|·‖J_F‖₂` is what holds."""
    assert core.singular_values(core.block(scaling))[1] >= core.floor(scaling) - 1e-12


@given(draw.one_of(SCALINGS, SPECIAL))
def test_the_verdict_is_true(scaling: core.Scaling) -> None:
    largest, smallest = np.linalg.svd(matrix(scaling), compute_uv=False)
    verdict = core.verdict(scaling)
    assert (verdict == "wiped") == (largest < 1e-9)
    assert (verdict in ("wiped", "collapsed")) == (smallest < 1e-9)
    if abs(smallest - 1) > 1e-9:
        assert (verdict == "kept") == (smallest > 1)


@given(draw.one_of(SCALINGS, SPECIAL))
def test_the_ring_is_moved_by_the_block_and_stays_in_the_window(scaling: core.Scaling) -> None:
    tables = core.ring(scaling)
    inputs, outputs = points(tables["rows"])
    assert np.hypot(*inputs.T) == pytest.approx(1)
    assert outputs == pytest.approx(inputs @ matrix(scaling).T, abs=1e-9)
    assert np.abs(outputs).max() <= core.window(scaling)
    before, after = points(tables["weakest"])
    assert np.hypot(*before.T) == pytest.approx(1)
    smallest = np.linalg.svd(matrix(scaling), compute_uv=False)[1]
    assert np.hypot(*after.T) == pytest.approx(smallest, abs=1e-9)


@given(SCALINGS)
def test_by_alpha_passes_through_the_present_block(scaling: core.Scaling) -> None:
    rows = core.by_alpha(scaling).query("here")
    assert rows["which"].tolist() == ["largest", "smallest", "floor"]
    floor = core.floor(scaling)
    want = [*core.singular_values(core.block(scaling)), floor if floor > 0 else math.nan]
    assert rows["value"].tolist() == pytest.approx(want, nan_ok=True)


@pytest.mark.parametrize("name", core.PRESETS)
def test_the_snippet_takes_the_same_numbers_from_autograd(name: str) -> None:
    scope: dict = {}
    exec(core.snippet(core.PRESETS[name]), scope)
    found = core.singular_values(core.block(core.PRESETS[name]))
    assert scope["sigma"].tolist() == pytest.approx(found, abs=1e-9)
    assert scope["floor"].item() == pytest.approx(core.floor(core.PRESETS[name]))


def test_the_formula_holds_the_readers_numbers() -> None:
    tex = core.tex(core.PRESETS["gentle"])
    assert r"\begin{pmatrix}1.1 & 0.2 \\ -0.1 & 1.3\end{pmatrix}" in tex


@pytest.mark.parametrize(
    "entries", [(10.1, 0, 0, 0, 1), (0, 0, 0, 0, 2.05), (0, math.nan, 0, 0, 1)]
)
def test_what_is_out_of_range_is_refused(entries: tuple) -> None:
    with pytest.raises(Refused):
        core.Scaling(*entries)
