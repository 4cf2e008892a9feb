"""What a run of the benchmark is asked for."""

import time
from dataclasses import dataclass

from tests.bench.measure import Clock


@dataclass(frozen=True, slots=True)
class Options:
    """How often to measure, which rows, and by which clock."""

    repetitions: int = 30
    only: str = ""
    clock: Clock = time.perf_counter

    def wants(self, name: str) -> bool:
        """Return whether a row was asked for."""
        return self.only in name
