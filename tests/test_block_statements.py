"""Statements about Jacobians: what is a theorem holds in every block, what is not fails."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as draw

from core.block_statements import STATEMENTS, Trial, norm_facts, spectrum, tried
from core.limits import Refused
from core.norms import KINDS, Norm
from core.small_block import SmallBlock

HOLDS = {
    ("LayerNorm", 0.0): {"shift", "gain", "stretch_sublayer", "final", "post_singular"},
    ("LayerNorm", 1e-5): {"shift", "gain", "final", "post_singular"},
    ("RMSNorm", 0.0): {"gain", "stretch_sublayer", "post_singular"},
}


@pytest.mark.parametrize(("kind", "epsilon"), HOLDS)
@pytest.mark.parametrize("seed", [0, 500])
def test_theorems_hold_in_every_block_and_errors_in_none(
    kind: str, epsilon: float, seed: int
) -> None:
    table = tried(Trial(Norm(kind, epsilon), seed)).set_index("statement")
    for name in STATEMENTS:
        holds = 20 if name in HOLDS[kind, epsilon] else 0
        assert table.at[name, "holds"] == holds, name


def test_the_stretch_error_of_the_facts() -> None:
    """Facts: `J·x = x` holds for one sub-layer only; for two the error is of order 0.8."""
    table = tried(Trial(Norm("LayerNorm", 0.0))).set_index("statement")
    assert table.at["stretch_sublayer", "worst"] < 1e-13
    assert 0.5 < float(str(table.at["stretch_block", "worst"])) < 2


@given(draw.sampled_from(KINDS), draw.sampled_from([0.0, 1e-5, 0.5]), draw.integers(0, 999))
def test_norm_facts(kind: str, epsilon: float, seed: int) -> None:
    x = np.random.default_rng(seed).normal(size=6)
    facts = norm_facts(Norm(kind, epsilon), x)
    assert np.allclose(facts["closed"].to_numpy(), facts["autograd"].to_numpy(), atol=1e-10)


def test_the_spectrum_tells_zero_from_small() -> None:
    """ε = 0: two directions a token are lost in Post-LN. ε = 1e-5: one is, the other is small."""
    for epsilon, zeros in ((0.0, 8), (1e-5, 4)):
        rows = spectrum(SmallBlock("Post-LN", norm=Norm("LayerNorm", epsilon)))
        zero = rows["zero"].to_numpy()
        assert zero.sum() == zeros
        assert np.isnan(rows["log10"].to_numpy()[zero]).all()
    assert not spectrum(SmallBlock("Pre-LN"))["zero"].to_numpy().any()


def test_too_many_blocks_are_refused() -> None:
    with pytest.raises(Refused):
        Trial(Norm(), count=101)
