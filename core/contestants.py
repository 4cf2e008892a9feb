"""The contestants of live training: one network family, told apart by its shortcuts and scales.

A hidden layer is `z = W φ(u) + b`, with `u` the layer's input, normalised or not. A shortcut spans
some layers and adds what entered them: `h ← s·h + α·F(h)`, where `F` ends linear. With `s = 0` that
is exactly the articles' plain network, so the shortcut is the only difference.
"""

from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

Norm = Literal["none", "layer", "batch"]


@dataclass(frozen=True, slots=True)
class Contestant:
    """One way to build the network of given layers.

    `shortcuts` is "none", "few" (as many as the settings say) or "all" (one a block). `scaled`
    multiplies each branch by `1/√blocks` (article 1, section 7); `zero_last` starts the last layer
    of each branch at 0; `learned` makes the branch's factor α a parameter that starts at 0.
    `norm` is "layer" (before each branch) or "batch" (before each activation). `half` uses only
    the first half of the layers: the others pass their input on and do not learn.
    """

    name: str
    shortcuts: Literal["none", "few", "all"] = "all"
    scaled: bool = False
    zero_last: bool = False
    learned: bool = False
    norm: Norm = "none"
    half: bool = False


@dataclass(frozen=True, slots=True)
class Shape:
    """What all members share: sizes, activation, layers per branch, number of few shortcuts."""

    features: int
    classes: int
    layers: int
    width: int
    per_branch: int
    few: int
    activation: str
    init: str


CONTESTANTS = {
    contestant.name: contestant
    for contestant in (
        Contestant("plain", shortcuts="none"),
        Contestant("plain_half", shortcuts="none", half=True),
        Contestant("few", shortcuts="few"),
        Contestant("residual"),
        Contestant("scaled", scaled=True),
        Contestant("zero_last", zero_last=True),
        Contestant("rezero", learned=True),
        Contestant("pre_ln", norm="layer"),
        Contestant("plain_bn", shortcuts="none", norm="batch"),
        Contestant("residual_bn", norm="batch"),
    )
}


def spans(layers: int, count: int) -> tuple[tuple[int, int], ...]:
    """Return `count` spans `(first, last)` that share out the layers 0 … `layers − 1` evenly."""
    edges = [round(i * layers / count) for i in range(count + 1)]
    return tuple((start, stop - 1) for start, stop in pairwise(edges))
