"""Families of Jacobian matrices, and the layers made of them.

For vectors the block's Jacobian is `I + J_F`, and `∇ₓL = (I + J_F)ᵀ ∇_yL` (article 1, section 3.2).
Every matrix here is

    J = λ·I + s·M,    M from a family,

so that the shortcut turns `λ` into `λ + 1`.
"""

import functools
import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

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
