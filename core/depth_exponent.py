"""How the last block's gradient at initialisation depends on depth: a power of `L`, and its spread.

Xiong et al. (2020), theorem 1, bounds the gradient of the last layer's `W₂` at initialisation from
above, with high probability: `O(d √(ln d))` for Post-LN, whatever the depth, and `O(d √(ln d / L))`
for Pre-LN. It says nothing about other layers, about training, or from below.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd

from core.initial_gradients import SEEDS, Stack, profile

DEPTHS = (2, 4, 8, 16, 32, 64)
FITTED_FROM = 8
BOUND = {"Pre-LN": -0.5, "Post-LN": 0.0}
"""The exponent of `L` in Xiong's bounds."""


@dataclass(frozen=True, slots=True)
class Exponent:
    """A fitted exponent of `L`: of the mean over seeds, and the range of the single seeds."""

    value: float
    low: float
    high: float


def measure(name: str, blocks: int) -> pd.DataFrame:
    """Return the last block's gradient, one row a seed: `who`, `blocks`, `seed`, `gradient`."""
    table = profile(Stack(name, blocks))
    last = table["gradient"].to_numpy().reshape(SEEDS, blocks)[:, -1]
    return pd.DataFrame({"who": name, "blocks": blocks, "seed": range(SEEDS), "gradient": last})


def fit(measured: Mapping[int, pd.DataFrame]) -> Exponent:
    """Fit `log‖∂L/∂W₂‖ = c + p·log L` by least squares over the depths from 8 on.

    `measured` maps a depth to its rows of `measure`.
    """
    depths = [blocks for blocks in measured if blocks >= FITTED_FROM]
    table = np.stack([measured[blocks]["gradient"].to_numpy() for blocks in depths])
    slopes = [_slope(depths, column) for column in table.T]
    return Exponent(_slope(depths, table.mean(axis=1)), min(slopes), max(slopes))


def _slope(depths: list[int], gradients: np.ndarray) -> float:
    return float(np.polyfit(np.log(depths), np.log(gradients), 1)[0])


def bound_slopes(measured: Mapping[str, Mapping[int, pd.DataFrame]]) -> pd.DataFrame:
    """Return lines with the slopes of Xiong's bounds: `who`, `blocks`, `gradient`.

    Each goes through the first fitted mean. Only its slope means something: the bound leaves its
    constant open.
    """
    rows = []
    for name in (name for name in measured if name in BOUND):
        start = measured[name][FITTED_FROM]["gradient"].to_numpy().mean()
        for blocks in DEPTHS:
            rows.append((name, blocks, start * (blocks / FITTED_FROM) ** BOUND[name]))
    return pd.DataFrame(rows, columns=["who", "blocks", "gradient"])


def case(exponent: Exponent) -> str:
    """Return `grows` or `falls` where every seed's exponent is beyond ±0.25, else `flat`."""
    if exponent.low > 0.25:
        return "grows"
    return "falls" if exponent.high < -0.25 else "flat"
