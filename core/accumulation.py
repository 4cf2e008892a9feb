"""The accumulation trap: `backward()` adds to `.grad`, it does not overwrite it.

The same rule makes the two paths of a residual block add up. Measured in PyTorch, not imitated.
"""

import numpy as np

from core import exact
from core.limits import within
from core.linear_block import Setting, run
from core.linear_check import floats
from core.plane import Arrow, arrow

CALLS_HIGH = 6


def held(setting: Setting, calls: int, clear: bool) -> list[np.ndarray]:
    """Return what `x.grad` holds after each of `calls` forward and backward passes, in float64.

    With `clear`, `x.grad = None` comes before each pass.

    Raises:
        Refused: for fewer than 1 or more than 6 calls.
    """
    from core.backend import torch

    within("calls", calls, 1, CALLS_HIGH)
    x, weight, t, alpha = (torch.tensor(part, dtype=torch.float64) for part in floats(setting))
    x.requires_grad_()
    grads = []
    for _ in range(calls):
        if clear:
            x.grad = None
        y = x + alpha * (weight @ x)
        (0.5 * ((y - t) ** 2).sum()).backward()
        assert x.grad is not None
        grads.append(np.array(x.grad.tolist()))
    return grads


def backward_twice(setting: Setting) -> str:
    """Return what PyTorch says when `backward()` is called twice on one forward pass."""
    from core.backend import torch

    x, weight, t, alpha = (torch.tensor(part, dtype=torch.float64) for part in floats(setting))
    x.requires_grad_()
    loss = 0.5 * ((x + alpha * (weight @ x) - t) ** 2).sum()
    loss.backward()
    try:
        loss.backward()
    except RuntimeError as error:
        return f"RuntimeError: {str(error).split('.')[0]}."
    return ""


def expected(setting: Setting, calls: int, clear: bool) -> exact.Numbers:
    """Return what `x.grad` must hold: `∇ₓL` once for every pass since it was cleared."""
    return run(setting).grad_x * (1 if clear else calls)


def arrows(setting: Setting, calls: int, clear: bool) -> list[Arrow]:
    """Return the gradient once for every pass that is still held, head to tail."""
    gradient = run(setting).grad_x
    origin = exact.array(0, 0)
    count = 1 if clear else calls
    written = exact.point(gradient)
    first = arrow("∇ₓL", "residual", written, origin, gradient)
    if count == 1:
        return [first]
    again = [
        arrow("∇ₓL", "quiet", written, call * gradient, gradient, "not")
        for call in range(1, count - 1)
    ]
    total = count * gradient
    return [first, *again, arrow("x.grad", "quiet", exact.point(total), total - gradient, gradient)]


def verdict(setting: Setting, calls: int, clear: bool) -> str:
    """Say what `x.grad` is: `zero` (nothing to see), `once`, `cleared` (right), `times` (wrong)."""
    if not run(setting).grad_x.any():
        return "zero"
    if calls == 1:
        return "once"
    return "cleared" if clear else "times"


def written(setting: Setting, calls: int, clear: bool) -> dict[str, object]:
    """Return the numbers that the page's sentences speak of."""
    gradient, total = run(setting).grad_x, expected(setting, calls, clear)
    return {"calls": calls, "gradient": exact.point(gradient), "held": exact.point(total)}


def transcript(setting: Setting, calls: int, clear: bool) -> str:
    """Return the calls and what PyTorch's `x.grad` held after each, as lines of a program."""
    lines = []
    for grad in held(setting, calls, clear):
        if clear:
            lines.append("x.grad = None")
        values = ", ".join(f"{value:.10g}" for value in grad)
        lines.append(f"loss = ...; loss.backward()    # x.grad: [{values}]")
    return "\n".join(lines)
