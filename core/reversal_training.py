"""Train Transformers of different placements on the reversal task: a generator of plain numbers.

Runs in the training process (`core.worker`). Own random generators: equal settings give bit-equal
histories, and a contestant's history does not depend on who trains beside it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING

from core.placements import PLACEMENTS, SLOTS, Placement
from core.reversal import BATCH, LOOK, SHAPE, SYMBOLS, TESTED, TOKENS, Reversal, Step
from core.transformer import BRANCHES, initial, named, stack

if TYPE_CHECKING:
    from core.backend import torch


class Contestant:
    """One Transformer (embeddings of symbol and place, a stack, a linear head) and its Adam."""

    def __init__(self, settings: Reversal, placement: Placement) -> None:
        """Draw the weights from the seed: Xavier in the stack and the head, embeddings N(0, 1)."""
        from core.backend import torch

        draw = torch.Generator().manual_seed(settings.seed)
        self.placement, self.alive = placement, True
        self.blocks = initial(SHAPE, placement, settings.blocks, draw, torch.float32)
        self.symbols = torch.randn(SYMBOLS, SHAPE.d, generator=draw)
        self.places = torch.randn(TOKENS, SHAPE.d, generator=draw)
        self.head = torch.randn(SYMBOLS, SHAPE.d, generator=draw)
        self.head *= (2 / (SYMBOLS + SHAPE.d)) ** 0.5
        weights = [weight for block in self.blocks for weight in block.values()]
        weights += [self.symbols, self.places, self.head]
        for weight in weights:
            weight.requires_grad_()
        self.adam = torch.optim.Adam(weights, lr=settings.rate, fused=True)

    def logits(self, x: torch.Tensor, placement: Placement | None = None) -> torch.Tensor:
        """Return the logits (…, T, symbols) for symbols `x` (…, T), run with a placement."""
        placement = placement or self.placement
        blocks = self.blocks
        if placement is not self.placement:
            blocks = [moved(block, self.placement, placement) for block in blocks]
        stream = stack(self.symbols[x] + self.places, blocks, placement, SHAPE.heads)
        return stream[-1] @ self.head.mT

    def train(self, x: torch.Tensor, rate: float) -> float:
        """Make one update on symbols `x` (B, T); return the loss before it, NaN once diverged."""
        from core.backend import torch

        if not self.alive:
            return math.nan
        logits = self.logits(x)
        loss = torch.nn.functional.cross_entropy(logits.flatten(0, 1), x.flip(1).flatten())
        self.alive = bool(loss.isfinite())
        if not self.alive:
            return math.nan
        self.adam.param_groups[0]["lr"] = rate
        self.adam.zero_grad()
        loss.backward()
        self.adam.step()
        return float(loss.detach())

    def accuracy(self, x: torch.Tensor, placement: Placement | None = None) -> float:
        """Return the share of symbols of `x` (B, T) put into the right place; NaN once diverged."""
        from core.backend import torch

        if not self.alive:
            return math.nan
        with torch.no_grad():
            return float((self.logits(x, placement).argmax(-1) == x.flip(1)).float().mean())


def moved(
    block: dict[str, torch.Tensor], before: Placement, after: Placement
) -> dict[str, torch.Tensor]:
    """Return a block's weights with its trained `γ`, `β` in the slots of another placement.

    A slot that both have keeps its own; a new one takes those of the first slot there was, and
    `γ = 1`, `β = 0` where there was none.
    """
    from core.backend import torch

    weights = {name: w for name, w in block.items() if not name.endswith(("_gamma", "_beta"))}
    for branch in BRANCHES:
        for slot in (slot for slot in SLOTS if getattr(after, slot)):
            source = slot if getattr(before, slot) else next(iter(before.slots), None)
            for part, fresh in (("gamma", torch.ones), ("beta", torch.zeros)):
                key = f"{branch}_{source}_{part}"
                weights[f"{branch}_{slot}_{part}"] = block[key] if source else fresh(SHAPE.d)
    return weights


def train(settings: Reversal) -> Iterator[Step]:
    """Train all contestants on the same batches; yield a `Step` after each update.

    A contestant whose loss is no longer finite has diverged and ends alone; the run ends early when
    all have.
    """
    from core.backend import torch

    contestants = [Contestant(settings, named(name)) for name in settings.placements]
    batches = torch.Generator().manual_seed(settings.seed + 10_000)
    test = torch.randint(SYMBOLS, (TESTED, TOKENS), generator=batches)
    for step in range(1, settings.steps + 1):
        x = torch.randint(SYMBOLS, (BATCH, TOKENS), generator=batches)
        rate = settings.rate * min(1.0, step / max(1, settings.warmup))
        losses = [contestant.train(x, rate) for contestant in contestants]
        last = step == settings.steps or not any(c.alive for c in contestants)
        accuracy = swapped = None
        if last or step % LOOK == 0:
            accuracy = [contestant.accuracy(test) for contestant in contestants]
        if last:
            swapped = [
                {name: c.accuracy(test, placement) for name, placement in PLACEMENTS.items()}
                for c in contestants
            ]
        yield Step(step, losses, accuracy, swapped)
        if last:
            return
