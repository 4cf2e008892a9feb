"""Where a normalisation can stand in a residual sub-layer, and what the formula then is.

One sub-layer is `y = T(α·x + O(F(I(x))))`: `I` on the branch's input, `O` on the branch's output,
`T` on the stream after the addition. A placement says which of the three are a normalisation; the
others are the identity. So all placements are one formula with a box moved.
"""

from dataclasses import dataclass

SLOTS = ("before", "behind", "trunk")


@dataclass(frozen=True, slots=True)
class Placement:
    """Which slots of a sub-layer hold a normalisation, and whether DeepNorm's `α` scales the skip.

    `before` is `I`, `behind` is `O`, `trunk` is `T` in `y = T(α·x + O(F(I(x))))`.
    """

    name: str
    before: bool = False
    behind: bool = False
    trunk: bool = False
    scaled: bool = False

    @property
    def slots(self) -> tuple[str, ...]:
        """The slots that hold a normalisation, in the order in which they are computed."""
        return tuple(slot for slot in SLOTS if getattr(self, slot))

    @property
    def final(self) -> bool:
        """Whether a stack needs one normalisation after its last block.

        It does where a branch is normalised and the stream is not: the stream then reaches the
        last block with whatever size it has grown to.
        """
        return bool(self.slots) and not self.trunk


PLACEMENTS = {
    placement.name: placement
    for placement in (
        Placement("Pre-LN", before=True),
        Placement("Post-LN", trunk=True),
        Placement("Peri-LN", before=True, behind=True),
        Placement("Output-LN", behind=True),
        Placement("DeepNorm", trunk=True, scaled=True),
        Placement("No-LN"),
    )
}


def formula(placement: Placement, x: str, branch: str, marked: str | None = None) -> str:
    r"""Return the right-hand side of a sub-layer in TeX, with one part of it in a box.

    `marked` is `before`, `branch`, `behind`, `add`, `trunk` or None. Article 1, sections 6.1 and
    6.2, for Pre-LN and Post-LN: `X+\operatorname{MHA}(\operatorname{LN}(X))` and so on.
    """

    def mark(part: str, tex: str) -> str:
        return rf"\boxed{{{tex}}}" if part == marked else tex

    def norm(slot: str, tex: str) -> str:
        return mark(slot, rf"\mathrm{{LN}}({tex})") if getattr(placement, slot) else tex

    term = norm("behind", mark("branch", rf"\mathrm{{{branch}}}({norm('before', x)})"))
    skip = rf"\alpha {x}" if placement.scaled else x
    return norm("trunk", mark("add", f"{skip}+{term}"))


def jacobian_lines(placement: Placement) -> str:
    """Return `J = …` in TeX for a narrow place: smaller, and in two lines where it is long."""
    tex = "J=" + jacobian(placement)
    if placement.before and placement.behind:
        first, second = tex.split(r"\,J_F", 1)
        tex = rf"\begin{{gathered}}{first}\\ \cdot J_F{second}\end{{gathered}}"
    return (r"\footnotesize " if placement.scaled else r"\small ") + tex


def jacobian(placement: Placement) -> str:
    r"""Return the Jacobian of a sub-layer in TeX, every point of evaluation written out.

    Pre-LN `I+J_F(LN(x))·J_LN(x)`, Post-LN `J_LN(x+F(x))·(I+J_F(x))`; article 1, section 6.2, gives
    the same two without the points.
    """
    inner = r"\mathrm{LN}(x)" if placement.before else "x"
    branch = rf"J_F\bigl({inner}\bigr)" if placement.before else "J_F(x)"
    if placement.before:
        branch += r"\,J_{\mathrm{LN}}(x)"
    if placement.behind:
        branch = rf"J_{{\mathrm{{LN}}}}\bigl(F({inner})\bigr)\," + branch
    skip = r"\alpha " if placement.scaled else ""
    total = f"{skip}I+{branch}"
    if not placement.trunk:
        return total
    return rf"J_{{\mathrm{{LN}}}}\bigl({skip}x+F(x)\bigr)\,\bigl({total}\bigr)"
