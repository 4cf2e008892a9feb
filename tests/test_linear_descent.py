"""Gradient descent on the block: against the closed form, autograd's optimiser, and by hand."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as draw

from core import exact, linear_descent, plane
from core.limits import Refused
from core.linear_block import Setting, run
from core.linear_descent import Descent, descend, factor
from core.linear_directions import jacobian
from tests.linear_settings import SETTINGS, SMALL, floats, length

DESCENTS = draw.builds(
    Descent,
    draw.sampled_from(linear_descent.VARIABLES),
    draw.integers(1, 150).map(lambda n: n / 100),
    draw.integers(0, 12),
)


def test_one_step_of_the_article_by_hand() -> None:
    """x − 0.1·(0.4, 2.05) = (0.96, 1.795), and the same for W with g xᵀ."""
    _, moved = descend(Setting(), Descent("x", 0.1, 1), shortcut=True)
    assert floats(moved.value).tolist() == [0.96, 1.795]
    _, learnt = descend(Setting(), Descent("W", 0.1, 1), shortcut=True)
    assert floats(learnt.value).tolist() == [[0.05, 0.1], [-0.25, 0.0]]


@given(SETTINGS, DESCENTS)
def test_the_first_step_follows_the_gradient_of_the_block(setting: Setting, how: Descent) -> None:
    assume(how.steps > 0)
    start, after, *_ = descend(setting, how, shortcut=True)
    p, rate = run(setting), exact.exact(how.rate)
    gradient = p.grad_x if how.variable == "x" else p.grad_w
    assert (start.value - rate * gradient == after.value).all()


@given(SMALL, DESCENTS, draw.booleans())
def test_on_x_the_error_follows_the_closed_form(
    setting: Setting, how: Descent, shortcut: bool
) -> None:
    """e_k = (I − ηMMᵀ)ᵏ e_0, exactly."""
    how = Descent("x", how.rate, how.steps)
    matrix, (_, _, t, _) = jacobian(setting, shortcut), setting.exactly()
    points = descend(setting, how, shortcut)
    step = np.eye(2, dtype=int) - exact.exact(how.rate) * (matrix @ matrix.T)
    error = points[0].y - t
    for _ in range(how.steps):
        error = step @ error
    assert (points[-1].y - t == error).all()


@given(SETTINGS, DESCENTS)
def test_on_w_both_blocks_learn_at_exactly_the_same_speed(setting: Setting, how: Descent) -> None:
    """e_{k+1} = (1 − ηα²‖x‖²) e_k, with the shortcut and without."""
    how = Descent("W", how.rate, how.steps)
    x, _, t, alpha = setting.exactly()
    times = 1 - exact.exact(how.rate) * alpha**2 * (x @ x)
    for shortcut in (True, False):
        points = descend(setting, how, shortcut)
        for before, after in pairwise(points):
            assert (after.y - t == times * (before.y - t)).all()
        assert factor(setting, how, shortcut) == float(abs(times))


@given(SETTINGS, DESCENTS, draw.booleans())
def test_a_step_multiplies_the_error_by_the_factor_at_most(
    setting: Setting, how: Descent, shortcut: bool
) -> None:
    _, _, t, _ = setting.exactly()
    errors = [length(point.y - t) for point in descend(setting, how, shortcut)]
    most = factor(setting, how, shortcut)
    for before, after in pairwise(errors):
        assert after <= before * most * (1 + 1e-9) + 1e-9


@given(SETTINGS, DESCENTS)
def test_the_verdicts_are_true(setting: Setting, how: Descent) -> None:
    ends = {who: descend(setting, how, who == "residual") for who in linear_descent.WHO}
    residual, plain = ends["residual"][-1].loss, ends["plain"][-1].loss
    word = linear_descent.winner(setting, how)
    if word == "neither":
        assert residual > ends["residual"][0].loss
        assert plain > ends["plain"][0].loss
    else:
        least = min(ends, key=lambda who: ends[who][-1].loss)
        assert word == ("equal" if residual == plain else least)
    for points in ends.values():
        first, last = points[0].loss, points[-1].loss
        word = linear_descent.tendency(points)
        assert {
            "met": last == 0,
            "fell": 0 < last < first,
            "stayed": last == first > 0,
            "grew": last > first,
        }[word]


def test_the_plain_block_can_win() -> None:
    how = Descent("W", 0.1, 5)
    assert linear_descent.winner(Setting(), how) == "plain"
    assert linear_descent.winner(Setting(), Descent("x", 0.1, 20)) == "residual"


def test_a_loss_of_exactly_zero_is_marked_and_not_drawn() -> None:
    """ηα²‖x‖² = 1: one step on W lands on the target."""
    rows = linear_descent.by_step(Setting(), Descent("W", 0.2, 2))
    residual = rows.query("who == 'residual'")
    assert residual["zero"].tolist() == [False, True, True]
    assert np.isnan(residual["log10"].to_numpy()).tolist() == [False, True, True]
    points = descend(Setting(), Descent("W", 0.2, 2), shortcut=True)
    assert linear_descent.tendency(points) == "met"


def test_a_descent_that_diverges_stays_drawable() -> None:
    setting, how = Setting(x1=10, x2=10, alpha=2), Descent("W", 1.5, 30)
    tables = linear_descent.picture(setting, how)
    where = plane.Window(**tables["window"].iloc[0])
    assert np.isfinite(tables["rows"]["log10"]).all()
    assert np.isnan(tables["rows"]["y1"].to_numpy()).any()
    assert where.size < 1e3
    assert set(linear_descent.outcomes(setting, how)["tendency"]) == {"grew"}
    assert linear_descent.winner(setting, how) == "neither"


@given(SETTINGS, DESCENTS)
def test_the_picture_holds_start_and_target(setting: Setting, how: Descent) -> None:
    tables = linear_descent.picture(setting, how)
    where = plane.Window(**tables["window"].iloc[0])
    starts = tables["rows"].query("step == 0")[["y1", "y2"]].to_numpy()
    points = [*starts, tables["target"][["x", "y"]].to_numpy()[0]]
    for x, y in points:
        assert where.left <= x <= where.left + where.size
        assert where.bottom <= y <= where.bottom + where.size
    formula = linear_descent.first_step_tex(setting, how)
    assert formula.count("{") == formula.count("}")


def test_the_numbers_of_the_sentences() -> None:
    assert linear_descent.written(Setting(), Descent("W", 0.1, 1)) == {
        "steps": 1,
        "residual": "0.3125",
        "plain": "0.0625",
        "factor_residual": "0.5",
        "factor_plain": "0.5",
    }


@pytest.mark.parametrize(
    "change", [{"variable": "t"}, {"rate": 0.0}, {"rate": float("nan")}, {"steps": 31}]
)
def test_what_is_out_of_range_is_refused(change: dict) -> None:
    with pytest.raises(Refused):
        Descent(**change)
