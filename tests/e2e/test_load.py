"""A small class for some seconds: nobody is lost, no page shows an error, the log has none."""

from pathlib import Path

import pytest

from tests.e2e import load


def test_a_class_loses_nobody_and_leaves_no_error(tmp_path: Path) -> None:
    people = load.met(load.tasks(12), 4.0, tmp_path / "log")
    assert not people.lost
    assert not load.errors(tmp_path / "log")
    assert {name for name, _ in people.ended} == {"equal", "different", "long"}
    assert {f"a slider moves: {slider.name}" for slider in load.SLIDERS} <= set(people.took)


def test_the_minimal_page_can_be_moved_too(tmp_path: Path) -> None:
    people = load.met([load.MINIMAL], 1.0, tmp_path / "log")
    assert not people.lost
    assert not load.errors(tmp_path / "log")


def test_a_person_who_meets_an_error_is_lost_and_said_to_be(tmp_path: Path) -> None:
    people = load.met([load.Slider("overview", "", "no_such_slider", 1)], 1.0, tmp_path / "log")
    assert len(people.lost) == 1
    assert "no_such_slider" in people.lost[0]


@pytest.mark.parametrize("asked", [["--people", "1000"], ["--minutes", "600"], ["--minutes", "0"]])
def test_people_and_minutes_are_bounded(asked: list[str]) -> None:
    with pytest.raises(SystemExit):
        load.main(asked)
