"""What the lab accepts. Values from a URL, a slider or an upload pass here before they are used."""

import math


class Refused(ValueError):
    """A value that `core` does not accept, or work that this server cannot take on.

    `reason` is the key of a sentence in `text/shared.toml` (family `refused`), `values` fills it.
    """

    def __init__(self, reason: str, **values: object) -> None:
        """Keep the reason and the values it speaks of."""
        self.reason, self.values = reason, values
        super().__init__(f"{reason}: " + ", ".join(f"{k}={v!r}" for k, v in values.items()))


def within(name: str, value: float, low: float, high: float) -> None:
    """Raise `Refused` unless `value` is finite and `low <= value <= high`."""
    if not (low <= value <= high and math.isfinite(value)):
        raise Refused("range", name=name, value=value, low=low, high=high)


def one_of(name: str, value: str, allowed: tuple[str, ...]) -> None:
    """Raise `Refused` unless `value` is one of `allowed`."""
    if value not in allowed:
        raise Refused("choice", name=name, value=value, allowed=", ".join(allowed))


def to_step(value: float, step: float, low: float) -> float:
    """Return `value` rounded to the grid `low + k·step`; a link may carry one between steps."""
    decimals = max(0, -math.floor(math.log10(step)) + 1)
    return round(low + round((value - low) / step) * step, decimals)
