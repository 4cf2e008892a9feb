"""Residual explorer: the articles' numbers, exact fractions, torch as the oracle, the page."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as draw

from core import residual_explorer as core
from core.charts import residual_explorer as charts
from core.limits import Refused
from core.words import LANGUAGES, Words
from tests.conftest import open_page

ARTICLE = core.PRESETS["article"]
TENTHS = draw.integers(-100, 100).map(lambda k: k / 10)


@draw.composite
def blocks(choose: draw.DrawFn) -> core.Block:
    size = choose(draw.integers(core.SIZE_LOW, core.SIZE_HIGH))
    vector = draw.tuples(*[TENTHS] * size)
    alpha = choose(draw.sampled_from(core.alphas()))
    return core.Block(choose(vector), choose(vector), choose(vector), alpha)


def test_golden() -> None:
    """Article 1, section 2."""
    assert [float(value) for value in core.output(ARTICLE)] == [2.5, 4.8, 3.1]
    assert core.table(ARTICLE)["H − x"].tolist() == [0.5, -0.2, 0.1]
    found = core.misses(ARTICLE)
    assert found.plain == pytest.approx(math.sqrt(38))  # 6.16: what F alone misses H by
    assert found.residual == 0
    assert found.to_learn_plain == pytest.approx(math.sqrt(38.9))
    assert found.to_learn_residual == pytest.approx(math.sqrt(0.3))


@pytest.mark.parametrize(
    ("name", "verdict", "lesson"),
    [
        ("article", "hit", "smaller"),
        ("half_way", "closer", "smaller"),
        ("identity", "hit", "nothing"),
        ("wrong_way", "closer", "smaller"),
        ("wiped", "closer", "smaller"),
        ("far", "hit", "larger"),
        ("eight", "hit", "smaller"),
    ],
)
def test_a_preset_teaches_what_it_is_named_after(name: str, verdict: str, lesson: str) -> None:
    found = core.misses(core.PRESETS[name])
    assert (found.verdict, found.lesson) == (verdict, lesson)


def test_minus_x_wipes_the_input_out() -> None:
    """Article 1, section 7."""
    assert core.output(core.PRESETS["wiped"]) == [0, 0, 0]


def test_the_wrong_way_is_worse_than_no_update() -> None:
    found = core.misses(core.PRESETS["wrong_way"])
    assert found.residual == pytest.approx(2 * found.start)


@given(blocks())
def test_distances_agree_with_floats(block: core.Block) -> None:
    x, update, target = map(np.array, (block.x, block.update, block.target))
    found = core.misses(block)
    norm = np.linalg.norm
    assert found.plain == pytest.approx(norm(update - target), abs=1e-9)
    assert found.residual == pytest.approx(norm(x + block.alpha * update - target), abs=1e-9)
    assert found.start == found.to_learn_residual == pytest.approx(norm(target - x), abs=1e-9)
    assert found.to_learn_plain == pytest.approx(norm(target), abs=1e-9)


@given(blocks())
def test_verdicts_say_what_the_numbers_say(block: core.Block) -> None:
    found = core.misses(block)
    truth = {
        "both": found.plain == found.residual == 0,
        "hit": found.residual == 0 < found.plain,
        "closer": 0 < found.residual < found.plain,
        "tie": 0 < found.residual == found.plain,
        "farther": found.residual > found.plain,
    }
    assert [name for name, holds in truth.items() if holds] == [found.verdict]
    truth = {
        "nothing": found.to_learn_residual == 0,
        "smaller": 0 < found.to_learn_residual < found.to_learn_plain,
        "tie": 0 < found.to_learn_residual == found.to_learn_plain,
        "larger": found.to_learn_residual > found.to_learn_plain,
    }
    assert [name for name, holds in truth.items() if holds] == [found.lesson]


@given(blocks())
def test_by_alpha_meets_the_block_and_no_alpha_beats_the_best(block: core.Block) -> None:
    rows = core.by_alpha(block)
    here, found = rows.query("here"), core.misses(block)
    assert here["who"].tolist() == ["plain", "residual"]
    assert here["miss"].tolist() == pytest.approx([found.plain, found.residual])
    best = core.best_alpha(block)
    if best is not None:
        x, update, target = (core.exact(v) for v in (block.x, block.update, block.target))
        nearest = core.apart([a + best * f for a, f in zip(x, update, strict=True)], target)
        smallest = min(rows.query("who == 'residual'")["miss"].tolist())
        assert math.sqrt(nearest) <= smallest + 1e-12


def test_without_update_no_alpha_is_best() -> None:
    assert core.best_alpha(core.PRESETS["identity"]) is None


def test_decimals_are_read_as_the_fractions_they_stand_for() -> None:
    assert core.exact((0.1, -0.3)) == [Fraction(1, 10), Fraction(-3, 10)]


@given(blocks())
def test_the_picture_starts_and_ends_where_the_numbers_do(block: core.Block) -> None:
    rows = core.by_component(block)
    way = rows[rows["what"] == "branch"]
    assert way["start"].tolist() == list(block.x)
    assert way["end"].tolist() == [float(value) for value in core.output(block)]
    low, high = core.extent(block)["start"]
    ends = rows[["start", "end"]].to_numpy()
    assert low <= ends.min()
    assert ends.max() <= high


@pytest.mark.parametrize(
    ("x", "update", "alpha"),
    [
        ((1.0,), (1.0,), 1.0),
        ((1.0, 2.0), (1.0, 2.0, 3.0), 1.0),
        ((1.0, math.nan), (1.0, 2.0), 1.0),
        ((1.0, 2.0), (1.0, 10.1), 1.0),
        ((1.0, 2.0), (1.0, 2.0), 2.01),
    ],
)
def test_what_is_out_of_range_is_refused(x: core.Vector, update: core.Vector, alpha: float) -> None:
    with pytest.raises(Refused):
        core.Block(x, update, x, alpha)


@pytest.mark.parametrize("name", core.PRESETS)
def test_the_snippet_prints_the_numbers_of_the_page(name: str) -> None:
    scope: dict = {}
    exec(core.snippet(core.PRESETS[name]), scope)
    found = core.misses(core.PRESETS[name])
    assert scope["plain_miss"].item() == pytest.approx(found.plain, abs=1e-12)
    assert scope["residual_miss"].item() == pytest.approx(found.residual, abs=1e-12)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_charts(lang: str) -> None:
    say = Words("residual_explorer", lang)
    for chart in (charts.by_component, charts.by_alpha):
        assert '"rows"' in chart(say).to_json()


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("name", core.PRESETS)
def test_presets_on_the_page(name: str, lang: str) -> None:
    app = open_page("residual_explorer", lang)
    app.button(key=f"preset_residual_explorer_{name}").click().run()
    assert not app.exception
    block = core.PRESETS[name]
    assert app.slider(key="re_alpha").value == block.alpha
    assert app.slider(key="re_f1").value == block.update[0]
