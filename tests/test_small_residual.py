"""A small residual is not an easy one: torch's Adam as the oracle for the training loop."""

import numpy as np
import pytest

from core import small_residual as core
from core.limits import Refused

CASES = [
    (core.Tasks(), "smaller", "misleads"),
    (core.Tasks(seed=1), "smaller", "misleads"),
    (core.Tasks(waves=3), "larger", "agrees"),
    (core.Tasks(size=1.0, waves=3, height=1.0), "smaller", "misleads"),
]


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_the_small_wiggle_is_not_learned_and_the_large_curve_is(seed: int) -> None:
    """Article 1, section 2: a small residual is not an easy one."""
    found = core.fit(core.Tasks(seed=seed))
    assert found.wiggle.size < 0.1 < 2 < found.curve.size
    assert found.wiggle.unlearned > 0.9
    assert found.curve.unlearned < 0.02
    assert found.wiggle.error < found.curve.error


@pytest.mark.parametrize("tasks", [case[0] for case in CASES], ids=str)
def test_the_loop_agrees_with_torchs_adam(tasks: core.Tasks) -> None:
    scope: dict = {}
    exec(core.snippet(tasks), scope)
    found = core.fit(tasks)
    assert scope["error"].tolist() == pytest.approx(
        [found.wiggle.error, found.curve.error], rel=1e-6
    )
    assert scope["unlearned"].tolist() == pytest.approx(
        [found.wiggle.unlearned, found.curve.unlearned], rel=1e-6
    )


@pytest.mark.parametrize(("tasks", "verdict", "bare"), CASES, ids=str)
def test_the_verdict_says_what_the_numbers_say(tasks: core.Tasks, verdict: str, bare: str) -> None:
    found = core.fit(tasks)
    smaller, larger = sorted((found.wiggle, found.curve), key=lambda fit: fit.size)
    assert (smaller.unlearned > larger.unlearned) == (verdict == "smaller")
    same = (smaller.error > larger.error) == (smaller.unlearned > larger.unlearned)
    assert same == (bare == "agrees")
    assert (found.verdict, found.bare) == (verdict, bare)


def test_the_curves_are_what_the_figures_say() -> None:
    tasks = core.Tasks(0.2, 5, 4.0, 1)
    found = core.fit(tasks)
    for task, fit in (("wiggle", found.wiggle), ("curve", found.curve)):
        rows = found.curves.query(f"task == '{task}'")
        wanted, learned = (np.array(rows[name].tolist()) for name in ("wanted", "learned"))
        assert np.mean((learned - wanted) ** 2) == pytest.approx(fit.error)
        assert np.var(wanted) == pytest.approx(fit.variance)
        assert np.sqrt(np.mean(wanted**2)) == pytest.approx(fit.size)
    first = found.curves.iloc[0]
    assert first["wanted"] == pytest.approx(0.2 * np.sin(-5))


@pytest.mark.parametrize("values", [(0.0,), (0.1, 41), (0.1, 25, 0.5), (0.1, 25, 6.0, -1)])
def test_what_is_out_of_range_is_refused(values: tuple) -> None:
    with pytest.raises(Refused):
        core.Tasks(*values)
