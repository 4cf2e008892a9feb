"""One rule a layer: who may import whom."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from pages import LESSONS
from tests.conftest import ROOT

STEMS = {lesson.stem for lesson in LESSONS}
TRAINING = {"backend", "activations", "initialisation", "networks", "optimiser", "training"}
"""The modules of core that need torch as soon as they are imported."""


def imported(path: Path, everywhere: bool = True) -> set[str]:
    """Return the dotted names that a file imports; at its top level only, unless everywhere."""
    tree = ast.parse(path.read_text())
    names: set[str] = set()
    for node in ast.walk(tree) if everywhere else tree.body:
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
    return names


def uses(path: Path, package: str, everywhere: bool = True) -> bool:
    names = imported(path, everywhere)
    return any(name == package or name.startswith(package + ".") for name in names)


CORE = sorted(ROOT.glob("core/*.py"))
CHARTS = sorted(ROOT.glob("core/charts/*.py"))
PAGES = sorted(ROOT.glob("pages/**/*.py"))


@pytest.mark.parametrize("path", CORE + CHARTS, ids=str)
def test_core_knows_no_streamlit_and_no_page(path: Path) -> None:
    assert not uses(path, "streamlit")
    assert not uses(path, "pages")


@pytest.mark.parametrize("path", CORE, ids=str)
def test_mathematics_draws_nothing(path: Path) -> None:
    assert not uses(path, "altair")
    assert not uses(path, "core.charts")


@pytest.mark.parametrize("path", CHARTS, ids=str)
def test_charts_compute_nothing_with_torch(path: Path) -> None:
    assert not uses(path, "torch")
    assert not uses(path, "core.backend")


@pytest.mark.parametrize("path", CORE + CHARTS + PAGES, ids=str)
def test_torch_is_imported_in_one_place(path: Path) -> None:
    if path != ROOT / "core/backend.py":
        assert not uses(path, "torch")
    if path.stem not in TRAINING:
        assert not any(uses(path, f"core.{name}", everywhere=False) for name in TRAINING)


@pytest.mark.parametrize("path", CORE + CHARTS + PAGES, ids=str)
def test_lessons_do_not_import_each_other(path: Path) -> None:
    others = {stem for stem in STEMS if not path.stem.startswith(stem)}
    for folder in ("core", "core.charts", "pages", "pages.tabs"):
        assert not any(uses(path, f"{folder}.{other}") for other in others)


@pytest.mark.parametrize("stem", sorted(STEMS))
def test_a_lesson_is_its_files(stem: str) -> None:
    for file in (f"pages/{stem}.py", f"core/text/{stem}.toml"):
        assert (ROOT / file).is_file(), file
    if stem != "overview":
        for file in (f"core/{stem}.py", f"core/charts/{stem}.py", f"tests/test_{stem}.py"):
            assert (ROOT / file).is_file(), file


def test_no_lesson_loads_torch_by_being_imported() -> None:
    modules = [f"core.{path.stem}" for path in CORE if path.stem not in {*TRAINING, "worker"}]
    modules += [f"core.charts.{path.stem}" for path in CHARTS]
    program = f"import importlib, sys\nfor m in {modules!r}: importlib.import_module(m)\n"
    program += "assert 'torch' not in sys.modules"
    subprocess.run([sys.executable, "-c", program], cwd=ROOT, check=True, timeout=60)
