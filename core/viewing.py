"""What one reader sees of a job that several may share: following it, stopped, or playing it again.

Each reader has a row count of their own. Stop freezes it, Continue plays on from there, Reset plays
the identical run from its first step; none of this changes what the others see.
"""

from dataclasses import dataclass, field
from typing import Literal

from core.jobs import Job

REPLAY_SECONDS = 4.0
"""How long a whole run takes when it is played again."""


@dataclass(eq=False, slots=True)
class Viewing:
    """One reader's view of `job`, whose whole run has `steps` rows; `mine` if they started it."""

    job: Job
    steps: int
    mine: bool = True
    mode: Literal["follow", "replay", "stopped"] = "follow"
    played: float = 0.0
    at: float = 0.0
    kept: list = field(default_factory=list)

    def advance(self, now: float) -> list:
        """Move on to the time `now` (seconds) and return the rows that the reader sees."""
        there = len(self.job.rows)
        if self.mode == "follow":
            self.played = there
        elif self.mode == "replay":
            pace = self.steps / REPLAY_SECONDS
            self.played = max(0.0, min(there, self.played + pace * max(0.0, now - self.at)))
            if self.played >= there:
                self.mode = "follow"
        self.at = now
        return self.rows

    @property
    def rows(self) -> list:
        """Return the rows that the reader sees, as of the last `advance`.

        After Continue they are never fewer than at Stop: a job that had to start anew catches up.
        """
        return max(self.job.rows[: int(self.played)], self.kept, key=len)

    @property
    def state(self) -> str:
        """What to tell the reader: their own mode, else the job's state, or that it is behind."""
        if self.mode != "follow":
            return self.mode
        return "behind" if self.job.behind and self.job.state == "running" else self.job.state

    @property
    def moving(self) -> bool:
        """Whether there is more to see without the reader doing anything."""
        if self.mode == "follow":
            return self.job.state not in ("done", "failed", "dropped")
        return self.mode == "replay"

    def stop(self) -> None:
        """Freeze what is seen."""
        self.kept = self.rows
        self.mode = "stopped"

    def resume(self, job: Job, now: float) -> None:
        """Go on from where the reader stopped; `job` is the same call, asked for again."""
        self.job, self.mode, self.at = job, "replay", now

    def again(self, now: float) -> None:
        """Play the identical run from its first step."""
        self.mode, self.played, self.at, self.kept = "replay", 0.0, now, []
