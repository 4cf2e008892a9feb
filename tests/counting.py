"""Jobs that tests give to the training process: they count instead of training."""

import sys
import time
from collections.abc import Iterator


def slowly(count: int) -> Iterator[int]:
    for i in range(count):
        time.sleep(0.002)
        yield i


def breaks(after: int) -> Iterator[int]:
    yield from range(after)
    raise ValueError("no more")


def chatters(count: int) -> Iterator[int]:
    for i in range(count):
        print("row", i)
        yield i


def ends(after: int) -> Iterator[int]:
    yield from range(after)
    sys.exit(3)


def sleeps(seconds: float) -> Iterator[int]:
    time.sleep(seconds)
    yield 0
