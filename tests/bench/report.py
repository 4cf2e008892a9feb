"""The table on the terminal and the JSON file."""

import os
import platform
import statistics
from collections.abc import Iterable

from tests.bench.measure import Measure, percentile95

HEAD = ("row", "median", "p95", "quartiles", "yardstick", "ratio", "budget", "n", "")
WIDTHS = (34, 10, 10, 17, 11, 13, 25, 5, 8)


def line(cells: Iterable[str]) -> str:
    """Return one line of the table: the name to the left, figures to the right."""
    name, *rest = cells
    first, *others = WIDTHS
    return name.ljust(first) + "".join(
        cell.rjust(width) for cell, width in zip(rest, others, strict=True)
    )


def amount(value: float, unit: str) -> str:
    """Return what was measured with its unit; a time in milliseconds."""
    return f"{1000 * value:.1f} ms" if unit == "s" else f"{value:.1f} {unit}"


def cells(row: Measure) -> list[str]:
    """Return what the table says about a row."""
    low, _, high = statistics.quantiles(row.subject, n=4, method="inclusive")
    sign = "≥" if row.at_least else "≤"
    return [
        row.name,
        amount(statistics.median(row.subject), row.unit),
        amount(percentile95(row.subject), row.unit),
        f"{amount(low, row.unit).split()[0]} to {amount(high, row.unit).split()[0]}",
        amount(statistics.median(row.yardstick), row.unit),
        " / ".join(f"{row.ratio(name):.2f}" for name in row.shown),
        " / ".join(f"{name} {sign} {budget:g}" for name, budget in row.budgets.items()),
        str(len(row.subject)),
        "" if row.met else "MISSED",
    ]


def record(row: Measure) -> dict[str, object]:
    """Return a row for the JSON file."""
    return {
        "row": row.name,
        "ratios": {name: row.ratio(name) for name in row.shown},
        "budgets": dict(row.budgets),
        "at_least": row.at_least,
        "met": row.met,
        "unit": row.unit,
        "subject": list(row.subject),
        "yardstick": list(row.yardstick),
    }


def machine() -> dict[str, object]:
    """Return what the figures were measured on."""
    return {
        "python": platform.python_version(),
        "system": platform.platform(terse=True),
        "cores": os.cpu_count(),
    }
