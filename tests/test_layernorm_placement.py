"""LayerNorm placement: what is said at a step, judgements, charts, and the page."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as draw

from core import layernorm_placement as core
from core.block_path import Sizes
from core.charts import layernorm_placement as charts
from core.limits import Refused
from core.placements import PLACEMENTS
from core.words import LANGUAGES, Words
from tests.conftest import open_page

STEM = "layernorm_placement"


def view(step: int, top: str = "Pre-LN", low: str = "Post-LN") -> core.View:
    return core.View(top, low, Sizes(), step)


def test_the_whole_block() -> None:
    """Article 1, section 6.4; 7,087,872 parameters as in a layer of BERT base."""
    now = core.moment(PLACEMENTS["Pre-LN"], view(0))
    assert (now.op, now.shape, now.parameters) == ("whole", "32 × 128 × 768", "7,087,872")
    assert "boxed{(X)}" in now.tex  # only the invisible one
    assert now.tex.count("boxed") == 2


def test_a_step_marks_its_term_and_counts_so_far() -> None:
    now = core.moment(PLACEMENTS["Pre-LN"], view(6))
    assert (now.op, now.shape) == ("up", "32 × 128 × 3072")
    assert r"Y=U+\boxed{\mathrm{FFN}(\mathrm{LN}(U))}" in now.tex
    assert now.parameters == f"{4 * 768 * 769 + 2 * 2 * 768 + 3072 * 769:,}"


def test_the_path_as_a_table() -> None:
    table = core.path_table(PLACEMENTS["Post-LN"], view(0))
    assert table["operation"].tolist()[:4] == ["QKᵀ", "A·V·Wₒ", "+", "LN"]
    assert table["parameters"].tolist()[-1] == "7,087,872"
    assert table["parameters"].tolist()[2] == ""
    assert len(table) == core.last_step("Post-LN") + 1


def test_a_shorter_path_rests_at_its_end() -> None:
    now = core.moment(PLACEMENTS["No-LN"], view(9, "Peri-LN", "No-LN"))
    assert now.op == "end"
    assert core.last_step("Peri-LN", "No-LN") == core.STEPS
    assert core.last_step("Pre-LN", "Post-LN") == 8


@pytest.mark.parametrize(("name", "count"), [("Pre-LN", 1), ("Post-LN", 24), ("No-LN", 0)])
def test_normalisations_on_the_stream(name: str, count: int) -> None:
    assert core.normalisations_on_stream(PLACEMENTS[name], 12) == count


@given(draw.floats(1e-9, 1e9), draw.floats(1e-9, 1e9))
def test_the_judgement_is_true(first: float, last: float) -> None:
    table = pd.DataFrame({"layer": [1, 2], "gradient": [first, last], "stream": [1, 1]})
    case = core.slope_case(table)
    assert (case == "to_input") == (first > 1.5 * last)
    assert (case == "to_output") == (last > 1.5 * first)
    assert core.ends(table) == (first, last)


@pytest.mark.parametrize("step", [-1, 11])
def test_what_is_out_of_range_is_refused(step: int) -> None:
    with pytest.raises(Refused):
        view(step)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_charts(lang: str) -> None:
    say = Words(STEM, lang)
    drawn = charts.drawing(say).to_dict()
    assert {layer["data"]["name"] for layer in drawn["layer"]} == {"rows"}
    measured = charts.profile(say, "Pre-LN", "Post-LN").to_dict()
    assert measured["layer"][1]["encoding"]["color"]["scale"]["domain"] == ["Pre-LN", "Post-LN"]
    assert measured["layer"][1]["encoding"]["y"]["scale"]["type"] == "log"


def test_every_placement_has_its_line() -> None:
    assert list(charts.LINES) == list(PLACEMENTS)
    assert len({shape for _, _, shape in charts.LINES.values()}) == len(PLACEMENTS)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_preset_can_be_drawn(lang: str) -> None:
    app = open_page(STEM, lang)
    for name, settings in core.PRESETS.items():
        app.button(key=f"preset_layernorm_placement_{name}").click().run()
        assert not app.exception
        for key, value in settings.items():
            assert app.session_state[key] == value


TABS = (
    "path",
    "jacobians",
    "tokens",
    "depth",
    "training",
    "questions",
    "check",
    "claims",
    "code",
    "sources",
)


@pytest.mark.parametrize("tab", TABS)
def test_every_tab_opens(tab: str) -> None:
    app = open_page(STEM, "zh", tab=tab, ln_L=4)
    assert not app.exception
    assert not app.warning


def test_a_tab_shows_nothing_of_a_block_that_is_refused() -> None:
    app = open_page(STEM, tab="path")
    assert app.dataframe
    app.number_input(key="ln_heads").set_value(7).run()
    assert not app.exception
    assert app.warning
    assert not app.dataframe


def test_a_claim_shows_itself() -> None:
    app = open_page(STEM, tab="claims")
    app.button(key=f"claim_{STEM}_identity").click().run()
    assert not app.exception
    assert app.session_state[f"{STEM}_tab"] == "jacobians"


def test_claims_set_controls_that_are_there() -> None:
    for settings in core.CLAIM_SETTINGS.values():
        assert set(settings) - {"tab"} <= set(core.PRESETS["article"])
        assert settings.get("tab") in (None, *TABS)


def test_back_and_next_walk_the_path() -> None:
    app = open_page(STEM, ln_step=7)
    app.button(key="ln_next").click().run()
    assert app.slider(key="ln_step").value == 8
    assert app.button(key="ln_next").disabled
    app.button(key="ln_back").click().run()
    assert app.slider(key="ln_step").value == 7


def test_heads_that_do_not_divide_d_get_a_sentence() -> None:
    app = open_page(STEM, ln_heads=7)
    assert not app.exception
    assert "768" in app.warning[0].value
    assert len(app.get("vega_lite_chart")) == len(open_page(STEM).get("vega_lite_chart")) - 1


def spectrum_rows(values: list[float]) -> pd.DataFrame:
    zero = np.array(values) == 0
    log10 = np.log10(np.where(zero, np.nan, values))
    return pd.DataFrame({"who": "Pre-LN", "log10": log10, "zero": zero})


@given(draw.lists(draw.sampled_from([0.0, 0.5, 1.0, 3.0]), min_size=2, max_size=8))
def test_what_is_said_of_a_spectrum_is_true(values: list[float]) -> None:
    if not any(values):
        values = [1.0, *values]
    (fact,) = core.spectrum_facts(spectrum_rows(values))
    lost = 0.0 in values
    shrinks = 0.5 in values
    assert fact.case == ("singular" if lost else "regular" if shrinks else "lossless")
    assert fact.values["zeros"] == values.count(0.0)
    assert fact.values["below"] == values.count(0.5)
    assert fact.values["count"] == len(values)


def test_signed() -> None:
    assert [core.signed(v) for v in (-0.536, 0.14, 13.2)] == ["−0.54", "+0.14", "+13.20"]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_deeper_charts(lang: str) -> None:
    say = Words(STEM, lang)
    for chart in (charts.depth, charts.spectrum, charts.stream):
        spec = chart(say, "Pre-LN", "No-LN").to_dict()
        assert "No-LN" in str(spec)
    depth = charts.depth(say, "Pre-LN").to_dict()
    assert {layer["data"]["name"] for layer in depth["layer"]} == {"rows", "bounds"}
    assert charts.token_map(say).to_dict()["data"] == {"name": "rows"}
