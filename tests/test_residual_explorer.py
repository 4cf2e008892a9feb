"""Residual explorer: the articles' numbers, exact fractions, torch as the oracle, the page."""

import math
import subprocess
import sys
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as draw

from core import residual_explorer as core
from core.charts import branch_shapes, residual_sum, scaled_jacobian, small_residual, zero_start
from core.charts import residual_explorer as charts
from core.limits import Refused
from core.words import LANGUAGES, Words
from tests.conftest import ROOT, open_page

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
    assert core.floats(core.output(ARTICLE)) == [2.5, 4.8, 3.1]
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
    assert core.floats(core.output(core.PRESETS["wiped"])) == [0, 0, 0]


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
        nearest = core.squared(target - x - best * update)
        smallest = min(rows.query("who == 'residual'")["miss"].tolist())
        assert math.sqrt(nearest) <= smallest + 1e-12


@given(blocks())
def test_what_has_to_be_learned_has_the_lengths_of_the_sentence(block: core.Block) -> None:
    rows, found = core.to_learn(block), core.misses(block)
    for who, length in (("plain", found.to_learn_plain), ("residual", found.to_learn_residual)):
        values = rows.query(f"who == '{who}'")["value"].tolist()
        assert math.hypot(*values) == pytest.approx(length, abs=1e-9)


def test_without_update_no_alpha_is_best() -> None:
    assert core.best_alpha(core.PRESETS["identity"]) is None


def test_decimals_are_read_as_the_fractions_they_stand_for() -> None:
    assert core.exact((0.1, -0.3)).tolist() == [Fraction(1, 10), Fraction(-3, 10)]


@given(blocks())
def test_the_picture_starts_and_ends_where_the_numbers_do(block: core.Block) -> None:
    rows = pd.DataFrame(core.by_component(block))
    way = rows[rows["what"] == "branch"]
    assert way["start"].tolist() == list(block.x)
    assert way["end"].tolist() == core.floats(core.output(block))
    assert way["full"].tolist() == core.floats(core.output(replace(block, alpha=1.0)))
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


CHARTS = [
    (charts.by_component, 3),
    (charts.to_learn, 3),
    (charts.by_alpha,),
    (scaled_jacobian.ring, 3.0),
    (scaled_jacobian.singular,),
    (zero_start.awakening,),
    (zero_start.losses,),
    (small_residual.fitted, "wiggle"),
    (branch_shapes.shape, "full"),
    (residual_sum.terms,),
]


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("chart", CHARTS, ids=lambda chart: chart[0].__name__)
def test_a_chart_is_a_constant_spec_over_named_data(chart: tuple, lang: str) -> None:
    draw_it, *options = chart
    spec = draw_it(Words("residual_explorer", lang), *options).to_json()
    assert '"name": "rows"' in spec
    assert spec == draw_it(Words("residual_explorer", lang), *options).to_json()


def test_the_first_picture_tells_its_marks_apart_by_shape_too() -> None:
    assert len({shape for _, shape in charts.MARKS.values()}) == len(charts.MARKS)
    spec = charts.by_component(Words("residual_explorer", "en"), 3).to_dict()
    dashed = [layer for layer in spec["layer"] if "strokeDash" in layer["mark"]]
    assert [layer["transform"][-1]["filter"] for layer in dashed] == ["datum.what == 'plain'"]


TABS = ("learn", "scaling", "nothing", "small", "shapes", "stack", "check", "claims", "code")


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("tab", [*TABS, "sources"])
def test_every_tab_opens_by_link(tab: str, lang: str) -> None:
    app = open_page("residual_explorer", lang, tab=tab, re_d=5, re_alpha=-0.5)
    assert not app.exception
    assert not app.warning
    charts_there = {"learn": 3, "scaling": 3, "nothing": 3, "small": 3, "shapes": 4, "stack": 2}
    assert len(app.get("vega_lite_chart")) == charts_there.get(tab, 1)


CLAIMS = (
    ("copy", "scaling"),
    ("never_worse", "learn"),
    ("always_smaller", "learn"),
    ("small_is_easy", "small"),
    ("one_layer", "shapes"),
    ("only_adds", "shapes"),
    ("too_dense", "shapes"),
    ("zero_start", "nothing"),
    ("which_side", "learn"),
)


@pytest.mark.parametrize(("name", "tab"), CLAIMS)
def test_a_claim_has_its_counterexample_one_click_away(name: str, tab: str) -> None:
    app = open_page("residual_explorer", tab="claims")
    app.button(key=f"claim_residual_explorer_{name}").click().run()
    assert not app.exception
    assert app.session_state["residual_explorer_tab"] == tab


def test_the_answers_carry_the_numbers_of_the_counterexamples() -> None:
    wrong, far = (core.misses(core.PRESETS[name]) for name in ("wrong_way", "far"))
    assert (round(wrong.residual, 2), round(wrong.start, 3)) == (1.1, 0.548)
    assert far.to_learn_residual == pytest.approx(2 * far.to_learn_plain)
    half = core.PRESETS["half_way"]
    assert core.written(core.output(half)) == "(2.25, 4.9, 3.05)"
    assert core.written(core.other_side(half)) == "(1.5, 2.3, 1.6)"
    shown = " ".join(one.value for one in open_page("residual_explorer", tab="claims").markdown)
    for number in ("1.1", "0.548", "12.3", "(2.25, 4.9, 3.05)", "(1.5, 2.3, 1.6)"):
        assert number in shown


def test_scaling_presets_set_the_matrix() -> None:
    app = open_page("residual_explorer", tab="scaling")
    app.button(key="preset_residual_explorer_minus_x").click().run()
    assert [app.number_input(key=f"re_scale_j{at}").value for at in ("11", "22")] == [-1, -1]
    assert any("Nothing of $x$ is left" in one.value for one in app.markdown)


def test_a_link_opens_the_state_it_describes() -> None:
    app = open_page("residual_explorer", "zh", re_alpha=0.25, re_f2="nan", re_x1=11, re_x2=4.44)
    assert not app.exception
    assert app.slider(key="re_alpha").value == 0.25
    noted = " ".join(code.value for code in app.code)
    for asked in ("re_f2=nan", "re_x1=11", "re_x2=4.44"):
        assert asked in noted
    assert "re_alpha" not in noted


def test_the_page_loads_torch_only_for_what_differentiates_or_trains() -> None:
    program = """
import sys
from tests.conftest import ROOT, open_page
for tab in ("learn", "scaling", "shapes", "stack", "claims"):
    assert not open_page("residual_explorer", tab=tab).exception
    assert "torch" not in sys.modules, tab
"""
    subprocess.run([sys.executable, "-c", program], cwd=ROOT, check=True, timeout=120)


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("name", core.PRESETS)
def test_presets_on_the_page(name: str, lang: str) -> None:
    app = open_page("residual_explorer", lang)
    app.button(key=f"preset_residual_explorer_{name}").click().run()
    assert not app.exception
    block = core.PRESETS[name]
    assert app.slider(key="re_alpha").value == block.alpha
    drawn = [app.slider(key=f"re_f{at}").value for at in range(1, len(block.x) + 1)]
    assert drawn == list(block.update)
