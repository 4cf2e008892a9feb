"""Training, as a generator of plain numbers: `train(settings)` yields one `Step` after another.

Own random generators, never the global seed: equal settings give bit-equal histories. What is in
here runs in the training process (`core/worker.py`); nothing of it needs a page.
"""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from core.backend import torch
from core.contestants import CONTESTANTS, Shape
from core.datasets import Dataset, linear_accuracy, load
from core.networks import Stack
from core.optimiser import Optimiser
from core.records import SMALLEST, Ending, Epoch, Layers, Lights, Profile, Step
from core.settings import GRID, GRID_EDGE, STRIP_RATES, Settings

Tensor = torch.Tensor
SHOWN_DIGITS = 12
LOOKS = 6
"""How often at most a run looks at each layer with the test set."""
HOLDS = 1e-12
"""From here on a norm summed in float32 has lost no square."""


@dataclass(slots=True)
class Run:
    """What a run consists of before its first step."""

    settings: Settings
    data: Dataset
    stack: Stack
    optimiser: Optimiser
    orders: list[torch.Generator]

    def batches(self) -> Iterator[tuple[Tensor, Tensor]]:
        """Yield batches `x (1 or M, n, f)`, `y (1 or M, n)`: a new order each epoch and seed."""
        s = self.settings
        x, y = torch.tensor(self.data.train_x), torch.tensor(self.data.train_y)
        repeat = len(self.stack.members) // len(self.orders)
        for _ in range(s.epochs):
            order = torch.stack([torch.randperm(len(x), generator=g) for g in self.orders])
            if len(self.orders) > 1:
                order = order.repeat(repeat, 1)
            for start in range(0, s.steps_per_epoch * s.batch, s.batch):
                rows = order[:, start : start + s.batch]
                yield x[rows], y[rows]


def prepare(settings: Settings, rates: tuple[float, ...] = ()) -> Run:
    """Build the networks of a run. With `rates`, every contestant is there once a rate."""
    data = load(settings.data).head(settings.rows)
    shape = Shape(
        data.features,
        data.classes,
        settings.layers,
        settings.width,
        settings.per_branch,
        settings.few,
        settings.activation,
        settings.init,
    )
    each = rates or (settings.rate,)
    members = [(CONTESTANTS[name], seed) for name, seed in settings.members for _ in each]
    stack = Stack(shape, members)
    optimiser = Optimiser(stack, settings.optimiser, list(each) * len(settings.members))
    seeds = range(settings.seed, settings.seed + settings.seeds)
    return Run(settings, data, stack, optimiser, [torch.Generator().manual_seed(s) for s in seeds])


def train(settings: Settings) -> Iterator[Step]:
    """Train all contestants side by side; yield a `Step` after each update.

    A contestant whose loss is no longer finite has diverged: it stays in the stack, reaches nobody
    else, and its numbers are NaN from there on. The run ends early when all have diverged.
    """
    run = prepare(settings)
    stack, start = run.stack, run.stack.weights["hidden_w"].clone()
    between = math.ceil(settings.epochs / LOOKS)
    for step, (x, y) in enumerate(run.batches(), 1):
        losses = stack.backward(stack.forward(x, training=True), y).tolist()
        last = step == settings.steps or not any(map(math.isfinite, losses))
        recorded = (step - 1) % settings.stride == 0 or last
        lights = _lights(stack, x, y) if recorded else None
        run.optimiser.step()
        epoch = layers = ending = None
        if last or step % settings.steps_per_epoch == 0:
            if last or step // settings.steps_per_epoch % between == 0:
                logits, layers = _layers(run, start)
            else:
                logits = answers(run)
            epoch = _epoch(run, logits)
            ending = _ending(run, logits) if last else None
        yield Step(step, losses, lights, epoch, layers, ending)
        if last:
            return


def learning_rates(settings: Settings) -> Iterator[Step]:
    """Train every contestant at seven learning rates at once; yield a `Step` after each update.

    The losses are those of `(contestant, rate)`, contestant by contestant.
    """
    run = prepare(settings, STRIP_RATES[settings.optimiser])
    for step, (x, y) in enumerate(run.batches(), 1):
        loss = run.stack.backward(run.stack.forward(x, training=True), y)
        run.optimiser.step()
        yield Step(step, loss.tolist())


def profile(settings: Settings, step: int) -> Iterator[Step | Profile]:
    """Replay a run up to `step`; yield that step in slow motion, its gradients in float64.

    The replay is the identical run; only the gradients of the asked step are computed again, with
    the weights of that moment, in float64, which holds numbers down to about 10⁻³⁰⁸.
    """
    run = prepare(settings)
    for at, (x, y) in enumerate(run.batches(), 1):
        if at == step:
            yield _slow_motion(run, at, x, y)
            return
        loss = run.stack.backward(run.stack.forward(x, training=True), y)
        run.optimiser.step()
        yield Step(at, loss.tolist())


def _slow_motion(run: Run, at: int, x: Tensor, y: Tensor) -> Profile:
    stack, weight = run.stack, run.stack.weights["hidden_w"]
    norms = _norms(_in_double(stack, x, y))
    logits, before = stack.forward(x, training=True), weight.clone()
    scale = torch.stack([_root_mean_square(h) for h, *_ in stack.cache[:-1]]).T.tolist()
    loss = stack.backward(logits, y)
    run.optimiser.step()
    change = _relative(weight, before)
    after = stack.backward(stack.forward(x, training=True), y)
    return Profile(at, norms, scale, change.T.tolist(), loss.tolist(), after.tolist())


def replay(asked: tuple[Settings, int]) -> Iterator[Step | Profile]:
    """Return `profile(*asked)`: a job has one argument."""
    return profile(*asked)


def _root_mean_square(h: Tensor) -> Tensor:
    return torch.linalg.vector_norm(h, dim=(1, 2)) / math.sqrt(h[0].numel())


def _relative(weight: Tensor, before: Tensor) -> Tensor:
    """Return `‖W − W₀‖/‖W₀‖`, `(layers, members)`; against `‖W‖` for a layer that started at 0."""
    moved, start = (weight - before).flatten(2).norm(dim=2), before.flatten(2).norm(dim=2)
    size = torch.where(start == 0, weight.flatten(2).norm(dim=2), start)
    return torch.where(moved == 0, 0, moved / size)


def _test_rows(data: Dataset) -> tuple[Tensor, Tensor, int]:
    """Return the test inputs `(1, n, f)`, padded to a multiple of 8, the labels, and their number.

    Padded, each member's rows begin at an aligned address, and its numbers are bit-equal whoever
    else is in the stack.
    """
    x, y = torch.tensor(data.test_x), torch.tensor(data.test_y)
    x = torch.nn.functional.pad(x, (0, 0, 0, -len(x) % 8))
    return x[None], y, len(y)


def _norms(stack: Stack) -> list[list[float]]:
    """Return `‖∂L/∂W_l‖` (Frobenius), `[member][layer]`; in float64 where squares could be lost."""
    flat = stack.grads["hidden_w"].flatten(2)
    norms = torch.linalg.vector_norm(flat, dim=2).double()
    holds = (norms > HOLDS) & norms.isfinite()
    if not holds.all():
        exact = torch.linalg.vector_norm(flat, dim=2, dtype=torch.float64)
        norms = torch.where(holds, norms, exact)
    return norms.T.tolist()


def _in_double(stack: Stack, x: Tensor, y: Tensor) -> Stack:
    twin = stack.in_double()
    twin.backward(twin.forward(x.double(), training=True), y)
    return twin


def _lights(stack: Stack, x: Tensor, y: Tensor) -> Lights:
    """Return this step's gradient norms; what float32 lost is looked up in float64."""
    norms = _norms(stack)
    lost = [[norm < SMALLEST for norm in layers] for layers in norms]
    if any(map(any, lost)):
        exact = _norms(_in_double(stack, x, y))
        norms = [
            [e if gone else n for n, e, gone in zip(*rows, strict=True)]
            for rows in zip(norms, exact, lost, strict=True)
        ]
    return Lights(norms, lost)


def _epoch(run: Run, logits: Tensor) -> Epoch:
    surface = _surface(run.stack) if run.settings.data == "spirals" else None
    return Epoch(accuracy(run, logits), surface)


@torch.no_grad()
def answers(run: Run, look: Callable[..., None] | None = None) -> Tensor:
    """Return the logits of the test set, `(M, n, classes)`; `look` sees each layer on the way."""
    x, _, n = _test_rows(run.data)
    return run.stack.answer(x, look)[:, :n]


def accuracy(run: Run, logits: Tensor) -> list[float]:
    """Return each member's share of right answers on the test set; NaN for one that diverged."""
    right = (logits.argmax(-1) == torch.tensor(run.data.test_y)).float().mean(dim=1)
    return torch.where(_finite(logits), right, math.nan).tolist()


def _finite(logits: Tensor) -> Tensor:
    return logits.isfinite().flatten(1).all(1)


@torch.no_grad()
def _layers(run: Run, start: Tensor) -> tuple[Tensor, Layers]:
    """Test the networks, and look at how each layer is doing on the way."""
    stack, n, back = run.stack, len(run.data.test_y), run.stack.activation[1]
    entered, branch, dead = [], [], []

    def look(h: Tensor, u: Tensor, a: Tensor, z: Tensor) -> None:
        entered.append(_root_mean_square(h[:, :n]))
        branch.append(_root_mean_square(z[:, :n]))
        steepest = back(torch.ones_like(u), u, a)[:, :n].abs().amax(dim=1)
        dead.append((steepest == 0).float().mean(dim=1))

    logits = answers(run, look)
    alpha, scale = stack.weights["alpha"].flatten(1), torch.stack(entered)
    added = alpha.abs() * torch.stack(branch)
    ratio: list[list[float | None]] = [[None] * stack.shape.layers for _ in stack.members]
    for m, (contestant, _) in enumerate(stack.members):
        for first, last in stack.spans(contestant):
            ratio[m][last] = float(added[last, m] / scale[first, m])
    silent = torch.where(_finite(logits), torch.stack(dead), math.nan)
    moved = _relative(stack.weights["hidden_w"], start)
    return logits, Layers(
        moved.T.tolist(), scale.T.tolist(), silent.T.tolist(), ratio, alpha.T.tolist()
    )


@torch.no_grad()
def _surface(stack: Stack) -> list[list[float]]:
    """Return the probability of class 1 on a grid over the plane, `[member][point]`."""
    line = torch.linspace(-GRID_EDGE, GRID_EDGE, GRID)
    grid = torch.cartesian_prod(line, line)[None]
    return stack.answer(grid).softmax(-1)[..., 1].tolist()


@torch.no_grad()
def _ending(run: Run, logits: Tensor) -> Ending:
    """Delete all branches of the trained networks and test again; answer a few test digits."""
    stack, data = run.stack, run.data
    x, y, n = _test_rows(data)
    known = logits.isfinite().all(-1)
    said = torch.where(known, logits.argmax(-1), -1)
    bare = accuracy(run, stack.without_branches().answer(x)[:, :n])
    without = [
        share if stack.spans(contestant) else None
        for share, (contestant, _) in zip(bare, stack.members, strict=True)
    ]
    hardest = (said == y).float().mean(dim=0).argsort(stable=True)[: SHOWN_DIGITS // 2]
    shown = [*hardest.tolist(), *(i for i in range(SHOWN_DIGITS) if i not in hardest)]
    shown = shown[:SHOWN_DIGITS]
    linear = linear_accuracy(run.settings.data, run.settings.rows)
    return Ending(without, shown, said[:, shown].tolist(), linear)
