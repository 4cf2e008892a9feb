"""Live training: the verdict is true of any run, and every experiment shows what it says."""

import functools
import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as draw

from core import history
from core import live_training as core
from core.charts import live_training as charts
from core.history import Ending, Epoch, Lights, Step
from core.settings import STRIP_RATES, Settings, hidden_parameters, parameters, strip
from core.words import LANGUAGES, Words
from tests.conftest import open_page

TINY = Settings(depth=2, width=8, epochs=2)


def run(losses: Sequence[Sequence[float]], accuracy: Sequence[float]) -> list[Step]:
    """Return a run of one loss a member, the same at every step of both epochs."""
    steps = [Step(at, list(row)) for at, row in enumerate(losses, 1)]
    epoch = Epoch(list(accuracy), [], [], [], [], [], None)
    steps[-1] = replace(steps[-1], epoch=epoch)
    return steps


def constant(*losses: float, settings: Settings = TINY) -> list[Step]:
    return run([losses] * settings.steps, [0.5] * len(losses))


def test_guessing_among_ten_digits() -> None:
    """Article 2's plateau: ln 10."""
    assert core.guessing(TINY) == pytest.approx(2.302585, abs=1e-6)
    assert core.guessing(Settings(data="spirals")) == pytest.approx(math.log(2))


@pytest.mark.parametrize(
    ("plain", "residual", "keys"),
    [
        (2.3, 0.01, ["outcome.stuck", "outcome.learned", "compare.best", "advice.stuck"]),
        (0.01, 2.3, ["outcome.learned", "outcome.stuck", "compare.best", "advice.stuck"]),
        (0.10, 0.11, ["outcome.learned", "outcome.learned", "compare.same", "advice.same"]),
        (1.50, 0.10, ["outcome.slow", "outcome.learned", "compare.best"]),
        (2.3, 2.3, ["outcome.stuck", "outcome.stuck", "compare.nobody", "advice.stuck"]),
        (
            0.5,
            math.nan,
            ["outcome.learned", "outcome.diverged", "compare.alone", "advice.diverged"],
        ),
        (
            math.inf,
            math.nan,
            ["outcome.diverged"] * 2 + ["compare.all_diverged", "advice.diverged"],
        ),
        (9.0, 1e30, ["outcome.stuck", "outcome.stuck", "compare.nobody", "advice.stuck"]),
    ],
)
def test_the_verdict_follows_the_run(plain: float, residual: float, keys: list[str]) -> None:
    assert [key for key, _ in core.verdict(TINY, constant(plain, residual))] == keys


losses = draw.one_of(draw.floats(0, 50), draw.sampled_from([math.nan, math.inf, 0.0, 2.3026]))


@given(draw.lists(draw.tuples(losses, losses), min_size=TINY.steps, max_size=TINY.steps))
def test_every_sentence_is_true_and_can_be_said_in_both_languages(table: list) -> None:
    rows = run(table, [0.5, 0.5])
    seen = np.array(table)
    last = seen[-TINY.steps_per_epoch :].mean(axis=0)
    for who, outcome, mean, column in zip(
        TINY.contestants, core.outcomes(TINY, rows), last, seen.T, strict=True
    ):
        assert outcome.who == who
        assert (outcome.kind == "diverged") == (not np.isfinite(column).all())
        if outcome.kind == "stuck":
            assert mean >= 0.9 * math.log(10)
        if outcome.kind == "learned":
            assert mean < 0.5 * math.log(10)
    sentences = core.verdict(TINY, rows)
    said = dict(sentences)
    if "compare.best" in said:
        kinds = {outcome.who: outcome for outcome in core.outcomes(TINY, rows)}
        best, worst = (
            kinds[str(said["compare.best"]["who"])],
            kinds[str(said["compare.best"]["other"])],
        )
        assert worst.loss >= 1.25 * best.loss
    for lang in LANGUAGES:
        for key, values in sentences:
            assert Words("live_training", lang)(key, **values)


def test_seeds_that_disagree_are_counted() -> None:
    three = replace(TINY, seeds=3, contestants=("residual",))
    rows = run([[0.1, 2.3, math.nan]] * three.steps, [0.9, 0.1, math.nan])
    key, values = core.verdict(three, rows)[0]
    assert key == "outcome.mixed"
    assert (values["learned"], values["stuck"], values["diverged"]) == (1, 1, 1)


@pytest.mark.parametrize(("without", "key"), [(0.945, "branches.unused"), (0.6, "branches.used")])
def test_what_is_left_without_the_branches(without: float, key: str) -> None:
    rows = constant(2.3, 0.1)
    epoch = Epoch([0.1, 0.95], [], [], [], [], [], None)
    rows[-1] = replace(rows[-1], epoch=epoch, ending=Ending([None, without], [], [], 0.9))
    assert [key for key, _ in core.use_of_depth(TINY, rows)] == [key]


def test_the_first_layers_gradient_against_the_last() -> None:
    lights = Lights([[1e-8, 1.0], [0.0, 0.0]], [[False, False], [True, True]])
    rows = [Step(1, [2.3, 2.3], lights)]
    (first, values), (none, _) = core.first_to_last(TINY, rows)
    assert (first, values["ratio"], none) == ("ratio.first", "1.00×10⁻⁸", "ratio.none")


def test_the_strip_reads_the_last_epoch_and_marks_divergence() -> None:
    short = strip(replace(TINY, epochs=9))
    assert short.epochs <= 6
    members = [0.1] * 5 + [math.nan, 3.0] + [2.3] * 7
    table = core.rates(short, [Step(at, members) for at in range(1, short.steps + 1)])
    assert table["rate"].tolist() == list(STRIP_RATES["SGD"]) * 2
    assert table["diverged"].tolist().count(True) == 1
    (some, values), (none, _) = core.tolerance(short, table)
    assert (some, values["count"], values["high"], none) == ("rates.some", 5, "0.1", "rates.none")


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
    return {outcome.who: outcome.kind for outcome in core.outcomes(*ended(name, seed))}


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
    assert "compare.same" in dict(core.verdict(*ended("three", seed)))


@pytest.mark.parametrize("seed", SEEDS)
def test_a_few_shortcuts_train_but_do_not_use_their_depth(seed: int) -> None:
    sentences = core.use_of_depth(*ended("few", seed))
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
    epoch = rows[-1].epoch
    assert epoch
    assert max(epoch.dead[0]) > 0.5


OPTIONS = {
    charts.lights: (420, 20),
    charts.loss: (("plain", "few", "residual"), 420, 2.3),
    charts.accuracy: (("plain", "residual"), 20, 94.0),
    charts.profile: (("plain", "residual"), 20, "backward"),
    charts.layers: (("plain", "residual"), "moved"),
    charts.rates: (("plain", "residual"), 2.3),
    charts.digits: (),
    charts.surface: (),
}


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("chart", OPTIONS, ids=lambda chart: chart.__name__)
def test_a_chart_is_a_spec_over_named_rows(chart, lang: str) -> None:
    spec = chart(Words("live_training", lang), *OPTIONS[chart]).to_dict()
    assert "'name': 'rows'" in str(spec)


def test_light_maps_share_one_scale_and_a_canvas() -> None:
    spec = charts.lights(Words("live_training", "en"), 420, 20).to_dict()
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
    assert any("8\\.00×10¹¹" in warning.value for warning in app.warning)
    app.button(key="lt_go").click().run()
    assert not app.exception


def test_history_is_thinned_for_the_page() -> None:
    settings, rows = ended("article", 0)
    assert len(history.lights(settings, rows, 0)) <= 120 * settings.layers
