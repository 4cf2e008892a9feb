"""What can be set about a training run, what the run then consists of, what the server allows.

The run itself is in `core/training.py`; this module loads no torch.
"""

from dataclasses import dataclass, replace

from core.contestants import CONTESTANTS
from core.datasets import DATASETS, load
from core.limits import Refused, one_of, within
from core.numbers import text

ACTIVATIONS = ("ReLU", "LeakyReLU", "GELU", "tanh", "sigmoid")
INITS = ("PyTorch", "He", "Xavier", "He×0.5", "He×2")
OPTIMISERS = ("SGD", "Adam")
SEEDS = (1, 3, 5)
MOST_CONTESTANTS = 4
MOST_WORK = 1e12
MOST_PARAMETERS, MOST_IN_STRIP = 5e6, 1.2e7
MOST_MEMORY = 3.5e8
"""Bytes that one run may need at once: a host gives 1 GB, and the lab itself needs 0.6."""
PER_LAYER = 2e5
"""What one layer costs per step and network beside its products, in multiply-adds."""
MOST_CELLS = 12_000
STRIP_RATES = {
    "SGD": (0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0),
    "Adam": (0.0001, 0.0003, 0.001, 0.003, 0.01, 0.03, 0.1),
}
STRIP_EPOCHS, STRIP_WORK = 6, 1.5e11
GRID, GRID_EDGE = 40, 1.25
"""Points a side, and half the side, of the grid on which the plane's surface is drawn."""


@dataclass(frozen=True, slots=True)
class Settings:
    """One run. `share` is the percentage of the training set; rates are per step; `seed` ≥ 0."""

    contestants: tuple[str, ...] = ("plain", "residual")
    depth: int = 20
    per_branch: int = 2
    few: int = 2
    width: int = 128
    activation: str = "ReLU"
    init: str = "PyTorch"
    optimiser: str = "SGD"
    rate: float = 0.01
    batch: int = 64
    epochs: int = 20
    share: int = 100
    seed: int = 0
    seeds: int = 1
    data: str = "digits"

    def __post_init__(self) -> None:
        """Refuse what is out of range, unknown, or more work than the server takes on."""
        within("contestants", len(self.contestants), 1, MOST_CONTESTANTS)
        for name in self.contestants:
            one_of("contestant", name, tuple(CONTESTANTS))
        if len(set(self.contestants)) < len(self.contestants):
            raise Refused("twice", names=", ".join(self.contestants))
        within("depth", self.depth, 1, 100)
        within("layers per branch", self.per_branch, 1, 4)
        within("shortcuts", self.few, 1, 50)
        within("width", self.width, 8, 256)
        one_of("activation", self.activation, ACTIVATIONS)
        one_of("initialisation", self.init, INITS)
        one_of("optimiser", self.optimiser, OPTIMISERS)
        within("learning rate", self.rate, 1e-5, 10)
        within("batch size", self.batch, 8, 256)
        within("epochs", self.epochs, 1, 60)
        within("share", self.share, 5, 100)
        within("seed", self.seed, 0, 9999)
        if self.seeds not in SEEDS:
            raise Refused("choice", name="seeds", value=self.seeds, allowed="1, 3, 5")
        one_of("data", self.data, DATASETS)
        for name, value in (("depth", self.depth), ("shortcuts", self.few), ("seed", self.seed)):
            if not isinstance(value, int):
                raise Refused("whole", name=name, value=value)
        for name, value in (("width", self.width), ("batch size", self.batch)):
            if value % 8:
                raise Refused("eights", name=name, value=value)
        if self.work > MOST_WORK:
            raise Refused("work", work=text(self.work), cap=text(MOST_WORK))
        if self.size > MOST_PARAMETERS:
            raise Refused("size", size=text(self.size), cap=text(MOST_PARAMETERS))
        in_memory(self.memory)

    @property
    def layers(self) -> int:
        """How many hidden layers there are: whole blocks, at least one."""
        return max(self.per_branch, self.depth - self.depth % self.per_branch)

    def layers_of(self, name: str) -> int:
        """How many of the hidden layers a contestant uses."""
        return self.layers // 2 if CONTESTANTS[name].half else self.layers

    @property
    def blocks(self) -> int:
        """How many blocks of `per_branch` layers the network has."""
        return self.layers // self.per_branch

    @property
    def rows(self) -> int:
        """How many training rows are used."""
        return max(self.batch, round(len(load(self.data).train_x) * self.share / 100))

    @property
    def steps_per_epoch(self) -> int:
        """How many whole batches an epoch has."""
        return self.rows // self.batch

    @property
    def steps(self) -> int:
        """How many steps the run has."""
        return self.epochs * self.steps_per_epoch

    @property
    def work(self) -> float:
        """What the run costs, in multiply-adds: three per weight, row and step, and overhead."""
        layers = len(self.contestants) * self.seeds * self.layers
        return (3.0 * self.size * self.batch + PER_LAYER * layers) * self.steps

    @property
    def size(self) -> int:
        """How many hidden weights all members have together."""
        return len(self.contestants) * self.seeds * self.layers * self.width**2

    @property
    def held(self) -> float:
        """Bytes held between two steps: weights, their start, gradients, the optimiser's means."""
        return 4.0 * self.size * (5 if self.optimiser == "Adam" else 4)

    @property
    def activations(self) -> float:
        """How many numbers a training step keeps from its way forward for its way back."""
        kinds = [CONTESTANTS[name] for name in self.contestants]
        normed = any(kind.norm != "none" for kind in kinds)
        tensors = 3 + 2 * normed + any(kind.learned for kind in kinds)
        return tensors * self.size / self.width * self.batch

    @property
    def memory(self) -> float:
        """Bytes needed at most, by a step whose gradients are computed again in float64."""
        return self.held + 8 * (3 * self.size + self.activations)

    @property
    def stride(self) -> int:
        """Every how many steps the gradients are recorded: what the light maps can show."""
        cells = self.layers * len(self.contestants)
        columns = max(24, min(84, MOST_CELLS // cells))
        return max(1, -(-self.steps // columns))

    @property
    def members(self) -> tuple[tuple[str, int], ...]:
        """Return `(contestant, seed)` of every network in the stack, contestant by contestant."""
        seeds = range(self.seed, self.seed + self.seeds)
        return tuple((name, seed) for name in self.contestants for seed in seeds)


def strip(settings: Settings) -> Settings:
    """Return the run behind the learning-rate strip: the same, shorter, with one seed.

    Raises `Refused` when seven times the networks are more than the server holds.
    """
    once = replace(settings, epochs=1, seeds=1)
    rates = len(STRIP_RATES[settings.optimiser])
    if rates * once.size > MOST_IN_STRIP:
        raise Refused("size", size=text(rates * once.size), cap=text(MOST_IN_STRIP))
    in_memory(strip_memory(once))
    affordable = int(STRIP_WORK / (rates * once.work))
    return replace(once, epochs=max(1, min(settings.epochs, STRIP_EPOCHS, affordable)))


def strip_held(short: Settings) -> float:
    """Return the bytes that a learning-rate strip holds between two steps."""
    numbers = 4 if short.optimiser == "Adam" else 3
    return 4.0 * len(STRIP_RATES[short.optimiser]) * short.size * numbers


def strip_memory(short: Settings) -> float:
    """Return the bytes that a strip needs at most: it looks at nothing again in float64."""
    numbers = 2 * short.size + short.activations
    return strip_held(short) + 4 * len(STRIP_RATES[short.optimiser]) * numbers


def in_memory(size: float) -> None:
    """Raise `Refused` if a run needs more bytes than it is given."""
    if size > MOST_MEMORY:
        raise Refused("memory", size=text(size / 1e6), cap=text(MOST_MEMORY / 1e6))


def parameters(settings: Settings, name: str) -> int:
    """Return how many numbers a contestant learns: weights and biases, and its α if learned.

    Normalisation has no parameters here, so that contestants are told apart by structure alone.
    """
    data, d = load(settings.data), settings.width
    count = (data.features + 1) * d + hidden_parameters(settings, name) + (d + 1) * data.classes
    return count + (settings.blocks if CONTESTANTS[name].learned else 0)


def hidden_parameters(settings: Settings, name: str) -> int:
    """Return the weights and biases of a contestant's hidden layers."""
    return settings.layers_of(name) * (settings.width + 1) * settings.width
