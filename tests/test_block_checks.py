"""What the check tab shows: every closed form within rounding of autograd, for any seed."""

import numpy as np
import pytest

from core.block_checks import checked, largest_difference
from core.placements import PLACEMENTS


@pytest.mark.parametrize("seed", [0, 7, 9999])
def test_closed_forms_agree(seed: int) -> None:
    rows = checked(seed)
    assert np.abs(rows["closed"].to_numpy() - rows["autograd"].to_numpy()).max() < 1e-11
    assert rows["name"].tolist()[-6:] == list(PLACEMENTS)
    assert 0 < largest_difference(seed) < 1e-5
