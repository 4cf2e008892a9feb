"""Worked example: its steps, verdicts, presets and claims; the charts; the page under AppTest."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as draw
from streamlit.testing.v1 import AppTest

from core import linear_descent, linear_directions, plane
from core import worked_example as core
from core.charts import worked_example as charts
from core.linear_block import Setting, run
from core.words import LANGUAGES, Words
from tests.conftest import open_page
from tests.linear_settings import SETTINGS, floats, length

TABS = ("try", "by_hand", "directions", "descent", "trap", "weights", "blocks")
TABS += ("check", "claims", "code", "sources")


@given(SETTINGS)
def test_the_verdict_is_true(setting: Setting) -> None:
    p, word = run(setting), core.verdict(setting)
    before, after = length(p.grad_y), length(p.grad_x)
    assert (word == "at_target") == (p.loss == 0)
    if word == "cancelled":
        assert after == 0 < before
    elif word == "identity_only":
        assert floats(p.grad_x).tolist() == floats(p.grad_y).tolist()
    elif word == "longer":
        assert after >= before > 0
    elif word == "shorter":
        assert 0 < after <= before
    elif word == "same":
        assert after == pytest.approx(before, rel=1e-12)
    written = core.written(setting)
    assert word in ("at_target", "identity_only", "same") or written["before"] != written["after"]


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
    assert core.verdict(core.PRESETS[preset]) == word


def test_at_the_target_there_is_no_gradient() -> None:
    assert core.verdict(Setting(t1=1.5, t2=2.5)) == "at_target"


def test_the_answers_to_the_questions() -> None:
    """W = 0 learns and α = 0 does not; with x = 0 W receives nothing, whatever the loss."""
    off = core.PRESETS["identity"]
    assert run(off).grad_w.any()
    assert not run(replace(off, alpha=0.0)).grad_w.any()
    unseen = run(Setting(x1=0.0, x2=0.0))
    assert unseen.loss > 0
    assert not unseen.grad_w.any()


def test_the_sentences_of_the_article() -> None:
    assert core.written(Setting()) == {
        "x": "(1, 2)",
        "update": "(0.5, 0.5)",
        "y": "(1.5, 2.5)",
        "loss": "1.25",
        "identity": "(0.5, 1.5)",
        "branch": "(−0.1, 0.55)",
        "total": "(0.4, 2.05)",
        "equals": "=",
        "before": "1.58",
        "after": "2.09",
    }


@given(SETTINGS, draw.sampled_from(core.STEPS))
def test_every_step_fits_into_its_window(setting: Setting, step: str) -> None:
    tables, where = core.picture(setting, step), core.window_of(setting, step)
    for low, ends in ((where.left, ["x", "x2"]), (where.bottom, ["y", "y2"])):
        values = np.array([tables["rows"][end] for end in ends])
        assert (values >= low).all()
        assert (values <= low + where.size).all()


@given(SETTINGS)
def test_the_picture_stays_put_on_the_way_forward_and_on_the_way_back(setting: Setting) -> None:
    for steps in (core.STEPS[1:5], ("all", *core.STEPS[5:7])):
        assert len({core.window_of(setting, step) for step in steps}) == 1


def test_at_the_articles_numbers_the_picture_never_jumps_before_the_last_step() -> None:
    assert len({core.window_of(Setting(), step) for step in core.STEPS[:-1]}) == 1


@given(SETTINGS)
def test_the_two_paths_are_drawn_head_to_tail(setting: Setting) -> None:
    identity, branch, total = core.arrows(setting, "input")
    assert identity.start == total.start == (0, 0)
    assert identity.end == branch.start
    assert branch.end == pytest.approx(total.end)


@given(SETTINGS)
def test_the_output_stands_on_the_outer_circle(setting: Setting) -> None:
    rows = core.picture(setting, "loss")["circles"]
    p, (_, _, t, _) = run(setting), setting.exactly()
    if p.loss:
        radii = np.hypot(*(np.column_stack([rows["x"], rows["y"]]) - floats(t)).T)
        assert radii.max() == pytest.approx(length(p.y - t))
    else:
        assert not any(rows.values())


def test_every_claim_is_answered_with_what_the_page_then_shows() -> None:
    claims = core.claims()
    assert core.verdict(claims["guarantee"].setting) == "cancelled"
    shear = linear_directions.jacobian(claims["floor"].setting)
    assert linear_directions.eigenvalues_mislead(shear)
    assert claims["average"].values == {"total": "(0.4, 2.05)", "average": "(0.2, 1.025)"}
    assert claims["double"].values == {"double": "(1, 3)", "total": "(0.4, 2.05)"}
    assert claims["input_gradient"].values == {"weight": "(−1, −2), (−1, −2)"}
    assert claims["bypass"].values["rows"] == "(0.5, 1), (1.5, 3)"
    assert claims["side"].values == {"y": "(1.25, 2.25)", "other": "(1, 1.5)"}
    assert claims["twice"].values == {"once": "(0.4, 2.05)", "twice": "(0.8, 4.1)"}


@pytest.mark.parametrize("lang", LANGUAGES)
def test_charts(lang: str) -> None:
    for chart, tables in (
        (charts.plane, {"rows", "circles", "window"}),
        (charts.descent_plane, {"rows", "circles", "target", "window"}),
        (charts.directions, {"rows", "window"}),
        (charts.loss_by_step, {"rows"}),
        (charts.gradient_by_block, {"rows"}),
        (charts.lengths, {"rows"}),
    ):
        spec = chart(Words("worked_example", lang)).to_dict()
        sources = [part.get("data", {}) for part in (spec, *spec["layer"])]
        assert {source["name"] for source in sources if "name" in source} == tables


def test_both_axes_of_the_plane_have_the_same_scale() -> None:
    """At any size of the chart: units a pixel, from the domains as the browser works them out."""
    where = plane.Window(-1.0, -2.0, 4.0)
    spec = charts.plane(Words("worked_example", "en")).to_dict()
    scales = next(
        {axis: layer["encoding"][axis]["scale"] for axis in "xy"}
        for layer in spec["layer"]
        if "scale" in layer["encoding"].get("x", {})
    )
    for width, height in ((300, 270), (270, 300), (500, 200)):
        names = {"min": min, "width": width, "height": height, "data": {"window": [where]}.get}
        spans = {
            axis: [eval(scale[end]["expr"], names) for end in ("domainMin", "domainMax")]
            for axis, scale in scales.items()
        }
        per_pixel = [
            (spans["x"][1] - spans["x"][0]) / width,
            (spans["y"][1] - spans["y"][0]) / height,
        ]
        assert per_pixel[0] == pytest.approx(per_pixel[1])
        assert spans["x"][0] <= where.left
        assert spans["y"][1] >= where.bottom + where.size


def test_the_descent_leaves_no_infinity_for_a_chart() -> None:
    rows = linear_descent.by_step(core.PRESETS["identity"], linear_descent.Descent())
    assert not np.isinf(rows[["log10", "y1", "y2"]].to_numpy()).any()


def texts(app: AppTest) -> str:
    return "\n".join(text.value for text in app.markdown)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_next_walks_through_the_steps_and_back_to_the_start(lang: str) -> None:
    app, say = open_page("worked_example", lang, tab="sources"), Words("worked_example", lang)
    values = core.written(Setting())
    for step in core.STEPS[1:]:
        app.button(key="we_go_next").click().run()
        assert not app.exception
        assert say(f"step_text.{step}", **values) in texts(app)
    app.button(key="we_go_next").click().run()
    assert say("press_next") in texts(app)
    app.button(key="we_go_back").click().run()
    assert say("step_text.weight", **values) in texts(app)


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("tab", TABS)
def test_every_tab_opens_by_a_link(tab: str, lang: str) -> None:
    app = open_page("worked_example", lang, tab=tab, we_w12="1", we_x1="-2.5")
    assert not app.exception
    assert not app.warning


@pytest.mark.parametrize("preset", core.PRESETS)
def test_a_preset_sets_the_controls(preset: str) -> None:
    app = open_page("worked_example", tab="sources")
    app.button(key=f"preset_worked_example_{preset}").click().run()
    expected = core.PRESETS[preset]
    assert app.number_input(key="we_w12").value == expected.w12
    assert core.written(expected)["total"] in texts(app)


def test_a_claim_shows_its_counterexample() -> None:
    app = open_page("worked_example", tab="claims")
    app.button(key="claim_worked_example_guarantee").click().run()
    assert app.number_input(key="we_w11").value == -1
    assert "(0, 0)" in texts(app)
    app.button(key="claim_worked_example_input_gradient").click().run()
    assert app.slider(key="we_wg_s").value == 0
    assert "(−1, −2), (−1, −2)" in texts(app)


def test_backward_again_adds_and_clearing_is_the_remedy() -> None:
    app = open_page("worked_example", tab="trap")
    assert "(0.8, 4.1)" in texts(app)
    app.button(key="we_bt_again").click().run()
    assert "(1.2, 6.15)" in texts(app)
    app.toggle(key="we_bt_clear").set_value(True).run()
    assert "(1.2, 6.15)" not in texts(app)


def test_controls_of_a_tab_come_from_the_link() -> None:
    app = open_page(
        "worked_example", tab="descent", we_gd_on="W", we_gd_rate="0.2", we_gd_steps="1"
    )
    assert app.slider(key="we_gd_steps").value == 1
    assert not [code for code in app.code if "we_gd" in code.value]
    assert Words("worked_example", "en")("tendency.met") in app.dataframe[0].value.to_numpy()
