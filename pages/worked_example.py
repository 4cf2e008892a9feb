"""2D worked example: every number of one residual block, forward and backward."""

from dataclasses import asdict

import streamlit as st

from core import block_formulas, exact, linear_block
from core import worked_example as core
from core.charts import worked_example as charts
from pages.shared import controls, frame
from pages.tabs import worked_example as tabs

FORMULA = (
    r"\begin{aligned}y&=x+\alpha Wx\\L&=\tfrac12\lVert y-t\rVert^2\\"
    r"\nabla_xL&=(I+\alpha W)^{\top}\nabla_yL\end{aligned}"
)
NAMES = {"x": "x", "w": "W", "t": "t"}

say = frame.begin("worked_example", FORMULA)


@st.fragment
def lesson() -> None:
    """Draw the controls, the plane and the numbers that follow them."""
    controls.presets(say, {name: as_controls(preset) for name, preset in core.PRESETS.items()})
    left, right = st.columns([1, 2])
    with left, controls.panel(say, "we_"):
        setting = read_setting()
    with right, frame.refusals(say):
        step = read_step()
        show(setting, step)
    frame.tabs(
        say,
        {
            "check": lambda: tabs.check(say, setting),
            "code": lambda: frame.code(linear_block.block),
            "sources": lambda: frame.sources(say, "he2016"),
        },
    )


def as_controls(setting: linear_block.Setting) -> dict[str, object]:
    """Return the controls that hold a setting."""
    return {f"we_{name}": value for name, value in asdict(setting).items()}


def read_setting() -> linear_block.Setting:
    """Draw the number fields, row by row as in the formula, and return what they hold."""
    values = {}
    for row in (("x1", "w11", "w12"), ("x2", "w21", "w22"), ("t1", "t2")):
        for column, name in zip(st.columns(3, gap="xsmall"), row, strict=False):
            with column:
                values[name] = entry(name)
    values["alpha"] = controls.slider(
        say("alpha"),
        -linear_block.ALPHA,
        linear_block.ALPHA,
        1.0,
        0.1,
        key="we_alpha",
        help=say("help.alpha"),
    )
    return linear_block.Setting(**values)


def entry(name: str) -> float:
    """Draw the field of one component."""
    kind, index = name[0], name[1:].translate(str.maketrans("12", "₁₂"))
    largest = linear_block.WEIGHT if kind == "w" else linear_block.ENTRY
    return controls.number(
        NAMES[kind] + index,
        -largest,
        largest,
        getattr(linear_block.Setting(), name),
        0.1 if kind == "w" else 0.5,
        key=f"we_{name}",
        format="%.2f",
        help=say(f"help.{kind}"),
    )


def go(by: int) -> None:
    """Move to the next or the previous step."""
    st.session_state["we_step"] = (st.session_state["we_step"] + by) % len(core.STEPS)


def read_step() -> str:
    """Draw the step control between its two buttons and return the step's name."""
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        st.button(say("back"), key="we_go_back", on_click=go, args=(-1,))
        chosen = controls.choice(
            say("step"),
            range(len(core.STEPS)),
            key="we_step",
            label_visibility="collapsed",
            help=say("help.step"),
        )
        st.button(say("next"), key="we_go_next", on_click=go, args=(1,), type="primary")
    return core.STEPS[chosen]


def show(setting: linear_block.Setting, step: str) -> None:
    """Draw the plane, the numbers beside it and what they mean."""
    st.markdown(say(f"step_text.{step}"))
    picture, numbers = st.columns([10, 11])
    with picture:
        window = core.window_of(setting, step)
        frame.figure(charts.plane, say, core.picture(setting, step), window, alt="alt.plane")
    numbers.latex(block_formulas.derivation(setting, step))
    st.latex(block_formulas.substituted(setting, step))
    result = linear_block.run(setting)
    before, after = exact.apart(*linear_block.lengths(result))
    st.markdown(
        say(
            f"verdict.{core.verdict(result)}",
            identity=exact.point(result.grad_y),
            branch=exact.point(result.through_branch),
            total=exact.point(result.grad_x),
            equals=exact.equals_text(result.grad_y, result.through_branch, result.grad_x),
            before=before,
            after=after,
        )
    )


lesson()
