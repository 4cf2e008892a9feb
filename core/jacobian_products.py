"""Layers with a Jacobian matrix: what `J` and `I + J` do to a gradient, once and many times.

For vectors the block's Jacobian is `I + J_F`, and `∇ₓL = (I + J_F)ᵀ ∇_yL` (article 1, section 3.2).
The eigenvalues of `I + J` are those of `J` plus 1, exactly. How long a gradient can become or how
short, the *singular values* say, and they do not move by 1. Every matrix here is

    J = λ·I + s·M,    M from a family,

so that the shortcut turns `λ` into `λ + 1`.
"""

import functools
import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pandas as pd

from core import numbers
from core.limits import one_of, within

FAMILIES = ("s·Q", "s·G", "s·E", "s·N", "s·P")
ORDERS = ("JJJ", "JJᵀJ", "J₁J₂J₃")
SIZES = (2, 3, 4, 6, 10, 20, 50)
LAMBDA_LOW, LAMBDA_HIGH, SCALE_LOW, SCALE_HIGH, STEP = -2.0, 2.0, 0.0, 10.0, 0.05
LAYERS_LOW, LAYERS_HIGH, SEED_LOW, SEED_HIGH = 1, 100, 0, 99
SHIFT = {"plain": 0, "residual": 1}
"""What the shortcut adds to λ."""


@dataclass(frozen=True, slots=True)
class Blocks:
    """`n` layers of width `d` with Jacobian `λI + sM`.

    Families `M`: `s·Q` random orthogonal; `s·G` Gaussian, entries N(0, 1/d); `s·E` shear, ones
    right above the diagonal; `s·N` strictly upper triangular with entries N(0, 1/d), in a random
    orthonormal basis from the second layer on; `s·P` projection on one random direction.
    Orders: every layer the same, alternately transposed, or drawn afresh for each layer.
    """

    family: str
    order: str
    d: int
    eigenvalue: float
    scale: float
    n: int
    seed: int

    def __post_init__(self) -> None:
        """Refuse what the controls do not offer."""
        one_of("M", self.family, FAMILIES)
        one_of("J", self.order, ORDERS)
        one_of("d", str(self.d), tuple(map(str, SIZES)))
        within("λ", self.eigenvalue, LAMBDA_LOW, LAMBDA_HIGH)
        within("s", self.scale, SCALE_LOW, SCALE_HIGH)
        within("n", self.n, LAYERS_LOW, LAYERS_HIGH)
        within("seed", self.seed, SEED_LOW, SEED_HIGH)

    @property
    def triangular(self) -> bool:
        """Whether `J` is triangular in some orthonormal basis: then λ decides if it is singular."""
        return self.family in ("s·E", "s·N")


class Layer(NamedTuple):
    """One layer's matrix, and its inverse; `None` if it has none (to rounding)."""

    matrix: np.ndarray
    inverse: np.ndarray | None


def orthogonal(rng: np.random.Generator, d: int) -> np.ndarray:
    """Return a d × d orthogonal matrix, uniformly distributed (QR with the signs of R removed)."""
    q, r = np.linalg.qr(rng.normal(size=(d, d)))
    return q * np.sign(np.diag(r))


def member(family: str, rng: np.random.Generator, d: int) -> np.ndarray:
    """Return one matrix `M` of a family, d × d; the triangular ones in their own basis."""
    if family == "s·Q":
        return orthogonal(rng, d)
    if family == "s·E":
        return np.eye(d, k=1)
    if family == "s·P":
        u = rng.normal(size=d)
        return np.outer(u, u) / (u @ u)
    gauss = rng.normal(size=(d, d)) / math.sqrt(d)
    return np.triu(gauss, 1) if family == "s·N" else gauss


def layer(blocks: Blocks, index: int, who: str) -> Layer:
    """Return `J` (plain) or `I + J` (residual) of layer `index`, counted from 0."""
    matrix, inverse = _drawn(blocks, index if blocks.order == ORDERS[2] else 0, who)
    if blocks.order == ORDERS[1] and index % 2:
        return Layer(matrix.T, None if inverse is None else inverse.T)
    return Layer(matrix, inverse)


@functools.lru_cache(maxsize=128)
def _drawn(blocks: Blocks, number: int, who: str) -> Layer:
    """Draw one matrix and invert it; a triangular one before it is turned into its basis.

    There the inverse is right to rounding in every entry, however ill conditioned the matrix is.
    """
    rng = np.random.default_rng((blocks.seed, number))
    mean = round(blocks.eigenvalue + SHIFT[who], 9)
    matrix = mean * np.eye(blocks.d) + blocks.scale * member(blocks.family, rng, blocks.d)
    inverse = _inverse(matrix, singular=mean == 0 if blocks.triangular else None)
    if blocks.family == "s·N" and number:
        basis = orthogonal(rng, blocks.d)
        matrix = basis @ matrix @ basis.T
        inverse = None if inverse is None else basis @ inverse @ basis.T
    return Layer(matrix, inverse)


def _inverse(matrix: np.ndarray, singular: bool | None) -> np.ndarray | None:
    if singular is None:
        sizes = np.linalg.svd(matrix, compute_uv=False)
        singular = bool(sizes[-1] <= 1e-12 * sizes[0])
    return None if singular else np.linalg.inv(matrix)


@functools.lru_cache(maxsize=16)
def first(blocks: Blocks, who: str) -> np.ndarray:
    """Return the first layer's matrix: `J` (plain) or `I + J` (residual)."""
    return layer(blocks, 0, who).matrix


def eigenvalues(matrix: np.ndarray) -> np.ndarray:
    """Return the eigenvalues of a matrix as complex numbers, in no particular order."""
    return np.linalg.eigvals(matrix).astype(complex)


def spectrum(blocks: Blocks) -> dict[str, pd.DataFrame]:
    """Return the eigenvalues of `J` and of `I + J`, each computed by itself: `who`, `re`, `im`.

    `circle` is the unit circle, `extent` two corners that keep both discs in view.
    """
    values = {who: eigenvalues(first(blocks, who)) for who in SHIFT}
    rows = [(who, z.real, z.imag) for who, found in values.items() for z in found.tolist()]
    angle = np.linspace(0, 2 * np.pi, 91)
    circle = pd.DataFrame({"re": np.cos(angle), "im": np.sin(angle), "step": range(91)})
    left, right = min(-1.1, *(row[1] for row in rows)), max(2.1, *(row[1] for row in rows))
    half = max(1.2, (right - left) / 2.8, *(1.1 * abs(row[2]) for row in rows))
    middle = (left + right) / 2  # drawn about three wide and two high
    extent = pd.DataFrame({"re": [middle - 1.5 * half, middle + 1.5 * half], "im": [-half, half]})
    frame = pd.DataFrame(rows, columns=["who", "re", "im"])
    return {"rows": frame, "circle": circle, "extent": extent}


def singular_values(blocks: Blocks) -> pd.DataFrame:
    """Return the singular values of `J` and of `I + J`, largest first: `who`, `rank`, `value`.

    A third group, `who = slid`, is what they would be if they moved by 1 as eigenvalues do.
    """
    values = {who: np.linalg.svd(first(blocks, who), compute_uv=False) for who in SHIFT}
    values["slid"] = 1 + values["plain"]
    rank = np.arange(1, blocks.d + 1)
    tables = [
        pd.DataFrame({"who": who, "rank": rank, "value": found}) for who, found in values.items()
    ]
    return pd.concat(tables, ignore_index=True)


@functools.lru_cache(maxsize=16)
def by_depth(blocks: Blocks) -> pd.DataFrame:
    """Return what products of 0 … n layers do: `who`, `layers`, `low`, `middle` = `high`.

    `high` is log₁₀ of the largest singular value of the product (its 2-norm: the most a gradient
    can grow), `low` of the smallest, taken from the product of the inverses, where it is the
    largest and loses no digits. An exact 0 is NaN, and `zero` or
    `low_zero` says so. Products are scaled to unit
    size at every step and their logarithm is kept aside.
    """
    rows = []
    for who in SHIFT:
        forward = backward = (np.eye(blocks.d), 0.0)
        rows.append((who, 0, 0.0, 0.0))
        for index in range(blocks.n):
            matrix, inverse = layer(blocks, index, who)
            forward = _times(matrix, forward)
            backward = _times(inverse, backward, left=False)
            rows.append((who, index + 1, _log10_norm(forward), -_log10_norm(backward)))
    table = pd.DataFrame(rows, columns=["who", "layers", "high", "low"])
    table["middle"] = table["high"]
    table["zero"] = np.isneginf(table["high"].to_numpy())
    table["low_zero"] = np.isneginf(table["low"].to_numpy())
    return table.replace(-np.inf, np.nan)


def _times(
    matrix: np.ndarray | None, scaled: tuple[np.ndarray, float], left: bool = True
) -> tuple[np.ndarray, float]:
    """Multiply a scaled matrix `(P, log₁₀ size)`; no matrix is one of infinite size."""
    product, exponent = scaled
    if matrix is None or exponent == np.inf:
        return product, np.inf
    product = matrix @ product if left else product @ matrix
    size = float(np.linalg.norm(product))
    return (product / size, exponent + math.log10(size)) if size else (product, -np.inf)


def _log10_norm(scaled: tuple[np.ndarray, float]) -> float:
    product, exponent = scaled
    if not math.isfinite(exponent):
        return exponent
    return exponent + math.log10(np.linalg.norm(product, 2))


class Measured(NamedTuple):
    """What one layer's matrices say, and the product of all layers.

    `norm` is ‖J‖₂, `least` σ_min(I + J) and `promise` the bound `1 − ‖J‖₂` under it; `nearest` is
    min|1 + λ| and `inside` the share of eigenvalues of `I + J` with |1 + λ| < 1; `slide` is how far
    the eigenvalues of `I + J` are from those of `J` plus 1; `gain` is the mean of ‖(I + J)ᵀg‖² over
    all unit vectors g. `radius_low` and `radius_high` bound ρ(J) over the layers.
    """

    norm: float
    least: float
    promise: float
    nearest: float
    inside: float
    slide: float
    gain: float
    radius_low: float
    radius_high: float


@functools.lru_cache(maxsize=16)
def measure(blocks: Blocks) -> Measured:
    """Measure one layer; `σ_min(I + J) ≥ 1 − ‖J‖₂` holds for every matrix (Weyl)."""
    plain, (residual, inverse) = first(blocks, "plain"), layer(blocks, 0, "residual")
    norm = float(np.linalg.norm(plain, 2))
    own, moved = eigenvalues(plain), eigenvalues(residual)
    apart = np.abs(moved[:, None] - (own[None, :] + 1)).min(axis=1)
    radii = _radii(blocks)
    return Measured(
        norm=norm,
        least=0.0 if inverse is None else 1 / float(np.linalg.norm(inverse, 2)),
        promise=1 - norm,
        nearest=float(np.abs(moved).min()),
        inside=float((np.abs(moved) < 1 - 1e-9).mean()),
        slide=float(apart.max()),
        gain=float((residual**2).sum() / blocks.d),
        radius_low=min(radii),
        radius_high=max(radii),
    )


def _radii(blocks: Blocks) -> list[float]:
    """Return ρ(J) of every different layer; of a triangular matrix it is |λ|, with no rounding."""
    if blocks.triangular:
        return [abs(blocks.eigenvalue)]
    count = blocks.n if blocks.order == ORDERS[2] else 1
    matrices = (layer(blocks, index, "plain").matrix for index in range(count))
    return [float(np.abs(eigenvalues(matrix)).max()) for matrix in matrices]


def last(blocks: Blocks, who: str, side: str) -> float:
    """Return log₁₀ of the `high` or `low` singular value of the whole product; −inf is 0."""
    rows = by_depth(blocks)
    row = rows[rows["who"] == who].iloc[-1]
    zero = row["zero"] if side == "high" else row["low_zero"]
    return -math.inf if zero else float(row[side])


def radius_verdict(blocks: Blocks) -> str:
    """Say whether the spectral radii of the `J` mislead about their product.

    `grows`: all are below 1, and the norm of the product is above 1; `shrinks`: all are above 1,
    and it is below 1; `agrees` otherwise.
    """
    found, norm = measure(blocks), last(blocks, "plain", "high")
    if found.radius_high < 1 - 1e-9 and norm > 1e-9:
        return "grows"
    return "shrinks" if found.radius_low > 1 + 1e-9 and norm < -1e-9 else "agrees"


def snippet(blocks: Blocks) -> str:
    """Return a program that measures the first layer, and checks `(I + J)ᵀg` by autograd."""
    draw = {
        "s·Q": "q, r = np.linalg.qr(rng.normal(size=(d, d)))\nM = q * np.sign(np.diag(r))",
        "s·G": "M = rng.normal(size=(d, d)) / d**0.5",
        "s·E": "M = np.eye(d, k=1)",
        "s·N": "M = np.triu(rng.normal(size=(d, d)) / d**0.5, 1)",
        "s·P": "u = rng.normal(size=d)\nM = np.outer(u, u) / (u @ u)",
    }[blocks.family]
    return f"""\
import numpy as np
import torch

d, rng = {blocks.d}, np.random.default_rng(({blocks.seed}, 0))
{draw}
J = torch.tensor({blocks.eigenvalue} * np.eye(d) + {blocks.scale} * M)
I = torch.eye(d, dtype=torch.float64)

print("norm of J", torch.linalg.matrix_norm(J, 2).item())
print("smallest singular value of I + J", torch.linalg.svdvals(I + J)[-1].item())
print("smallest |1 + eigenvalue|", torch.linalg.eigvals(I + J).abs().min().item())

x = torch.ones(d, dtype=torch.float64, requires_grad=True)
g = torch.ones(d, dtype=torch.float64)
(x + J @ x).backward(g)
print("autograd agrees", torch.allclose(x.grad, (I + J).T @ g))
"""


def promise_verdict(blocks: Blocks) -> str:
    """Say whether `σ_min(I + J) ≥ 1 − ‖J‖₂` promises anything: `promise` or `no_promise`."""
    return "promise" if measure(blocks).promise > 1e-9 else "no_promise"


def written(blocks: Blocks) -> dict[str, str | int]:
    """Return the numbers of the sentences about `blocks`, written out."""
    found = measure(blocks)
    low, high = numbers.text(found.radius_low), numbers.text(found.radius_high)
    return {
        "n": blocks.n,
        "norm": numbers.text(found.norm),
        "least_one": numbers.text(found.least),
        "promise": numbers.text(found.promise),
        "nearest": numbers.text(found.nearest),
        "percent": numbers.text(100 * found.inside),
        "slide": numbers.text(found.slide),
        "gain": numbers.text(found.gain),
        "low": low,
        "high": high,
        "radii": low if low == high else f"{low} … {high}",
        "plain": numbers.text_log10(last(blocks, "plain", "high")),
        "residual": numbers.text_log10(last(blocks, "residual", "high")),
        "plain_least": numbers.text_log10(last(blocks, "plain", "low")),
        "least": numbers.text_log10(last(blocks, "residual", "low")),
    }
