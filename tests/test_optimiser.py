"""The optimisers against those of `torch.optim`."""

import pytest

from core.backend import torch
from core.contestants import CONTESTANTS, Shape
from core.networks import Stack
from core.optimiser import Optimiser

nn = torch.nn
Tensor = torch.Tensor


@pytest.mark.parametrize("rates", [[0.01, 0.01, 0.01], [0.3, 0.01, 0.002]], ids=["one", "each"])
@pytest.mark.parametrize("kind", ["SGD", "Adam"])
def test_a_step_is_that_of_torch_optim(kind: str, rates: list[float]) -> None:
    names = ("plain", "rezero", "residual_bn")
    stack = Stack(Shape(6, 4, 4, 8, 2, 2, "ReLU", "He"), [(CONTESTANTS[n], 0) for n in names])
    ours = Optimiser(stack, kind, rates)
    copies, theirs = [], []
    for m, rate in enumerate(rates):
        parameters = [nn.Parameter(own.clone()) for own in of_member(stack.weights, m)]
        optimisers = {
            "SGD": lambda p, r: torch.optim.SGD(p, lr=r, momentum=0.9),
            "Adam": lambda p, r: torch.optim.Adam(p, lr=r),
        }
        copies.append(parameters)
        theirs.append(optimisers[kind](parameters, rate))
    random = torch.Generator().manual_seed(0)
    for step in range(7):
        stack.gradient.normal_(0, 10.0 ** (step - 4), generator=random)
        ours.step()
        for m, optimiser in enumerate(theirs):
            for parameter, gradient in zip(copies[m], of_member(stack.grads, m), strict=True):
                parameter.grad = gradient.clone()
            optimiser.step()
            for parameter, weight in zip(copies[m], of_member(stack.weights, m), strict=True):
                torch.testing.assert_close(weight, parameter.detach(), rtol=1e-5, atol=1e-6)


def of_member(tensors: dict[str, Tensor], m: int) -> list[Tensor]:
    return [t[m] if name.startswith(("stem", "head")) else t[:, m] for name, t in tensors.items()]
