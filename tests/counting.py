"""Jobs that tests give to the training process: they count instead of training."""

import os
import sys
import time
from collections.abc import Iterator

from core.limits import Refused


def slowly(count: int) -> Iterator[int]:
    for i in range(count):
        time.sleep(0.002)
        yield i


def breaks(after: int) -> Iterator[int]:
    yield from range(after)
    raise ValueError("no more")


def chatters(count: int) -> Iterator[int]:
    for i in range(count):
        print("row", i, flush=True)
        os.write(1, b"and past Python\n")
        yield i


def lacks(_: object) -> Iterator[int]:
    yield 0
    raise Refused("torch")


def ends(after: int) -> Iterator[int]:
    yield from range(after)
    sys.exit(3)


def sleeps(seconds: float) -> Iterator[int]:
    time.sleep(seconds)
    yield 0
