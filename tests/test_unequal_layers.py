"""Unequal layers: both forms of the product in exact fractions, and the law of the logarithms."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as draw

from core import unequal_layers as core
from core.charts import bands
from core.limits import Refused
from core.multiplier import log10_plain, log10_residual
from core.words import LANGUAGES, Words, catalogue

settings = draw.builds(
    core.Layers,
    mean=draw.integers(-300, 300).map(lambda k: k / 100),
    spread=draw.integers(0, 40).map(lambda k: round(0.05 * k, 2)),
    n=draw.integers(1, 60),
    seed=draw.integers(0, 99),
)


@given(settings)
def test_sum_form_and_product_form_are_the_same_number(layers: core.Layers) -> None:
    rows = core.both_forms(layers)
    assert all(rows["equal"].tolist())
    assert rows["sum"].tolist() == rows["product"].tolist()


def test_the_forms_can_be_recomputed_by_hand() -> None:
    rows = core.both_forms(core.Layers(0.5, 0.0, 3, 0))
    assert rows["term"].tolist() == ["0.5", "0.75", "1.125"]
    assert rows["product"].tolist() == ["1.5", "2.25", "3.375"]


@given(settings)
def test_logarithms_are_those_of_the_product(layers: core.Layers) -> None:
    for who, shift in core.SHIFT.items():
        factors = np.abs(core.draws(layers) + shift)
        product = np.prod(factors.astype(np.longdouble), axis=1)
        with np.errstate(divide="ignore"):
            assert core.logarithms(layers, who)[:, -1] == pytest.approx(
                np.log10(product).astype(float), rel=1e-6, abs=1e-6
            )


@given(settings)
def test_the_root_mean_square_of_the_chains_drawn_is_that_of_their_products(
    layers: core.Layers,
) -> None:
    for who, shift in core.SHIFT.items():
        products = np.prod((core.draws(layers) + shift).astype(np.longdouble), axis=1)
        expected = np.sqrt(np.mean(products**2))
        found = core.drawn_root_mean_square(layers, who)
        assert np.longdouble(10) ** np.longdouble(found) == pytest.approx(expected, rel=1e-6)


def test_rare_chains_carry_a_root_mean_square_that_those_drawn_miss() -> None:
    layers = core.Layers(0.0, 0.5, 50, 0)
    drawn = core.drawn_root_mean_square(layers, "residual")
    assert 5 * 10**drawn < 10 ** core.root_mean_square(layers, "residual")


@given(draw.integers(-300, 300), draw.integers(1, 1000))
def test_without_spread_it_is_the_first_screen(hundredths: int, n: int) -> None:
    layers = core.Layers(hundredths / 100, 0.0, n, 7)
    for who, log10 in (("plain", log10_plain), ("residual", log10_residual)):
        expected = pytest.approx(log10(hundredths / 100, n), rel=1e-9, abs=1e-6)
        assert core.typical(layers, who) == expected
        assert core.root_mean_square(layers, who) == expected
    assert core.verdict(layers) == "equal"


@pytest.mark.parametrize(("mean", "spread"), [(0, 0.5), (0.5, 0.2), (-1, 1), (-1, 0.05), (3, 2)])
def test_the_rate_is_the_mean_logarithm(mean: float, spread: float) -> None:
    factors = mean + spread * np.random.default_rng(1).normal(size=1_000_000)
    for who, shift in core.SHIFT.items():
        logs = np.log10(np.abs(factors + shift))
        error = 5 * logs.std() / 1000
        found = core.rate(core.Layers(mean, spread, 1, 0), who)
        assert found == pytest.approx(logs.mean(), abs=error)


@pytest.mark.parametrize("spread", [0.05, 0.5, 2])
def test_the_rate_around_zero_has_a_closed_form(spread: float) -> None:
    """E ln|z| = −(γ + ln 2)/2 for a standard normal z."""
    found = core.rate(core.Layers(-1.0, spread, 1, 0), "residual")
    closed = (math.log(spread) - (np.euler_gamma + math.log(2)) / 2) / math.log(10)
    assert found == pytest.approx(closed, rel=1e-12)


def test_the_root_mean_square_is_that_of_many_draws() -> None:
    factors = 1 + 0.3 + 0.5 * np.random.default_rng(2).normal(size=2_000_000)
    found = core.root_mean_square(core.Layers(0.3, 0.5, 1, 0), "residual")
    assert 10 ** (2 * found) == pytest.approx(np.mean(factors**2), rel=3e-3)


def test_the_average_misleads() -> None:
    layers = core.Layers(0.0, 0.5, 50, 0)
    assert core.typical(layers, "residual") < -3
    assert core.root_mean_square(layers, "residual") == pytest.approx(25 * math.log10(1.25))
    assert core.verdict(layers) == "split"


@given(settings)
def test_what_is_drawn_and_said(layers: core.Layers) -> None:
    rows = core.by_depth(layers)
    drawn = rows[["low", "middle", "high"]].to_numpy()
    assert not np.isinf(drawn).any()
    finite = drawn[~np.isnan(drawn).any(axis=1)]
    assert (np.diff(finite, axis=1) >= 0).all()
    counts = core.fates(layers).drop(columns="who")
    assert (counts.sum(axis=1) == core.CHAINS).all()
    assert f"unequal.{core.verdict(layers)}" in catalogue("gradient_multiplier")


def test_an_exact_zero_is_marked_and_not_drawn() -> None:
    rows = core.by_depth(core.Layers(-1.0, 0.0, 5, 0))
    residual = rows.query("who == 'residual'")
    assert residual["zero"].tolist() == [False] + [True] * 5
    assert np.isnan(residual["middle"].tolist()).tolist() == [False] + [True] * 5
    assert core.fates(core.Layers(-1.0, 0.0, 5, 0))["zero"].tolist() == [0, core.CHAINS]


@pytest.mark.parametrize("broken", [(3.1, 0, 1, 0), (0, -0.1, 1, 0), (0, 1, 0, 0), (0, 1, 1, 100)])
def test_what_is_out_of_range_is_refused(broken: tuple) -> None:
    with pytest.raises(Refused):
        core.Layers(*broken)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_chart(lang: str) -> None:
    spec = bands.over_depth(Words("gradient_multiplier", lang)).to_dict()
    assert {layer["mark"]["type"] for layer in spec["layer"]} == {"rule", "line", "area", "point"}


@pytest.mark.parametrize("layers", [core.Layers(0.5, 0.3, 20, 3), core.Layers(-0.2, 0.5, 400, 0)])
def test_the_snippet_prints_the_first_chain(
    layers: core.Layers, capsys: pytest.CaptureFixture[str]
) -> None:
    exec(core.snippet(layers), {})
    lines = capsys.readouterr().out.splitlines()
    for line, who in zip(lines, core.SHIFT, strict=True):
        name, printed = line.split()
        assert name == who
        assert float(printed) == pytest.approx(core.logarithms(layers, who)[0, -1], abs=1e-9)
