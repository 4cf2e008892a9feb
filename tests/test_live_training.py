"""Live training: the verdict is true of any run, and every experiment shows what it says."""

import functools
import math
from dataclasses import replace
from urllib.parse import unquote
from xml.etree import ElementTree

import numpy as np
import pytest

from core import history, verdict
from core import live_training as core
from core.charts import live_training as charts
from core.datasets import load
from core.records import Ending, Step
from core.settings import STRIP_RATES, Settings, hidden_parameters, parameters, strip
from core.words import LANGUAGES, Words
from tests.conftest import open_page

TINY = Settings(depth=2, width=8, epochs=2)


def test_the_strip_reads_the_last_epoch_and_marks_divergence() -> None:
    short = strip(replace(TINY, epochs=9))
    assert short.epochs <= 6
    members = [0.1] * 5 + [math.nan, 3.0] + [2.3] * 7
    table = core.rates(short, [Step(at, members) for at in range(1, short.steps + 1)])
    assert table["rate"].tolist() == list(STRIP_RATES["SGD"]) * 2
    assert table["diverged"].tolist().count(True) == 1
    (some, values), (none, _) = verdict.tolerance(short, table)
    assert (some, values["count"], values["high"], none) == ("rates.some", 5, "0.1", "rates.none")


def test_each_picture_is_the_digit_beside_it() -> None:
    data, shown = load("digits"), [0, 7, 3]
    ending = Ending([None, None], shown, [[1, 2, -1], [4, 5, 6]], 0.9)
    table = core.answers(TINY, ending)
    assert table["truth"].tolist() == [str(data.test_y[row]) for row in shown]
    assert table["plain"].tolist() == ["1", "2", "NaN"]
    for row, address in zip(shown, table["picture"], strict=True):
        drawing = unquote(address.removeprefix("data:image/svg+xml,"))
        squares = ElementTree.fromstring(drawing)[1:]
        ink = np.zeros((8, 8))
        for square in squares:
            place = int(square.attrib["y"]), int(square.attrib["x"])
            ink[place] = float(square.attrib["fill-opacity"])
        pixels = data.test_x[row].reshape(8, 8)
        assert np.corrcoef(ink.ravel(), pixels.ravel())[0, 1] > 0.999
        assert (ink.min(), ink.max()) == (0, 1)


def test_the_articles_own_pair_is_unfair() -> None:
    """Article 2, 4.1: "the same structure" is 330,240 against 660,480 hidden parameters."""
    unfair = core.PRESETS["as_written"]
    counts = {name: hidden_parameters(unfair, name) for name in unfair.contestants}
    assert counts == {"plain_half": 330_240, "residual": 660_480}
    fair = core.PRESETS["article"]
    assert parameters(fair, "plain") == parameters(fair, "residual")


SEEDS = [0, 1]


@functools.cache
def ended(name: str, seed: int) -> tuple[Settings, list[Step]]:
    """Run an experiment: whole with its own seed; with another one half of it, if it is long."""
    from core.training import train

    settings = core.PRESETS[name]
    if seed:
        half = 1 if settings.data == "spirals" else 2
        settings = replace(settings, seed=seed, epochs=settings.epochs // half)
    return settings, list(train(settings))


def kinds(name: str, seed: int) -> dict[str, str]:
    return {outcome.who: outcome.kind for outcome in verdict.outcomes(*ended(name, seed))}


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("article", {"plain": {"stuck"}, "residual": {"learned"}}),
        ("as_written", {"plain_half": {"stuck"}, "residual": {"learned"}}),
        ("fifty", {"plain": {"stuck"}, "residual": {"learned"}}),
        ("few", {"plain": {"stuck"}, "few": {"learned"}, "residual": {"learned"}}),
        ("three", {"plain": {"learned"}, "residual": {"learned"}}),
        ("explodes", {"plain": {"stuck", "slow", "learned"}, "residual": {"diverged"}}),
        ("plain_learns", {"plain": {"learned"}, "residual": {"learned"}}),
        ("sigmoid", {"plain": {"stuck"}}),
        ("rate", {"plain": {"diverged"}, "residual": {"diverged"}}),
        ("spirals", {"plain": {"stuck"}, "residual": {"learned"}}),
    ],
)
def test_an_experiment_shows_what_its_name_says(
    name: str, expected: dict[str, set[str]], seed: int
) -> None:
    found = kinds(name, seed)
    for who, allowed in expected.items():
        assert found[who] in allowed


@pytest.mark.parametrize("seed", SEEDS)
def test_three_layers_show_no_difference(seed: int) -> None:
    assert "compare.same" in dict(verdict.verdict(*ended("three", seed)))


@pytest.mark.parametrize("seed", SEEDS)
def test_a_few_shortcuts_train_but_do_not_use_their_depth(seed: int) -> None:
    sentences = verdict.use_of_depth(*ended("few", seed))
    assert [(key, values["who"]) for key, values in sentences] == [
        ("branches.unused", "few"),
        ("branches.used", "residual"),
    ]


@pytest.mark.parametrize("seed", SEEDS)
def test_the_cures_cure(seed: int) -> None:
    found = kinds("cures", seed)
    assert found.pop("residual") == "diverged"
    assert set(found.values()) == {"learned"}


@pytest.mark.parametrize("seed", SEEDS)
def test_batch_normalisation_alone_lets_the_gradient_grow_towards_the_input(seed: int) -> None:
    from core.training import train

    settings = replace(core.PRESETS["bn"], seed=seed)
    lights = next(train(settings)).lights
    assert lights
    norms = dict(zip(settings.contestants, lights.norms, strict=True))
    alone, both = norms["plain_bn"], norms["residual_bn"]
    assert alone[0] / alone[-1] > 100
    assert both[0] / both[-1] < 0.1 * alone[0] / alone[-1]


def test_with_batch_normalisation_the_shortcut_still_decides() -> None:
    found = kinds("bn", 1)
    assert found["plain"] == "stuck"
    assert found["plain_bn"] != "learned"
    assert found["residual_bn"] == "learned"


@pytest.mark.parametrize("seed", SEEDS)
def test_a_large_rate_kills_units(seed: int) -> None:
    _, rows = ended("dead", seed)
    look = rows[-1].layers
    assert look
    plain, residual = (sum(shares) / len(shares) for shares in look.dead)
    assert plain > 0.5
    assert 0.3 < residual < plain
    assert kinds("dead", seed)["plain"] != "learned"
    assert kinds("dead", seed)["residual"] == "learned"


OPTIONS = {
    charts.lights: ("plain", 420, 20),
    charts.loss: (("plain", "few", "residual"), 420, 2.3, 3),
    charts.accuracy: (("plain", "residual"), 20, 94.0),
    charts.profile: (("plain", "residual"), 20, "backward"),
    charts.layers: (("plain", "residual"), "moved"),
    charts.rates: (("plain", "residual"), (0.01, 0.1), 2.3),
    charts.surface: (),
}


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("chart", OPTIONS, ids=lambda chart: chart.__name__)
def test_a_chart_is_a_spec_over_named_rows(chart, lang: str) -> None:
    spec = chart(Words("live_training", lang), *OPTIONS[chart]).to_dict()
    for name in (*history.PARTS, "marked") if chart is charts.lights else ["rows"]:
        assert f"'name': '{name}'" in str(spec)


def test_light_maps_share_one_scale_and_a_canvas() -> None:
    spec = charts.lights(Words("live_training", "en"), "plain", 420, 20).to_dict()
    assert spec["usermeta"]["embedOptions"]["renderer"] == "canvas"
    scale = spec["layer"][0]["encoding"]["color"]["scale"]
    assert (scale["domain"], scale["clamp"]) == ([charts.DARK, charts.BRIGHT], True)


def test_the_page_shows_the_labs_own_run_at_once_and_says_whose_it_is() -> None:
    app = open_page("live_training", lt_depth=5000, lt_epochs=2)
    assert not app.exception
    assert any("lt_depth=5000" in code.value for code in app.code)
    assert any("The lab's own run" in caption.value for caption in app.caption)


def test_too_much_work_is_refused_with_a_sentence() -> None:
    app = open_page("live_training", lt_depth=100, lt_width=256, lt_seeds=5)
    assert not app.exception
    assert any("1\\.00×10¹²" in warning.value for warning in app.warning)
    app.button(key="lt_go").click().run()
    assert not app.exception
    assert len(app.warning) == 1
    app.slider(key="lt_depth").set_value(2).run()
    assert not app.exception
    assert not app.warning


def test_history_is_thinned_for_the_page() -> None:
    settings, rows = ended("article", 0)
    assert len(history.lights(settings, rows, 0)["step"]) <= 85 * settings.layers
