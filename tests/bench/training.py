"""Training against a plain PyTorch loop, against its own products alone, and with its recording.

One thread does all of it, so its processor time is taken: what others do on the machine does not
count. A turn is an epoch, so that each holds what is looked at once an epoch.
"""

import itertools
import time
from collections.abc import Callable, Iterator
from dataclasses import replace

from core.settings import Settings
from tests.bench.measure import Measure, in_turn
from tests.bench.options import Options

RATE = 0.01
BASE = Settings()
SHAPES: dict[str, Settings] = {
    "20 × 128, M = 2": BASE,
    "10 × 128, M = 2": replace(BASE, depth=10),
    "50 × 128, M = 2": replace(BASE, depth=50),
    "100 × 128, M = 2": replace(BASE, depth=100),
    "20 × 32, M = 2": replace(BASE, width=32),
    "20 × 64, M = 2": replace(BASE, width=64),
    "20 × 256, M = 2": replace(BASE, width=256),
    "20 × 128, M = 1": replace(BASE, contestants=("residual",)),
    "20 × 128, M = 4": replace(BASE, contestants=("plain", "residual", "scaled", "zero_last")),
}
"""Where the share of the products is looked at: layers × width, and M contestants."""

FINE = 8
"""How many turns a repetition is where one hundredth is to be told from five."""

Steps = Iterator[object]


def against_plain_loop(options: Options) -> Iterator[Measure]:
    """Compare steps per second: the plain loop's time divided by ours."""
    name = "training: plain loop / ours"
    if options.wants(name):
        times = in_turn(epochs(plain_loop), epochs(training), options.repetitions, time.thread_time)
        yield Measure(name, *times, {"median": 1.3}, at_least=True)


def recording(options: Options) -> Iterator[Measure]:
    """Compare training that records what the pictures need with training that records nothing.

    Both test the networks after each epoch, as any training does. The means are compared: what a
    run looks at in a quarter of its epochs, and at its end, no median would see.
    """
    name = "training: recording / not"
    if options.wants(name):
        turns = FINE * options.repetitions
        times = in_turn(epochs(training), epochs(bare), turns, time.thread_time)
        yield Measure(name, *times, {"mean": 1.05})


def product_share(options: Options) -> Iterator[Measure]:
    """Say which share of a step its matrix products are (1 is the limit); this is not judged."""
    for shape, settings in SHAPES.items():
        name = f"products / step: {shape}"
        if options.wants(name):
            subject, yardstick = epochs(products, settings), epochs(training, settings)
            repetitions = max(3, options.repetitions // 6)
            times = in_turn(subject, yardstick, repetitions, time.thread_time, warm_up=1)
            yield Measure(name, *times, {})


def epochs(
    steps: Callable[[Settings], Steps], settings: Settings | None = None
) -> Callable[[int], object]:
    """Return a function that goes on by one epoch, for ever."""
    run = settings or BASE
    going = itertools.chain.from_iterable(steps(run) for _ in itertools.count())
    return lambda _: [next(going) for _ in range(run.steps_per_epoch)]


def training(settings: Settings) -> Steps:
    """Train as the lab does."""
    from core.training import train

    return train(settings)


def bare(settings: Settings) -> Steps:
    """Make the same steps; look at the loss, and after each epoch at the accuracy."""
    from core.training import accuracy, answers, prepare

    run = prepare(settings)
    for step, (x, y) in enumerate(run.batches(), 1):
        loss = run.stack.backward(run.stack.forward(x, training=True), y)
        run.optimiser.step()
        ended = step % settings.steps_per_epoch == 0
        yield loss.tolist(), accuracy(run, answers(run)) if ended else None


def plain_loop(settings: Settings) -> Steps:
    """Train a plain and a residual network in turn, as one writes it in PyTorch.

    Like ours it reads each loss, and tests both after each epoch.
    """
    from core.backend import torch
    from core.training import prepare
    from tests.bench.networks import Network

    torch.manual_seed(settings.seed)
    run = prepare(settings)
    size = (run.data.features, settings.width, run.data.classes)
    networks = [Network(*size, settings.blocks, settings.per_branch, s) for s in (0, 1)]
    optimisers = [torch.optim.SGD(net.parameters(), lr=RATE, momentum=0.9) for net in networks]
    cross_entropy = torch.nn.CrossEntropyLoss()
    test_x, test_y = torch.tensor(run.data.test_x), torch.tensor(run.data.test_y)
    for step, (x, y) in enumerate(run.batches(), 1):
        losses = []
        for network, optimiser in zip(networks, optimisers, strict=True):
            optimiser.zero_grad()
            loss = cross_entropy(network(x[0]), y[0])
            loss.backward()
            optimiser.step()
            losses.append(loss.item())
        if step % settings.steps_per_epoch == 0:
            with torch.no_grad():
                right = [(net(test_x).argmax(1) == test_y).float().mean() for net in networks]
            losses += [share.item() for share in right]
        yield losses


def products(settings: Settings) -> Steps:
    """Make the matrix products of a step and nothing else."""
    from core.backend import torch
    from core.training import prepare

    run = prepare(settings)
    members, n, d = len(settings.members), settings.batch, settings.width
    rows = torch.randn(members, n, d)
    weights = {name: run.stack.weights[name] for name in ("stem_w", "hidden_w", "head_w")}
    grads = run.stack.grads
    hidden = list(zip(weights["hidden_w"], grads["hidden_w"], strict=True))
    for x, _ in run.batches():
        x = x.expand(members, -1, -1)
        torch.bmm(x, weights["stem_w"])
        for weight, _ in hidden:
            torch.bmm(rows, weight)
        scores = torch.bmm(rows, weights["head_w"])
        torch.bmm(rows.mT, scores, out=grads["head_w"])
        torch.bmm(scores, weights["head_w"].mT)
        for weight, grad in reversed(hidden):
            torch.bmm(rows.mT, rows, out=grad)
            torch.bmm(rows, weight.mT)
        torch.bmm(x.mT, rows, out=grads["stem_w"])
        yield None
