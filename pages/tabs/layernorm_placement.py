"""The parts of the LayerNorm page: the step controls, what is said at a step, and the tabs."""

import time

import pandas as pd
import streamlit as st

from core import block_checks, numbers
from core import layernorm_placement as core
from core.block_jacobian import block_jacobian, sublayer
from core.block_path import LIMITS, Sizes
from core.block_statements import Trial, spectrum, tried
from core.charts import layernorm_placement as charts
from core.depth_exponent import DEPTHS, bound_slopes, case, fit, measure
from core.initial_gradients import SEEDS, Stack, profile
from core.norms import KINDS, TEX, Norm
from core.norms import jacobian as norm_jacobian
from core.placement_claims import claim_values, question_values, reach
from core.placement_code import snippet
from core.placements import PLACEMENTS, jacobian, jacobian_lines
from core.small_block import TOKENS_HIGH, TOKENS_LOW, WIDTHS, SmallBlock
from core.token_map import MAPS, maps, moved
from core.token_map import rows as map_rows
from core.transformer import block
from core.words import Words
from pages.shared import below, controls, frame
from pages.tabs import layernorm_placement_run as run

SECONDS_A_STEP = 1.5
DEEPER = ("ln_L", "ln_j", "ln_m", "ln_c", "ln_r")
"""How the keys begin of the controls that stand below the drawings."""
EPSILONS = ("0", "1e-5", "0.1")
SIZES = {"B": 32, "T": 128, "d": 768, "heads": 12, "FFN": 3072}


def playing() -> bool:
    """Return whether the steps are being played."""
    return st.session_state.get("ln_playing", False)


def _move(step: int) -> None:
    st.session_state["ln_step"] = step


def _play(last: int) -> None:
    st.session_state["ln_playing"] = not playing()
    st.session_state["ln_ticked"] = time.monotonic()
    if playing() and st.session_state.get("ln_step", 0) >= last:
        _move(0)


def tick(last: int) -> None:
    """Keep the step within the path, and take the next one if it is played and due."""
    step = st.session_state.get("ln_step", 0)
    now = min(step, last)
    if playing() and time.monotonic() - st.session_state["ln_ticked"] > 0.8 * SECONDS_A_STEP:
        now = min(now + 1, last)
        st.session_state["ln_ticked"] = time.monotonic()
        st.session_state["ln_playing"] = now < last
    if now != step:
        _move(now)


def stepper(say: Words, last: int) -> None:
    """Draw the step control: slider, Back, Next, Play.

    Streamlit takes a fragment's timer from the run of the whole page, so starting and ending the
    play reruns the page.
    """
    step = controls.slider(say("step"), 0, last, 0, 1, key="ln_step", help=say("help.step"))
    with st.container(horizontal=True, gap="small"):
        st.button(say("back"), key="ln_back", on_click=_move, args=(step - 1,), disabled=step == 0)
        st.button(
            say("next"), key="ln_next", on_click=_move, args=(step + 1,), disabled=step == last
        )
        st.button(
            say("pause" if playing() else "play"), key="ln_play", on_click=_play, args=(last,)
        )
    if playing() != st.session_state.get("ln_was_playing", False):
        st.session_state["ln_was_playing"] = playing()
        st.rerun()


def placements(say: Words) -> tuple[str, str]:
    """Draw the choice of the two placements and return their names."""
    with st.popover(say("more_placements")):
        names = list(PLACEMENTS)
        top = controls.choice(say("top"), names, key="ln_top", help=say("help.top"))
        low = controls.choice(
            say("low"), names, key="ln_low", default=names[1], help=say("help.low")
        )
    return top, low


def sizes(say: Words) -> list[int]:
    """Draw the sizes of the block and return them in the order of `core.block_path.Sizes`."""
    with st.popover(say("sizes")):
        return [
            controls.number(
                say(f"size.{name}"),
                *LIMITS[name],
                value,
                1,
                key=f"ln_{name}",
                help=say(f"help.size.{name}"),
            )
            for name, value in SIZES.items()
        ]


def moments(say: Words, view: core.View) -> None:
    """Say what each placement has just computed: formula, shape, cost so far, Jacobian."""
    for column, placement in zip(st.columns(2), view.placements, strict=True):
        now = core.moment(placement, view)
        words = say(
            f"op.{now.op}",
            shape=now.shape,
            parameters=now.parameters,
            multiply_adds=now.multiply_adds,
        )
        parts = (_displayed(now.tex), f"**{placement.name}** · {words}")
        column.markdown("\n\n".join((*parts, _displayed(jacobian_lines(placement)))))


def _displayed(tex: str) -> str:
    return f"$$\n{tex}\n$$"


@st.cache_data(max_entries=64, show_spinner=False)
def _profile(stack: Stack) -> pd.DataFrame:
    return profile(stack)


def measured(say: Words, top: str, low: str, blocks: int) -> None:
    """Draw the measured gradient of each block, and say what it shows."""
    names = list(dict.fromkeys((top, low)))
    with st.empty(), st.spinner(say("measuring")):  # a slot of its own, or the chart is redrawn
        profiles = {name: _profile(Stack(name, blocks)) for name in names}
    rows = pd.concat(list(profiles.values()))
    frame.figure(charts.profile, say, rows, *names, alt="alt.profile")
    for name, table in profiles.items():
        first, last = core.ends(table)
        before, after = core.ends(table, "stream")
        st.markdown(
            say(
                f"slope.{core.slope_case(table)}",
                name=name,
                blocks=blocks,
                seeds=SEEDS,
                first=numbers.text(first),
                last=numbers.text(last),
                ratio=numbers.text(max(first, last) / min(first, last)),
                norms=core.normalisations_on_stream(PLACEMENTS[name], blocks),
            )
            + " "
            + say(
                f"stream.{core.stream_case(PLACEMENTS[name])}",
                before=numbers.text(before),
                after=numbers.text(after),
            )
        )


def path(say: Words, view: core.View) -> None:
    """Show both computing paths as tables: every operation with its shape and cost."""
    st.markdown(say("path_intro"))
    for column, placement in zip(st.columns(2), view.placements, strict=True):
        table = core.path_table(placement, view)
        with column:
            st.markdown(f"**{placement.name}**")
            names = {name: say(f"column.{name}") for name in table.columns}
            st.dataframe(table.rename(columns=names), hide_index=True)


@st.cache_data(max_entries=64, show_spinner=False)
def _spectrum(blocks: list[SmallBlock]) -> pd.DataFrame:
    return spectrum(*blocks)


def jacobians(say: Words, top: str, low: str) -> None:
    """Draw the singular values of both blocks' Jacobians and try statements on random blocks."""
    left, right = st.columns([1, 2])
    with left, controls.panel(say, "ln_j"):
        norm = _norm(say)
        tokens = controls.slider(
            say("tokens"), TOKENS_LOW, TOKENS_HIGH, 4, 1, key="ln_jT", help=say("help.tokens")
        )
        d = controls.choice(say("width"), WIDTHS, key="ln_jd", default=8, help=say("help.width"))
        ones = controls.toggle(say("ones"), key="ln_jones", help=say("help.ones"))
        seed = controls.number(say("seed"), 0, 9999, 0, 1, key="ln_jseed", help=say("help.seed"))
    names = list(dict.fromkeys((top, low)))
    blocks = [SmallBlock(name, tokens, d, 2, seed, ones, norm=norm) for name in names]
    values = _spectrum(blocks)
    with right:
        st.markdown(say("spectrum_meaning"))
        frame.figure(charts.spectrum, say, values, *names, alt="alt.spectrum")
        for fact in core.spectrum_facts(values):
            st.markdown(say(f"spectrum.{fact.case}", **fact.values))
    st.markdown(say("closed_forms"))
    st.latex(TEX[norm.kind])
    for name in names:
        st.latex(rf"\text{{{name}:}}\quad J=" + jacobian(PLACEMENTS[name]))
    statements(say, norm)


def _norm(say: Words) -> Norm:
    kind = controls.choice(say("norm"), KINDS, key="ln_jnorm", help=say("help.norm"))
    epsilon = controls.choice(say("epsilon"), EPSILONS, key="ln_jeps", help=say("help.epsilon"))
    return Norm(kind, float(epsilon))


@st.cache_data(max_entries=64, show_spinner=False)
def _tried(trial: Trial) -> pd.DataFrame:
    return tried(trial)


def statements(say: Words, norm: Norm) -> None:
    """Try the statements on twenty random blocks; a button draws twenty others."""
    trial = Trial(norm, st.session_state.get("ln_trial", 0))
    st.markdown(say("statements", count=trial.count, d=trial.d, tokens=trial.tokens))
    st.button(
        say("other_blocks"),
        key="ln_other_blocks",
        on_click=st.session_state.update,
        args=({"ln_trial": (trial.seed + trial.count) % 10000},),
    )
    table = _tried(trial)
    st.dataframe(
        pd.DataFrame(
            {
                say("holds"): [f"{holds} / {trial.count}" for holds in table["holds"]],
                say("statement_tried"): [say(f"statement.{name}") for name in table["statement"]],
                say("worst"): [numbers.text(worst) for worst in table["worst"]],
            }
        ),
        hide_index=True,
    )


def tokens(say: Words, top: str) -> None:
    """Draw who answers to a touched token: through attention, FFN, shortcut and the whole block."""
    with controls.panel(say, "ln_m"):
        size, touch, kind, seeds = st.columns(4, vertical_alignment="bottom")
        with size:
            count = controls.slider(
                say("tokens"), TOKENS_LOW, TOKENS_HIGH, 5, 1, key="ln_mT", help=say("help.tokens")
            )
        with touch:
            touched = controls.slider(
                say("touched"), 1, TOKENS_HIGH, 2, 1, key="ln_mtouch", help=say("help.touched")
            )
        with kind:
            causal = controls.toggle(say("causal"), key="ln_mcausal", help=say("help.causal"))
        with seeds:
            seed = controls.number(
                say("seed"), 0, 9999, 0, 1, key="ln_mseed", help=say("help.seed")
            )
    touched = min(touched, count)
    tables = maps(SmallBlock(top, count, 8, 2, seed, causal=causal))
    for column, name in zip(st.columns(len(MAPS)), MAPS, strict=True):
        with column:
            st.markdown(say(f"map.{name}", name=top))
            rows = map_rows(tables[name], touched)
            frame.figure(charts.token_map, say, rows, alt=f"alt.map.{name}", name=f"map_{name}")
    counts = {name: moved(table, touched) for name, table in tables.items()}
    st.markdown(say("tokens_takeaway", touched=touched, count=count, **counts))


@st.cache_data(max_entries=64, show_spinner=False)
def _last_gradient(name: str, blocks: int) -> pd.DataFrame:
    return measure(name, blocks)


def depth(say: Words, top: str, low: str, blocks: int) -> None:
    """Draw the stream's size over the blocks and the last block's gradient over depth."""
    names = list(dict.fromkeys((top, low)))
    stacks = [_profile(Stack(name, blocks)) for name in names]
    slot, began = st.empty(), time.monotonic()
    measured = {}
    for done, name in enumerate(names):
        measured[name] = {}
        for number, L in enumerate(DEPTHS):
            if time.monotonic() - began > 0.2:
                share = (done + number / len(DEPTHS)) / len(names)
                slot.progress(share, say("measuring_depth", name=name, blocks=L))
            measured[name][L] = _last_gradient(name, L)
    slot.empty()
    left, right = st.columns(2)
    with left:
        st.markdown(say("stream_title", blocks=blocks))
        frame.figure(charts.stream, say, pd.concat(stacks), *names, alt="alt.stream")
    with right:
        st.markdown(say("depth_title"))
        rows = pd.concat([table for tables in measured.values() for table in tables.values()])
        tables = {"rows": rows, "bounds": bound_slopes(measured)}
        frame.figure(charts.depth, say, tables, *names, alt="alt.depth")
    for name in names:
        exponent = fit(measured[name])
        st.markdown(
            say(
                f"exponent.{case(exponent)}",
                name=name,
                value=core.signed(exponent.value),
                low=core.signed(exponent.low),
                high=core.signed(exponent.high),
                seeds=SEEDS,
            )
        )
    st.markdown(say("bound"))
    st.latex(core.BOUND_TEX)
    st.markdown(say("bound_conditions"))


def questions(say: Words, blocks: int) -> None:
    """Answer article 1, sections 9.3 and 9.4, with numbers measured on this page's stack."""
    values = question_values(_profile, blocks)
    equal = say(f"equal.{values.pop('case')}", equal=values.pop("equal"))
    st.markdown(say("question.roles"))
    st.markdown(say("answer.roles", **values) + " " + equal)
    counts = reach(SmallBlock("Pre-LN", 5), 2)
    st.markdown(say("question.both"))
    st.markdown(say("answer.both", count=5, attention=counts["attention"], ffn=counts["ffn"]))
    st.markdown(say("question.projection"))
    st.markdown(say("answer.projection"))


def check(say: Words) -> None:
    """Compare every closed form of the page with autograd, on a block of the reader's seed."""
    with controls.panel(say, "ln_c"):
        seed = controls.number(say("seed"), 0, 9999, 0, 1, key="ln_cseed", help=say("help.seed"))
    rows = block_checks.checked(seed)
    quantity = [
        f"{name}: {say(f'fact.{fact}')}"
        for name, fact in zip(rows["name"], rows["fact"], strict=True)
    ]
    table = {"quantity": quantity, "closed": rows["closed"], "autograd": rows["autograd"]}
    below.check(say, pd.DataFrame(table))
    largest = numbers.text(block_checks.largest_difference(seed))
    st.markdown(say("differences", largest=largest))


def claims(say: Words) -> None:
    """List wrong claims, each with numbers measured on the page's stack."""
    for name, values in claim_values(_profile).items():
        settings = dict(core.CLAIM_SETTINGS[name])
        tab = settings.pop("tab", None)
        opened = below.in_tab(say, str(tab)) if tab else {}
        below.claim(say, name, settings | opened, **values)


def code(say: Words, top: str, blocks: int, sizes: list[int]) -> None:
    """Show the block as PyTorch for the present settings, and the functions behind the page."""
    st.markdown(say("snippet", name=top, blocks=blocks))
    below.code(snippet(top, blocks, Sizes(*sizes)))
    st.markdown(say("own_functions"))
    below.code(block, norm_jacobian, block_jacobian, sublayer)


def sources(say: Words) -> None:
    """List the article's sections and the papers."""
    papers = (
        "vaswani2017",
        "he2016",
        "xiong2020",
        "liu2020",
        "dong2021",
        "shleifer2021",
        "wang2022",
    )
    below.sources(say, *papers, "walsh2024", "kim2025", "sun2025")


TABS = {
    "try": below.try_it,
    "path": path,
    "jacobians": jacobians,
    "tokens": tokens,
    "depth": depth,
    "training": run.draw,
    "questions": questions,
    "check": check,
    "claims": claims,
    "code": code,
    "sources": sources,
}
