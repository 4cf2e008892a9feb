"""What the README says is so: its links open, its parameters exist, its files are there."""

import re
from urllib.parse import parse_qsl, urlsplit

import pytest

from pages import LESSONS
from tests.conftest import ROOT, open_page
from tests.test_pages import values

README = (ROOT / "README.md").read_text()
LINKS = re.findall(r"^- `(/[^`]*)`", README, re.MULTILINE)
ROWS = re.findall(r"^\| [^|]+ \| `(/[^`]*)` \| (.+) \|$", README, re.MULTILINE)


@pytest.mark.parametrize("link", LINKS)
def test_a_link_opens_its_state_and_nothing_is_ignored(link: str) -> None:
    address = urlsplit(link)
    stem, query = address.path.strip("/") or "overview", dict(parse_qsl(address.query))
    app = open_page(stem, query.pop("lang", "en"), **query)
    assert not app.exception
    assert not [code.value for code in app.code if "=" in code.value.split("\n")[0][:20]]
    for key, value in query.items():
        assert str(app.session_state[key]) in {value, f"{value}.0"}


@pytest.mark.parametrize(("path", "said"), ROWS)
def test_the_parameters_of_a_lesson_exist(path: str, said: str) -> None:
    lesson = next(it for it in LESSONS if (path.strip("/") or "overview") == it.stem)
    drawn = values(open_page(lesson.stem), lesson.prefix)
    named = re.findall(rf"`({lesson.prefix}\w+)`", said)
    assert named
    assert set(named) <= set(drawn)


def test_every_lesson_has_its_row_and_there_are_links() -> None:
    assert {path.strip("/") or "overview" for path, _ in ROWS} == {it.stem for it in LESSONS}
    assert len(LINKS) >= 5


@pytest.mark.parametrize("file", sorted(set(re.findall(r"\((tests/[^)]+|LICENSE)\)", README))))
def test_a_file_that_is_linked_is_there_and_small(file: str) -> None:
    assert 0 < (ROOT / file).stat().st_size < 150_000
