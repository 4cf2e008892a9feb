"""What the convolutions of a residual block cost: weights and multiply-adds.

Article 2, section 3.1, and He et al. (2015), figure 5: the basic block is two 3 × 3 convolutions,
the bottleneck a 1 × 1 that narrows, a 3 × 3 and a 1 × 1 that widens. Biases and batch normalisation
are left out, as there.
"""

import pandas as pd

SIDE = 56
"""Height and width of the feature map in the first stage of the ImageNet networks."""


def conv(inputs: int, outputs: int, kernel: int) -> int:
    """Return the weights of one convolution, `kernel² · inputs · outputs`."""
    return kernel * kernel * inputs * outputs


def basic(channels: int) -> int:
    """Return the weights of a basic block."""
    return 2 * conv(channels, channels, 3)


def bottleneck(channels: int, inner: int) -> int:
    """Return the weights of a bottleneck block that is `inner` channels wide at its waist."""
    return conv(channels, inner, 1) + conv(inner, inner, 3) + conv(inner, channels, 1)


def projection(inputs: int, outputs: int) -> int:
    """Return the weights of a 1 × 1 projection on the shortcut, `W_s` in `y = W_s·x + F(x)`."""
    return conv(inputs, outputs, 1)


def table() -> pd.DataFrame:
    """Return blocks of equal cost, and what a basic block of 256 channels would cost instead.

    Columns: `block` (a phrase), `channels` as they change, `weights`, `multiply_adds` at 56 × 56.
    """
    rows = [
        ("basic", "64 → 64 → 64", basic(64)),
        ("bottleneck", "256 → 64 → 64 → 256", bottleneck(256, 64)),
        ("basic", "256 → 256 → 256", basic(256)),
        ("projection", "256 → 256", projection(256, 256)),
    ]
    frame = pd.DataFrame(rows, columns=["block", "channels", "weights"])
    return frame.assign(multiply_adds=frame["weights"] * SIDE * SIDE)
