"""How the weights of a network are drawn before its first step."""

import math
from itertools import pairwise

from core.backend import torch
from core.contestants import Shape

Tensor = torch.Tensor


def initial(shape: Shape, seed: int) -> list[tuple[Tensor, Tensor]]:
    """Return `(W, b)` for the stem, each hidden layer and the head, drawn from one seed.

    The setting `init` concerns the hidden layers: "PyTorch" draws `U(±1/√fan_in)` for weights and
    biases; "He" `N(0, 2/fan_in)` ("He×0.5", "He×2": that standard deviation times ½ or 2) and
    "Xavier" `N(0, 2/(fan_in + fan_out))`, with biases 0. Stem and head are always as in PyTorch.
    """
    random = torch.Generator().manual_seed(seed)
    deviation = {
        "He": math.sqrt(2 / shape.width),
        "He×0.5": 0.5 * math.sqrt(2 / shape.width),
        "He×2": 2 * math.sqrt(2 / shape.width),
        "Xavier": math.sqrt(1 / shape.width),
    }.get(shape.init)
    sizes = [shape.features] + [shape.width] * (shape.layers + 1) + [shape.classes]
    drawn = []
    for layer, (rows, columns) in enumerate(pairwise(sizes)):
        if deviation is None or layer in (0, shape.layers + 1):
            bound = 1 / math.sqrt(rows)
            weight = torch.empty(rows, columns).uniform_(-bound, bound, generator=random)
            bias = torch.empty(columns).uniform_(-bound, bound, generator=random)
        else:
            weight = torch.empty(rows, columns).normal_(0, deviation, generator=random)
            bias = torch.zeros(columns)
        drawn.append((weight, bias))
    return drawn
