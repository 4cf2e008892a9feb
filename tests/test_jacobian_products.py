"""Matrices: the counterexamples, each bound on random families, and exact arithmetic for 2 × 2."""

import json
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as draw

from core import jacobian_products as core
from core.charts import jacobian_products as charts
from core.gradient_claims import BLOCKS
from core.jacobian_products import Blocks
from core.limits import Refused
from core.words import LANGUAGES, Words, catalogue

SAME, ALTERNATE, FRESH = core.ORDERS


def any_blocks(families: tuple[str, ...], sizes: tuple[int, ...]) -> draw.SearchStrategy[Blocks]:
    return draw.builds(
        Blocks,
        family=draw.sampled_from(families),
        order=draw.sampled_from(core.ORDERS),
        d=draw.sampled_from(sizes),
        eigenvalue=draw.integers(-40, 40).map(lambda k: round(0.05 * k, 2)),
        scale=draw.integers(0, 60).map(lambda k: round(0.05 * k, 2)),
        n=draw.integers(1, 12),
        seed=draw.integers(0, 99),
    )


blocks = any_blocks(core.FAMILIES, (2, 3, 6, 10))


def norm_at(setting: Blocks, n: int, who: str = "plain", side: str = "high") -> float:
    rows = core.by_depth(setting).set_index(["who", "layers"])
    return 10 ** rows.loc[(who, n)][side]


def test_radius_zero_explodes() -> None:
    """A = [[0, 2], [0, 0]] and its transpose: article 2, 2.1 says the product shrinks."""
    assert core.first(BLOCKS["radius_zero"], "plain").tolist() == [[0, 2], [0, 0]]
    assert core.last(BLOCKS["radius_zero"], "plain", "high") == pytest.approx(np.log10(1_048_576))
    assert core.measure(BLOCKS["radius_zero"]).radius_high == 0
    assert core.radius_verdict(BLOCKS["radius_zero"]) == "grows"


@pytest.mark.parametrize(("k", "norm"), [(1, 5.2), (5, 16.4), (10, 19.4), (50, 1.4)])
def test_one_matrix_of_radius_below_one_first_grows(k: int, norm: float) -> None:
    direct = np.linalg.norm(np.linalg.matrix_power(np.array([[0.9, 5], [0, 0.9]]), k), 2)
    assert norm_at(BLOCKS["hump"], k) == pytest.approx(direct, rel=1e-12)
    assert round(direct, 1) == norm


def test_fifty_nilpotent_factors_grow() -> None:
    assert core.last(BLOCKS["nilpotent"], "plain", "high") > 6
    assert core.measure(BLOCKS["nilpotent"]).radius_high == 0


def test_projections_of_radius_two_shrink() -> None:
    found = core.measure(BLOCKS["projections"])
    assert found.radius_low == pytest.approx(2)
    assert core.last(BLOCKS["projections"], "plain", "high") < -40
    assert core.radius_verdict(BLOCKS["projections"]) == "shrinks"


def test_eigenvalues_of_one_do_not_stop_shrinking() -> None:
    """I + J = [[1, 10], [0, 1]]: article 2, 2.3 says the floor of 1 rules this out."""
    found = core.measure(BLOCKS["shear"])
    assert found.least == pytest.approx(0.0990195, rel=1e-6)
    assert (found.nearest, found.inside) == (1, 0)


def test_the_identity_gives_no_floor() -> None:
    found = core.measure(BLOCKS["no_floor"])
    assert (found.least, found.nearest, found.inside) == (0.5, 0.5, 1)
    assert core.last(BLOCKS["no_floor"], "residual", "high") == pytest.approx(50 * np.log10(0.5))
    lower = Blocks("s·Q", SAME, 3, -0.9, 0.0, 20, 0)
    assert norm_at(lower, 20) == pytest.approx(0.9**20)
    assert norm_at(lower, 20, "residual") == pytest.approx(1e-20)


def test_rotations_lose_nothing_without_a_shortcut() -> None:
    for side in ("high", "low"):
        assert core.last(BLOCKS["rotations"], "plain", side) == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize("scale", [0.2, 0.5, 1.0, 1.5])
def test_a_random_gradient_grows_by_one_plus_s_squared(scale: float) -> None:
    """E‖(I + J)ᵀg‖² = 1 + s² for a Gaussian J and a unit vector g."""
    gains = [core.measure(Blocks("s·G", SAME, 50, 0.0, scale, 1, k)).gain for k in range(30)]
    assert np.mean(gains) == pytest.approx(1 + scale**2, rel=0.02)


@given(blocks)
def test_bounds_hold_for_every_family(setting: Blocks) -> None:
    found = core.measure(setting)
    plain, residual = core.first(setting, "plain"), core.first(setting, "residual")
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
    for who in core.SHIFT:
        matrix = core.first(setting, who)
        gram = np.sqrt(np.clip(np.linalg.eigvalsh(matrix.T @ matrix), 0, None))[::-1]
        values = rows.query("who == @who")["value"].tolist()
        assert values == pytest.approx(gram, abs=1e-6 * (1 + gram[0]))


@given(blocks)
def test_the_norm_is_that_of_the_product(setting: Blocks) -> None:
    for who in core.SHIFT:
        product = np.eye(setting.d)
        for index in range(setting.n):
            product = core.layer(setting, index, who).matrix @ product
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
    for who in core.SHIFT:
        determinant = Fraction(1)
        for index in range(setting.n):
            (a, b), (c, d) = core.layer(setting, index, who).matrix.tolist()
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
    tables = core.spectrum(setting)
    rows, extent = tables["rows"], tables["extent"]
    assert len(rows) == 2 * setting.d
    assert rows["re"].between(*extent["re"]).all()
    assert rows["im"].between(*extent["im"]).all()
    assert not np.isinf(core.by_depth(setting)[["low", "middle", "high"]].to_numpy()).any()
    phrases = catalogue("gradient_multiplier")
    for key in (
        f"radius.{core.radius_verdict(setting)}",
        f"matrix.{core.promise_verdict(setting)}",
    ):
        assert key in phrases
        assert Words("gradient_multiplier", "zh")(key, **core.written(setting))


def test_both_kinds_of_promise_come_up() -> None:
    assert core.promise_verdict(BLOCKS["small"]) == "promise"
    assert core.promise_verdict(BLOCKS["random"]) == "no_promise"
    assert core.radius_verdict(BLOCKS["small"]) == "agrees"


BROKEN = [
    ("s·X", SAME, 2, 0.0, 1.0, 1, 0),
    ("s·G", "J", 2, 0.0, 1.0, 1, 0),
    ("s·G", SAME, 1000, 0.0, 1.0, 1, 0),
    ("s·G", SAME, 2, 2.1, 1.0, 1, 0),
    ("s·G", SAME, 2, 0.0, 11.0, 1, 0),
    ("s·G", SAME, 2, 0.0, 1.0, 101, 0),
    ("s·G", SAME, 2, 0.0, 1.0, 1, -1),
]


@pytest.mark.parametrize("broken", BROKEN)
def test_what_the_controls_do_not_offer_is_refused(broken: tuple) -> None:
    with pytest.raises(Refused):
        Blocks(*broken)


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("chart", [charts.spectrum, charts.singular_values])
def test_charts(chart, lang: str) -> None:
    text = json.dumps(chart(Words("gradient_multiplier", lang)).to_dict(), ensure_ascii=False)
    assert "I + J" in text


@pytest.mark.parametrize("name", BLOCKS)
def test_the_snippet_prints_the_numbers_of_the_page(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    exec(core.snippet(BLOCKS[name]), {})
    lines = capsys.readouterr().out.splitlines()
    norm, least, nearest = (float(line.split()[-1]) for line in lines[:3])
    found = core.measure(BLOCKS[name])
    assert norm == pytest.approx(found.norm)
    assert least == pytest.approx(found.least, abs=1e-9)
    assert nearest == pytest.approx(found.nearest, abs=1e-6)
    assert lines[3] == "autograd agrees True"
