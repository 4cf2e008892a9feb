"""Worked example: article 1, section 4, number by number; autograd and fractions as oracles."""

import math
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as draw

from core import block_check, block_formulas, exact, linear_block
from core import worked_example as core
from core.charts import worked_example as charts
from core.limits import Refused
from core.words import LANGUAGES, Words
from tests.conftest import open_page


def tenths(largest: int) -> draw.SearchStrategy[float]:
    return draw.integers(-10 * largest, 10 * largest).map(lambda n: n / 10)


SETTINGS = draw.builds(
    linear_block.Setting,
    *(tenths(10),) * 2,
    *(tenths(3),) * 4,
    *(tenths(10),) * 2,
    tenths(2),
)


def listed(values: np.ndarray) -> list:
    return np.array(values).astype(float).tolist()


GOLDEN = [
    # part, value, where in article 1
    ("branch", [0.5, 0.5], "4.1"),
    ("y", [1.5, 2.5], "4.1"),
    ("loss", 1.25, "4.2"),
    ("grad_y", [0.5, 1.5], "4.2"),
    ("through_branch", [-0.1, 0.55], "4.3, the branch's share"),
    ("grad_x", [0.4, 2.05], "4.3"),
    ("grad_w", [[0.5, 1.0], [1.5, 3.0]], "not in the article: g xᵀ"),
]


@pytest.mark.parametrize(("part", "value", "where"), GOLDEN)
def test_the_article(part: str, value: object, where: str) -> None:
    assert listed(getattr(linear_block.run(linear_block.Setting()), part)) == value, where


def test_the_jacobian_of_the_article() -> None:
    """Article 1, 4.3: (I + W)ᵀ = [[1.1, −0.1], [0.2, 1.3]], shown with the products of 4.1."""
    setting = linear_block.Setting()
    assert r"\begin{bmatrix}1.1&-0.1\\0.2&1.3\end{bmatrix}" in block_formulas.substituted(
        setting, "input"
    )
    assert r"0.1\times1+0.2\times2\\-0.1\times1+0.3\times2" in block_formulas.substituted(
        setting, "branch"
    )
    assert r"[(1.5-1)^2+(2.5-1)^2\right]=1.25" in block_formulas.substituted(setting, "loss")


@given(SETTINGS)
def test_autograd_and_central_differences_find_the_same(setting: linear_block.Setting) -> None:
    rows = block_check.check(setting)
    size = 1 + np.abs(rows["closed"].to_numpy()).max()
    assert block_check.largest_difference(rows, "autograd") < 1e-13 * size
    assert block_check.largest_difference(rows, "central") < 1e-7 * size


@given(SETTINGS)
def test_the_two_paths_sum_to_the_gradient_exactly(setting: linear_block.Setting) -> None:
    """∇ₓL = (I + αW)ᵀ∇ᵧL in fractions, worked out entry by entry."""
    p, (_, w, _, a) = linear_block.run(setting), setting.exactly()
    g1, g2 = p.grad_y
    assert p.grad_x[0] == (1 + a * w[0, 0]) * g1 + a * w[1, 0] * g2
    assert p.grad_x[1] == a * w[0, 1] * g1 + (1 + a * w[1, 1]) * g2
    assert all(isinstance(value, Fraction) for value in p.grad_x)


@given(SETTINGS)
def test_the_verdict_is_true(setting: linear_block.Setting) -> None:
    p = linear_block.run(setting)
    before, after = linear_block.lengths(p)
    word = core.verdict(p)
    assert (word == "at_target") == (p.loss == 0)
    if word == "cancelled":
        assert after == 0 < before
    elif word == "identity_only":
        assert listed(p.grad_x) == listed(p.grad_y)
    elif word == "longer":
        assert after >= before > 0
    elif word == "shorter":
        assert after <= before
    elif word == "same":
        assert after == pytest.approx(before, rel=1e-15)


@pytest.mark.parametrize(
    ("preset", "word"),
    [
        ("article", "longer"),
        ("identity", "identity_only"),
        ("cancel", "cancelled"),
        ("rotation", "same"),
        ("shear", "shorter"),
    ],
)
def test_a_preset_teaches_what_it_is_named_after(preset: str, word: str) -> None:
    assert core.verdict(linear_block.run(core.PRESETS[preset])) == word


def test_at_the_target_there_is_no_gradient() -> None:
    assert core.verdict(linear_block.run(linear_block.Setting(t1=1.5, t2=2.5))) == "at_target"


@pytest.mark.parametrize("change", [{"x1": 10.01}, {"w22": math.nan}, {"alpha": -math.inf}])
def test_what_is_out_of_range_is_refused(change: dict[str, float]) -> None:
    with pytest.raises(Refused):
        replace(linear_block.Setting(), **change)


def test_a_number_between_the_grid_is_what_the_field_shows() -> None:
    x, *_ = linear_block.Setting(x1=0.126).exactly()
    assert x[0] == exact.exact(0.13)


@given(SETTINGS, draw.sampled_from(core.STEPS))
def test_every_step_can_be_drawn_and_written(setting: linear_block.Setting, step: str) -> None:
    tables = core.picture(setting, step)
    where = core.window_of(setting, step)
    for ends in (["x", "x2"], ["y", "y2"]):
        low = where.left if ends[0] == "x" else where.bottom
        values = tables["rows"][ends].to_numpy()
        assert (values >= low).all()
        assert (values <= low + where.size).all()
    for formula in (
        block_formulas.substituted(setting, step),
        block_formulas.derivation(setting, step),
    ):
        assert formula.count("{") == formula.count("}")


@pytest.mark.parametrize("lang", LANGUAGES)
def test_chart(lang: str) -> None:
    where = core.window_of(linear_block.Setting(), "all")
    spec = charts.plane(Words("worked_example", lang), where).to_dict()
    assert {
        layer["data"]["name"] for layer in spec["layer"] if "name" in layer.get("data", {})
    } == {
        "rows",
        "circles",
    }


@pytest.mark.parametrize("lang", LANGUAGES)
def test_next_walks_through_the_steps_and_back_to_the_start(lang: str) -> None:
    app, say = open_page("worked_example", lang), Words("worked_example", lang)
    for step in (*core.STEPS[1:], "all"):
        app.button(key="we_go_next").click().run()
        assert not app.exception
        assert say(f"step_text.{step}") in [text.value for text in app.markdown]


def test_a_preset_sets_the_controls() -> None:
    app = open_page("worked_example")
    app.button(key="preset_worked_example_cancel").click().run()
    assert app.number_input(key="we_w11").value == -1
    assert any("(0, 0)" in text.value for text in app.markdown)
