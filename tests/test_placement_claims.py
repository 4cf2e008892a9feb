"""The numbers in the answers: each claim's verdict must follow from them."""

import functools

from core.initial_gradients import profile
from core.layernorm_placement import CLAIM_SETTINGS
from core.placement_claims import claim_values, question_values, reach
from core.small_block import SmallBlock
from core.words import catalogue

PROFILES = functools.cache(profile)


def test_every_claim_has_numbers_words_and_settings() -> None:
    values = claim_values(PROFILES)
    words = catalogue("layernorm_placement")
    assert set(values) == set(CLAIM_SETTINGS)
    assert {f"claim.{name}" for name in values} == {k for k in words if k.startswith("claim.")}


def test_the_numbers_refute_the_claims() -> None:
    values = claim_values(PROFILES)

    def number(claim: str, name: str) -> float:
        return float(str(values[claim][name]).replace(",", ""))

    assert number("branch", "post") == 1
    assert number("branch", "pre") > 2
    assert number("output", "output") > 2
    assert (values["output"]["rank"], values["output"]["full"]) == (24, 32)
    assert number("grows", "ratio") < 0.7 * number("grows", "root")
    assert number("flat", "ratio") > 2
    assert number("thousands", "last") < number("thousands", "first") / 3
    assert number("prefer", "pre") < number("prefer", "post")
    assert number("clean", "after") > 5 * number("clean", "before")
    assert number("identity", "smallest") < 0.5


def test_without_shortcuts_the_tokens_become_equal() -> None:
    """12 blocks without shortcuts: equal up to rounding; with them half of the stream differs."""
    values = question_values(PROFILES, 12)
    assert values["case"] == "rounding"
    assert float(str(values["apart"])) > 0.3
    assert question_values(PROFILES, 2)["case"] in ("small", "some")


def test_reach() -> None:
    assert reach(SmallBlock("Pre-LN", 5), 2) == {
        "attention": 5,
        "ffn": 1,
        "shortcut": 1,
        "block": 5,
    }
