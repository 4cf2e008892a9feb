"""Tables that a moving control draws: plain columns, which are sent sooner than a data frame."""

from collections.abc import Iterable, Sequence
from typing import Any

Columns = dict[str, list[Any]]
"""The columns of a table by their names, all of one length."""


def columns(names: Sequence[str], rows: Iterable[Sequence[Any]]) -> Columns:
    """Return rows as columns of these names; without rows every column is empty."""
    table = list(rows)
    return {name: [row[at] for row in table] for at, name in enumerate(names)}
