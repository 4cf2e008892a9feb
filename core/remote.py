"""The server's end of the training process: starts it, speaks to it, notices when it is gone."""

import contextlib
import os
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
KEEPS = {"MALLOC_TRIM_THRESHOLD_": str(64 << 20), "MALLOC_MMAP_THRESHOLD_": str(4 << 20)}
"""glibc keeps up to 64 MB that a step has freed: the next one is spared some 200 page faults."""


class Gone(RuntimeError):
    """The training process ended in the middle of a request."""


class Remote:
    """One training process, started when it is first needed. For one thread only."""

    def __init__(self) -> None:
        """Know of no process yet."""
        self._process: subprocess.Popen | None = None

    def slice(self, key: int, call: tuple[str, str, Any], skip: int, seconds: float):
        """Run a slice of a job there (`core.worker.Generators.slice`). Raises `Gone`."""
        return self._ask("slice", key, call, skip, seconds)

    def drop(self, key: int) -> None:
        """Let the process forget a job; a process that is gone has forgotten it."""
        if self._process:
            with contextlib.suppress(Gone):
                self._ask("drop", key)

    def kill(self) -> None:
        """End the process from another thread; the one that waits for an answer raises `Gone`."""
        if self._process:
            self._process.kill()

    def close(self) -> None:
        """End the process and tidy up after it. For the thread that speaks to it."""
        process, self._process = self._process, None
        if process:
            process.kill()
            process.communicate()

    def _ask(self, method: str, *arguments: object):
        try:
            if self._process is None:
                command = [sys.executable, "-m", "core.worker"]
                pipe, env = subprocess.PIPE, KEEPS | os.environ
                self._process = subprocess.Popen(
                    command, cwd=ROOT, env=env, stdin=pipe, stdout=pipe
                )
            requests, answers = self._process.stdin, self._process.stdout
            assert requests
            assert answers
            pickle.dump((method, arguments), requests, pickle.HIGHEST_PROTOCOL)
            requests.flush()
            return pickle.load(answers)
        except (OSError, EOFError, pickle.UnpicklingError) as error:
            self.close()
            raise Gone("the training process ended") from error
