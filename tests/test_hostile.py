"""Links that mean harm: nothing raises, nothing is rendered from them, nothing is trained."""

import itertools
import math
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from core import live_training
from core.jobs import Call, Job, Jobs
from core.settings import Settings
from pages import LESSONS, Lesson
from tests.conftest import open_page
from tests.hostile import CORPUS, LONG, MARK, TEXTS, tabs
from tests.test_pages import values

IN_A_RUN = ("lt_measure", "lt_step")
"""Controls in tabs that a page has when its run is there."""
every_lesson = pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.stem)


@pytest.fixture(autouse=True)
def trained(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Call]]:
    """Collect what the pages ask to be trained; in the end it is the default run and no other."""
    asked: list[Call] = []

    def submit(jobs: Jobs, call: Call, viewer: str, pinned: bool = False) -> Job:
        asked.append(call)
        return jobs_submit(jobs, call, viewer, pinned)

    jobs_submit = Jobs.submit
    monkeypatch.setattr(Jobs, "submit", submit)
    yield asked
    assert set(asked) <= {live_training.call(Settings())}


def elements(node: Any) -> Iterator[Any]:
    """Return all elements under a node of the page."""
    if hasattr(node, "children"):
        for child in node.children.values():
            yield from elements(child)
    elif hasattr(node, "proto"):
        yield node


@cache
def with_controls(lesson: Lesson) -> dict[str, list[str]]:
    """Return the tabs of a lesson that have controls of their own, and these."""
    first = set(values(open_page(lesson.stem), lesson.prefix))
    drawn = {
        tab: values(open_page(lesson.stem, tab=tab), lesson.prefix) for tab in tabs(lesson.stem)
    }
    own = {tab: sorted(set(keys) - first) for tab, keys in drawn.items()}
    return {"": [*sorted(first), *IN_A_RUN]} | {tab: keys for tab, keys in own.items() if keys}


def holds(app: AppTest) -> None:
    """Assert that the page is whole, and shows what a link says in no other way than as code."""
    assert not app.exception
    shown = [it for it in elements(app._tree) if it.type != "code"]
    assert len(shown) > 10
    assert not [it for it in shown if MARK.encode() in it.proto.SerializeToString()]
    assert all(len(code.value) < 1000 for code in app.code if MARK in code.value)
    widgets: list[Any] = [*app.main.get("slider"), *app.main.get("number_input")]
    for widget in widgets:
        assert math.isfinite(widget.value)
        assert widget.min <= widget.value <= widget.max


@every_lesson
def test_hostile_values_in_every_control(lesson: Lesson) -> None:
    """Every control of the first screen meets every other value, those in tabs some of them."""
    drawn = with_controls(lesson)
    for shift, tab in zip(range(0, len(CORPUS), 2), itertools.cycle(drawn), strict=False):
        keys = dict.fromkeys([*drawn[""], *drawn[tab]])
        query: dict[str, Any] = {"tab": tab} if tab else {}
        query |= {key: CORPUS[(place + shift) % len(CORPUS)] for place, key in enumerate(keys)}
        holds(open_page(lesson.stem, **query))


@every_lesson
def test_hostile_texts_in_what_every_page_reads(lesson: Lesson) -> None:
    for text in TEXTS:
        ours = ("tab", "embed", "embed_options", f"{lesson.prefix}{text}", text)
        app = open_page(lesson.stem, text, **dict.fromkeys(ours, text))
        holds(app)
        assert app.query_params["lang"] == "en"
        noted = [line.split("=")[0] for code in app.code for line in code.value.splitlines()]
        assert {"lang", "tab"} <= set(noted)


@every_lesson
def test_a_link_of_half_a_megabyte_is_a_short_note(lesson: Lesson) -> None:
    key = with_controls(lesson)[""][0]
    app = open_page(lesson.stem, **{key: LONG})
    holds(app)
    assert any(code.value == f"{key}={LONG[:60]}" for code in app.code)
    holds(open_page(lesson.stem, **{f"{lesson.prefix}{LONG}": "1"}))
    holds(open_page(lesson.stem, tab=LONG))
    holds(open_page(lesson.stem, LONG))


@every_lesson
def test_a_flood_of_keys(lesson: Lesson) -> None:
    holds(open_page(lesson.stem, **{f"{lesson.prefix}{n}{MARK}": TEXTS[0] for n in range(900)}))
    repeated: dict[str, Any] = dict.fromkeys(with_controls(lesson)[""], ["1"] * 60)
    holds(open_page(lesson.stem, **repeated))


def test_the_pages_were_asked(trained: list[Call]) -> None:
    """The watch over what is trained does watch."""
    open_page("live_training")
    assert trained
