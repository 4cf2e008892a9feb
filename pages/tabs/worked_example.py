"""The deeper tabs of the worked example."""

import streamlit as st

from core import (
    accumulation,
    exact,
    ffn_block,
    linear_block,
    linear_check,
    linear_descent,
    linear_directions,
    linear_formulas,
    linear_snippets,
    linear_stack,
    numbers,
    plane,
    weight_gradient,
)
from core import worked_example as core
from core.charts import worked_example as charts
from core.linear_block import Setting
from core.words import Words
from pages.shared import below, controls, frame
from pages.tabs import worked_example_setup as setup


def by_hand(say: Words, setting: Setting) -> None:
    """Show every step with the reader's numbers put in."""
    values = core.written(setting)
    parts = [say("by_hand_text")]
    for step in core.STEPS[1:]:
        parts.append(say(f"step_text.{step}", **values))
        parts.append(f"$$\n{linear_formulas.substituted(setting, step)}\n$$")
    st.markdown("\n\n".join(parts))


def directions(say: Words, setting: Setting) -> None:
    """Show what becomes of a gradient of length 1 in every direction."""
    matrix = linear_directions.jacobian(setting)
    picture, text = st.columns([5, 4])
    with picture:
        st.markdown(say("directions_text"))
        tables = linear_directions.picture(setting)
        frame.figure(charts.directions, say, tables, alt="alt.directions")
    with text:
        st.latex(linear_directions.spectrum_tex(setting))
        values = linear_directions.written(setting)
        st.markdown(say(f"turn.{linear_directions.verdict(matrix)}", **values))
        mislead = linear_directions.eigenvalues_mislead(matrix)
        st.markdown(say("eigenvalues.mislead" if mislead else "eigenvalues.agree", **values))
        st.markdown(say(f"floor.{linear_directions.floor(setting)}", **values))


def descent(say: Words, setting: Setting) -> None:
    """Take gradient steps with the shortcut and without."""
    left, right = st.columns([1, 2])
    with left, controls.panel(say, "we_gd_"):
        how = _read_descent(say)
    values = linear_descent.written(setting, how)
    with right:
        st.markdown(say(f"descent_text.{how.variable}"))
        outputs, losses = st.columns(2)
        with outputs:
            tables = linear_descent.picture(setting, how)
            frame.figure(charts.descent_plane, say, tables, alt="alt.descent")
        with losses:
            frame.figure(charts.loss_by_step, say, tables["rows"], alt="alt.loss")
        st.markdown(say(f"outcome.{linear_descent.winner(setting, how)}", **values))
        st.markdown(say(f"speed.{how.variable}", **values))
    st.markdown(say("first_step"))
    st.latex(linear_descent.first_step_tex(setting, how))
    st.dataframe(_outcomes(say, setting, how), hide_index=True)
    _program(say, linear_snippets.descent(setting, how))


def _read_descent(say: Words) -> linear_descent.Descent:
    variable = controls.choice(
        say("variable"), linear_descent.VARIABLES, key="we_gd_on", help=say("help.variable")
    )
    rate = controls.slider(
        say("rate"),
        linear_descent.RATE_LOW,
        linear_descent.RATE_HIGH,
        0.1,
        linear_descent.RATE_STEP,
        key="we_gd_rate",
        help=say("help.rate"),
    )
    steps = controls.slider(
        say("gradient_steps"),
        0,
        linear_descent.STEPS_HIGH,
        20,
        1,
        key="we_gd_steps",
        help=say("help.gradient_steps"),
    )
    with st.container(horizontal=True, gap="small"):
        for count in (1, 20):
            controls.preset(say(f"take.{count}"), {"we_gd_steps": count}, key=f"we_gd_take_{count}")
    return linear_descent.Descent(variable, rate, steps)


def _outcomes(say: Words, setting: Setting, how: linear_descent.Descent):
    rows = linear_descent.outcomes(setting, how)
    rows["who"] = [say(who) for who in rows["who"]]
    rows["tendency"] = [say(f"tendency.{word}") for word in rows["tendency"]]
    return rows.rename(columns={name: say(f"column.{name}") for name in rows.columns})


def trap(say: Words, setting: Setting) -> None:
    """Call backward() again and again and see what x.grad holds."""
    left, right = st.columns([1, 2])
    with left, controls.panel(say, "we_bt_"):
        calls = controls.slider(
            say("calls"),
            1,
            accumulation.CALLS_HIGH,
            2,
            1,
            key="we_bt_calls",
            help=say("help.calls"),
        )
        clear = controls.toggle(say("clear"), key="we_bt_clear", help=say("help.clear"))
        st.button(say("again"), key="we_bt_again", on_click=_call_again, type="primary")
    with right:
        st.markdown(say("trap_text"))
        tables = plane.tables(accumulation.arrows(setting, calls, clear))
        frame.figure(charts.plane, say, tables, alt="alt.trap", name="trap")
        values = accumulation.written(setting, calls, clear)
        st.markdown(say(f"trap.{accumulation.verdict(setting, calls, clear)}", **values))
    st.code(accumulation.transcript(setting, calls, clear), language=None)
    st.markdown(say("trap_why"))
    st.markdown(say("trap_same_graph"))
    st.code(accumulation.backward_twice(setting), language=None, wrap_lines=True)
    _program(say, linear_snippets.accumulated(setting, calls, clear))


def _call_again() -> None:
    calls = st.session_state["we_bt_calls"] + 1
    st.session_state["we_bt_calls"] = min(calls, accumulation.CALLS_HIGH)


def weights(say: Words, setting: Setting) -> None:
    """Show which gradient a weight needs: the one at its layer's output."""
    left, right = st.columns([1, 2])
    with left, controls.panel(say, "we_wg_"):
        label, about = say("scale_of_weights"), say("help.s")
        s = controls.slider(label, 0.0, 1.0, 0.0, 0.05, key="we_wg_s", help=about)
        shortcut = controls.toggle(say("shortcut"), key="we_wg_skip", help=say("help.shortcut"))
        controls.preset(say("zero_weights"), {"we_wg_s": 0.0}, key="we_wg_zero")
        no_input = {"we_x1": 0.0, "we_x2": 0.0, "we_wg_s": 1.0}
        controls.preset(say("zero_input"), no_input, key="we_wg_x")
    gradients = weight_gradient.layer(setting, s, shortcut)
    with right:
        st.markdown(say("weights_text"))
        picture, formula = st.columns(2)
        with picture:
            rows = weight_gradient.by_scale(setting, s, shortcut)
            frame.figure(charts.lengths, say, rows, alt="alt.lengths")
        formula.latex(weight_gradient.layer_tex(setting, s, shortcut))
        values = {
            name: exact.rows_text(getattr(gradients, name)) for name in weight_gradient.QUANTITIES
        }
        st.markdown(say(f"layer.{weight_gradient.verdict(gradients)}", **values))
    _program(say, linear_snippets.layer(setting, s, shortcut))


def blocks(say: Words, setting: Setting) -> None:
    """Put n equal blocks in a row: the sum of the updates, the product of the Jacobians."""
    left, right = st.columns([1, 2])
    with left, controls.panel(say, "we_nb_"):
        n = controls.slider(
            say("blocks"), 1, linear_stack.BLOCKS_HIGH, 4, 1, key="we_nb_n", help=say("help.blocks")
        )
    stack = linear_stack.run(setting, n)
    with right:
        st.markdown(say("blocks_text"))
        path, gradient = st.columns(2)
        with path:
            tables = plane.tables(linear_stack.arrows(stack))
            frame.figure(charts.plane, say, tables, alt="alt.stack", name="stack")
        with gradient:
            rows = linear_stack.by_block(setting, n)
            frame.figure(charts.gradient_by_block, say, rows, alt="alt.by_block")
        values = linear_stack.written(stack)
        st.markdown(say(f"stack.{linear_stack.verdict(stack)}", **values))
        st.markdown(say("sum_is_product", **values))
    st.latex(linear_stack.stack_tex(stack))
    st.dataframe(linear_stack.table(stack), hide_index=True)
    _program(say, linear_snippets.stack(setting, n))


def check(say: Words, setting: Setting) -> None:
    """Show the exact numbers beside autograd's and central differences."""
    rows = linear_check.check(setting)
    differences = {
        name: numbers.text(linear_check.largest_difference(rows, name))
        for name in ("autograd", "central")
    }
    st.markdown(say("differences", **differences))
    titles = {
        "quantity": say("quantity"),
        "closed": say("exactly"),
        "autograd": "torch.autograd",
        "central": say("central"),
    }
    st.dataframe(linear_check.written(rows).rename(columns=titles), hide_index=True)


def claims(say: Words) -> None:
    """Show what is often said and wrong, each with a button that shows why on this page."""
    for name, claim in core.claims().items():
        controls_of_tab = {f"we_{key}": value for key, value in claim.tab_controls.items()}
        settings = setup.values(claim.setting) | {"we_step": claim.step} | controls_of_tab
        opened = below.in_tab(say, claim.tab) if claim.tab else {}
        below.claim(say, name, settings | opened, **claim.values)


def code(say: Words, setting: Setting) -> None:
    """Show the very functions, and the articles' two listings as programs that run."""
    st.markdown(say("code_block"))
    below.code(linear_block.block)
    st.markdown(say("code_torch"))
    below.code(linear_snippets.block(setting))
    st.markdown(say("code_ffn", parameters=ffn_block.parameters(4)))
    below.code(ffn_block.ffn_block, ffn_block.layer_norm, ffn_block.gelu, ffn_block.SNIPPET)


def sources(say: Words) -> None:
    """List where the page comes from."""
    below.sources(say, "he2016")


TABS = {
    "try": below.try_it,
    "by_hand": by_hand,
    "directions": directions,
    "descent": descent,
    "trap": trap,
    "weights": weights,
    "blocks": blocks,
    "check": check,
    "claims": claims,
    "code": code,
    "sources": sources,
}


def _program(say: Words, program: str) -> None:
    with st.expander(say("program")):
        below.code(program)
