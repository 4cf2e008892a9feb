"""The table on the terminal and the JSON file."""

import os
import platform
import statistics
from collections.abc import Iterable

from tests.bench.measure import Measure, percentile95

HEAD = ("row", "median", "p95", "quartiles", "yardstick", "ratio", "budget", "n", "")
WIDTHS = (34, 10, 10, 17, 11, 13, 14, 5, 8)


def line(cells: Iterable[str]) -> str:
    """Return one line of the table: the name to the left, figures to the right."""
    name, *rest = cells
    first, *others = WIDTHS
    return name.ljust(first) + "".join(
        cell.rjust(width) for cell, width in zip(rest, others, strict=True)
    )


def ms(seconds: float) -> str:
    """Return a time in milliseconds."""
    return f"{1000 * seconds:.1f} ms"


def cells(row: Measure) -> list[str]:
    """Return what the table says about a row."""
    low, _, high = statistics.quantiles(row.subject, n=4, method="inclusive")
    sign = "≥" if row.at_least else "≤"
    return [
        row.name,
        ms(statistics.median(row.subject)),
        ms(percentile95(row.subject)),
        f"{1000 * low:.1f} to {1000 * high:.1f}",
        ms(statistics.median(row.yardstick)),
        " / ".join(f"{row.ratio(name):.2f}" for name in row.budgets),
        " / ".join(f"{sign} {budget:g}" for budget in row.budgets.values()),
        str(len(row.subject)),
        "" if row.met else "MISSED",
    ]


def record(row: Measure) -> dict[str, object]:
    """Return a row for the JSON file."""
    return {
        "row": row.name,
        "ratios": {name: row.ratio(name) for name in row.budgets},
        "budgets": dict(row.budgets),
        "at_least": row.at_least,
        "met": row.met,
        "subject_seconds": list(row.subject),
        "yardstick_seconds": list(row.yardstick),
    }


def machine() -> dict[str, object]:
    """Return what the figures were measured on."""
    return {
        "python": platform.python_version(),
        "system": platform.platform(terse=True),
        "cores": os.cpu_count(),
    }
