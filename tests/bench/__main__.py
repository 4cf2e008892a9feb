"""`python -m tests.bench`: measure the budgets; exit code 1 names the rows that miss theirs.

Every figure is a ratio of two things measured in turn in the same run. A row is a function of
`Options` that yields `Measure`s; a new one is added to `ROWS`.
"""

import argparse
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from tests.bench import load, report, training
from tests.bench.browser import key_presses
from tests.bench.measure import Measure
from tests.bench.options import Options
from tests.bench.scripts import script_runs

Rows = Sequence[Callable[[Options], Iterator[Measure]]]
ROWS: Rows = (
    training.against_plain_loop,
    training.recording,
    training.product_share,
    load.watched,
    load.moves,
    load.memory,
    load.torch_in_server,
    script_runs,
    key_presses,
)


def run(options: Options, file: Path | None = None, rows: Rows = ROWS) -> int:
    """Measure the rows, print the table, write the file; return the exit code."""
    print(report.line(report.HEAD))
    done: list[Measure] = []
    for measures in rows:
        for row in measures(options):
            print(report.line(report.cells(row)), flush=True)
            done.append(row)
    if file:
        record = {"machine": report.machine(), "rows": [report.record(row) for row in done]}
        file.write_text(json.dumps(record, indent=1))
    missed = [row.name for row in done if not row.met]
    print("Budgets missed: " + ", ".join(missed) if missed else "All budgets met.")
    return 1 if missed or not done else 0


def main(arguments: Sequence[str] | None = None) -> int:
    """Read the command line and run."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("--json", type=Path, metavar="FILE", help="write every figure there too")
    parser.add_argument("--only", default="", help="measure the rows whose name contains this")
    parser.add_argument("--repetitions", type=int, default=30)
    given = parser.parse_args(arguments)
    return run(Options(given.repetitions, given.only), given.json)


if __name__ == "__main__":
    sys.exit(main())
