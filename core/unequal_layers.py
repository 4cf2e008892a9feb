"""Layers that differ: local derivatives drawn from a normal distribution.

`G = ∏|a_l|` and `∏|1 + a_l|` (article 1, sections 3.1 and 3.3) are then random. Their logarithms
are sums of independent terms: the middle of many chains moves by `E log|a|` a layer, the spread
grows as √n. The *mean* of `G²` grows by `E a²` a layer, far above the middle: few chains carry it.
"""

import functools
import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import pandas as pd

from core import numbers
from core.limits import within
from core.multiplier import A_HIGH, A_LOW, N_HIGH, N_LOW, zone

CHAINS = 400
DECIMALS = 6
SHOWN = 100
SPREAD_LOW, SPREAD_HIGH, SPREAD_STEP = 0.0, 2.0, 0.05
SEED_LOW, SEED_HIGH = 0, 99
SHIFT = {"plain": 0, "residual": 1}
"""What the shortcut adds to every factor."""


@dataclass(frozen=True, slots=True)
class Layers:
    """`n` layers whose local derivatives are drawn from N(mean, spread²), six decimals each."""

    mean: float
    spread: float
    n: int
    seed: int

    def __post_init__(self) -> None:
        """Refuse what lies outside the ranges of the controls."""
        within("mean", self.mean, A_LOW, A_HIGH)
        within("spread", self.spread, SPREAD_LOW, SPREAD_HIGH)
        within("n", self.n, N_LOW, N_HIGH)
        within("seed", self.seed, SEED_LOW, SEED_HIGH)


@functools.lru_cache(maxsize=8)
def draws(layers: Layers) -> np.ndarray:
    """Return the local derivatives of `CHAINS` chains, shape (CHAINS, n), rounded to `DECIMALS`."""
    normal = np.random.default_rng(layers.seed).normal(size=(CHAINS, layers.n))
    return np.round(layers.mean + layers.spread * normal, DECIMALS)


@functools.lru_cache(maxsize=8)
def logarithms(layers: Layers, who: str) -> np.ndarray:
    """Return `log₁₀ G` after 1 … n layers, shape (CHAINS, n); `−inf` is an exact 0."""
    with np.errstate(divide="ignore"):
        return np.cumsum(np.log10(np.abs(np.round(draws(layers) + SHIFT[who], DECIMALS))), axis=1)


def by_depth(layers: Layers) -> pd.DataFrame:
    """Return the chains over depth: `who`, `layers`, `low`, `middle`, `high`.

    The three are the 10 %, 50 % and 90 % quantiles of log₁₀ G. An exact 0 is NaN; `zero` and
    `low_zero` say where the middle and the low one are 0.
    """
    depths = np.unique(np.linspace(1, layers.n, min(layers.n, 100)).round()).astype(int)
    tables = []
    for who in SHIFT:
        exponents = np.sort(logarithms(layers, who)[:, depths - 1], axis=0)
        places = [round(share * (CHAINS - 1)) for share in (0.1, 0.5, 0.9)]
        low, middle, high = (np.insert(exponents[place], 0, 0.0) for place in places)
        rows = {"who": who, "layers": np.insert(depths, 0, 0)}
        rows |= {"low": low, "middle": middle, "high": high}
        rows |= {"zero": np.isneginf(middle), "low_zero": np.isneginf(low)}
        tables.append(pd.DataFrame(rows).replace(-np.inf, np.nan))
    return pd.concat(tables, ignore_index=True)


def fates(layers: Layers) -> pd.DataFrame:
    """Count the chains by what happens to their gradient: one row a network, one column a zone."""
    rows = []
    for who in SHIFT:
        found = [zone(exponent) for exponent in logarithms(layers, who)[:, -1]]
        counts = {name: found.count(name) for name in ("zero", "vanishes", "tame", "explodes")}
        rows.append({"who": who} | counts)
    return pd.DataFrame(rows)


def typical(layers: Layers, who: str) -> float:
    """Return log₁₀ of the multiplier of the middle chain (the median); −inf for an exact 0."""
    exponents = np.sort(logarithms(layers, who)[:, -1])
    return float(exponents[round(0.5 * (CHAINS - 1))])


def root_mean_square(layers: Layers, who: str) -> float:
    """Return log₁₀ √E[G²] of the distribution: `n·log₁₀√(c² + spread²)`, `c` the mean factor."""
    square = (layers.mean + SHIFT[who]) ** 2 + layers.spread**2
    return layers.n / 2 * math.log10(square) if square > 1e-12 else -math.inf


def drawn_root_mean_square(layers: Layers, who: str) -> float:
    """Return log₁₀ of the root mean square of `G` over the chains drawn; −inf for an exact 0."""
    doubled = 2 * logarithms(layers, who)[:, -1]
    top = doubled.max()
    if top == -np.inf:
        return -math.inf
    return float(top + np.log10(np.mean(10 ** (doubled - top)))) / 2


def rate(layers: Layers, who: str) -> float:
    """Return `E log₁₀|c + spread·z|`, the drift of the logarithm in one layer.

    With `c = mean + shift`, `E ln X² = ln(2·spread²) + Σ Poisson(k; λ/2) ψ(k + ½)`, where
    `λ = (c / spread)²` (mean logarithm of a noncentral chi-square variable).
    """
    c, spread = layers.mean + SHIFT[who], layers.spread
    if spread == 0:
        return math.log10(abs(c)) if abs(c) > 1e-12 else -math.inf
    half = (c / spread) ** 2 / 2
    last = int(half + 12 * math.sqrt(half) + 40)
    k = np.arange(last + 1)
    digamma = np.concatenate([[0], np.cumsum(2 / (2 * k[1:] - 1))]) - np.euler_gamma
    digamma = digamma - 2 * math.log(2)
    log_factorial = np.concatenate([[0], np.cumsum(np.log(k[1:]))])
    weights = np.exp(k * math.log(half) - half - log_factorial) if half else (k == 0).astype(float)
    square = math.log(2 * spread**2) + float(weights @ digamma)
    return square / 2 / math.log(10)


@functools.lru_cache(maxsize=8)
def both_forms(layers: Layers) -> pd.DataFrame:
    """Return the first chain in product form and in sum form, exactly (article 1, section 3.3).

    `∂xₙ/∂x₀ = ∏(1 + a_l) = 1 + Σ a_l·∏_{j<l}(1 + a_j)`: the branch of layer `l` adds `term`, which
    is `a_l` times the derivative that reaches it. Columns `layer`, `a`, `term`, `sum`, `product`,
    `equal`; the numbers are written out, the comparison is of fractions. At most `SHOWN` layers.
    """
    total, product, rows = Fraction(1), Fraction(1), []
    for layer, value in enumerate(draws(layers)[0, :SHOWN], start=1):
        a = Fraction(round(float(value) * 10**DECIMALS), 10**DECIMALS)
        term = a * product
        total, product = total + term, product * (1 + a)
        written = [_written(number) for number in (term, total, product)]
        rows.append((layer, f"{value:.{DECIMALS}f}".replace("-", "−"), *written, total == product))
    return pd.DataFrame(rows, columns=["layer", "a", "term", "sum", "product", "equal"])


def _written(value: Fraction) -> str:
    if value == 0:
        return "0"
    size = math.log10(abs(value.numerator)) - math.log10(value.denominator)
    return ("−" if value < 0 else "") + numbers.text_log10(size, 6)


def verdict(layers: Layers) -> str:
    """Say what the residual chains show.

    `equal` without spread; `split` if the middle chain lost its gradient (below 1/10) while the
    root mean square is above 1; `both` otherwise.
    """
    if layers.spread == 0:
        return "equal"
    lost = typical(layers, "residual") < -1
    return "split" if lost and root_mean_square(layers, "residual") > 0 else "both"


def snippet(layers: Layers) -> str:
    """Return a program that prints log₁₀ of both multipliers of the first chain, by autograd."""
    return f"""\
import numpy as np
import torch

draws = np.random.default_rng({layers.seed}).normal(size=({CHAINS}, {layers.n}))
a = torch.tensor(np.round({layers.mean} + {layers.spread} * draws, {DECIMALS})[0])

for name, shortcut in (("plain", 0.0), ("residual", 1.0)):
    x = torch.ones({layers.n}, dtype=torch.float64, requires_grad=True)  # the input of every layer
    (shortcut * x + a * x).sum().backward()  # x.grad: the derivative of each layer
    print(name, x.grad.abs().log10().sum().item())
"""
