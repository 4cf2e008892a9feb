"""Settings of the linear block for property tests, on the grid that the page's fields show."""

import numpy as np
from hypothesis import strategies as draw

from core.linear_block import Setting


def tenths(largest: int) -> draw.SearchStrategy[float]:
    return draw.integers(-10 * largest, 10 * largest).map(lambda n: n / 10)


SETTINGS = draw.builds(
    Setting, *(tenths(10),) * 2, *(tenths(3),) * 4, *(tenths(10),) * 2, tenths(2)
)

SMALL = draw.builds(Setting, *(tenths(3),) * 2, *(tenths(1),) * 4, *(tenths(3),) * 2, tenths(1))


def floats(values: object) -> np.ndarray:
    return np.array(values).astype(float)


def length(values: object) -> float:
    return float(np.linalg.norm(floats(values)))
