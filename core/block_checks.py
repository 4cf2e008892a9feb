"""Every closed form of the LayerNorm lesson beside automatic differentiation and differences."""

import numpy as np
import pandas as pd

from core.block_jacobian import block_jacobian, by_autograd, by_differences
from core.block_statements import norm_facts
from core.norms import KINDS, Norm
from core.placements import PLACEMENTS
from core.small_block import SmallBlock, draw


def checked(seed: int) -> pd.DataFrame:
    """Return closed forms beside autograd: `fact`, `name`, `closed`, `autograd`.

    Facts of one normalisation (`core.block_statements.norm_facts`) for both kinds, and `entry`: for
    each placement the entry of the block's Jacobian in which the two differ most.
    """
    tables = []
    for kind in KINDS:
        x, _ = draw(SmallBlock("Pre-LN", seed=seed))
        facts = norm_facts(Norm(kind), x[0]).rename(columns={"quantity": "fact"})
        tables.append(facts.assign(name=kind))
    for name in PLACEMENTS:
        closed, measured = (f(SmallBlock(name, seed=seed)) for f in (block_jacobian, by_autograd))
        at = np.unravel_index(np.abs(closed - measured).argmax(), closed.shape)
        row = {"fact": "entry", "name": name, "closed": closed[at], "autograd": measured[at]}
        tables.append(pd.DataFrame([row]))
    return pd.concat(tables, ignore_index=True)


def largest_difference(seed: int) -> float:
    """Return the largest difference of closed form and central differences, all placements."""
    blocks = [SmallBlock(name, seed=seed) for name in PLACEMENTS]
    return max(float(np.abs(block_jacobian(b) - by_differences(b)).max()) for b in blocks)
