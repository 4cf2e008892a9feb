"""A training run as one PyTorch program that holds only what its settings need.

The engine stacks all contestants and differentiates by hand; the program trains one after the other
with autograd and `torch.optim`. Both draw the same weights and the same batches, so their losses
are equal up to rounding.
"""

from core import datasets
from core.contestants import CONTESTANTS
from core.settings import Settings

Options = dict[str, str]

LINE = 88
"""The width at which Python's usual formatters leave the program as it is."""

PROGRAM = '''\
"""A run of Residual Lab: {names}.

Needs {packages}.
"""

import math
from itertools import pairwise

import numpy as np
import torch
from sklearn.datasets import load_digits  #: digits
from torch import nn

torch.set_num_threads(1)  # as in the lab

LAYERS, WIDTH, CLASSES = {layers}, {width}, {classes}
BATCH, EPOCHS, SEEDS = {batch}, {epochs}, {seeds}
BLOCKS = range(0, LAYERS + 1, {per_branch})  #: blocks
NETS = {{  #: several
{nets}  #: several
}}  #: several

digits = load_digits()  #: digits
order = np.random.RandomState(0).permutation(len(digits.data))  #: digits
x = torch.tensor(digits.data[order] / 16, dtype=torch.float32)  #: digits
y = torch.tensor(digits.target[order], dtype=torch.long)  #: digits
draw = np.random.default_rng(0)  #: spirals
y = draw.integers(0, 2, {count})  #: spirals
t = np.sqrt(draw.uniform(0.02, 1, {count}))  #: spirals
angle = 2 * np.pi * {turns} * t + np.pi * y  #: spirals
x = np.stack([t * np.cos(angle), t * np.sin(angle)], axis=1)  #: spirals
x += draw.normal(0, {noise}, x.shape)  #: spirals
x, y = torch.tensor(x, dtype=torch.float32), torch.tensor(y)  #: spirals
train_x, train_y = x[:{rows}], y[:{rows}]
test_x, test_y = x[{split}:], y[{split}:]


@torch.no_grad()
def linear(rows, columns, draw):
    """Return a layer whose weights and biases are uniform in +-1/sqrt(rows)."""
    layer, bound = nn.Linear(rows, columns), 1 / math.sqrt(rows)
    weight = torch.empty(rows, columns).uniform_(-bound, bound, generator=draw)
    layer.weight.copy_(weight.T)
    layer.bias.uniform_(-bound, bound, generator=draw)
    return layer


@torch.no_grad()  #: normal
def hidden_layer(draw):  #: normal
    """Return a layer whose weights are normal, and whose biases are 0."""  #: normal
    layer, deviation = nn.Linear(WIDTH, WIDTH), {deviation}  #: normal
    weight = torch.empty(WIDTH, WIDTH).normal_(0, deviation, generator=draw)  #: normal
    layer.weight.copy_(weight.T)  #: normal
    nn.init.zeros_(layer.bias)  #: normal
    return layer  #: normal
  #: normal
  #: normal
def make_branch(layers{norms}):
    """Return the layers, an activation before each of them."""
    modules = []  #: no layer_norm
    modules = [nn.LayerNorm(WIDTH, elementwise_affine=False)]  #: all layer_norm
    modules = []  #: some layer_norm
    if layer_norm:  #: some layer_norm
        modules.append(nn.LayerNorm(WIDTH, elementwise_affine=False))  #: some layer_norm
    for layer in layers:
        if batch_norm:  #: some batch_norm
            modules.append(nn.BatchNorm1d(WIDTH, affine=False))  #: some batch_norm
        modules.append(nn.BatchNorm1d(WIDTH, affine=False))  #: all batch_norm
        modules += [nn.{activation}(), layer]
    return nn.Sequential(*modules)


class Net(nn.Module):
    """A stem, branches with shortcuts around them, and a head."""  #: shortcuts
    """A stem, branches, and a head."""  #: all s

{signature}
        super().__init__()
        draw = torch.Generator().manual_seed(seed)
        self.stem = linear(train_x.shape[1], WIDTH, draw)
        hidden = [linear(WIDTH, WIDTH, draw) for _ in range(LAYERS)]  #: uniform
        hidden = [hidden_layer(draw) for _ in range(LAYERS)]  #: normal
        head = linear(WIDTH, CLASSES, draw)
        self.branches = nn.ModuleList()
        for start, end in pairwise({edges}):
            self.branches.append(make_branch(hidden[start:end]{norms}))
        self.head = make_branch([head]{norms})
        self.s = s  #: some s
        self.alpha = {alpha}  #: fixed alpha
        self.alpha = nn.Parameter(torch.zeros(len(self.branches)))  #: all learned
        alpha = torch.full((len(self.branches),), alpha)  #: some learned
        self.alpha = nn.Parameter(alpha, requires_grad=learned)  #: some learned
        if zero_last:  #: some zero_last
            for branch in self.branches:  #: some zero_last
                nn.init.zeros_(branch[-1].weight)  #: some zero_last
                nn.init.zeros_(branch[-1].bias)  #: some zero_last
        for branch in self.branches:  #: all zero_last
            nn.init.zeros_(branch[-1].weight)  #: all zero_last
            nn.init.zeros_(branch[-1].bias)  #: all zero_last

    def forward(self, x):
        h = self.stem(x)
        for branch in self.branches:  #: no learned
        for branch, alpha in zip(self.branches, self.alpha, strict=True):  #: learned
            h = {formula}
        return self.head(h)


@torch.no_grad()
def accuracy(net):
    """Return the share of right answers on the test set, NaN after divergence."""
    net.eval()  #: batch_norm
    logits = net(test_x)
    net.train()  #: batch_norm
    right = (logits.argmax(1) == test_y).float().mean()
    return right.item() if logits.isfinite().all() else math.nan


def train(net, seed):
    """Return the loss of each step, and the test accuracy after each epoch."""
    optimiser = torch.optim.SGD(net.parameters(), lr={rate}, momentum=0.9)  #: SGD
    optimiser = torch.optim.Adam(net.parameters(), lr={rate})  #: Adam
    draw = torch.Generator().manual_seed(seed)
    losses, accuracies = [], []
    for epoch in range(1, EPOCHS + 1):
        order = torch.randperm(len(train_x), generator=draw)
        batches = order.split(BATCH)[: len(order) // BATCH]
        for rows in batches:
            loss = nn.functional.cross_entropy(net(train_x[rows]), train_y[rows])
            if not loss.isfinite():
                print(f"  diverged at step {{len(losses) + 1}}")
                return losses, accuracies
            losses.append(loss.item())
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
        accuracies.append(accuracy(net))
        mean = np.mean(losses[-len(batches) :])
        print(f"  epoch {{epoch}}: loss {{mean:.3g}}, test accuracy {{accuracies[-1]:.1%}}")
    return losses, accuracies


losses, accuracies = {{}}, {{}}
for name, options in NETS.items():  #: several
    for seed in SEEDS:  #: several
        print(f"{{name}}, seed {{seed}}")  #: several
        results = train(Net(seed, **options), seed)  #: several
        losses[name, seed], accuracies[name, seed] = results  #: several
for seed in SEEDS:  #: one
    print(f"{names}, seed {{seed}}")  #: one
    results = train(Net(seed), seed)  #: one
    losses["{names}", seed], accuracies["{names}", seed] = results  #: one
'''
"""Every program in one: a line that ends in `#: fact` is kept only where the fact holds."""

OPTIONS = {
    "s": "1",
    "edges": "BLOCKS",
    "alpha": "1.0",
    "learned": "False",
    "zero_last": "False",
    "layer_norm": "False",
    "batch_norm": "False",
}
"""What `Net` can be told, and what the residual network is."""

ACTIVATIONS = {"tanh": "Tanh", "sigmoid": "Sigmoid"}
DEVIATIONS = {
    "He": "math.sqrt(2 / WIDTH)",
    "He×0.5": "0.5 * math.sqrt(2 / WIDTH)",
    "He×2": "2 * math.sqrt(2 / WIDTH)",
    "Xavier": "math.sqrt(1 / WIDTH)",
}


def script(settings: Settings) -> str:
    """Return a program that repeats a run: it needs torch, numpy and, for digits, scikit-learn.

    It prints each network's loss and test accuracy per epoch and leaves `losses` and `accuracies`,
    `{(contestant, seed): [...]}`. A network stops when its loss is no longer finite.
    """
    told = {name: _told(settings, name) for name in settings.contestants}
    net = {option: _in_net(option, told) for option in OPTIONS}
    facts = _facts(settings, net)
    lines = (line.partition("  #: ") for line in PROGRAM.splitlines())
    kept = "".join(f"{text}\n" for text, _, fact in lines if not fact or fact in facts)
    return kept.format(
        **_data(settings), **_sizes(settings), **_structure(net), nets=_nets(told, net)
    )


def _told(settings: Settings, name: str) -> Options:
    """Return what tells a contestant from the residual network, as source, by option."""
    kind, few = CONTESTANTS[name], min(settings.few, settings.layers)
    differences = (
        (kind.shortcuts == "none", "s", "0"),
        (
            kind.shortcuts == "few",
            "edges",
            f"[round(i * LAYERS / {few}) for i in range({few + 1})]",
        ),
        (kind.half, "edges", "range(LAYERS // 2 + 1)"),
        (kind.scaled, "alpha", f"1 / math.sqrt({settings.blocks})"),
        (kind.learned, "alpha", "0.0"),
        (kind.learned, "learned", "True"),
        (kind.zero_last, "zero_last", "True"),
        (kind.norm == "layer", "layer_norm", "True"),
        (kind.norm == "batch", "batch_norm", "True"),
    )
    return {option: value for differs, option, value in differences if differs}


def _in_net(option: str, told: dict[str, Options]) -> str:
    """Return how `Net` speaks of an option: by its name where nets differ, else by its value."""
    values = {own.get(option, OPTIONS[option]) for own in told.values()}
    return option if len(values) > 1 else values.pop()


def _facts(settings: Settings, net: Options) -> set[str]:
    """Return what holds of the run; of an option, whether "all", "some" or "no" nets are told."""
    facts = {settings.data, settings.optimiser}
    facts.add("normal" if settings.init in DEVIATIONS else "uniform")
    facts.add("several" if len(settings.contestants) > 1 else "one")
    for option, value in net.items():
        number = {option: "some", OPTIONS[option]: "no"}.get(value, "all")
        facts |= {f"{number} {option}"} | ({option} if number != "no" else set())
    if "all s" not in facts:
        facts.add("shortcuts")
    if "all edges" not in facts:
        facts.add("blocks")
    if "alpha" in facts and "learned" not in facts:
        facts.add("fixed alpha")
    return facts


def _data(settings: Settings) -> dict[str, object]:
    digits = settings.data == "digits"
    return {
        "packages": "torch, numpy and scikit-learn" if digits else "torch and numpy",
        "classes": datasets.load(settings.data).classes,
        "rows": settings.rows,
        "split": datasets.DIGITS_TRAIN if digits else datasets.SPIRAL_TRAIN,
        "count": datasets.SPIRAL_TRAIN + datasets.SPIRAL_TEST,
        "turns": datasets.SPIRAL_TURNS,
        "noise": datasets.SPIRAL_NOISE,
    }


def _sizes(settings: Settings) -> dict[str, object]:
    return {
        "names": ", ".join(settings.contestants),
        "layers": settings.layers,
        "width": settings.width,
        "per_branch": settings.per_branch,
        "activation": ACTIVATIONS.get(settings.activation, settings.activation),
        "deviation": DEVIATIONS.get(settings.init),
        "rate": float(settings.rate),
        "batch": settings.batch,
        "epochs": settings.epochs,
        "seeds": list(range(settings.seed, settings.seed + settings.seeds)),
    }


def _structure(net: Options) -> Options:
    shortcut = {"s": "self.s * h + ", "1": "h + ", "0": ""}[net["s"]]
    factor = "self.alpha * " if net["alpha"] != OPTIONS["alpha"] else ""
    if net["learned"] != OPTIONS["learned"]:
        factor = "alpha * "
    return {
        "edges": net["edges"],
        "alpha": net["alpha"],
        "norms": "".join(f", {o}" for o in ("layer_norm", "batch_norm") if net[o] == o),
        "signature": _signature([f"{o}={OPTIONS[o]}" for o in net if net[o] == o]),
        "formula": f"{shortcut}{factor}branch(h)",
    }


def _signature(options: list[str]) -> str:
    given = ["self", "seed", *options]
    line = f"    def __init__({', '.join(given)}):"
    if len(line) <= LINE:
        return line
    return "    def __init__(\n" + "".join(f"        {name},\n" for name in given) + "    ):"


def _nets(told: dict[str, Options], net: Options) -> str:
    """Return the rows of `NETS`: what each net is told of that in which they differ."""
    rows = []
    for name, own in told.items():
        options = ", ".join(f'"{o}": {value}' for o, value in own.items() if net[o] == o)
        rows.append(f'    "{name}": {{{options}}},')
    return "\n".join(rows)
