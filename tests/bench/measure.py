"""What a benchmark row is: times of a subject and of a yardstick, taken in turn in the same run."""

import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

Clock = Callable[[], float]


def percentile95(times: Sequence[float]) -> float:
    """Return the 95th percentile of at least two times."""
    return statistics.quantiles(times, n=20, method="inclusive")[-1]


STATISTICS: Mapping[str, Callable[[Sequence[float]], float]] = {
    "mean": statistics.fmean,
    "median": statistics.median,
    "p95": percentile95,
}


@dataclass(frozen=True, slots=True)
class Measure:
    """One row: seconds of the subject and of its yardstick, and what their ratio may be.

    `budgets` maps `mean`, `median` or `p95` to the largest ratio allowed, or with `at_least` to
    the smallest; a row without budgets is shown and not judged. `unit` is "s" unless something else
    than time was measured.
    """

    name: str
    subject: Sequence[float]
    yardstick: Sequence[float]
    budgets: Mapping[str, float]
    at_least: bool = False
    unit: str = "s"

    @property
    def shown(self) -> Sequence[str]:
        """The statistics whose ratio is reported: those judged, else the median."""
        return tuple(self.budgets) or ("median",)

    def ratio(self, statistic: str) -> float:
        """Return the subject's mean, median or p95 divided by that of the yardstick."""
        read = STATISTICS[statistic]
        return read(self.subject) / read(self.yardstick)

    def holds(self, statistic: str) -> bool:
        """Return whether a budget is met."""
        ratio, budget = self.ratio(statistic), self.budgets[statistic]
        return ratio >= budget if self.at_least else ratio <= budget

    @property
    def met(self) -> bool:
        """Whether all budgets of the row are met."""
        return all(map(self.holds, self.budgets))


def timed(action: Callable[[int], object], turn: int, clock: Clock) -> float:
    """Return how long one turn of an action takes."""
    start = clock()
    action(turn)
    return clock() - start


def in_turn(
    subject: Callable[[int], object],
    yardstick: Callable[[int], object],
    repetitions: int,
    clock: Clock = time.perf_counter,
    warm_up: int = 3,
) -> tuple[list[float], list[float]]:
    """Time two actions in turn, so that both meet the same noise; the first turns do not count."""
    times: list[tuple[float, float]] = []
    for turn in range(warm_up + repetitions):
        times.append((timed(subject, turn, clock), timed(yardstick, turn, clock)))
    ours, theirs = zip(*times[warm_up:], strict=True)
    return list(ours), list(theirs)
