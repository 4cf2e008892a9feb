"""The stacked networks against autograd, central differences and the same nets in `torch.nn`."""

import copy
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as draw

from core.backend import torch
from core.contestants import CONTESTANTS, Contestant, Shape, spans
from core.networks import Stack

nn = torch.nn
Tensor = torch.Tensor

PHI = {
    "ReLU": nn.ReLU,
    "LeakyReLU": nn.LeakyReLU,
    "GELU": nn.GELU,
    "tanh": nn.Tanh,
    "sigmoid": nn.Sigmoid,
}
NAMES = tuple(CONTESTANTS)
MIXED = (
    ("plain", "residual"),
    ("few", "residual", "plain", "pre_ln"),
    ("rezero", "scaled", "zero_last", "residual"),
    ("plain_bn", "residual_bn", "pre_ln", "few"),
    ("rezero", "residual_bn", "few", "scaled"),
    ("plain_half", "plain", "residual", "rezero"),
)


def shape_of(
    layers: int = 12,
    per_branch: int = 2,
    activation: str = "ReLU",
    few: int = 2,
    width: int = 8,
    init: str = "PyTorch",
) -> Shape:
    return Shape(6, 4, layers, width, per_branch, few, activation, init)


def build(names: Sequence[str], shape: Shape, seed: int = 0) -> Stack:
    return Stack(shape, [(CONTESTANTS[name], seed) for name in names])


def spread(names: Sequence[str], shape: Shape, seed: int = 0) -> Stack:
    """Return networks in float64 away from the start, so that no gradient is 0 by construction."""
    stack = build(names, shape, seed).in_double()
    random = torch.Generator().manual_seed(seed + 1)
    for m in range(len(names)):
        for name, weight in stack.weights.items():
            own = weight[m] if name.startswith(("stem", "head")) else weight[:, m]
            if name != "alpha":
                own += 0.3 * torch.randn(own.shape, generator=random, dtype=own.dtype)
    random_alpha = 0.5 + torch.rand(stack.weights["alpha"].shape, generator=random).double()
    stack.weights["alpha"].copy_(torch.where(stack.learns, random_alpha, stack.weights["alpha"]))
    return stack


def batch(shape: Shape, rows: int = 7, members: int = 1, seed: int = 9) -> tuple[Tensor, Tensor]:
    random = torch.Generator().manual_seed(seed)
    x = torch.randn(members, rows, shape.features, generator=random)
    return x, torch.randint(shape.classes, (members, rows), generator=random)


class Reference(nn.Module):
    """One member of a stack, written again from the definition with the layers of `torch.nn`."""

    def __init__(self, stack: Stack, m: int) -> None:
        super().__init__()
        self.contestant, shape = stack.members[m][0], stack.shape
        kind, w = self.contestant, stack.weights
        used = shape.layers // 2 if kind.half else shape.layers
        self.phi = PHI[shape.activation]()
        self.stem = linear(w["stem_w"][m], w["stem_b"][m])
        self.hidden = nn.ModuleList(
            linear(w["hidden_w"][layer, m], w["hidden_b"][layer, m]) for layer in range(used)
        )
        self.head = linear(w["head_w"][m], w["head_b"][m])
        self.alpha = nn.Parameter(w["alpha"][:, m, 0, 0].clone())
        self.norms = nn.ModuleList(normalisation(kind, shape.width) for _ in range(used + 1))
        block = shape.per_branch
        self.blocks = {
            "none": [],
            "all": [(i, i + block - 1) for i in range(0, shape.layers, block)],
            "few": list(spans(shape.layers, min(shape.few, shape.layers))),
        }[kind.shortcuts]

    def forward(self, x: Tensor) -> Tensor:
        h = self.stem(x)
        firsts = {first for first, _ in self.blocks}
        shortcut = {last: first for first, last in self.blocks}
        entered = []
        for layer, linear in enumerate(self.hidden):
            entered.append(h)
            everywhere = self.contestant.norm == "batch"
            u = self.norms[layer](h) if everywhere or layer in firsts else h
            z = linear(self.phi(u))
            h = entered[shortcut[layer]] + self.alpha[layer] * z if layer in shortcut else z
        return self.head(self.phi(self.norms[-1](h)))


def linear(weight: Tensor, bias: Tensor) -> nn.Linear:
    rows, columns = weight.shape
    made = nn.Linear(rows, columns).to(weight.dtype)
    with torch.no_grad():
        made.weight.copy_(weight.T)
        made.bias.copy_(bias[0])
    return made


def normalisation(kind: Contestant, width: int) -> nn.Module:
    if kind.norm == "layer":
        return nn.LayerNorm(width, elementwise_affine=False)
    if kind.norm == "batch":
        return nn.BatchNorm1d(width, affine=False).double()
    return nn.Identity()


def close(got: Tensor, expected: Tensor) -> None:
    torch.testing.assert_close(got, expected, rtol=1e-9, atol=1e-11)


def autograd(stack: Stack, x: Tensor, y: Tensor) -> dict[str, Tensor]:
    """Return what autograd makes of the stack's own forward pass."""
    twin = copy.copy(stack)
    twin.flat = stack.flat.clone().requires_grad_()
    twin._bind()
    logits = twin.forward(x, training=True)
    for m, member in enumerate(logits):
        nn.functional.cross_entropy(member, y[min(m, len(y) - 1)]).backward(retain_graph=True)
    assert twin.flat.grad is not None
    return dict(zip(twin.sizes, twin.views(twin.flat.grad), strict=True))


def agree_with_autograd(names: Sequence[str], shape: Shape, members: int = 1) -> None:
    stack = spread(names, shape)
    x, y = batch(shape, members=members)
    expected = autograd(stack, x.double(), y)
    stack.backward(stack.forward(x.double(), training=True), y)
    for name, gradient in stack.grads.items():
        if name == "alpha":
            assert gradient[~stack.learns].count_nonzero() == 0
            close(gradient[stack.learns], expected[name][stack.learns])
        else:
            close(gradient, expected[name])


@pytest.mark.parametrize("activation", PHI)
@pytest.mark.parametrize("name", NAMES)
def test_the_backward_pass_is_autograds(name: str, activation: str) -> None:
    agree_with_autograd([name], shape_of(activation=activation))


@pytest.mark.parametrize("per_branch", [1, 2, 3, 4])
@pytest.mark.parametrize("few", [2, 3, 5])
@pytest.mark.parametrize("names", MIXED, ids="+".join)
def test_the_backward_pass_is_autograds_in_mixed_company(
    names: tuple[str, ...], few: int, per_branch: int
) -> None:
    agree_with_autograd(names, shape_of(per_branch=per_branch, few=few, activation="GELU"))


@pytest.mark.parametrize("activation", PHI)
def test_each_member_may_have_batches_of_its_own(activation: str) -> None:
    agree_with_autograd(MIXED[3], shape_of(activation=activation), members=4)


@given(
    draw.lists(draw.sampled_from(NAMES), min_size=1, max_size=4, unique=True),
    draw.integers(1, 4),
    draw.integers(1, 4),
    draw.integers(1, 50),
    draw.sampled_from(sorted(PHI)),
)
def test_the_backward_pass_is_autograds_whatever_the_structure(
    names: list[str], blocks: int, per_branch: int, few: int, activation: str
) -> None:
    agree_with_autograd(names, shape_of(blocks * per_branch, per_branch, activation, few))


@pytest.mark.parametrize("names", MIXED, ids="+".join)
def test_the_backward_pass_agrees_with_central_differences(names: tuple[str, ...]) -> None:
    stack = spread(names, shape_of(layers=6, activation="tanh", few=2))
    x, y = batch(stack.shape)
    x, step = x.double(), 1e-5
    stack.backward(stack.forward(x, training=True), y)
    gradient = stack.gradient.clone()
    fixed = torch.zeros_like(stack.flat, dtype=torch.bool)
    dict(zip(stack.sizes, stack.views(fixed), strict=True))["alpha"].copy_(~stack.learns)
    random = torch.Generator().manual_seed(3)
    for at in torch.randperm(len(stack.flat), generator=random)[:60].tolist():
        if fixed[at]:
            continue
        loss = []
        for change in (step, -step):
            moved = copy.copy(stack)
            moved.flat = stack.flat.clone()
            moved.flat[at] += change
            moved._bind()
            loss.append(moved.backward(moved.forward(x, training=True), y).sum())
        assert gradient[at].item() == pytest.approx(
            ((loss[0] - loss[1]) / (2 * step)).item(), rel=1e-5, abs=1e-9
        )


@pytest.mark.parametrize("per_branch", [1, 3])
@pytest.mark.parametrize("name", NAMES)
def test_forward_and_gradients_are_those_of_torch_nn(name: str, per_branch: int) -> None:
    stack = spread(["residual", name], shape_of(per_branch=per_branch, few=3))
    reference = Reference(stack, 1)
    x, y = batch(stack.shape)
    logits = stack.forward(x.double(), training=True)
    expected = reference(x[0].double())
    close(logits[1], expected)
    loss = nn.functional.cross_entropy(expected, y[0])
    loss.backward()
    close(stack.backward(logits, y)[1], loss.detach())
    for made, weight, bias in (
        (reference.stem, stack.grads["stem_w"][1], stack.grads["stem_b"][1]),
        (reference.head, stack.grads["head_w"][1], stack.grads["head_b"][1]),
        *zip(
            reference.hidden,
            stack.grads["hidden_w"][:, 1],
            stack.grads["hidden_b"][:, 1],
            strict=False,
        ),
    ):
        assert isinstance(made, nn.Linear)
        assert made.weight.grad is not None
        assert made.bias.grad is not None
        close(weight, made.weight.grad.T)
        close(bias[0], made.bias.grad)
    if CONTESTANTS[name].learned:
        assert reference.alpha.grad is not None
        close(stack.grads["alpha"][:, 1, 0, 0], reference.alpha.grad)


@pytest.mark.parametrize("name", NAMES)
def test_testing_uses_the_running_statistics_of_torch_nn(name: str) -> None:
    stack = spread(["few", name, "residual_bn"], shape_of())
    reference = Reference(stack, 1)
    for seed in range(5):
        x, _ = batch(stack.shape, rows=5 + seed, seed=seed)
        stack.forward(3 * x.double() + 1, training=True)
        reference(3 * x[0].double() + 1)
    reference.eval()
    x, _ = batch(stack.shape, rows=11)
    close(stack.forward(x.double())[1], reference(x[0].double()))
    for layer, norm in enumerate(reference.norms):
        if isinstance(norm, nn.BatchNorm1d):
            assert norm.running_mean is not None
            assert norm.running_var is not None
            close(stack.mean[layer, 1, 0], norm.running_mean)
            close(stack.variance[layer, 1, 0], norm.running_var)


def test_testing_changes_no_running_statistics() -> None:
    stack = build(["residual_bn"], shape_of())
    stack.forward(batch(stack.shape)[0])
    assert stack.mean.count_nonzero() == 0
    assert (stack.variance == 1).all()


@pytest.mark.parametrize("activation", PHI)
def test_without_s_the_residual_network_is_exactly_the_plain_one(activation: str) -> None:
    shape = shape_of(activation=activation, width=16)
    x, y = batch(shape, rows=8)
    plain, residual = build(["plain"], shape), build(["residual"], shape)
    assert not torch.equal(plain.forward(x), residual.forward(x))
    residual.s.zero_()
    losses = [stack.backward(stack.forward(x), y) for stack in (plain, residual)]
    assert torch.equal(*losses)
    assert torch.equal(plain.gradient, residual.gradient)


def test_the_plain_network_is_the_chain_of_the_articles() -> None:
    stack = build(["plain"], shape_of()).in_double()
    w, (x, _) = stack.weights, batch(stack.shape)
    h = x[0].double() @ w["stem_w"][0] + w["stem_b"][0]
    for weight, bias in zip(w["hidden_w"][:, 0], w["hidden_b"][:, 0], strict=True):
        h = h.relu() @ weight + bias
    close(stack.forward(x.double())[0], h.relu() @ w["head_w"][0] + w["head_b"][0])


def test_the_loss_is_the_mean_cross_entropy_of_each_member() -> None:
    stack = build(["plain", "residual"], shape_of(init="He"))
    x, y = batch(stack.shape, members=2)
    logits = stack.forward(x)
    expected = [nn.functional.cross_entropy(a, b) for a, b in zip(logits, y, strict=True)]
    torch.testing.assert_close(stack.backward(logits, y), torch.stack(expected))


def member(stack: Stack, m: int, x: Tensor, y: Tensor) -> list[Tensor]:
    """Return everything that one member makes of a batch."""
    logits = stack.forward(x, training=True)
    loss = stack.backward(logits, y)
    own = [
        gradient[m] if name.startswith(("stem", "head")) else gradient[:, m]
        for name, gradient in stack.grads.items()
    ]
    return [logits[m], loss[m], *(gradient.clone() for gradient in own)]


@given(
    draw.lists(draw.sampled_from(NAMES), min_size=2, max_size=4, unique=True),
    draw.integers(1, 4),
    draw.integers(1, 4),
    draw.sampled_from([8, 16, 40, 64, 128]),
    draw.sampled_from([8, 16, 64, 200]),
    draw.sampled_from(sorted(PHI)),
    draw.sampled_from(["PyTorch", "He", "Xavier"]),
)
def test_a_member_is_bit_equal_alone_in_company_and_in_any_order(
    names: list[str],
    blocks: int,
    per_branch: int,
    width: int,
    rows: int,
    activation: str,
    init: str,
) -> None:
    shape = Shape(64, 10, blocks * per_branch, width, per_branch, 2, activation, init)
    x, y = batch(shape, rows)
    together, swapped = build(names, shape), build(names[::-1], shape)
    for m, name in enumerate(names):
        mine = member(together, m, x, y)
        for other in (
            member(build([name], shape), 0, x, y),
            member(swapped, len(names) - 1 - m, x, y),
        ):
            assert all(map(torch.equal, mine, other))


@pytest.mark.parametrize("poison", [float("nan"), float("inf"), -float("inf"), 1e38])
@pytest.mark.parametrize("names", MIXED, ids="+".join)
def test_what_breaks_in_one_member_reaches_no_other(names: tuple[str, ...], poison: float) -> None:
    shape = shape_of(width=16)
    x, y = batch(shape, rows=8)
    sound = build(names, shape)
    expected = [member(sound, m, x, y) for m in range(len(names))]
    for broken in range(len(names)):
        stack = build(names, shape)
        stack.weights["stem_w"][broken] = poison
        stack.weights["hidden_w"][2, broken] = poison
        for m in range(len(names)):
            same = map(torch.equal, member(stack, m, x, y), expected[m])
            assert all(same) == (m != broken)


@pytest.mark.parametrize("name", NAMES)
def test_deleting_the_branches_leaves_the_stem_and_the_head(name: str) -> None:
    stack = spread(["plain", name], shape_of(few=3))
    for seed in range(3):
        stack.forward(batch(stack.shape, seed=seed)[0].double(), training=True)
    x = batch(stack.shape, rows=8)[0].double()
    before, flat = stack.forward(x), stack.flat.clone()
    bare = stack.without_branches().forward(x)
    assert torch.equal(bare[0], before[0])
    if CONTESTANTS[name].shortcuts == "none":
        assert torch.equal(bare[1], before[1])
    else:
        h = x[0] @ stack.weights["stem_w"][1] + stack.weights["stem_b"][1]
        if CONTESTANTS[name].norm == "layer":
            h = nn.functional.layer_norm(h, [stack.shape.width])
        if CONTESTANTS[name].norm == "batch":
            h = (h - stack.mean[-1, 1]) / (stack.variance[-1, 1] + 1e-5).sqrt()
        close(bare[1], h.relu() @ stack.weights["head_w"][1] + stack.weights["head_b"][1])
    assert torch.equal(stack.flat, flat)
    assert torch.equal(stack.forward(x), before)


def test_the_copy_in_double_holds_the_same_numbers_and_leaves_the_original_alone() -> None:
    stack = build(["residual_bn", "rezero"], shape_of())
    x, y = batch(stack.shape)
    stack.backward(stack.forward(x, training=True), y)
    kept = [t.clone() for t in (stack.flat, stack.gradient, stack.mean, stack.variance)]
    twin = stack.in_double()
    assert torch.equal(twin.flat, stack.flat.double())
    assert torch.equal(twin.mean, stack.mean.double())
    twin.backward(twin.forward(x.double(), training=True), y)
    torch.testing.assert_close(twin.gradient.float(), stack.gradient, rtol=1e-4, atol=1e-6)
    now = (stack.flat, stack.gradient, stack.mean, stack.variance)
    assert all(map(torch.equal, kept, now))


def test_shortcuts_stand_where_the_contestant_says() -> None:
    stack = build(["plain", "residual", "few", "scaled", "rezero"], shape_of(layers=8, few=2))
    s, alpha = stack.s[..., 0, 0].T, stack.weights["alpha"][..., 0, 0].T
    assert s.tolist() == [[0] * 8, [0, 1] * 4, [0, 0, 0, 1] * 2, [0, 1] * 4, [0, 1] * 4]
    assert alpha.tolist() == [[1] * 8, [1] * 8, [1] * 8, [1, 0.5] * 4, [1, 0] * 4]


@settings(max_examples=20)
@given(draw.lists(draw.sampled_from(NAMES), min_size=1, max_size=4, unique=True))
def test_equal_weights_at_the_start_where_shapes_agree(names: list[str]) -> None:
    stack = build([*names, "plain"], shape_of())
    for m, name in enumerate(names):
        for key, weight in stack.weights.items():
            mine, plain = (
                weight[i] if key.startswith(("stem", "head")) else weight[:, i] for i in (m, -1)
            )
            if key == "alpha":
                continue
            zeroed = torch.zeros(len(mine), dtype=torch.bool)
            if CONTESTANTS[name].zero_last and key.startswith("hidden"):
                zeroed = stack.end[:, m, 0, 0]
            assert mine[zeroed].count_nonzero() == 0
            assert torch.equal(mine[~zeroed], plain[~zeroed])
