"""PyTorch code of a block with the chosen placement, and of the measurement on the page."""

from core.block_path import Sizes
from core.initial_gradients import CLASSES, SEEDS, SEQUENCES, SHAPE, TOKENS
from core.placements import Placement
from core.transformer import branch_gain, named, skip_scale

_BLOCK = '''import torch
from torch import nn


class Block(nn.Module):
    """{name}: attention and FFN, each in y = {formula}."""

    def __init__(self, d, heads, ffn, alpha=1.0):
        super().__init__()
        self.alpha = alpha
        self.mha = nn.MultiheadAttention(d, heads, batch_first=True)
        self.ffn = nn.Sequential(nn.Linear(d, ffn), nn.GELU(), nn.Linear(ffn, d)){norms}

    def attention(self, z):
        return self.mha(z, z, z, need_weights=False)[0]

    def forward(self, x):
        x = {attention}
        return {ffn}
'''

_MEASURE = """

def gradients(seed, blocks={blocks}, d={d}, heads={heads}, ffn={wide}):
    draw = torch.Generator().manual_seed(seed)
    x = torch.randn({sequences}, {tokens}, d, generator=draw, dtype=dtype)
    head = torch.randn({classes}, d, generator=draw, dtype=dtype) * (2 / ({classes} + d)) ** 0.5
    labels = torch.randint({classes}, ({sequences}, {tokens}), generator=draw)
    stack = [Block(d, heads, ffn, alpha={alpha!r}).to(dtype) for _ in range(blocks)]
    for block in stack:
        mha, (up, _, down) = block.mha, block.ffn
        q, k, v = mha.in_proj_weight.data.chunk(3)
        gains = [1, 1] + [{gain!r}] * 4
        matrices = [q, k, v, mha.out_proj.weight.data, up.weight.data, down.weight.data]
        for gain, w in zip(gains, matrices):  # Xavier
            w.copy_(torch.randn(w.shape, generator=draw, dtype=dtype))
            w.mul_(gain * (2 / sum(w.shape)) ** 0.5)
        for bias in (mha.in_proj_bias, mha.out_proj.bias, up.bias, down.bias):
            nn.init.zeros_(bias)
    for block in stack:
        x = block(x)
    {final}loss = nn.functional.cross_entropy((x @ head.T).flatten(0, 1), labels.flatten())
    loss.backward()
    return torch.stack([block.ffn[2].weight.grad.norm() for block in stack])


dtype = torch.{dtype}
block = Block({sizes})
print("parameters of a block:", sum(p.numel() for p in block.parameters()))
mean = torch.stack([gradients(seed) for seed in range({seeds})]).mean(dim=0)
print("gradient of the first block:", mean[0].item())
print("gradient of the last block:", mean[-1].item())
"""


def block_code(placement: Placement) -> str:
    """Return a `torch.nn.Module` named `Block` with this placement."""
    norms = "".join(
        f"\n        self.norm_{branch}_{slot} = nn.LayerNorm(d)"
        for branch in ("attention", "ffn")
        for slot in placement.slots
    )
    return _BLOCK.format(
        name=placement.name,
        formula=_sublayer(placement, "F", "LN({})", "LN({})", "LN({})"),
        norms=norms,
        attention=_call(placement, "attention"),
        ffn=_call(placement, "ffn"),
    )


def snippet(name: str, blocks: int, sizes: Sizes) -> str:
    """Return a program that prints the parameters of the block and the page's gradients."""
    placement = named(name)
    final = "x = nn.functional.layer_norm(x, (d,))  # after the last block\n    "
    return block_code(placement) + _MEASURE.format(
        blocks=blocks,
        d=SHAPE.d,
        heads=SHAPE.heads,
        wide=SHAPE.ffn,
        sequences=SEQUENCES,
        tokens=TOKENS,
        classes=CLASSES,
        alpha=skip_scale(placement, blocks),
        gain=branch_gain(placement, blocks),
        final=final if placement.final else "",
        dtype="float32" if placement.slots else "float64",
        sizes=f"{sizes.d}, {sizes.heads}, {sizes.ffn}",
        seeds=SEEDS,
    )


def _call(placement: Placement, branch: str) -> str:
    norms = [f"self.norm_{branch}_{slot}({{}})" for slot in ("before", "behind", "trunk")]
    return _sublayer(placement, f"self.{branch}", *norms, alpha="self.alpha * ")


def _sublayer(
    placement: Placement, f: str, before: str, behind: str, trunk: str, alpha: str = "α "
) -> str:
    inner = before.format("x") if placement.before else "x"
    term = f"{f}({inner})"
    term = behind.format(term) if placement.behind else term
    total = f"{alpha if placement.scaled else ''}x + {term}"
    return trunk.format(total) if placement.trunk else total
