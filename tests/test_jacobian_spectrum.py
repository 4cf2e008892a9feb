"""One Jacobian: eigenvalues slide by 1, singular values do not, and the bound that holds."""

import json

import numpy as np
import pytest
from hypothesis import given

from core import jacobian_spectrum as core
from core.charts import jacobian_spectrum as charts
from core.gradient_claims import BLOCKS
from core.jacobian_families import ORDERS, SHIFT, Blocks, first
from core.words import LANGUAGES, Words
from tests.test_jacobian_families import blocks

SAME = ORDERS[0]


def test_eigenvalues_of_one_do_not_stop_shrinking() -> None:
    """I + J = [[1, 10], [0, 1]]: article 2, 2.3 says the floor of 1 rules this out."""
    found = core.measure(BLOCKS["shear"])
    assert found.least == pytest.approx(0.0990195, rel=1e-6)
    assert (found.nearest, found.inside) == (1, 0)


def test_the_identity_gives_no_floor() -> None:
    """J = −½ I: article 2, 2.3 says that adding I rules this out."""
    found = core.measure(BLOCKS["no_floor"])
    assert (found.least, found.nearest, found.inside) == (0.5, 0.5, 1)


@pytest.mark.parametrize("scale", [0.2, 0.5, 1.0, 1.5])
def test_a_random_gradient_grows_by_one_plus_s_squared(scale: float) -> None:
    """E‖(I + J)ᵀg‖² = 1 + s² for a Gaussian J and a unit vector g."""
    gains = [core.measure(Blocks("s·G", SAME, 50, 0.0, scale, 1, k)).gain for k in range(30)]
    assert np.mean(gains) == pytest.approx(1 + scale**2, rel=0.02)


@given(blocks)
def test_bounds_hold_for_every_family(setting: Blocks) -> None:
    found = core.measure(setting)
    plain, residual = first(setting, "plain"), first(setting, "residual")
    assert residual == pytest.approx(np.eye(setting.d) + plain)
    assert found.least >= found.promise - 1e-9
    assert np.linalg.norm(residual, 2) <= 1 + found.norm + 1e-9
    assert found.slide < 1e-6
    g = np.random.default_rng(0).normal(size=(setting.d, 4000))
    g /= np.linalg.norm(g, axis=0)
    mean = (np.linalg.norm(residual.T @ g, axis=0) ** 2).mean()
    assert found.gain == pytest.approx(mean, rel=0.1, abs=0.02)


@given(blocks)
def test_singular_values_are_roots_of_the_gram_matrix(setting: Blocks) -> None:
    rows = core.singular_values(setting)
    for who in SHIFT:
        matrix = first(setting, who)
        gram = np.sqrt(np.clip(np.linalg.eigvalsh(matrix.T @ matrix), 0, None))[::-1]
        values = rows.query("who == @who")["value"].tolist()
        assert values == pytest.approx(gram, abs=1e-6 * (1 + gram[0]))


@given(blocks)
def test_both_discs_stay_in_view(setting: Blocks) -> None:
    tables = core.spectrum(setting)
    rows, extent = tables["rows"], tables["extent"]
    assert len(rows) == 2 * setting.d
    assert all(rows["re"].between(*extent["re"]).tolist())
    assert all(rows["im"].between(*extent["im"]).tolist())


def test_a_small_matrix_is_written_out() -> None:
    assert core.written_out(BLOCKS["shear"]) == (r"J=\begin{bmatrix}0 & 10 \\ 0 & 0\end{bmatrix}")
    assert core.written_out(BLOCKS["random"]) is None


def test_both_kinds_of_promise_come_up() -> None:
    assert core.promise_verdict(BLOCKS["small"]) == "promise"
    assert core.promise_verdict(BLOCKS["random"]) == "no_promise"


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("chart", [charts.spectrum, charts.singular_values])
def test_charts(chart, lang: str) -> None:
    text = json.dumps(chart(Words("gradient_multiplier", lang)).to_dict(), ensure_ascii=False)
    assert "I + J" in text
