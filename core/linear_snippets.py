"""PyTorch programs that make the numbers on the page, for the settings on the page.

Each runs as it is, prints what the page shows and asserts it.
"""

import numpy as np

from core import accumulation, linear_stack, weight_gradient
from core.exact import Numbers
from core.linear_block import Setting, run
from core.linear_descent import WHO, Descent, descend

_HEAD = """\
import torch

torch.set_default_dtype(torch.float64)
x = torch.tensor({x}, requires_grad=True)
W = torch.tensor({W}, requires_grad=True)
t = torch.tensor({t})
alpha = {alpha}
"""

_BLOCK = """
y = x + alpha * (W @ x)
loss = 0.5 * ((y - t) ** 2).sum()
loss.backward()

print("y      =", y.tolist())
print("loss   =", loss.item())
print("grad x =", x.grad.tolist())
print("grad W =", W.grad.tolist())

assert torch.allclose(y, torch.tensor({y}))
assert torch.allclose(loss, torch.tensor({loss}))
assert torch.allclose(x.grad, torch.tensor({grad_x}))
assert torch.allclose(W.grad, torch.tensor({grad_w}))
"""

_DESCENT = """
losses, exact = {{}}, {exact}
for name, shortcut in (("residual", 1.0), ("plain", 0.0)):
    learnt = {variable}.detach().clone().requires_grad_()
    optimiser = torch.optim.SGD([learnt], lr={rate})
    for step in range({steps} + 1):
        y = shortcut * {x} + alpha * ({W} @ {x})
        loss = 0.5 * ((y - t) ** 2).sum()
        if step < {steps}:
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
    losses[name] = loss.item()
    print(f"{{name}}: loss {{losses[name]}} after {steps} steps; exactly: {{exact[name]}}")
"""

_ACCUMULATION = """
for call in range({calls}):
{clear}    loss = 0.5 * ((x + alpha * (W @ x) - t) ** 2).sum()
    loss.backward()
    print(f"x.grad after backward number {{call + 1}}: {{x.grad.tolist()}}")

assert torch.allclose(x.grad, torch.tensor({held}))
"""

_LAYER = """
W1 = ({s} * W).detach().requires_grad_()
h = W1 @ x
h.retain_grad()
y = {shortcut}h
loss = 0.5 * ((y - t) ** 2).sum()
loss.backward()

print("gradient at the layer's output:", h.grad.tolist())
print("gradient of its weights:       ", W1.grad.tolist())
print("gradient at its input:         ", x.grad.tolist())

assert torch.allclose(h.grad, torch.tensor({output}))
assert torch.allclose(W1.grad, torch.tensor({weight}))
assert torch.allclose(x.grad, torch.tensor({input}))
"""

_STACK = """
y = x
for _ in range({n}):
    y = y + alpha * (W @ y)
loss = 0.5 * ((y - t) ** 2).sum()
loss.backward()

product = torch.linalg.matrix_power(torch.eye(2) + alpha * W, {n})
print("y                  =", y.tolist())
print("(I + alpha W)^n x0 =", (product @ x).tolist())
print("grad x0            =", x.grad.tolist())

size = 1 + y.abs().max().item() * torch.linalg.matrix_norm(product).item()
assert torch.allclose(y, product @ x, atol=1e-12 * size)
assert torch.allclose(x.grad, product.T @ (y - t), atol=1e-12 * size)
assert torch.allclose(x.grad, torch.tensor({grad_x}), atol=1e-12 * size)
"""


def _list(values: Numbers) -> list:
    return np.array(values).astype(float).tolist()


def _head(setting: Setting) -> str:
    x, weight, t, alpha = setting.exactly()
    return _HEAD.format(x=_list(x), W=_list(weight), t=_list(t), alpha=float(alpha))


def block(setting: Setting) -> str:
    """Return the program of the worked example: forward, backward, every number asserted.

    At the article's numbers it makes the assertions of its second listing (section 8).
    """
    p = run(setting)
    values = {name: _list(getattr(p, name)) for name in ("y", "grad_x", "grad_w")}
    return _head(setting) + _BLOCK.format(loss=float(p.loss), **values)


def descent(setting: Setting, how: Descent) -> str:
    """Return the program of the descent, by `torch.optim.SGD`, with and without the shortcut."""
    names = {"x": "x", "W": "W"} | {how.variable: "learnt"}
    ends = {who: float(descend(setting, how, who == "residual")[-1].loss) for who in WHO}
    return _head(setting) + _DESCENT.format(
        variable=how.variable, rate=how.rate, steps=how.steps, exact=ends, **names
    )


def accumulated(setting: Setting, calls: int, clear: bool) -> str:
    """Return the program of the accumulation trap, or of its remedy."""
    held = _list(accumulation.expected(setting, calls, clear))
    line = "    x.grad = None\n" if clear else ""
    return _head(setting) + _ACCUMULATION.format(calls=calls, clear=line, held=held)


def layer(setting: Setting, s: float, shortcut: bool) -> str:
    """Return the program that prints the three gradients of one layer."""
    gradients = weight_gradient.layer(setting, s, shortcut)
    values = {name: _list(getattr(gradients, name)) for name in ("output", "weight", "input")}
    return _head(setting) + _LAYER.format(s=s, shortcut="x + " if shortcut else "", **values)


def stack(setting: Setting, n: int) -> str:
    """Return the program of `n` equal blocks: loop against matrix power."""
    gradient = _list(linear_stack.run(setting, n).gradients[0])
    return _head(setting) + _STACK.format(n=n, grad_x=gradient)
