"""The run as a program: it is run here, and its losses are compared with those of the lab."""

import ast
import contextlib
import io
import itertools
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import settings as profile
from hypothesis import strategies as draw

from core.contestants import CONTESTANTS
from core.limits import Refused
from core.script import script
from core.settings import ACTIVATIONS, INITS, OPTIMISERS, SEEDS, Settings
from core.training import train

SMALL = Settings(depth=4, width=16, batch=32, epochs=2, share=20)
NAMES = tuple(CONTESTANTS)
RULES = "E,F,W,I,UP,B,C4,SIM,PTH,RUF,D"


def run(settings: Settings) -> tuple[dict, str]:
    scope: dict = {}
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        exec(compile(script(settings), "script.py", "exec"), scope)
    return scope, printed.getvalue()


def agree(settings: Settings, steps: int | None = None, rtol: float = 1e-5) -> str:
    """Assert that program and lab agree on every member's losses and accuracies."""
    scope, printed = run(settings)
    rows = list(train(settings))
    losses = np.array([row.losses for row in rows])
    accuracies = np.array([row.epoch.accuracy for row in rows if row.epoch])
    assert tuple(scope["losses"]) == tuple(scope["accuracies"]) == settings.members
    for m, member in enumerate(settings.members):
        finite = np.isfinite(losses[:, m])
        count = len(rows) if finite.all() else int(finite.argmin())
        ours, theirs = losses[:count, m], np.array(scope["losses"][member])
        assert len(theirs) == count
        for until, tolerance in ((1, 1e-6), (2, 1e-5), (steps, rtol)):
            np.testing.assert_allclose(
                theirs[:until], ours[:until], tolerance, 0, True, str(member)
            )
        if steps is None:
            right = scope["accuracies"][member]
            np.testing.assert_allclose(right, accuracies[: len(right), m], atol=0.006)
    return printed


@pytest.mark.parametrize("name", NAMES)
def test_each_contestant_alone(name: str) -> None:
    agree(replace(SMALL, contestants=(name,), seed=7))


@pytest.mark.parametrize("per_branch", [1, 2, 3, 4])
@pytest.mark.parametrize("few", [5, 50])
def test_all_spans_of_shortcuts(per_branch: int, few: int) -> None:
    """Twelve layers: five spans are of unequal length, fifty become twelve."""
    first = ("plain", "few", "scaled", "rezero")
    second = ("residual", "zero_last", "pre_ln", "plain_half")
    for names in (first, second):
        settings = replace(
            SMALL, contestants=names, depth=12, per_branch=per_branch, few=few, epochs=1
        )
        agree(settings)


@pytest.mark.parametrize("rest", [(), ("plain", "pre_ln")])
def test_batch_normalisation_in_training_and_in_the_test(rest: tuple[str, ...]) -> None:
    """At depth 12 the plain one is chaotic, and only its first steps can agree."""
    both = replace(SMALL, contestants=(*rest, "plain_bn", "residual_bn"), epochs=4)
    agree(replace(both, activation="tanh"))
    agree(replace(both, depth=12), steps=2)


@pytest.mark.parametrize("optimiser", OPTIMISERS)
@pytest.mark.parametrize("activation", ACTIVATIONS)
def test_each_activation(activation: str, optimiser: str) -> None:
    names = ("plain", "residual", "pre_ln", "rezero")
    rate = {"SGD": 0.03, "Adam": 0.003}[optimiser]
    settings = replace(SMALL, contestants=names, activation=activation)
    agree(replace(settings, optimiser=optimiser, rate=rate))


@pytest.mark.parametrize("data", ["digits", "spirals"])
@pytest.mark.parametrize("init", INITS)
def test_each_initialisation_on_both_data_sets_with_three_seeds(init: str, data: str) -> None:
    agree(replace(SMALL, init=init, data=data, seeds=3, seed=41, optimiser="Adam", rate=0.003))


@pytest.mark.parametrize("share", [5, 37, 100])
def test_the_share_of_the_data_and_batches_that_do_not_divide_it(share: int) -> None:
    agree(replace(SMALL, share=share, batch=104))
    agree(replace(SMALL, share=share, batch=48, data="spirals"))


def test_the_network_of_one_layer_whose_half_is_none() -> None:
    agree(replace(SMALL, contestants=("residual", "plain_half", "few"), depth=1, per_branch=1))


def test_the_first_epoch_of_the_articles_experiment() -> None:
    settings = Settings(epochs=1)
    printed = agree(settings).splitlines()
    rows = list(train(settings))
    mean, last = np.mean([row.losses for row in rows], axis=0), rows[-1].epoch
    assert last
    assert printed == [
        line
        for m, name in enumerate(("plain", "residual"))
        for line in (
            f"{name}, seed 0",
            f"  epoch 1: loss {mean[m]:.3g}, test accuracy {last.accuracy[m]:.1%}",
        )
    ]


def test_who_diverges_stops_and_the_others_go_on() -> None:
    settings = replace(SMALL, contestants=("plain", "residual"), depth=8, rate=10.0)
    printed = agree(settings, rtol=0.01).splitlines()
    end = printed.index("residual, seed 0")
    assert printed[end - 1].startswith("  diverged at step ")
    assert printed[-1].startswith("  epoch 2: ")


def test_when_all_diverge_the_program_ends_as_the_lab_does() -> None:
    settings = replace(SMALL, depth=50, init="He×2", rate=1.0)
    assert agree(settings, rtol=0.01).count("diverged") == 2


def test_the_program_runs_as_a_file_of_its_own(tmp_path: Path) -> None:
    settings = replace(SMALL, contestants=("residual", "pre_ln"), seeds=3)
    file = tmp_path / "run.py"
    file.write_text(script(settings), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-I", file], cwd=tmp_path, capture_output=True, text=True, timeout=120
    )
    assert done.stderr == ""
    ends = [line for line in done.stdout.splitlines() if line.startswith("  epoch 2: ")]
    last = list(train(settings))[-1].epoch
    assert last
    assert [line.split()[-1] for line in ends] == [f"{share:.1%}" for share in last.accuracy]


BY_CHOICE = {
    "contestants": draw.lists(draw.sampled_from(NAMES), min_size=1, max_size=4, unique=True),
    "per_branch": draw.integers(1, 4),
    "few": draw.integers(1, 50),
    "activation": draw.sampled_from(ACTIVATIONS),
    "init": draw.sampled_from(INITS),
    "optimiser": draw.sampled_from(OPTIMISERS),
    "seed": draw.integers(0, 9999),
    "data": draw.sampled_from(["digits", "spirals"]),
}


@given(
    draw.fixed_dictionaries(
        BY_CHOICE
        | {
            "depth": draw.integers(1, 12),
            "width": draw.sampled_from([8, 16, 24]),
            "rate": draw.sampled_from([0.001, 0.003]),
            "batch": draw.sampled_from([16, 24, 40, 64]),
        }
    )
)
def test_the_first_steps_of_any_small_run(drawn: dict) -> None:
    names = tuple(drawn.pop("contestants"))
    agree(Settings(contestants=names, epochs=1, share=10, **drawn), steps=2)


@profile(max_examples=200)
@given(
    draw.fixed_dictionaries(
        BY_CHOICE
        | {
            "depth": draw.integers(1, 100),
            "width": draw.sampled_from([8, 16, 24, 48]),
            "rate": draw.floats(1e-5, 10),
            "batch": draw.integers(1, 32).map(lambda eights: 8 * eights),
            "epochs": draw.integers(1, 60),
            "share": draw.integers(5, 100),
            "seeds": draw.sampled_from(SEEDS),
        }
    )
)
def test_a_program_holds_what_its_run_needs_and_nothing_else(drawn: dict) -> None:
    names = tuple(drawn.pop("contestants"))
    try:
        settings = Settings(contestants=names, **drawn)
    except Refused:
        assume(False)
        raise
    text = script(settings)
    kinds = [CONTESTANTS[name] for name in names]
    with_shortcut = [kind.shortcuts != "none" for kind in kinds]
    needed = {
        "BatchNorm1d": any(kind.norm == "batch" for kind in kinds),
        "net.eval()": any(kind.norm == "batch" for kind in kinds),
        "LayerNorm": "pre_ln" in names,
        "nn.Parameter": "rezero" in names,
        "zeros_(branch": "zero_last" in names,
        f"1 / math.sqrt({settings.blocks})": "scaled" in names,
        "range(LAYERS // 2 + 1)": "plain_half" in names,
        "round(i * LAYERS": "few" in names,
        "self.s * h": any(with_shortcut) and not all(with_shortcut),
        "= h + ": all(with_shortcut),
        "alpha": {"scaled", "rezero"} & {*names} != set(),
        "**options": len(names) > 1,
        "load_digits": settings.data == "digits",
        "default_rng": settings.data == "spirals",
        "def hidden_layer": settings.init != "PyTorch",
        "optim.SGD": settings.optimiser == "SGD",
        "optim.Adam": settings.optimiser == "Adam",
    }
    assert {word: word in text for word in needed} == needed
    assert text.isascii()
    modules = {
        name.split(".")[0]
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Import | ast.ImportFrom)
        for name in (
            [node.module or ""] if isinstance(node, ast.ImportFrom) else [node.names[0].name]
        )
    }
    allowed = {"math", "itertools", "numpy", "torch"}
    assert modules == allowed | ({"sklearn"} if settings.data == "digits" else set())


def test_every_choice_of_contestants_makes_a_program_in_the_usual_style(tmp_path: Path) -> None:
    """Ruff's own defaults for the format; the house's rules, and its docstrings but for methods."""
    choices = [names for n in range(1, 5) for names in itertools.combinations(NAMES, n)]
    others = map(itertools.cycle, (INITS, OPTIMISERS, ("digits", "spirals", "digits")))
    turns = zip(choices, *others, strict=False)
    for i, (names, init, optimiser, data) in enumerate(turns):
        settings = Settings(names, init=init, optimiser=optimiser, data=data, width=64, few=50)
        (tmp_path / f"run_{i}.py").write_text(script(settings), encoding="utf-8")
    assert len(choices) == 385
    ruff = [sys.executable, "-m", "ruff"]
    style = ["--select", RULES, "--config", "lint.pydocstyle.convention='google'"]
    style += ["--ignore", "D102,D107", "--line-length", "88", "--target-version", "py311"]
    for command in (["format", "--check"], ["check", *style]):
        done = subprocess.run(
            [*ruff, *command, "--isolated", "--no-cache", "."],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            timeout=60,
        )
        assert done.returncode == 0, done.stdout[-2000:] + done.stderr
