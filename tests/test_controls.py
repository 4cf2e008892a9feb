"""Controls bound to the URL: what a link says, what is taken, and what is noted."""

import pytest
from streamlit.testing.v1 import AppTest

DEFAULTS = {"gm_a": 0.5, "gm_n": 20, "gm_c": "F(x)", "gm_t": False, "gm_k": 1.0, "gm_i": 3}


def script() -> None:
    import streamlit as st

    from core.words import Words
    from pages.shared import controls

    controls.clean("gm_")
    with controls.panel(Words("shared", "en"), "gm_", ("gm_deep_",)):
        got = {
            "gm_a": controls.slider("a", -3.0, 3.0, 0.5, 0.01, key="gm_a"),
            "gm_n": controls.slider("n", 1, 1000, 20, 1, key="gm_n"),
            "gm_c": controls.choice("c", ("F(x)", "0", "-x"), key="gm_c"),
            "gm_t": controls.toggle("t", key="gm_t"),
            "gm_i": controls.number("i", 0, 999, 3, 1, key="gm_i"),
            "gm_k": controls.number("k", 0.0, 9.0, 1.0, 0.5, key="gm_k"),
        }
    st.session_state["got"] = got


def opened(**query: str | list[str]) -> AppTest:
    app = AppTest.from_function(script, default_timeout=30)
    for key, value in query.items():
        app.query_params[key] = value
    app.run()
    assert not app.exception
    return app


def noted(app: AppTest) -> list[str]:
    return [line for code in app.code for line in code.value.splitlines()]


LINKS = [
    # what the link says, what the page takes, what is noted
    ({}, {}, []),
    ({"gm_a": "-1", "gm_n": "50"}, {"gm_a": -1.0, "gm_n": 50}, []),
    ({"gm_a": "0.50", "gm_n": "20"}, {}, []),
    ({"gm_n": "1e2"}, {"gm_n": 100}, []),
    ({"gm_a": "abc"}, {}, ["gm_a=abc"]),
    ({"gm_n": "5000"}, {}, ["gm_n=5000"]),
    ({"gm_a": "nan", "gm_n": "inf"}, {}, ["gm_a=nan", "gm_n=inf"]),
    ({"gm_a": "-inf", "gm_k": "1e400"}, {}, ["gm_a=-inf", "gm_k=1e400"]),
    ({"gm_a": ""}, {}, ["gm_a="]),
    ({"gm_c": ""}, {}, ["gm_c="]),
    ({"gm_i": "-inf"}, {}, ["gm_i=-inf"]),
    ({"gm_i": "1e400", "gm_n": "30"}, {"gm_n": 30}, ["gm_i=1e400"]),
    ({"gm_n": ["7", "inf"]}, {}, ["gm_n=7, inf"]),
    ({"gm_a": ["1", "2"]}, {}, ["gm_a=1, 2"]),
    ({"gm_n": "7.9"}, {"gm_n": 7}, ["gm_n=7.9"]),
    ({"gm_a": "0.123"}, {"gm_a": 0.12}, ["gm_a=0.123"]),
    ({"gm_a": "0.128"}, {"gm_a": 0.13}, ["gm_a=0.128"]),
    ({"gm_c": "-x"}, {"gm_c": "-x"}, []),
    ({"gm_c": "0"}, {"gm_c": "0"}, []),
    ({"gm_c": "f(x)"}, {}, ["gm_c=f(x)"]),
    ({"gm_t": "true"}, {"gm_t": True}, []),
    ({"gm_t": "maybe"}, {}, ["gm_t=maybe"]),
    ({"gm_nonsense": "1"}, {}, ["gm_nonsense=1"]),
    ({"gm_deep_a": "1", "re_x1": "1", "utm_source": "x"}, {}, []),
    ({"gm_a": "<b>1</b>"}, {}, ["gm_a=<b>1</b>"]),
    ({"gm_a": "a\nb\r\n  c"}, {}, ["gm_a=a b c"]),
    ({"gm_a": "$\\huge x$ ![](http://example.org/x.png)"}, {}, None),
    ({"gm_a": "9" * 100_000}, {}, ["gm_a=" + "9" * 60]),
    ({"gm_" + "z" * 100_000: "1"}, {}, ["gm_" + "z" * 57 + "=1"]),
]


@pytest.mark.parametrize(("query", "taken", "notes"), LINKS, ids=lambda value: str(value)[:40])
def test_a_link(query: dict, taken: dict, notes: list[str] | None) -> None:
    app = opened(**query)
    assert app.session_state["got"] == DEFAULTS | taken
    if notes is not None:
        assert noted(app) == notes
    assert not app.markdown, "what a link says is never Markdown"


def test_a_note_stays_while_others_move_and_goes_with_its_own_control() -> None:
    app = opened(gm_n="5000")
    app.slider(key="gm_a").set_value(1.0).run()
    assert noted(app) == ["gm_n=5000"]
    app.slider(key="gm_n").set_value(21).run()
    assert noted(app) == []
    app.slider(key="gm_n").set_value(20).run()
    assert noted(app) == []


def test_the_note_about_an_infinity_goes_with_its_control_too() -> None:
    app = opened(gm_i="inf")
    app.slider(key="gm_a").set_value(1.0).run()
    assert noted(app) == ["gm_i=inf"]
    app.number_input(key="gm_i").set_value(4).run()
    assert noted(app) == []


def test_a_flood_of_unknown_keys_is_a_short_note() -> None:
    app = opened(**{f"gm_flood{number}": "1" for number in range(500)})
    assert len(noted(app)) == 9
    assert noted(app)[-1] == "…"


def test_a_value_between_steps_is_the_same_number_everywhere() -> None:
    app = opened(gm_a="0.30000000000000004")
    assert app.session_state["got"]["gm_a"] == 0.3
    assert noted(app) == [], "rounding in the last digit is not worth a note"
