"""Ceilings: slopes against differences and autograd, chains that really run, what is said."""

import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as draw

from core import activation_ceilings as core
from core import chain_gradient
from core.activation_ceilings import Neurons
from core.charts import activation_ceilings as charts
from core.gradient_claims import NEURONS
from core.limits import Refused
from core.words import LANGUAGES, Words, catalogue

names = draw.sampled_from(sorted(core.CEILING))
neurons = draw.builds(
    Neurons,
    activation=names,
    w=draw.integers(0, 80).map(lambda k: k / 10),
    x=draw.integers(-20, 20).map(lambda k: k / 10),
    n=draw.integers(1, 120),
)


@given(names, draw.floats(-8, 8))
def test_slopes_agree_with_central_differences_and_stay_below_the_ceiling(
    name: str, z: float
) -> None:
    step = 1e-6
    if name == "ReLU" and abs(z) < 2 * step:
        return
    difference = (core.activate(name, z + step) - core.activate(name, z - step)) / (2 * step)
    assert core.derivative(name, z) == pytest.approx(difference, abs=1e-8)
    assert 0 <= core.derivative(name, z) <= core.CEILING[name]


@pytest.mark.parametrize(("name", "top"), [("sigmoid", 0.25), ("tanh", 1.0), ("ReLU", 1.0)])
def test_ceilings_are_reached(name: str, top: float) -> None:
    """Article 2, section 2.1."""
    assert core.derivative(name, 1e-12) == pytest.approx(top)
    assert core.CEILING[name] == top


@given(neurons)
def test_the_chain_agrees_with_autograd(setting: Neurons) -> None:
    for shortcut in (False, True):
        layers = chain_gradient.activated(setting.activation, setting.w, setting.n, shortcut)
        found = chain_gradient.log10_gradient(layers, setting.x)
        assert core.logarithms(setting, shortcut)[-1] == pytest.approx(found, rel=1e-6, abs=1e-6)


@given(neurons)
def test_the_plain_chain_stays_below_its_ceiling_and_the_residual_one_above_1(
    setting: Neurons,
) -> None:
    top = core.ceiling(setting)
    bound = setting.n * math.log10(top) if top else -math.inf
    assert core.logarithms(setting, False)[-1] <= bound + 1e-9
    assert core.logarithms(setting, True)[-1] >= 0


def test_a_ceiling_above_one_is_not_growth() -> None:
    setting = NEURONS["above_one"]
    assert core.ceiling(setting) == 2
    assert core.logarithms(setting, False)[-1] < -49
    assert core.verdict(setting) == "above_shrinks"


def test_a_dead_relu_passes_exactly_nothing_and_the_shortcut_everything() -> None:
    """Article 2, section 5.2: the shortcut keeps the gradient, the branch learns nothing."""
    setting = NEURONS["dead"]
    assert core.logarithms(setting, False)[-1] == -math.inf
    assert core.logarithms(setting, True)[-1] == 0
    rows = core.by_depth(setting)
    assert rows[rows["who"] == "plain"]["zero"].tolist() == [False] + [True] * 20
    assert not np.isinf(rows["log10"].to_numpy()).any()


@given(neurons)
def test_the_verdict_is_true(setting: Neurons) -> None:
    name, plain = core.verdict(setting), core.logarithms(setting, False)[-1]
    top = core.ceiling(setting)
    assert (name == "dead") == (plain == -math.inf)
    assert name != "below" or (top < 1 and plain < 0)
    assert name != "one" or plain <= 1e-9
    assert name != "above_grows" or (top > 1 and plain > 0)
    assert name != "above_shrinks" or (top > 1 and plain <= 0)
    assert f"ceiling.{name}" in catalogue("gradient_multiplier")


def test_every_verdict_can_come_up() -> None:
    found = {
        core.verdict(Neurons(name, w, x, 3))
        for name in core.CEILING
        for w in (0.0, 0.5, 1.0, 4.0, 8.0)
        for x in (-1.0, 0.0, 0.5)
    }
    assert found == {"dead", "below", "one", "above_grows", "above_shrinks"}


@given(neurons)
def test_curve_is_the_factor_of_one_layer(setting: Neurons) -> None:
    rows = core.curve(setting).pivot(index="z", columns="who", values="factor")
    assert (rows["residual"] - rows["plain"]).to_numpy() == pytest.approx(np.ones(121))
    assert max(rows["plain"].tolist()) <= core.ceiling(setting) + 1e-12


@pytest.mark.parametrize("broken", [("GELU", 1, 0, 1), ("tanh", -1, 0, 1), ("tanh", 1, 3, 1)])
def test_what_the_controls_do_not_offer_is_refused(broken: tuple) -> None:
    with pytest.raises(Refused):
        Neurons(*broken)


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("chart", [charts.curve, charts.by_depth])
def test_charts(chart, lang: str) -> None:
    say = Words("gradient_multiplier", lang)
    assert say("residual") in json.dumps(chart(say).to_dict(), ensure_ascii=False)


@pytest.mark.parametrize("name", NEURONS)
def test_the_snippet_prints_the_numbers_of_the_page(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    exec(core.snippet(NEURONS[name]), {})
    lines = capsys.readouterr().out.splitlines()
    for line, shortcut in zip(lines, (False, True), strict=True):
        expected = core.logarithms(NEURONS[name], shortcut)[-1]
        assert float(line.split()[1]) == pytest.approx(expected, abs=1e-9)
