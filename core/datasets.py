"""The two data sets that networks train on: handwritten digits, and two spirals in a plane."""

import functools
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd
from numpy.typing import NDArray

DATASETS = ("digits", "spirals")
DIGITS = Path(__file__).parent / "data" / "digits.csv.gz"
DIGITS_TRAIN = 1400
SPIRAL_TRAIN, SPIRAL_TEST, SPIRAL_TURNS, SPIRAL_NOISE = 800, 400, 1.5, 0.03


@dataclass(frozen=True, slots=True, eq=False)
class Dataset:
    """Inputs `(n, features)` as float32, labels `(n,)` as int64, split into training and test."""

    train_x: NDArray[np.float32]
    train_y: NDArray[np.int64]
    test_x: NDArray[np.float32]
    test_y: NDArray[np.int64]
    classes: int

    @property
    def features(self) -> int:
        """How many numbers one input has."""
        return self.train_x.shape[1]

    def head(self, count: int) -> "Dataset":
        """Return the set with only the first `count` training rows (they are in random order)."""
        x, y = self.train_x[:count], self.train_y[:count]
        return Dataset(x, y, self.test_x, self.test_y, self.classes)


@functools.cache
def load(name: str) -> Dataset:
    """Return a data set by its name in `DATASETS`. Order and split are always the same."""
    return digits() if name == "digits" else spirals()


def digits() -> Dataset:
    """Return 1,797 digits of 8 × 8 pixels, scaled to [0, 1]; 1,400 to train on, 397 to test.

    Source: `core/data/README.md` (Alpaydin and Kaynak, CC BY 4.0).
    """
    table = pd.read_csv(DIGITS).sample(frac=1, random_state=0)
    x = (table.drop(columns="label").to_numpy() / 16).astype(np.float32)
    y = table["label"].to_numpy(np.int64)
    n = DIGITS_TRAIN
    return Dataset(x[:n], y[:n], x[n:], y[n:], classes=10)


def spirals() -> Dataset:
    """Return two interleaved spirals in [−1, 1]²: radius `t`, angle `2π·turns·t` (+ π), noise."""
    random = np.random.default_rng(0)
    n = SPIRAL_TRAIN + SPIRAL_TEST
    y = random.integers(0, 2, n)
    t = np.sqrt(random.uniform(0.02, 1, n))
    angle = 2 * np.pi * SPIRAL_TURNS * t + np.pi * y
    x = np.stack([t * np.cos(angle), t * np.sin(angle)], axis=1)
    x += random.normal(0, SPIRAL_NOISE, x.shape)
    near = x.astype(np.float32)
    n = SPIRAL_TRAIN
    return Dataset(near[:n], y[:n], near[n:], y[n:], classes=2)


@functools.lru_cache(maxsize=32)
def linear_accuracy(name: str, count: int) -> float:
    """Return the test accuracy in [0, 1] of the best linear map, fitted by least squares.

    Labels are coded one of `classes`; with `X` the inputs and a column of ones, `W = X⁺Y`. It says
    how far one gets with no depth at all.
    """
    data = load(name).head(count)
    ones = np.ones((count, 1))
    target = np.eye(data.classes)[data.train_y]
    weight = np.linalg.lstsq(np.hstack([data.train_x, ones]), target, rcond=None)[0]
    answer = np.hstack([data.test_x, np.ones((len(data.test_x), 1))]) @ weight
    return float((answer.argmax(axis=1) == data.test_y).mean())
