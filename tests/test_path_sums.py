"""Paths: the binomial sum against exact fractions and against a walk over every single path."""

import itertools
import json
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as draw

from core import path_sums as core
from core.charts import path_sums as charts
from core.multiplier import Chain
from core.words import LANGUAGES, Words, catalogue

hundredths = draw.integers(-300, 300)


@given(hundredths, draw.integers(1, 1000))
def test_the_terms_add_up_to_the_power_exactly(a: int, n: int) -> None:
    assert sum(core.terms(Chain(a / 100, n))) == (100 + a) ** n


@given(hundredths, draw.integers(1, 8))
def test_the_terms_are_what_a_walk_over_all_paths_collects(a: int, n: int) -> None:
    by_length = [Fraction(0)] * (n + 1)
    for path in itertools.product((False, True), repeat=n):
        by_length[sum(path)] += math.prod(Fraction(a, 100) for branch in path if branch)
    terms = [Fraction(term, 100**n) for term in core.terms(Chain(a / 100, n))]
    assert terms == by_length


CANCELLATION = [
    # a, n, exact, what floats may give at most, kind
    (-0.9, 20, "1.00×10⁻²⁰", "noise"),
    (-0.9, 100, "1.00×10⁻¹⁰⁰", "noise"),
    (-1.0, 60, "0", "noise"),
    (0.5, 20, "3,325", "good"),
    (-3.0, 1000, "1.07×10³⁰¹", "overflow"),
    (-2.0, 3, "−1", "good"),
]


@pytest.mark.parametrize(("a", "n", "total", "kind"), CANCELLATION)
def test_the_sum_and_what_floats_make_of_it(a: float, n: int, total: str, kind: str) -> None:
    found = core.findings(Chain(a, n))
    assert (found.total, found.kind) == (total, kind)


def test_floats_are_wrong_by_many_orders() -> None:
    assert abs(core.float_sum(Chain(-0.9, 20))) > 1e-13  # true: 1e-20
    assert abs(core.float_sum(Chain(-0.9, 100))) > 1e8  # true: 1e-100
    assert abs(core.float_sum(Chain(-1.0, 60))) >= 1  # true: 0


@given(hundredths, draw.integers(1, 200))
def test_floats_are_called_good_only_when_they_are(a: int, n: int) -> None:
    found = core.findings(Chain(a / 100, n))
    exact = Fraction(100 + a, 100) ** n
    if found.kind == "good":
        assert abs(Fraction(found.floats) - exact) <= abs(exact) / 90 + Fraction(1, 10**300)
    elif found.kind == "noise":
        assert abs(Fraction(found.floats) - exact) >= abs(exact) / 110


@given(hundredths.filter(bool), draw.integers(2, 200))
def test_lengths_are_binomial(a: int, n: int) -> None:
    """Sizes follow Binomial(n, |a| / (1 + |a|)); 2.5 % lie below and above the window at most."""
    found = core.findings(Chain(a / 100, n))
    p = Fraction(abs(a), 100 + abs(a))
    weights = [math.comb(n, k) * p**k * (1 - p) ** (n - k) for k in range(n + 1)]
    assert sum(weights) == 1
    assert sum(weights[: found.low]) < Fraction(1, 40) <= sum(weights[: found.low + 1])
    assert sum(weights[found.high + 1 :]) <= Fraction(1, 40) < sum(weights[found.high :])
    assert found.mean == pytest.approx(float(sum(k * w for k, w in enumerate(weights))))
    shares = core.bars(Chain(a / 100, n))["rows"]["share"]
    assert shares.to_numpy() == pytest.approx(np.array([float(w) for w in weights]))


def test_short_paths_carry_the_gradient_of_54_blocks() -> None:
    """Veit et al. (2016): paths 10 to 34 layers deep are 5 to 17 blocks of two layers."""
    found = core.findings(Chain(0.25, 54))
    assert (found.low, found.high) == (5, 17)
    assert found.mean == pytest.approx(10.8)


@given(hundredths, draw.integers(1, 200))
def test_bars_carry_sign_and_size(a: int, n: int) -> None:
    chain = Chain(a / 100, n)
    tables = core.bars(chain)
    rows, ticks = tables["rows"], tables["ticks"]
    assert np.isfinite(rows["height"]).all()
    assert max(rows["height"].tolist()) > 0
    assert len(ticks) > 1
    for term, height in zip(core.terms(chain), rows["height"], strict=True):
        assert (height < 0) <= (term < 0)
        assert (height > 0) <= (term > 0)
    top = rows.loc[rows["height"].abs().idxmax()]
    sizes = [core.log10(term, n) for term in core.terms(chain)]
    assert sizes[int(top["k"])] == pytest.approx(max(sizes))


def test_a_tick_names_the_size_of_a_bar_as_high() -> None:
    tables = core.bars(Chain(1.0, 1))  # both terms are 1
    assert set(tables["rows"]["height"]) == {1.0}
    ticks = dict(zip(tables["ticks"]["height"], tables["ticks"]["label"], strict=True))
    assert ticks[1] == "1"


def test_the_table_can_be_recomputed_by_hand() -> None:
    rows = core.table(Chain(-0.5, 4))
    assert rows["paths"].tolist() == ["1", "4", "6", "4", "1"]
    assert rows["each"].tolist() == ["1", "−0.5", "0.25", "−0.125", "0.0625"]
    assert rows["term"].tolist() == ["1", "−2", "1.5", "−0.5", "0.0625"]


@given(hundredths, draw.integers(1, 200))
def test_every_sentence_exists_and_fits(a: int, n: int) -> None:
    chain = Chain(a / 100, n)
    names = core.sentences(chain)
    assert all(f"path.{name}" in catalogue("gradient_multiplier") for name in names)
    assert ("cancel" in names) == any(term < 0 for term in core.terms(chain))
    assert ("alone" in names) == (sum(core.terms(chain)) == core.terms(chain)[0] and a == 0)
    say = Words("gradient_multiplier", "en")
    for name in names:
        assert say(f"path.{name}", **core.findings(chain).written(), n=n)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_chart(lang: str) -> None:
    text = json.dumps(charts.bars(Words("gradient_multiplier", lang)).to_dict(), ensure_ascii=False)
    assert '"ticks"' in text
    assert Words("gradient_multiplier", lang)("path.identity") in text


@pytest.mark.parametrize(("a", "n"), [(-0.9, 20), (0.5, 20), (-3.0, 1000)])
def test_the_snippet_runs_and_prints_the_float_sum(
    a: float, n: int, capsys: pytest.CaptureFixture[str]
) -> None:
    exec(core.snippet(Chain(a, n)), {})
    exact, floats = capsys.readouterr().out.splitlines()
    assert exact == "True"
    kind = core.findings(Chain(a, n)).kind
    if kind == "overflow":
        assert floats in ("overflow", "nan", "inf", "-inf")
    else:
        assert float(floats) == pytest.approx(core.float_sum(Chain(a, n)), rel=1, abs=1e-10)
