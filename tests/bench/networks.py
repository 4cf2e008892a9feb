"""The yardstick of training: the articles' networks as one writes them in PyTorch."""

from torch import Tensor, nn, relu


class Network(nn.Module):
    """`blocks` blocks `h ← s·h + F(h)`, each with a branch of some layers; plain when `s` is 0."""

    def __init__(
        self, features: int, width: int, classes: int, blocks: int, layers: int, s: int
    ) -> None:
        super().__init__()
        self.s = s
        self.stem, self.head = nn.Linear(features, width), nn.Linear(width, classes)
        self.blocks = nn.ModuleList(
            nn.ModuleList(nn.Linear(width, width) for _ in range(layers)) for _ in range(blocks)
        )

    def forward(self, x: Tensor) -> Tensor:
        h = self.stem(x)
        for block in self.blocks:
            z = h
            for linear in block:  # type: ignore[attr-defined]
                z = linear(relu(z))
            h = h + z if self.s else z
        return self.head(relu(h))
