"""The training process: `python -m core.worker`, a child of the server that ends with it.

It keeps the generators of the running jobs and answers one request at a time over its standard
input and output: a slice of some milliseconds of one job, or the dropping of a job. A step that
takes longer than `STEP_LIMIT` ends the process; the server then starts another.
"""

import faulthandler
import importlib
import os
import pickle
import sys
import time
import traceback
from collections.abc import Iterator
from typing import Any, BinaryIO

from core.limits import Refused

STEP_LIMIT = 60.0
"""Seconds that one request may take before the process gives itself up."""


class Generators:
    """The jobs of this process, each a generator that is resumed for a slice of time."""

    def __init__(self) -> None:
        """Start with no job."""
        self._running: dict[int, Iterator[Any]] = {}
        self._skip: dict[int, int] = {}

    def slice(
        self, key: int, call: tuple[str, str, Any], skip: int, seconds: float
    ) -> tuple[list, str]:
        """Resume a job for about `seconds`; return the rows it yielded and its state.

        An unknown job is started: `call` is (module, function, argument). Its first `skip` rows are
        left out, so that a job can be taken up again after a process was lost. The state is
        "running", "done", a refusal's reason, or the error's text; its traceback goes to the log.
        """
        rows: list = []
        try:
            if key not in self._running:
                module, function, argument = call
                generator = getattr(importlib.import_module(module), function)
                self._running[key], self._skip[key] = iter(generator(argument)), skip
            end = time.monotonic() + seconds
            while time.monotonic() < end:
                row = next(self._running[key])
                if self._skip[key]:
                    self._skip[key] -= 1
                else:
                    rows.append(row)
        except StopIteration:
            self.drop(key)
            return rows, "done"
        except Refused as refusal:
            self.drop(key)
            return rows, refusal.reason
        except Exception as error:
            self.drop(key)
            traceback.print_exc()
            return rows, f"{type(error).__name__}: {error}"
        return rows, "running"

    def drop(self, key: int) -> tuple[list, str]:
        """Forget a job."""
        self._running.pop(key, None)
        self._skip.pop(key, None)
        return [], "dropped"


def serve(requests: BinaryIO, answers: BinaryIO) -> None:
    """Answer requests `(method, arguments)` until the other end closes."""
    generators = Generators()
    while True:
        try:
            method, arguments = pickle.load(requests)
        except EOFError:
            return
        faulthandler.dump_traceback_later(STEP_LIMIT, exit=True)
        answer = getattr(generators, method)(*arguments)
        faulthandler.cancel_dump_traceback_later()
        pickle.dump(answer, answers, pickle.HIGHEST_PROTOCOL)
        answers.flush()


if __name__ == "__main__":
    channel = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever a library prints, from C too, must not come between the answers
    serve(sys.stdin.buffer, channel)
