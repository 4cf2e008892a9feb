"""The formulas of the linear block with the reader's numbers put in."""

from core import exact
from core.exact import Fraction, Numbers
from core.linear_block import Pass, Setting, run
from core.linear_directions import jacobian

COLOURS = {"identity": "#0E9A74", "branch": "#B65FA0", "residual": "#2A8CC9"}
"""For KaTeX, which does not know the theme: middle tones that can be read on white and on black."""
_NAMES = {"identity": "green", "branch": "violet", "residual": "blue"}
"""The same meanings in Markdown, which knows the theme's colours by name."""


def derivation(setting: Setting, step: str) -> str:
    """Return all intermediate numbers as Markdown, a line a step, the line of the step lit.

    It is text and not KaTeX because it stands beside a slider: setting seven formulas anew would
    cost a quarter of the browser's time for a key press.
    """
    p = run(setting)
    lines = [
        ("branch", "αWx", p.branch, "branch"),
        ("add", "y = x + αWx", p.y, "residual"),
        ("loss", "L = ½‖y − t‖²", p.loss, "residual"),
        ("output", "g = y − t", p.grad_y, "identity"),
        ("split", "αWᵀg", p.through_branch, "branch"),
        ("input", "∇ₓL = g + αWᵀg", p.grad_x, "residual"),
        ("weight", "∇W = α g xᵀ", p.grad_w, "branch"),
    ]
    return "  \n".join(_line(step, *line) for line in lines)


def _line(step: str, name: str, formula: str, value: Numbers, role: str) -> str:
    number = exact.text(value) if isinstance(value, Fraction) else exact.rows_text(value)
    written = f"{formula} {exact.equals_text(value)} {number}"
    if step == name:
        return f"**▶ :{_NAMES[role]}[{written}]**"
    return f":{_NAMES[role] if step == 'all' else 'gray'}[{written}]"


def substituted(setting: Setting, step: str) -> str:
    """Return the step's formula in KaTeX with the reader's numbers put in, up to the result."""
    p = run(setting)
    return {
        "branch": _branch,
        "add": _add,
        "loss": _loss,
        "output": _output,
        "split": _split,
        "all": _input,
        "input": _input,
        "weight": _weight,
    }[step](setting, p)


def _branch(setting: Setting, p: Pass) -> str:
    x, weight, _, alpha = setting.exactly()
    products = exact.rows_tex([[_dot(row, x)] for row in weight])
    lines = [rf"\alpha Wx&={_times(alpha)}{products}"]
    if alpha != 1:
        lines.append(rf"&={_times(alpha)}{exact.matrix_tex(weight @ x)}")
    return exact.aligned([*lines, rf"&{exact.equals(p.branch)}{_paint('branch', p.branch)}"])


def _add(setting: Setting, p: Pass) -> str:
    x, *_ = setting.exactly()
    parts = rf"{_paint('identity', x)}+{_paint('branch', p.branch)}"
    sign = exact.equals(p.branch, p.y)
    return exact.aligned([r"y&=x+\alpha Wx", rf"&{sign}{parts}{sign}{_paint('residual', p.y)}"])


def _loss(setting: Setting, p: Pass) -> str:
    _, _, t, _ = setting.exactly()
    squares = "+".join(
        rf"({exact.tex(y)}-{_bracketed(target)})^2" for y, target in zip(p.y, t, strict=True)
    )
    return exact.aligned(
        [
            r"L&=\tfrac12\lVert y-t\rVert^2",
            rf"&{exact.equals(p.y)}\tfrac12\left[{squares}\right]",
            rf"&{exact.equals(p.y, p.loss)}{exact.tex(p.loss)}",
        ]
    )


def _output(setting: Setting, p: Pass) -> str:
    _, _, t, _ = setting.exactly()
    columns = rf"{exact.matrix_tex(p.y)}-{exact.matrix_tex(t)}"
    result = rf"{exact.equals(p.y, p.grad_y)}{_paint('identity', p.grad_y)}"
    return exact.aligned([r"g&=\nabla_yL=y-t", rf"&{exact.equals(p.y)}{columns}{result}"])


def _split(setting: Setting, p: Pass) -> str:
    _, weight, _, alpha = setting.exactly()
    columns = rf"{_times(alpha)}{exact.matrix_tex(weight.T)}{exact.matrix_tex(p.grad_y)}"
    sign = exact.equals(p.grad_y, p.through_branch)
    return exact.aligned(
        [
            rf"\alpha W^{{\top}}g&{exact.equals(p.grad_y)}{columns}",
            rf"&{sign}{_paint('branch', p.through_branch)}",
        ]
    )


def _input(setting: Setting, p: Pass) -> str:
    matrix = jacobian(setting)
    product = rf"{exact.matrix_tex(matrix.T)}{exact.matrix_tex(p.grad_y)}"
    sign = exact.equals(matrix, p.grad_y, p.through_branch, p.grad_x)
    paths = rf"{_paint('identity', p.grad_y)}+{_paint('branch', p.through_branch)}"
    return exact.aligned(
        [
            rf"\nabla_xL&=(I+\alpha W)^{{\top}}g{exact.equals(matrix, p.grad_y)}{product}",
            rf"&{sign}{paths}{sign}{_paint('residual', p.grad_x)}",
        ]
    )


def _weight(setting: Setting, p: Pass) -> str:
    x, _, _, alpha = setting.exactly()
    row = exact.matrix_tex(x.reshape(1, 2))
    product = rf"{_times(alpha)}{exact.matrix_tex(p.grad_y)}{row}"
    result = rf"{exact.equals(p.grad_y, p.grad_w)}{_paint('branch', p.grad_w)}"
    return exact.aligned(
        [r"\nabla_WL&=\alpha\,g\,x^{\top}", rf"&{exact.equals(p.grad_y)}{product}{result}"]
    )


def _dot(row: Numbers, vector: Numbers) -> str:
    (first, second), (one, other) = row, vector
    left = rf"{exact.tex(first)}\times{_bracketed(one)}"
    return rf"{left}+{_bracketed(second)}\times{_bracketed(other)}"


def _bracketed(value: Fraction) -> str:
    return f"({exact.tex(value)})" if value < 0 else exact.tex(value)


def _times(alpha: Fraction) -> str:
    return "" if alpha == 1 else rf"{_bracketed(alpha)}\cdot "


def _paint(role: str, value: Numbers) -> str:
    return rf"\textcolor{{{COLOURS[role]}}}{{{exact.matrix_tex(value)}}}"
