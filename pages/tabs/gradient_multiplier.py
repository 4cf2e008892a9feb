"""What goes deeper on the page of the gradient multiplier: one function a tab."""

from typing import Any

import streamlit as st

from core import activation_ceilings as ceilings
from core import (
    gradient_checks,
    gradient_claims,
    half_map,
    multiplier,
    path_sums,
    unequal_layers,
)
from core import gradient_multiplier as core
from core import jacobian_families as families
from core import jacobian_products as products
from core import jacobian_spectrum as spectra
from core.charts import activation_ceilings as ceiling_charts
from core.charts import bands
from core.charts import gradient_multiplier as charts
from core.charts import half_map as map_charts
from core.charts import jacobian_spectrum as matrix_charts
from core.charts import path_sums as path_charts
from core.multiplier import Chain
from core.numbers import text, text_log10
from core.words import Words
from pages.shared import below, controls, frame

OWN = ("gm_u_", "gm_m_", "gm_c_")
"""How the keys of the controls in tabs begin: unequal layers, matrices, activations."""

SUM = r"\frac{\partial x_n}{\partial x_0}=1+\sum_{l}a_l\prod_{j<l}(1+a_j)=\prod_{l}(1+a_l)"
PATHS = r"(1+a)^n=\sum_{k=0}^{n}\binom{n}{k}\,a^k"
MATRIX = r"J_y=I+J_F,\qquad\nabla_xL=(I+J_F)^{\top}\,\nabla_yL"

MATRIX_SLIDERS = {
    "lambda": (families.LAMBDA_LOW, families.LAMBDA_HIGH, 0.0, families.STEP),
    "s": (families.SCALE_LOW, families.SCALE_HIGH, 0.5, families.STEP),
    "n": (families.LAYERS_LOW, families.LAYERS_HIGH, 20, 1),
    "seed": (families.SEED_LOW, families.SEED_HIGH, 0, 1),
}
"""Lowest, highest and first value, and step."""


def depth(say: Words, chain: Chain) -> None:
    """Both multipliers layer by layer."""
    one = {who: text_log10(log10(chain.a, 1)) for who, log10 in multiplier.LOG10.items()}
    frame.figure(charts.by_depth, say, core.by_depth(chain), alt="alt.by_depth")
    st.markdown(say("depth.read", **one))


def minus_half(say: Words, chain: Chain) -> None:
    """The map over `a` and `n`, and how wide the good window is at the reader's depth."""
    st.markdown(say("map.intro"))
    frame.figure(map_charts.half_map, say, half_map.tables(chain), alt="alt.half_map")
    st.caption(say("map.legend"))
    low, high = map(text, half_map.window(chain.n))
    st.markdown(say("map.window", n=chain.n, low=low, high=high))


def unequal(say: Words, chain: Chain) -> None:
    """Layers drawn from a distribution: spread, fates, and the two forms of one chain."""
    st.markdown(say("unequal.intro"))
    left, right = st.columns([1, 2])
    with left:
        with controls.panel(say, "gm_u_"):
            low, high, step = (
                unequal_layers.SPREAD_LOW,
                unequal_layers.SPREAD_HIGH,
                unequal_layers.SPREAD_STEP,
            )
            spread = controls.slider(
                say("spread"), low, high, 0.5, step, key="gm_u_spread", help=say("help.spread")
            )
            seed = controls.slider(say("seed"), 0, 99, 0, 1, key="gm_u_seed", help=say("help.seed"))
        controls.presets(
            say,
            {
                "mislead": {"gm_a": 0.0, "gm_n": 50, "gm_u_spread": 0.5},
                "gentle": {"gm_a": 0.0, "gm_n": 50, "gm_u_spread": 0.05},
            },
        )
    layers = unequal_layers.Layers(chain.a, spread, chain.n, seed)
    with right:
        rows = unequal_layers.by_depth(layers)
        frame.figure(bands.over_depth, say, rows, alt="alt.unequal", name="unequal")
    st.dataframe(_fates(say, layers), hide_index=True)
    middle = text_log10(unequal_layers.typical(layers, "residual"))
    rms = text_log10(unequal_layers.root_mean_square(layers, "residual"))
    drawn = text_log10(unequal_layers.drawn_root_mean_square(layers, "residual"))
    values = {"typical": middle, "rms": rms, "drawn": drawn}
    st.markdown(say(f"unequal.{unequal_layers.verdict(layers)}", **values))
    st.latex(SUM)
    forms = unequal_layers.both_forms(layers)
    agree = forms["equal"].tolist().count(True)
    st.markdown(say("unequal.forms", agree=agree, layers=len(forms)))
    names = {"layer": say("unequal.layer"), "a": "aₗ", "term": say("unequal.term")}
    names |= {"sum": say("unequal.sum"), "product": say("unequal.product")}
    table = forms.drop(columns="equal").rename(columns=names)
    st.dataframe(table, hide_index=True, height=240)
    _program(say, unequal_layers.snippet(layers))


def _fates(say: Words, layers: unequal_layers.Layers):
    rows = unequal_layers.fates(layers)
    for name, log10 in (
        ("rate", unequal_layers.rate),
        ("typical", unequal_layers.typical),
        ("drawn_rms", unequal_layers.drawn_root_mean_square),
        ("rms", unequal_layers.root_mean_square),
    ):
        rows[say(f"unequal.{name}")] = [text_log10(log10(layers, who)) for who in rows["who"]]
    rows["who"] = [say(who) for who in rows["who"]]
    zones = {zone: say(f"zone.{zone}") for zone in ("zero", "vanishes", "tame", "explodes")}
    return rows.rename(columns={"who": say("unequal.network")} | zones)


def paths(say: Words, chain: Chain) -> None:
    """The 2^n paths by length, their sum, and what floats make of it."""
    controls.presets(
        say,
        {
            "short_paths": {"gm_a": 0.25, "gm_n": 54},
            "cancel": {"gm_a": -0.9, "gm_n": 20},
            "noise": {"gm_a": -0.9, "gm_n": 100},
        },
    )
    words, formula = st.columns([3, 2], vertical_alignment="center")
    words.markdown(say("path.intro"))
    formula.latex(PATHS)
    frame.figure(path_charts.bars, say, path_sums.bars(chain), alt="alt.paths", name="paths")
    st.caption(say("path.read", decades=path_sums.DECADES))
    values = path_sums.findings(chain).written() | {"n": chain.n}
    for name in path_sums.sentences(chain):
        st.markdown(say(f"path.{name}", **values))
    st.markdown(say("path.veit"))
    names = {"k": "k", "paths": say("path.count"), "each": say("path.each")}
    table = path_sums.table(chain).rename(columns=names | {"term": say("path.term")})
    st.dataframe(table, hide_index=True, height=240)
    _program(say, path_sums.snippet(chain))


def matrices(say: Words) -> None:
    """Eigenvalues, singular values, and the product of many layers."""
    words, formula = st.columns(2, vertical_alignment="center")
    words.markdown(say("matrix.intro"))
    formula.latex(MATRIX)
    presets = {name: matrix_keys(blocks) for name, blocks in gradient_claims.BLOCKS.items()}
    controls.presets(say, presets)
    blocks = _read_blocks(say)
    with st.container():  # always drawn, so that a matrix that comes or goes moves no chart
        if entries := spectra.written_out(blocks):
            st.latex(entries)
    left, right = st.columns(2)
    with left:
        rows = spectra.spectrum(blocks)
        frame.figure(matrix_charts.spectrum, say, rows, alt="alt.spectrum")
    with right:
        rows = spectra.singular_values(blocks)
        frame.figure(matrix_charts.singular_values, say, rows, alt="alt.singular")
    values = products.written(blocks)
    st.markdown(say("matrix.slide", **values))
    st.markdown(say("matrix.stretch", **values))
    st.markdown(say(f"matrix.{spectra.promise_verdict(blocks)}", **values))
    rows = products.by_depth(blocks)
    frame.figure(bands.over_depth, say, rows, alt="alt.products", name="products")
    st.caption(say("matrix.read"))
    st.markdown(say("matrix.product", **values))
    st.markdown(say(f"radius.{products.radius_verdict(blocks)}", **values))
    _program(say, families.snippet(blocks))


def matrix_keys(blocks: families.Blocks) -> dict[str, Any]:
    """Return the controls, and their values, that set the tab to `blocks`."""
    return {
        "gm_m_family": blocks.family,
        "gm_m_order": blocks.order,
        "gm_m_d": blocks.d,
        "gm_m_lambda": blocks.eigenvalue,
        "gm_m_s": blocks.scale,
        "gm_m_n": blocks.n,
        "gm_m_seed": blocks.seed,
    }


def _read_blocks(say: Words) -> families.Blocks:
    with controls.panel(say, "gm_m_"):
        one, two, three = st.columns([5, 4, 6])
        with one:
            family = controls.choice(
                say("matrix.family"),
                families.FAMILIES,
                key="gm_m_family",
                default="s·G",
                help=say("help.family"),
            )
        with two:
            order = controls.choice(
                say("matrix.order"), families.ORDERS, key="gm_m_order", help=say("help.order")
            )
        with three:
            d = controls.choice(
                say("matrix.d"), families.SIZES, key="gm_m_d", default=50, help=say("help.d")
            )
        drawn = {}
        for place, (name, limits) in zip(st.columns(4), MATRIX_SLIDERS.items(), strict=True):
            with place:
                label, help_ = say(f"matrix.{name}"), say(f"matrix_help.{name}")
                drawn[name] = controls.slider(label, *limits, key=f"gm_m_{name}", help=help_)
    return families.Blocks(family, order, d, drawn["lambda"], drawn["s"], drawn["n"], drawn["seed"])


def activations(say: Words, chain: Chain) -> None:
    """Ceilings of activations, and the chain of neurons that really runs."""
    st.markdown(say("ceiling.intro"))
    presets = {name: neuron_keys(neurons) for name, neurons in gradient_claims.NEURONS.items()}
    left, right = st.columns([1, 2])
    with left:
        with controls.panel(say, "gm_c_"):
            phi = controls.choice(
                say("ceiling.phi"), ceilings.CEILING, key="gm_c_phi", help=say("help.phi")
            )
            w = controls.slider(
                say("ceiling.w"),
                ceilings.W_LOW,
                ceilings.W_HIGH,
                1.0,
                ceilings.W_STEP,
                key="gm_c_w",
                help=say("help.w"),
            )
            x = controls.slider(
                say("ceiling.x"),
                ceilings.X_LOW,
                ceilings.X_HIGH,
                0.5,
                ceilings.X_STEP,
                key="gm_c_x",
                help=say("help.x"),
            )
        controls.presets(say, presets)
    neurons = ceilings.Neurons(phi, w, x, chain.n)
    with right:
        frame.figure(ceiling_charts.curve, say, ceilings.curve(neurons), alt="alt.curve")
    rows = ceilings.by_depth(neurons)
    frame.figure(ceiling_charts.by_depth, say, rows, alt="alt.ceilings", name="ceilings")
    st.markdown(say("ceiling.read", **ceilings.written(neurons)))
    st.markdown(say(f"ceiling.{ceilings.verdict(neurons)}"))
    _program(say, ceilings.snippet(neurons))


def neuron_keys(neurons: ceilings.Neurons) -> dict[str, Any]:
    """Return the controls, and their values, that set the tab to `neurons`."""
    values = {"gm_c_phi": neurons.activation, "gm_c_w": neurons.w, "gm_c_x": neurons.x}
    return values | {"gm_n": neurons.n}


def claims(say: Words) -> None:
    """Common wrong claims; each button sets the page, and opens the tab, that shows the answer."""
    st.markdown(say("claims.intro"))
    for name, values in gradient_claims.values().items():
        below.claim(say, name, claim_settings(say, name), **values)
    frame.door("layernorm_placement", say("norm_door"))


def claim_settings(say: Words, name: str) -> dict[str, Any]:
    """Return what the button of a claim sets, the open tab among it."""
    chains = {
        "below_one": ("depth", 0.99, 50),
        "lossless": ("depth", -0.5, 50),
        "main_road": ("depth", 0.5, 1000),
        "copy": ("depth", -1.0, 20),
        "thousands": ("map", 0.0, 1000),
        "direct_path": ("paths", -0.9, 20),
    }
    blocks = {
        "degradation": "rotations",
        "radius_small": "radius_zero",
        "radius_large": "projections",
        "floor": "random",
        "all_small": "no_floor",
    }
    if name in chains:
        tab, a, n = chains[name]
        return {"gm_a": a, "gm_n": n} | below.in_tab(say, tab)
    if name in blocks:
        settings = matrix_keys(gradient_claims.BLOCKS[blocks[name]])
        return settings | below.in_tab(say, "matrices")
    return neuron_keys(gradient_claims.NEURONS["above_one"]) | below.in_tab(say, "ceilings")


def code(say: Words, chain: Chain) -> None:
    """The reader's settings in PyTorch, and the functions of core."""
    st.markdown(say("code.snippet"))
    below.code(core.snippet(chain))
    st.markdown(say("code.core"))
    below.code(multiplier.log10_plain, multiplier.log10_residual, multiplier.zone)
    below.code(half_map.window, path_sums.terms, unequal_layers.both_forms, products.by_depth)


def check(say: Words, chain: Chain) -> None:
    """Both multipliers beside what autograd makes of such a chain."""
    below.check(say, gradient_checks.check(chain))


def sources(say: Words) -> None:
    """Where the page comes from."""
    below.sources(say, "he2015", "he2016", "veit2016", "wang2022")


TABS = {
    "try": below.try_it,
    "depth": depth,
    "map": minus_half,
    "unequal": unequal,
    "paths": paths,
    "matrices": matrices,
    "ceilings": activations,
    "check": check,
    "claims": claims,
    "code": code,
    "sources": sources,
}


def _program(say: Words, snippet: str) -> None:
    with st.expander(say("code.program")):
        below.code(snippet)
