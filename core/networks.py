"""Deep networks, stacked: all contestants of a run are one model with a leading axis.

Weights are `(layers, members, width, width)` and one batched product a layer serves every member,
on the same batches, from the same initial weights. Forward and backward are written by hand: the
backward pass *is* the lesson (`g ← s·g`, plus what the branch sends back), and it is a third faster
than autograd, which the tests hold it against. What one member does (diverge, say) never reaches
another.
"""

import copy
import math
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from core.activations import ACTIVATIONS
from core.backend import torch
from core.contestants import Contestant, Shape, spans
from core.initialisation import initial

Tensor = torch.Tensor
EPSILON = 1e-5
MOMENTUM = 0.1


class _Layer(NamedTuple):
    """The views that one hidden layer needs at each step, cut once."""

    weight: Tensor
    transposed: Tensor
    bias: Tensor
    weight_grad: Tensor
    bias_grad: Tensor
    s: Tensor


class Stack:
    """The stacked networks: parameters in one flat buffer, their gradients in another.

    `weights` and `grads` hold views: `stem_w (M, f, d)`, `hidden_w (L, M, d, d)`,
    `head_w (M, d, c)`, their biases `*_b`, and `alpha (L, M, 1, 1)`, the factor of the branch that
    ends in layer `l`.
    """

    def __init__(self, shape: Shape, members: Sequence[tuple[Contestant, int]]) -> None:
        """Build and initialise one network for each `(contestant, seed)`."""
        self.shape, self.members = shape, tuple(members)
        self.activation = ACTIVATIONS[shape.activation]
        count, layers, d = len(members), shape.layers, shape.width
        self.sizes = {
            "stem_w": (count, shape.features, d),
            "stem_b": (count, 1, d),
            "hidden_w": (layers, count, d, d),
            "hidden_b": (layers, count, 1, d),
            "head_w": (count, d, shape.classes),
            "head_b": (count, 1, shape.classes),
            "alpha": (layers, count, 1, 1),
        }
        self.flat = torch.zeros(sum(map(math.prod, self.sizes.values())))
        self._structure()
        self._bind()
        self._initialise()

    def _structure(self) -> None:
        """Lay out the shortcuts: `s[l]`, and which members' spans start and end in layer `l`."""
        layers, count = self.shape.layers, len(self.members)
        self.s = torch.zeros(layers, count, 1, 1)
        self.start = torch.zeros(layers, count, 1, 1, dtype=torch.bool)
        self.end = torch.zeros(layers, count, 1, 1, dtype=torch.bool)
        for m, (contestant, _) in enumerate(self.members):
            for first, last in self.spans(contestant):
                self.s[last, m] = 1
                self.start[first, m] = self.end[last, m] = True
            if contestant.half:
                bypassed = slice(layers // 2, None)
                self.s[bypassed, m] = 1
                self.start[bypassed, m] = self.end[bypassed, m] = True
        self.starts = self.start.flatten(1).any(1).tolist()
        self.ends = self.end.flatten(1).any(1).tolist()
        edges = torch.cat([self.start, self.end]).flatten(1)
        edges = edges[:, edges.any(0)]
        self.uniform = bool((edges == edges[:, :1]).all())
        kinds = [contestant for contestant, _ in self.members]
        self.scaled = any(kind.scaled or kind.learned or kind.half for kind in kinds)
        self.any_learned = any(kind.learned for kind in kinds)
        learned = torch.tensor([kind.learned for kind in kinds]).view(-1, 1, 1)
        self.learns = self.end & learned
        self.layer_norm = torch.tensor([kind.norm == "layer" for kind in kinds]).nonzero()[:, 0]
        self.batch_norm = torch.tensor([kind.norm == "batch" for kind in kinds]).nonzero()[:, 0]
        norm_starts = self.start[:, self.layer_norm].flatten(1).any(1).tolist()
        self.norm_starts = [*norm_starts, bool(len(self.layer_norm))]
        self.normed = [bool(len(self.batch_norm)) or starts for starts in self.norm_starts]

    def spans(self, contestant: Contestant) -> tuple[tuple[int, int], ...]:
        """Return the spans `(first, last)` of a contestant's shortcuts."""
        blocks = self.shape.layers // self.shape.per_branch
        count = {"none": 0, "few": min(self.shape.few, self.shape.layers), "all": blocks}
        number = count[contestant.shortcuts]
        return spans(self.shape.layers, number) if number else ()

    def _bind(self) -> None:
        self.gradient = torch.zeros_like(self.flat)
        self.weights = dict(zip(self.sizes, self.views(self.flat), strict=True))
        self.grads = dict(zip(self.sizes, self.views(self.gradient), strict=True))
        d = self.shape.width
        self.layers = [
            _Layer(*views)
            for views in zip(
                self.weights["hidden_w"],
                self.weights["hidden_w"].mT,
                self.weights["hidden_b"],
                self.grads["hidden_w"],
                self.grads["hidden_b"],
                self.s,
                strict=True,
            )
        ]
        depth = self.shape.layers + 1
        self.mean = self.flat.new_zeros(depth, len(self.members), 1, d)
        self.variance = self.flat.new_ones(depth, len(self.members), 1, d)

    def views(self, flat: Tensor) -> list[Tensor]:
        """Cut a buffer as long as the parameters into views of their shapes, in their order."""
        pieces = flat.split([math.prod(size) for size in self.sizes.values()])
        sized = zip(pieces, self.sizes.values(), strict=True)
        return [piece.view(size) for piece, size in sized]

    def _initialise(self) -> None:
        w = self.weights
        w["alpha"].fill_(1)
        for m, (contestant, seed) in enumerate(self.members):
            (w["stem_w"][m], w["stem_b"][m]), *hidden, (w["head_w"][m], w["head_b"][m]) = initial(
                self.shape, seed
            )
            for layer, (weight, bias) in enumerate(hidden):
                w["hidden_w"][layer, m], w["hidden_b"][layer, m] = weight, bias
            if contestant.half:
                w["alpha"][self.shape.layers // 2 :, m] = 0
            own = self.spans(contestant)
            for _, last in own:
                if contestant.scaled:
                    w["alpha"][last, m] = 1 / math.sqrt(len(own))
                if contestant.learned:
                    w["alpha"][last, m] = 0
                if contestant.zero_last:
                    w["hidden_w"][last, m], w["hidden_b"][last, m] = 0, 0

    def forward(self, x: Tensor, training: bool = False) -> Tensor:
        """Return the logits `(M, n, classes)` for inputs `x (1 or M, n, features)`.

        Keeps, until `backward` has used it, what entered and left each layer. While training,
        batch normalisation uses the batch and updates its running statistics.
        """
        self.x = x.expand(len(self.members), -1, -1)
        self.cache: list[tuple] = [
            (h, u, a, z if self.any_learned else None, norm)
            for h, u, a, z, norm in self._through(self.x, training)
        ]
        return self._head(self.cache[-1][2])

    def answer(self, x: Tensor, look: Callable[..., None] | None = None) -> Tensor:
        """Return the logits as `forward` does, and keep nothing.

        `look(h, u, a, z)` is called for each hidden layer: what came to it, after normalisation,
        after the activation, and its `z`.
        """
        a = x
        for h, u, a, z, _ in self._through(x.expand(len(self.members), -1, -1), False):
            if look and z is not None:
                look(h, u, a, z)
        return self._head(a)

    def _head(self, a: Tensor) -> Tensor:
        return torch.baddbmm(self.weights["head_b"], a, self.weights["head_w"])

    def _through(self, x: Tensor, training: bool) -> Iterator[tuple]:
        """Yield `h, u, a, z, norm` of each hidden layer; last what the head sees, without `z`."""
        phi = self.activation[0]
        h = torch.baddbmm(self.weights["stem_b"], x, self.weights["stem_w"])
        stream, norm = h, ()
        for layer, of in enumerate(self.layers):
            if self.starts[layer]:
                stream = h if self.uniform else torch.where(self.start[layer], h, stream)
            u, norm = self._normalise(layer, h, training) if self.normed[layer] else (h, ())
            a = phi(u)
            z = torch.baddbmm(of.bias, a, of.weight)
            yield h, u, a, z, norm
            h = self._join(layer, z, stream) if self.ends[layer] else z
        u, norm = self._normalise(-1, h, training) if self.normed[-1] else (h, ())
        yield h, u, phi(u), None, norm

    def _join(self, layer: int, z: Tensor, stream: Tensor) -> Tensor:
        """Return `s·h + α·F(h)` where a span ends, and `z` where none does."""
        if self.scaled:
            z = self.weights["alpha"][layer] * z
        return torch.addcmul(z, self.layers[layer].s, stream)

    def backward(self, logits: Tensor, y: Tensor) -> Tensor:
        """Fill `grads` for the mean cross-entropy of labels `y (1 or M, n)`; return it, `(M,)`.

        Uses up what `forward` has kept.

        Written against the stream: at the end of a span its gradient `g` goes back along both
        paths, `s·g` to where the span starts and `α·g` into the branch, and there they are added.
        """
        w, d, back = self.weights, self.grads, self.activation[1]
        log_p = torch.log_softmax(logits, dim=-1)
        y = y.expand(len(self.members), -1).unsqueeze(-1)
        loss = -log_p.gather(-1, y).mean(dim=(1, 2))
        g = (log_p.exp() - torch.zeros_like(log_p).scatter_(-1, y, 1)) / y.shape[1]
        _, u, a, _, norm = self.cache.pop()
        self._into(a, g, d["head_w"], d["head_b"])
        g = self._unnormalise(norm, back(torch.bmm(g, w["head_w"].mT), u, a))
        along = torch.zeros_like(g)
        for layer in reversed(range(self.shape.layers)):
            (_, u, a, z, norm), of = self.cache.pop(), self.layers[layer]
            if self.ends[layer]:
                along = of.s * g if self.uniform else self._begin(layer, g, along)
                g = self._into_branch(layer, g, z)
            self._into(a, g, of.weight_grad, of.bias_grad)
            g = self._unnormalise(norm, back(torch.bmm(g, of.transposed), u, a))
            if self.starts[layer]:
                g = g + along if self.uniform else torch.where(self.start[layer], g + along, g)
        self._into(self.x, g, d["stem_w"], d["stem_b"])
        return loss

    @staticmethod
    def _into(a: Tensor, g: Tensor, weight: Tensor, bias: Tensor) -> None:
        """Write `∂L/∂W = aᵀg` and `∂L/∂b = Σ g`."""
        torch.bmm(a.mT, g, out=weight)
        torch.sum(g, dim=1, keepdim=True, out=bias)

    def _begin(self, layer: int, g: Tensor, along: Tensor) -> Tensor:
        return torch.where(self.end[layer], self.layers[layer].s * g, along)

    def _into_branch(self, layer: int, g: Tensor, z: Tensor) -> Tensor:
        """Return `α·g`, and write `∂L/∂α = Σ g·z` for the members that learn their α."""
        if not self.scaled:
            return g
        if self.any_learned:
            slope = (g * z).sum(dim=(1, 2), keepdim=True)
            self.grads["alpha"][layer] = torch.where(self.learns[layer], slope, 0)
        return self.weights["alpha"][layer] * g

    def _normalise(self, layer: int, h: Tensor, training: bool):
        """Return the layer's input after normalisation, and what its backward pass needs."""
        kept = []
        for members, dim in self._normed(layer):
            x = h[members]
            if dim == 1 and not training:
                mean, variance = self.mean[layer, members], self.variance[layer, members]
            else:
                mean, variance = x.mean(dim, keepdim=True), x.var(dim, correction=0, keepdim=True)
                if dim == 1:
                    n = x.shape[1]
                    self._track(self.mean, layer, members, mean)
                    self._track(self.variance, layer, members, variance * n / max(n - 1, 1))
            scale = (variance + EPSILON).rsqrt()
            x_hat = (x - mean) * scale
            h = h.index_copy(0, members, x_hat)
            kept.append((members, dim, x_hat, scale))
        return h, kept

    def _normed(self, layer: int):
        if self.norm_starts[layer]:
            yield self.layer_norm, 2
        if len(self.batch_norm):
            yield self.batch_norm, 1

    @staticmethod
    def _track(running: Tensor, layer: int, members: Tensor, value: Tensor) -> None:
        running[layer, members] = torch.lerp(running[layer, members], value, MOMENTUM)

    @staticmethod
    def _unnormalise(kept, g: Tensor) -> Tensor:
        """Return the gradient before normalisation: `(g − mean(g) − x̂·mean(g·x̂)) / σ`."""
        for members, dim, x_hat, scale in reversed(kept):
            own = g[members]
            own = own - own.mean(dim, True) - x_hat * (own * x_hat).mean(dim, True)
            g = g.index_copy(0, members, scale * own)
        return g

    def in_double(self) -> "Stack":
        """Return a copy of the networks in float64."""
        twin = copy.copy(self)
        twin.flat = self.flat.to(torch.float64, copy=True)
        twin.s = self.s.double()
        twin._bind()
        twin.mean, twin.variance = self.mean.double(), self.variance.double()
        return twin

    def without_branches(self) -> "Stack":
        """Return a copy whose branches are deleted: `α = 0` in every span that has a shortcut."""
        twin = copy.copy(self)
        twin.flat, twin.scaled = self.flat.clone(), True
        twin._bind()
        twin.mean, twin.variance = self.mean, self.variance
        twin.weights["alpha"].masked_fill_(self.end, 0)
        return twin
