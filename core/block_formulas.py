"""The formulas of the linear block in KaTeX, with the reader's numbers put in."""

import numpy as np

from core import exact
from core.linear_block import Pass, Setting, run

COLOURS = {
    "identity": "#0E9A74",
    "branch": "#B65FA0",
    "residual": "#2A8CC9",
    "quiet": "#8A8F98",
}
"""For KaTeX, which does not know the theme: middle tones that can be read on white and on black."""


def derivation(setting: Setting, step: str) -> str:
    """Return all intermediate numbers as one KaTeX block, the line of the step lit."""
    p = run(setting)
    lines = [
        ("branch", r"\alpha Wx", p.branch, "branch"),
        ("add", r"y=x+\alpha Wx", p.y, "residual"),
        ("loss", r"L=\tfrac12\lVert y-t\rVert^2", p.loss, "residual"),
        ("output", r"g=\nabla_yL=y-t", p.grad_y, "identity"),
        ("split", r"\alpha W^{\top}g", p.through_branch, "branch"),
        ("input", r"\nabla_xL=g+\alpha W^{\top}g", p.grad_x, "residual"),
        ("weight", r"\nabla_WL=\alpha\,g\,x^{\top}", p.grad_w, "branch"),
    ]
    body = r"\\[3pt]".join(_line(step, *line) for line in lines)
    return rf"\small\begin{{aligned}}{body}\end{{aligned}}"


def _line(step: str, name: str, formula: str, value, role: str) -> str:
    colour = COLOURS[role if step in ("all", name) else "quiet"]
    mark = r"\blacktriangleright" if step == name else r"\phantom{\blacktriangleright}"
    left = rf"\textcolor{{{colour}}}{{{mark}\;{formula}}}"
    return rf"{left}&\textcolor{{{colour}}}{{{exact.equals(value)}{_written(value)}}}"


def _written(value) -> str:
    if isinstance(value, exact.Fraction):
        return exact.tex(value)
    return exact.point_tex(value) if value.ndim == 1 else exact.matrix_tex(value)


def substituted(setting: Setting, step: str) -> str:
    """Return the step's formula in KaTeX with the reader's numbers put in, up to the result."""
    name = "input" if step == "all" else step
    return _SUBSTITUTED[name](*setting.exactly(), run(setting))


def _branch(x, W, t, alpha, p: Pass) -> str:
    products = exact.rows_tex([[_dot(row, x)] for row in W])
    scaled = rf"\alpha Wx={_times(alpha)}{products}"
    if alpha != 1:
        scaled += rf"{exact.equals(W @ x)}{_times(alpha)}{exact.matrix_tex(W @ x)}"
    return rf"{scaled}{exact.equals(p.branch)}{_paint('branch', exact.matrix_tex(p.branch))}"


def _add(x, W, t, alpha, p: Pass) -> str:
    parts = _paint("identity", exact.matrix_tex(x)), _paint("branch", exact.matrix_tex(p.branch))
    total = _paint("residual", exact.matrix_tex(p.y))
    return rf"y=x+\alpha Wx={parts[0]}+{parts[1]}{exact.equals(p.branch, p.y)}{total}"


def _loss(x, W, t, alpha, p: Pass) -> str:
    squares = "+".join(
        rf"({exact.tex(y)}-{_bracketed(target)})^2" for y, target in zip(p.y, t, strict=True)
    )
    left = r"L=\tfrac12\lVert y-t\rVert^2=\tfrac12\left["
    return rf"{left}{squares}\right]{exact.equals(p.y, p.loss)}{exact.tex(p.loss)}"


def _output(x, W, t, alpha, p: Pass) -> str:
    columns = rf"{exact.matrix_tex(p.y)}-{exact.matrix_tex(t)}"
    result = _paint("identity", exact.matrix_tex(p.grad_y))
    return rf"g=\nabla_yL=y-t={columns}{exact.equals(p.y, p.grad_y)}{result}"


def _split(x, W, t, alpha, p: Pass) -> str:
    columns = rf"{_times(alpha)}{exact.matrix_tex(W.T)}{exact.matrix_tex(p.grad_y)}"
    result = _paint("branch", exact.matrix_tex(p.through_branch))
    return rf"\alpha W^{{\top}}g={columns}{exact.equals(p.grad_y, p.through_branch)}{result}"


def _input(x, W, t, alpha, p: Pass) -> str:
    jacobian = np.array([[1, 0], [0, 1]], dtype=object) + alpha * W
    product = rf"{exact.matrix_tex(jacobian.T)}{exact.matrix_tex(p.grad_y)}"
    one, other = exact.matrix_tex(p.grad_y), exact.matrix_tex(p.through_branch)
    total = _paint("residual", exact.matrix_tex(p.grad_x))
    sign = exact.equals(jacobian, p.grad_y, p.through_branch, p.grad_x)
    paths = rf"{_paint('identity', one)}+{_paint('branch', other)}"
    return rf"\nabla_xL=(I+\alpha W)^{{\top}}g={product}{sign}{paths}{sign}{total}"


def _weight(x, W, t, alpha, p: Pass) -> str:
    row = exact.rows_tex([[exact.tex(value) for value in x]])
    product = rf"{_times(alpha)}{exact.matrix_tex(p.grad_y)}{row}"
    result = _paint("branch", exact.matrix_tex(p.grad_w))
    sign = exact.equals(p.grad_y, p.grad_w)
    return rf"\nabla_WL=\alpha\,g\,x^{{\top}}={product}{sign}{result}"


_SUBSTITUTED = {
    "branch": _branch,
    "add": _add,
    "loss": _loss,
    "output": _output,
    "split": _split,
    "input": _input,
    "weight": _weight,
}


def _dot(row: np.ndarray, vector: np.ndarray) -> str:
    one, other = (
        rf"{exact.tex(weight) if i == 0 else _bracketed(weight)}\times{_bracketed(value)}"
        for i, (weight, value) in enumerate(zip(row, vector, strict=True))
    )
    return f"{one}+{other}"


def _bracketed(value: exact.Fraction) -> str:
    return f"({exact.tex(value)})" if value < 0 else exact.tex(value)


def _times(alpha: exact.Fraction) -> str:
    return "" if alpha == 1 else rf"{_bracketed(alpha)}\cdot "


def _paint(role: str, formula: str) -> str:
    return rf"\textcolor{{{COLOURS[role]}}}{{{formula}}}"
