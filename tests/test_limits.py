"""What is accepted, what is refused, and that a refusal is a sentence."""

import math
import string

import pytest
from hypothesis import given
from hypothesis import strategies as draw

from core.limits import Refused, one_of, to_step, within
from core.words import LANGUAGES, Words, catalogue

ANY = draw.one_of(draw.floats(), draw.integers())


@given(ANY)
def test_only_what_is_finite_and_within_passes(value: float) -> None:
    if math.isnan(value) or not -3 <= value <= 3:
        with pytest.raises(Refused) as refused:
            within("a", value, -3, 3)
        assert refused.value.values["value"] is value
    else:
        within("a", value, -3, 3)


@pytest.mark.parametrize("value", [math.inf, -math.inf, math.nan])
def test_an_open_range_still_wants_a_finite_number(value: float) -> None:
    with pytest.raises(Refused):
        within("a", value, -math.inf, math.inf)


def test_a_number_too_large_for_a_float_is_refused_like_any_other() -> None:
    with pytest.raises(Refused):
        within("n", 10**400, 1, 1000)


def test_one_of() -> None:
    one_of("init", "he", ("default", "he"))
    with pytest.raises(Refused, match="choice"):
        one_of("init", "<b>", ("default", "he"))


@given(
    draw.floats(-100, 100),
    draw.sampled_from([0.001, 0.01, 0.05, 0.1, 0.25, 0.5, 1, 2, 5]),
    draw.sampled_from([-100.0, -3.0, 0.0, 0.1]),
)
def test_to_step_gives_the_nearest_value_of_the_grid(value: float, step: float, low: float) -> None:
    got = to_step(value, step, low)
    assert abs(got - value) <= step / 2 + 1e-9
    assert (got - low) / step == pytest.approx(round((got - low) / step), abs=1e-6)
    assert to_step(got, step, low) == got
    assert len(repr(got)) < 12, "no 0.30000000000000004"


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize(
    "attempt", [lambda: within("n", 0, 1, 9), lambda: one_of("init", "x", ("a", "b"))]
)
def test_a_refusal_is_a_sentence_that_names_the_value_and_what_is_allowed(attempt, lang) -> None:
    with pytest.raises(Refused) as refused:
        attempt()
    key, values = f"refused.{refused.value.reason}", refused.value.values
    phrase = catalogue("shared")[key][lang]
    wanted = {name for _, name, _, _ in string.Formatter().parse(phrase) if name}
    assert wanted == set(values)
    said = Words("shared", lang)(key, **values)
    assert all(str(value) in said for value in values.values())
