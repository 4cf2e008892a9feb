"""The 2^n gradient paths of a residual chain, grouped by length.

Multiplying `(1 + a)^n` out gives one term a path: a path that goes through `k` branches carries
`aᵏ`, and there are `C(n, k)` of them, so `(1 + a)^n = Σ C(n, k) aᵏ`. The identity path is the term
`k = 0`: one of 2^n (article 1, section 3.3). For `a < 0` the terms cancel, and in floating point
what is left of them can be noise; so they are integers here, over the common denominator `100^n`.
"""

import dataclasses
import functools
import math

import numpy as np
import pandas as pd

from core import numbers
from core.multiplier import Chain

DECADES = 20
"""How far below the largest term a bar still has a length."""


@functools.lru_cache(maxsize=32)
def terms(chain: Chain) -> tuple[int, ...]:
    """Return `C(n, k) aᵏ · 100^n` for `k` = 0 … n: whole numbers, as `a` is in hundredths.

    Their sum is `(100 + 100a)^n`.
    """
    n, hundredths = chain.n, round(100 * chain.a)
    found, paths, power, rest = [], 1, 1, 100**n
    for k in range(n + 1):
        found.append(paths * power * rest)
        paths, power, rest = paths * (n - k) // (k + 1), power * hundredths, rest // 100
    return tuple(found)


def log10(value: int, n: int) -> float:
    """Return `log₁₀(|value| / 100^n)`; `−inf` for 0. Python takes it of integers of any size."""
    return math.log10(abs(value)) - 2 * n if value else -math.inf


def written(value: int, n: int, digits: int = 3) -> str:
    """Return `value / 100^n` for reading, with its sign."""
    return ("−" if value < 0 else "") + numbers.text_log10(log10(value, n), digits)


@functools.lru_cache(maxsize=32)
def table(chain: Chain) -> pd.DataFrame:
    """Return one row a length: `k`, `paths` = C(n, k), `each` = aᵏ, `term`, all written out."""
    n, base = chain.n, round(100 * chain.a)
    return pd.DataFrame(
        {
            "k": range(n + 1),
            "paths": [written(math.comb(n, k), 0, 6) for k in range(n + 1)],
            "each": [written(base**k, k, 6) for k in range(n + 1)],
            "term": [written(term, n, 6) for term in terms(chain)],
        }
    )


@functools.lru_cache(maxsize=32)
def bars(chain: Chain) -> dict[str, pd.DataFrame]:
    """Return the signed logarithmic bars.

    `rows`: `k`, `who` (identity or branch), `height` = ±(log₁₀|term| − floor), `term`, `share`.
    `ticks`: `height` and `label` of the axis, which grows from the floor in both directions.
    The floor lies `DECADES` below the largest term, or just below the smallest one if that is
    higher; terms under it have no height. `share` is of the sum of sizes.
    """
    found = terms(chain)
    sizes = np.array([log10(term, chain.n) for term in found])
    finite = sizes[np.isfinite(sizes)]
    floor = math.floor(max(finite.min(), finite.max() - DECADES)) - 1
    heights = np.clip(np.where(np.isfinite(sizes), sizes - floor, 0), 0, None)
    total = sum(map(abs, found))
    rows = pd.DataFrame(
        {
            "k": range(chain.n + 1),
            "who": ["identity", *["branch"] * chain.n],
            "height": heights * np.array([-1 if term < 0 else 1 for term in found]),
            "term": [written(term, chain.n) for term in found],
            "share": [abs(term) / total for term in found],
        }
    )
    return {"rows": rows, "ticks": _ticks(floor, float(finite.max()), min(found) < 0)}


def _ticks(floor: int, top: float, both: bool) -> pd.DataFrame:
    step = max(1, math.ceil((top - floor) / 5))
    ticks = [(0, "")]
    for exponent in range(floor + step, math.ceil(top) + 1, step):
        label = numbers.text_log10(exponent, 1)
        ticks.append((exponent - floor, label))
        if both:
            ticks.append((floor - exponent, f"−{label}"))
    return pd.DataFrame(ticks, columns=["height", "label"])


@dataclasses.dataclass(frozen=True, slots=True)
class Findings:
    """What the paths of a chain add up to.

    `total` is the sum, `sizes` the sum of absolute values (both written out); `mean` is the mean
    length of a path, weighted by size, and the lengths `low` … `high` hold 95 % of all size.
    `floats` is the same sum in floating point, and `kind` says what it is worth: `good` (within one
    per cent), `noise`, or `overflow`; there are `paths` paths, 2^n.
    """

    total: str
    sizes: str
    mean: float
    low: int
    high: int
    floats: float
    kind: str
    paths: str

    def written(self) -> dict[str, str | int]:
        """Return the findings for a sentence."""
        values = dataclasses.asdict(self)
        return values | {"mean": numbers.text(self.mean), "floats": numbers.text(self.floats)}


@functools.lru_cache(maxsize=32)
def findings(chain: Chain) -> Findings:
    """Return what the paths add up to, exactly and in floats.

    The sizes are distributed as Binomial(n, |a| / (1 + |a|)), so the mean length is
    `n|a| / (1 + |a|)`.
    """
    found, n, size = terms(chain), chain.n, abs(chain.a)
    below = np.cumsum([0, *map(abs, found)], dtype=object)
    low = next(k for k in range(n + 1) if 40 * below[k + 1] >= below[-1])
    high = next(k for k in range(n + 1) if 40 * below[k + 1] >= 39 * below[-1])
    floats = float_sum(chain)
    exact = sum(found)
    return Findings(
        written(exact, n),
        written(int(below[-1]), n),
        n * size / (1 + size),
        low,
        high,
        floats,
        _worth(floats, exact, n),
        f"{2**n:,}" if n <= 40 else written(2**n, 0),
    )


def float_sum(chain: Chain) -> float:
    """Return `Σ C(n, k) aᵏ` as floating point gives it, added from `k` = 0 on."""
    powers = np.arange(chain.n + 1)
    with np.errstate(over="ignore", invalid="ignore", under="ignore"):
        counts = np.array([float(math.comb(chain.n, int(k))) for k in powers])
        return float(np.cumsum(counts * np.power(chain.a, powers))[-1])


def _worth(floats: float, exact: int, n: int) -> str:
    if not math.isfinite(floats):
        return "overflow"
    if exact == 0 or floats == 0:
        return "good" if floats == 0 and log10(exact, n) < -300 else "noise"
    apart = abs(math.log10(abs(floats)) - log10(exact, n))
    return "good" if apart < math.log10(1.01) and (floats > 0) == (exact > 0) else "noise"


def sentences(chain: Chain) -> list[str]:
    """Name the sentences that are true of a chain's paths, in their order."""
    if chain.a == 0:
        return ["alone"]
    cancel = ["cancel"] if chain.a < 0 else []
    return ["sum", *cancel, f"floats_{findings(chain).kind}"]


def snippet(chain: Chain) -> str:
    """Return a program that adds the paths in fractions and in floats."""
    return f"""\
from fractions import Fraction
from math import comb

a, n = Fraction({round(100 * chain.a)}, 100), {chain.n}
terms = [comb(n, k) * a**k for k in range(n + 1)]
print(sum(terms) == (1 + a) ** n)
try:
    print(sum(float(comb(n, k)) * float(a) ** k for k in range(n + 1)))
except OverflowError:
    print("overflow")
"""
