"""The bundled data against scikit-learn's copy, and what a linear model makes of it."""

import numpy as np
import pytest
from sklearn.datasets import load_digits
from sklearn.linear_model import LinearRegression

from core import datasets


def test_the_digits_are_those_of_scikit_learn() -> None:
    data = datasets.digits()
    pixels, labels = load_digits(return_X_y=True)
    ours = np.hstack(
        [
            np.vstack([data.train_x, data.test_x]) * 16,
            np.concatenate([data.train_y, data.test_y])[:, None],
        ]
    )
    reference = np.hstack([pixels, np.asarray(labels)[:, None]])
    order = lambda rows: rows[np.lexsort(rows.T)]  # noqa: E731
    assert np.array_equal(order(ours), order(reference))
    assert (len(data.train_x), len(data.test_x), data.classes) == (1400, 397, 10)


def test_the_first_digits_to_train_on_are_a_fair_sample() -> None:
    counts = np.bincount(datasets.digits().head(140).train_y, minlength=10)
    assert counts.min() >= 5


def test_the_spirals_cannot_be_told_apart_by_a_line() -> None:
    data = datasets.spirals()
    assert np.abs(data.train_x).max() < 1.2
    assert datasets.linear_accuracy("spirals", 800) < 0.75


@pytest.mark.parametrize("count", [140, 1400])
def test_the_linear_reference_agrees_with_scikit_learn(count: int) -> None:
    data = datasets.digits().head(count)
    theirs = LinearRegression().fit(data.train_x, np.eye(data.classes)[data.train_y])
    accuracy = (theirs.predict(data.test_x).argmax(axis=1) == data.test_y).mean()
    assert datasets.linear_accuracy("digits", count) == pytest.approx(accuracy, abs=0.01)
