"""Common wrong claims: each answer's numbers are what the counterexample gives."""

import pytest

from core import gradient_claims as core
from core.words import LANGUAGES, Words, catalogue

GOLDEN = {
    # claim: numbers of its answer, which sentence of the articles it answers
    "degradation": ({"norm": "1"}, "article 2, 1.3: vanishing as a root of degradation"),
    "below_one": (
        {"near": "0.605", "middle": "0.00515", "far": "8.88×10⁻¹⁶"},
        "article 2, 1.3: below 1 means astronomically small",
    ),
    "radius_small": ({"norm": "1,048,576"}, "article 2, 2.1: spectral radius below 1"),
    "ceiling": (
        {"twenty": "9.09×10⁻¹³", "fifty": "7.89×10⁻³¹", "run": "2.37×10⁻⁵⁰"},
        "article 2, 2.1: the sigmoid's 0.25",
    ),
    "lossless": ({"half": "8.88×10⁻¹⁶"}, "article 2, 2.2: at least undiminished"),
    "floor": ({"nearest": "0.00652", "percent": "44"}, "article 2, 2.3: floor of 1"),
    "all_small": ({"product": "8.88×10⁻¹⁶", "least": "0.099"}, "article 2, 2.3: ruled out"),
    "main_road": ({"product": "1.23×10¹⁷⁶"}, "article 2, 2.2: a road without decay"),
    "copy": ({}, "article 2, 2.3: the copy handed on"),
    "thousands": ({"low": "−0.0023", "high": "0.00231"}, "article 2, 3.3: thousands of layers"),
    "direct_path": (
        {"total": "1.00×10⁻²⁰", "sizes": "375,900"},
        "article 1, 3.3: right, but one path of 2^n",
    ),
}


@pytest.mark.parametrize("name", GOLDEN)
def test_numbers(name: str) -> None:
    numbers, where = GOLDEN[name]
    assert core.values()[name] == numbers, where


def test_a_large_radius_does_not_mean_growth() -> None:
    """Article 2, 2.1: a spectral radius above 1 explodes."""
    assert core.values()["radius_large"]["norm"] == "5.09×10⁻⁴⁶"


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_claim_has_its_words_and_every_word_its_claim(lang: str) -> None:
    say = Words("gradient_multiplier", lang)
    for name, numbers in core.values().items():
        assert say(f"claim.{name}")
        assert "{" not in say(f"claim_answer.{name}", **numbers)
    phrases = {key for key in catalogue("gradient_multiplier") if key.startswith("claim.")}
    assert phrases == {f"claim.{name}" for name in core.values()}
