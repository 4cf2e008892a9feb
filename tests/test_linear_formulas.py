"""Formulas with numbers put in: those of article 1, section 4, and that they are well formed."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as draw

from core.linear_block import Setting
from core.linear_formulas import derivation, substituted
from tests.linear_settings import SETTINGS

STEPS = ("branch", "add", "loss", "output", "split", "input", "weight", "all")


@pytest.mark.parametrize(
    ("step", "shown"),
    [
        ("branch", r"0.1\times1+0.2\times2\\-0.1\times1+0.3\times2"),
        ("add", r"\begin{bmatrix}1\\2\end{bmatrix}"),
        ("loss", r"\tfrac12\left[(1.5-1)^2+(2.5-1)^2\right]"),
        ("loss", "=1.25"),
        ("output", r"\begin{bmatrix}1.5\\2.5\end{bmatrix}-\begin{bmatrix}1\\1\end{bmatrix}"),
        ("split", r"\begin{bmatrix}0.1&-0.1\\0.2&0.3\end{bmatrix}"),
        ("input", r"\begin{bmatrix}1.1&-0.1\\0.2&1.3\end{bmatrix}"),
        ("input", r"\begin{bmatrix}0.4\\2.05\end{bmatrix}"),
        ("weight", r"\begin{bmatrix}0.5&1\\1.5&3\end{bmatrix}"),
    ],
)
def test_the_article_step_by_step(step: str, shown: str) -> None:
    assert shown in substituted(Setting(), step)


def test_alpha_is_put_in_too() -> None:
    half = Setting(alpha=-0.5)
    assert r"(-0.5)\cdot \begin{bmatrix}0.5\\0.5\end{bmatrix}" in substituted(half, "branch")
    assert r"(-0.5)\cdot \begin{bmatrix}" in substituted(half, "weight")


def test_a_negative_factor_stands_in_brackets() -> None:
    assert r"0.1\times(-1)+0.2\times2" in substituted(Setting(x1=-1), "branch")
    assert "-(-1))^2" in substituted(Setting(t1=-1), "loss")


@given(SETTINGS, draw.sampled_from(STEPS))
def test_every_formula_is_well_formed(setting: Setting, step: str) -> None:
    formula = substituted(setting, step)
    assert formula.count("{") == formula.count("}")
    assert formula.count(r"\begin") == formula.count(r"\end")
    assert not re.search(r"−|nan|inf|[⁰-⁹]", formula)


def test_every_number_of_the_article_is_in_the_derivation() -> None:
    """Article 1, sections 4.1 to 4.3."""
    assert [
        line.split("= ")[-1].rstrip("]") for line in derivation(Setting(), "all").split("  \n")
    ] == [
        "(0.5, 0.5)",
        "(1.5, 2.5)",
        "1.25",
        "(0.5, 1.5)",
        "(−0.1, 0.55)",
        "(0.4, 2.05)",
        "(0.5, 1), (1.5, 3)",
    ]


@pytest.mark.parametrize("step", STEPS)
def test_the_derivation_lights_the_line_of_the_step(step: str) -> None:
    lines = derivation(Setting(), step).split("  \n")
    lit = [line for line in lines if line.startswith("**▶")]
    assert len(lines) == 7
    assert lit == ([] if step == "all" else [lines[STEPS.index(step)]])
    assert sum(":gray[" in line for line in lines) == (0 if step == "all" else 6)


def test_a_rounded_number_is_marked_as_such() -> None:
    assert "≈" in derivation(Setting(x1=0.33, w11=0.33, alpha=0.7), "all")
