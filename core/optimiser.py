"""How the stacked networks' weights follow their gradients: SGD with momentum, and Adam."""

from core.backend import torch
from core.networks import Stack

MOMENTUM = 0.9
BETAS, EPSILON = (0.9, 0.999), 1e-8


class Optimiser:
    """SGD with momentum (`v ← μv + g`, `w ← w − ηv`) or Adam (Kingma and Ba, 2015, algorithm 1).

    Each member of the stack may have a learning rate `η` of its own.
    """

    def __init__(self, stack: Stack, kind: str, rates: list[float]) -> None:
        """Start at rest: no momentum, no second moments."""
        self.stack, self.adam, self.time = stack, kind == "Adam", 0
        self.first = torch.zeros_like(stack.flat)
        self.second = torch.zeros_like(stack.flat) if self.adam else None
        self.rates = -torch.tensor(rates).view(-1, 1, 1)

    def step(self) -> None:
        """Update all weights from the gradients that the stack holds."""
        g = self.stack.gradient
        if self.second is None:
            direction = torch.add(g, self.first, alpha=MOMENTUM, out=self.first)
        else:
            self.time += 1
            self.first.lerp_(g, 1 - BETAS[0])
            self.second.mul_(BETAS[1]).addcmul_(g, g, value=1 - BETAS[1])
            unbiased = (self.second / (1 - BETAS[1] ** self.time)).sqrt_().add_(EPSILON)
            direction = (self.first / (1 - BETAS[0] ** self.time)).div_(unbiased)
        views = zip(self.stack.weights.values(), self.stack.views(direction), strict=True)
        for weight, change in views:
            weight.addcmul_(change, self.rates)
