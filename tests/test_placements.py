"""Placements: the article's formulas, and the Jacobian each of them has."""

import re

import pytest

from core.placements import PLACEMENTS, formula, jacobian, jacobian_lines


def plain(tex: str) -> str:
    return re.sub(r"\\mathrm\{(\w+)\}", r"\1", tex)


@pytest.mark.parametrize(
    ("name", "attention", "ffn"),
    [
        ("Pre-LN", "X+MHA(LN(X))", "U+FFN(LN(U))"),  # article 1, section 6.1
        ("Post-LN", "LN(X+MHA(X))", "LN(U+FFN(U))"),  # article 1, section 6.2
        ("Peri-LN", "X+LN(MHA(LN(X)))", "U+LN(FFN(LN(U)))"),
        ("Output-LN", "X+LN(MHA(X))", "U+LN(FFN(U))"),
        ("DeepNorm", r"LN(\alpha X+MHA(X))", r"LN(\alpha U+FFN(U))"),
        ("No-LN", "X+MHA(X)", "U+FFN(U)"),
    ],
)
def test_formulas(name: str, attention: str, ffn: str) -> None:
    assert plain(formula(PLACEMENTS[name], "X", "MHA")) == attention
    assert plain(formula(PLACEMENTS[name], "U", "FFN")) == ffn


def test_the_marked_term_stands_in_a_box() -> None:
    post = PLACEMENTS["Post-LN"]
    assert plain(formula(post, "X", "MHA", "branch")) == r"LN(X+\boxed{MHA(X)})"
    assert plain(formula(post, "X", "MHA", "add")) == r"LN(\boxed{X+MHA(X)})"
    assert plain(formula(post, "X", "MHA", "trunk")) == r"\boxed{LN(X+MHA(X))}"
    assert plain(formula(PLACEMENTS["Pre-LN"], "X", "MHA", "before")) == r"X+MHA(\boxed{LN(X)})"


def test_jacobians_name_their_points() -> None:
    """Article 1, section 6.2, gives J = I + J_F J_LN and J = J_LN (I + J_F) without the points."""
    ln = r"J_{\mathrm{LN}}"
    assert jacobian(PLACEMENTS["Pre-LN"]) == rf"I+J_F\bigl(\mathrm{{LN}}(x)\bigr)\,{ln}(x)"
    assert jacobian(PLACEMENTS["Post-LN"]) == rf"{ln}\bigl(x+F(x)\bigr)\,\bigl(I+J_F(x)\bigr)"


def test_a_long_jacobian_is_broken_and_keeps_every_factor() -> None:
    for placement in PLACEMENTS.values():
        narrow, wide = jacobian_lines(placement), jacobian(placement)
        assert narrow.count("J_") == wide.count("J_")
        assert ("gathered" in narrow) == (placement.name == "Peri-LN")


def test_only_a_stream_that_nothing_normalises_needs_a_last_norm() -> None:
    final = {name for name, placement in PLACEMENTS.items() if placement.final}
    assert final == {"Pre-LN", "Peri-LN", "Output-LN"}
