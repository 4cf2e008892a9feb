"""Touch one token: who answers, and how strongly."""

import numpy as np
import pytest

from core.norms import Norm
from core.small_block import SmallBlock
from core.token_map import MAPS, maps, moved, rows, sizes


def test_attention_mixes_tokens_and_the_ffn_never_does() -> None:
    tables = maps(SmallBlock("Pre-LN", 5))
    assert tuple(tables) == MAPS
    assert (tables["attention"] > 0).all()
    assert (tables["block"] > 0).all()
    assert np.array_equal(tables["ffn"] != 0, np.eye(5, dtype=bool))
    assert np.array_equal(tables["shortcut"], np.eye(5))
    assert [moved(tables[name], 2) for name in MAPS] == [5, 1, 1, 5]


def test_causal() -> None:
    tables = maps(SmallBlock("Post-LN", 4, causal=True))
    assert np.array_equal(tables["attention"] != 0, np.tri(4, dtype=bool))
    assert [moved(tables["block"], s) for s in range(1, 5)] == [4, 3, 2, 1]


@pytest.mark.parametrize("norm", [Norm(), Norm("RMSNorm")])
def test_sizes_are_the_spectral_norms_of_the_parts(norm: Norm) -> None:
    j = np.random.default_rng(0).normal(size=(12, 12))
    table = sizes(j, 3)
    assert table[2, 1] == pytest.approx(np.linalg.svd(j[8:12, 4:8], compute_uv=False)[0])


def test_an_exact_zero_is_an_empty_cell() -> None:
    drawn = rows(np.array([[0.5, 0.0], [1e-9, 2.0]]), touched=2)
    assert drawn["text"].tolist() == ["0.5", "0", "1.0×10⁻⁹", "2"]
    assert np.isnan(drawn["size"].to_numpy()).tolist() == [False, True, False, False]
    assert drawn["lit"].tolist() == [False, True, False, True]
