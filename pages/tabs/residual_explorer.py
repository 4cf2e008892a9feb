"""Residual explorer: what stands below the first picture, one function a tab."""

import streamlit as st

from core import (
    block_gradients,
    branch_shapes,
    residual_sum,
    scaled_jacobian,
    small_residual,
    zero_start,
)
from core import residual_explorer as core
from core.charts import branch_shapes as shape_charts
from core.charts import residual_explorer as charts
from core.charts import residual_sum as sum_charts
from core.charts import scaled_jacobian as ring_charts
from core.charts import small_residual as small_charts
from core.charts import zero_start as start_charts
from core.numbers import text
from core.words import Words
from pages.shared import below, controls, frame

PREFIXES = ("re_scale_", "re_start_", "re_small_", "re_shape_", "re_stack_")
"""How the keys of the controls begin that stand in a tab."""
ENTRIES = ("j11", "j12", "j21", "j22")


def keys(block: core.Block) -> dict[str, object]:
    """Return the controls, and their values, that set the page to `block`."""
    values: dict[str, object] = {"re_alpha": block.alpha, "re_d": len(block.x)}
    for name, vector in (("x", block.x), ("f", block.update), ("h", block.target)):
        values |= {f"re_{name}{number}": value for number, value in enumerate(vector, start=1)}
    return values


def learn(say: Words, block: core.Block) -> None:
    """Show what each kind of block has to produce, and how near each α comes."""
    found = core.misses(block)
    sizes = {"direct": text(found.to_learn_plain), "change": text(found.to_learn_residual)}
    best = core.best_alpha(block)
    left, right = st.columns(2)
    with left:
        rows = core.to_learn(block)
        frame.figure(charts.to_learn, say, rows, len(block.x), alt="alt.to_learn")
        st.markdown(say(f"learn.{found.lesson}", **sizes))
    with right:
        frame.figure(charts.by_alpha, say, core.by_alpha(block), alt="alt.by_alpha")
        st.markdown(say("no_f") if best is None else say("best_alpha", alpha=text(float(best))))
    st.markdown(say("residual_word"))


def scaling(say: Words) -> None:
    """Show what the Jacobian `I + αJ_F` does to a ring of inputs."""
    st.markdown(say("scaling.intro"))
    chosen = {name: scale_keys(preset) for name, preset in scaled_jacobian.PRESETS.items()}
    controls.presets(say, chosen)
    left, middle, right = st.columns([4, 5, 5])
    with left, controls.panel(say, "re_scale_"):
        settings = _scaling(say)
    with middle:
        tables = scaled_jacobian.ring(settings)
        window = scaled_jacobian.window(settings)
        frame.figure(ring_charts.ring, say, tables, window, alt="alt.ring")
    with right:
        rows = scaled_jacobian.by_alpha(settings)
        frame.figure(ring_charts.singular, say, rows, alt="alt.singular")
    _scaling_says(say, settings)


def scale_keys(settings: scaled_jacobian.Scaling) -> dict[str, object]:
    """Return the controls, and their values, that set the tab to `settings`."""
    return {f"re_scale_{name}": getattr(settings, name) for name in (*ENTRIES, "alpha")}


def _scaling(say: Words) -> scaled_jacobian.Scaling:
    limits = (core.ALPHA_LOW, core.ALPHA_HIGH, 1.0, core.ALPHA_STEP)
    alpha = controls.slider(
        say("alpha_here"), *limits, key="re_scale_alpha", help=say("help.alpha")
    )
    start = scaled_jacobian.PRESETS["forget"]
    entries = {}
    places = (*st.columns(2), *st.columns(2))
    for place, name, label in zip(places, ENTRIES, ("J₁₁", "J₁₂", "J₂₁", "J₂₂"), strict=True):
        limits = (core.LOW, core.HIGH, getattr(start, name), core.STEP)
        with place:
            key = f"re_scale_{name}"
            entries[name] = controls.number(label, *limits, key=key, help=say("help.entry"))
    return scaled_jacobian.Scaling(**entries, alpha=alpha)


def _scaling_says(say: Words, settings: scaled_jacobian.Scaling) -> None:
    matrix = scaled_jacobian.block(settings)
    largest, smallest = scaled_jacobian.singular_values(matrix)
    floor = scaled_jacobian.floor(settings)
    st.latex(scaled_jacobian.tex(settings))
    verdict = scaled_jacobian.verdict(settings)
    st.markdown(say(f"scaling.{verdict}", largest=text(largest), smallest=text(smallest)))
    st.markdown(say("floor.says" if floor > 0 else "floor.silent", floor=text(floor)))
    st.markdown(say("eigenvalues", values=scaled_jacobian.eigenvalues_text(matrix)))
    with st.expander(say("tab.code")):
        below.code(scaled_jacobian.snippet(settings), scaled_jacobian.singular_values)


def nothing(say: Words) -> None:
    """Show a branch that starts as nothing, and which of its parameters can learn."""
    st.markdown(say("nothing.intro"))
    left, middle, right = st.columns([4, 6, 4])
    with left, controls.panel(say, "re_start_"):
        settings = _start(say)
    found = zero_start.measure(settings)
    with middle:
        st.markdown(say("nothing.gradients"))
        frame.figure(start_charts.awakening, say, zero_start.gradients(found), alt="alt.awakening")
    with right:
        st.markdown(say("nothing.loss"))
        frame.figure(start_charts.losses, say, zero_start.losses(found), alt="alt.losses")
    _start_says(say, found)
    with st.expander(say("tab.code")):
        below.code(zero_start.snippet(settings), zero_start.measure)


def _start(say: Words) -> zero_start.Start:
    start = controls.choice(
        say("start"), zero_start.STARTS, key="re_start_zero", help=say("help.start")
    )
    activation = controls.choice(
        say("activation"), zero_start.ACTIVATIONS, key="re_start_sigma", help=say("help.activation")
    )
    target = controls.choice(
        say("target"), zero_start.TARGETS, key="re_start_h", help=say("help.target")
    )
    return zero_start.Start(activation, start, target, _seed(say, "re_start_seed"))


def _seed(say: Words, key: str) -> int:
    limits = (zero_start.SEED_LOW, zero_start.SEED_HIGH, 0, 1)
    return controls.slider(say("seed"), *limits, key=key, help=say("help.seed"))


def _start_says(say: Words, found: zero_start.Measured) -> None:
    start, end = found.losses[[0, -1]]
    same = "same" if found.distance == 0 else "differs"
    st.markdown(say(f"identity.{same}", distance=text(found.distance)))
    st.markdown(
        say(
            f"awake.{found.verdict}",
            first=", ".join(found.awake(0)),
            second=", ".join(found.awake(1)),
            asleep=", ".join(found.asleep()),
            steps=zero_start.STEPS,
        )
    )
    ends = {"start": text(start), "end": text(end), "floor": text(found.floor)}
    st.markdown(say("nothing.ends", steps=zero_start.STEPS, **ends))


def small(say: Words) -> None:
    """Show that a small residual can be harder to learn than a large one."""
    st.markdown(say("small.intro"))
    left, middle, right = st.columns([4, 5, 5])
    with left, controls.panel(say, "re_small_"):
        settings = _tasks(say)
    found = small_residual.fit(settings)
    for place, task in ((middle, "wiggle"), (right, "curve")):
        with place:
            st.markdown(say(f"task.{task}"))
            alt, name = f"alt.{task}", f"fitted_{task}"
            frame.figure(small_charts.fitted, say, found.curves, task, alt=alt, name=name)
    _small_says(say, found)
    with st.expander(say("tab.code")):
        below.code(small_residual.snippet(settings), small_residual.fit)


def _tasks(say: Words) -> small_residual.Tasks:
    of = small_residual
    sizes = (of.SIZE_LOW, of.SIZE_HIGH, 0.1, of.SIZE_STEP)
    size = controls.slider(say("wiggle_size"), *sizes, key="re_small_a", help=say("help.a"))
    waves = (of.WAVES_LOW, of.WAVES_HIGH, 25, 1)
    fast = controls.slider(say("wiggle_waves"), *waves, key="re_small_w", help=say("help.w"))
    heights = (of.HEIGHT_LOW, of.HEIGHT_HIGH, 6.0, of.HEIGHT_STEP)
    high = controls.slider(say("curve_height"), *heights, key="re_small_c", help=say("help.c"))
    return of.Tasks(size, fast, high, _seed(say, "re_small_seed"))


def _small_says(say: Words, found: small_residual.Fits) -> None:
    pair = {"wiggle": found.wiggle, "curve": found.curve}
    shares = {name: f"{text(100 * fit.unlearned)} %" for name, fit in pair.items()}
    sizes = {f"{name}_size": text(fit.size) for name, fit in pair.items()}
    errors = {name: text(fit.error) for name, fit in pair.items()}
    st.markdown(say(f"small.{found.verdict}", **shares, **sizes))
    st.markdown(say(f"bare.{found.bare}", **errors))


def shapes(say: Words) -> None:
    """Show what stacks of three kinds of branches can do."""
    st.markdown(say("shapes.intro"))
    with controls.panel(say, "re_shape_"):
        places = st.columns(2)
        with places[0]:
            limits = (branch_shapes.BLOCKS_LOW, branch_shapes.BLOCKS_HIGH, 10, 1)
            blocks = controls.slider(
                say("blocks"), *limits, key="re_shape_n", help=say("help.blocks")
            )
        with places[1]:
            settings = branch_shapes.Stack(blocks, _seed(say, "re_shape_seed"))
    rows, found = branch_shapes.by_position(settings), branch_shapes.facts(settings)
    says = {
        "linear": say("shape.linear", n=blocks, error=text(found.matrix_error)),
        "rectified": say("shape.rectified", least=text(found.least["rectified"])),
        "full": say(
            f"bend.{found.full}",
            least=text(found.least["full"]),
            most=text(found.most["full"]),
        ),
    }
    for place, name in zip(st.columns(3), branch_shapes.SHAPES, strict=True):
        with place:
            st.latex(branch_shapes.TEX[name])
            frame.figure(
                shape_charts.shape, say, rows, name, alt=f"alt.{name}", name=f"shape_{name}"
            )
            st.markdown(says[name])
    with st.expander(say("tab.code")):
        below.code(branch_shapes.snippet(settings), branch_shapes.run, branch_shapes.with_shortcut)


def stack(say: Words, block: core.Block) -> None:
    """Show a nonlinear stack as the sum of its terms."""
    st.markdown(say("stack.intro"))
    left, right = st.columns([1, 2])
    with left, controls.panel(say, "re_stack_"):
        settings, component = _stack(say, block)
    found = residual_sum.facts(settings, component)
    with right:
        rows = residual_sum.bars(settings, component)
        frame.figure(sum_charts.terms, say, rows, alt="alt.terms")
    sums = {name: text(getattr(found, name)) for name in ("start", "added", "end", "error")}
    st.markdown(say("stack.sum", n=settings.blocks, **sums))
    taken = {name: text(getattr(found, name)) for name in ("taken", "change")}
    st.markdown(say(f"stack.{found.out}", off=settings.off, minus=text(-found.taken), **taken))
    lengths = {"first": text(found.first_length), "last": text(found.last_length)}
    st.markdown(say("stack.length", **lengths))
    with st.expander(say("stack.numbers")):
        names = {"place": say("term_place"), "value": say("value"), "end": say("sum_so_far")}
        written = rows.filter(items=list(names)).map(lambda value: text(value, 6))
        st.dataframe(written.rename(columns=names), hide_index=True)
    with st.expander(say("tab.code")):
        below.code(residual_sum.snippet(settings), residual_sum.run)


def _stack(say: Words, block: core.Block) -> tuple[residual_sum.Stack, int]:
    of = residual_sum
    counts = (of.BLOCKS_LOW, of.BLOCKS_HIGH, 8, 1)
    blocks = controls.slider(say("blocks"), *counts, key="re_stack_n", help=say("help.blocks"))
    gains = (of.GAIN_LOW, of.GAIN_HIGH, 0.5, of.GAIN_STEP)
    gain = controls.slider(say("gain"), *gains, key="re_stack_g", help=say("help.gain"))
    branch = (0, of.BLOCKS_HIGH, 0, 1)
    off = controls.slider(say("off"), *branch, key="re_stack_off", help=say("help.off"))
    names = list(range(1, len(block.x) + 1))
    component = controls.choice(
        say("component"), names, key="re_stack_i", help=say("help.component")
    )
    seed = _seed(say, "re_stack_seed")
    return of.Stack(block.x, blocks, gain, seed, off if off <= blocks else 0), component


def check(say: Words, block: core.Block) -> None:
    """Show the arithmetic of the block on screen, then its gradients beside autograd."""
    st.markdown(say("check.by_hand"))
    table = core.table(block).map(lambda value: text(value, 6))
    st.dataframe(table.rename(columns={"component": say("component")}), hide_index=True)
    st.markdown(say("check.intro"))
    st.latex(block_gradients.TEX)
    below.check(say, block_gradients.check(block.x, block.update, block.target, block.alpha))


def claims(say: Words) -> None:
    """Show common wrong claims, each with a counterexample one click away."""
    wrong, far = (core.misses(core.PRESETS[name]) for name in ("wrong_way", "far"))
    lost = branch_shapes.facts(branch_shapes.Stack())
    wiped = scale_keys(scaled_jacobian.PRESETS["minus_x"])
    learn_tab = below.in_tab(say, "learn")
    below.claim(say, "copy", wiped | below.in_tab(say, "scaling"))
    numbers = {"moved": text(wrong.residual), "still": text(wrong.start)}
    below.claim(say, "never_worse", keys(core.PRESETS["wrong_way"]) | learn_tab, **numbers)
    numbers = {"change": text(far.to_learn_residual), "direct": text(far.to_learn_plain)}
    below.claim(say, "always_smaller", keys(core.PRESETS["far"]) | learn_tab, **numbers)
    below.claim(say, "small_is_easy", below.in_tab(say, "small"))
    below.claim(say, "one_layer", below.in_tab(say, "shapes"), error=text(lost.matrix_error))
    below.claim(say, "only_adds", below.in_tab(say, "shapes"))
    below.claim(say, "too_dense", below.in_tab(say, "shapes"), error=text(lost.shortcut_error))
    below.claim(say, "zero_start", {"re_start_zero": "W₂=0"} | below.in_tab(say, "nothing"))
    half = core.PRESETS["half_way"]
    sides = {
        "branch_side": core.written(core.output(half)),
        "shortcut_side": core.written(core.other_side(half)),
    }
    below.claim(say, "which_side", keys(half) | learn_tab, **sides)


def code(_: Words, block: core.Block) -> None:
    """Show the block as a program, and the functions that made its numbers."""
    below.code(core.snippet(block), core.exact, core.output, core.squared, core.misses)


def sources(say: Words) -> None:
    """List where the page comes from."""
    below.sources(say, "he2015", "he2016", "bachlechner2020")


TABS = {
    "try": below.try_it,
    "learn": learn,
    "scaling": scaling,
    "nothing": nothing,
    "small": small,
    "shapes": shapes,
    "stack": stack,
    "check": check,
    "claims": claims,
    "code": code,
    "sources": sources,
}
