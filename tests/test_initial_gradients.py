"""Gradients at initialisation: figures of the facts behind the lesson, and what is structural."""

import numpy as np
import pytest

from core.initial_gradients import SEEDS, Stack, mean_over_seeds, profile
from core.limits import Refused


def test_pre_ln_has_its_larger_gradients_near_the_input() -> None:
    """12 blocks, 3 seeds; measured elsewhere with another head: 0.66 falling to 0.21."""
    mean = mean_over_seeds(profile(Stack("Pre-LN", 12)), "gradient")
    assert mean[0] == pytest.approx(0.66, rel=0.15)
    assert mean[11] == pytest.approx(0.21, rel=0.15)


def test_deepnorm_is_level() -> None:
    gradients = mean_over_seeds(profile(Stack("DeepNorm", 12)), "gradient")
    assert gradients.max() / gradients.min() < 1.05


def test_the_stream_is_kept_or_grows() -> None:
    """Post-LN: deviation 1 after every block (LN with γ = 1). Pre-LN grows, about as √L."""
    kept = profile(Stack("Post-LN", 8))["stream"].to_numpy()
    assert np.allclose(kept, 1, atol=1e-3)
    grown = mean_over_seeds(profile(Stack("Pre-LN", 32)), "stream")
    assert (np.diff(grown) > 0).all()
    assert 3 < grown[-1] < 8


def test_nothing_normalised_explodes_and_stays_finite() -> None:
    table = profile(Stack("No-LN", 64), seeds=1)
    assert np.isfinite(table[["gradient", "stream"]].to_numpy()).all()
    assert table["stream"].to_numpy()[-1] > 1e9


def test_a_table_has_one_row_a_block_and_seed_and_is_repeatable() -> None:
    table = profile(Stack("Post-LN", 3))
    assert len(table) == 3 * SEEDS
    assert table.equals(profile(Stack("Post-LN", 3)))


@pytest.mark.parametrize(("name", "blocks"), [("Pre-LN", 1), ("Pre-LN", 65), ("LN", 4)])
def test_what_is_out_of_range_is_refused(name: str, blocks: int) -> None:
    with pytest.raises(Refused):
        Stack(name, blocks)


def test_without_shortcuts_the_tokens_become_equal() -> None:
    """Dong et al. (2021): attention without skips loses what tells tokens apart."""
    cut = mean_over_seeds(profile(Stack("Pre-LN", 6, skip=False)), "apart")
    kept = mean_over_seeds(profile(Stack("Pre-LN", 6)), "apart")
    assert cut[-1] < 1e-9
    assert kept[-1] > 0.5


def test_later_blocks_move_a_pre_ln_stream_less() -> None:
    update = mean_over_seeds(profile(Stack("Pre-LN", 32)), "update")
    assert update[0] > 2 * update[-1]
