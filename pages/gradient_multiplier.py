"""Gradient multiplier: |a|ⁿ against |1 + a|ⁿ."""

import streamlit as st

from core import gradient_multiplier as core
from core import numbers
from core.charts import gradient_multiplier as charts
from core.multiplier import A_HIGH, A_LOW, A_STEP, LOG10, N_HIGH, N_LOW, Chain, order, zone
from pages.shared import below, controls, frame
from pages.tabs import gradient_multiplier as deeper

FORMULA = r"G_{\text{plain}}=|a|^{n},\qquad G_{\text{residual}}=|1+a|^{n}"
PRESETS = {name: {"gm_a": a, "gm_n": n} for name, (a, n) in core.PRESETS.items()}
SIGN = {"explodes": "▲", "tame": "●", "vanishes": "▽", "zero": "∅"}

say = frame.begin("gradient_multiplier", FORMULA)


def settings() -> None:
    """Draw the controls."""
    with controls.panel(say, "gm_", deeper.OWN):
        controls.slider(say("a"), A_LOW, A_HIGH, 0.5, A_STEP, key="gm_a", help=say("help.a"))
        controls.slider(say("n"), N_LOW, N_HIGH, 20, 1, key="gm_n", help=say("help.n"))


def chain() -> Chain:
    """Return the chain that the controls describe."""
    return Chain(controls.value("gm_a"), controls.value("gm_n"))


def picture(chain: Chain) -> None:
    """Draw the strip over all `a`."""
    frame.figure(charts.strip, say, core.strip(chain), alt="alt.strip")


def words(chain: Chain) -> None:
    """Give both multipliers, and say what they mean."""
    for place, (who, log10) in zip(st.columns(2), LOG10.items(), strict=True):
        exponent = log10(chain.a, chain.n)
        what = zone(exponent)
        place.metric(
            f"{say(who)} {core.power(who, chain)}",
            numbers.text_log10(exponent),
            f"{SIGN[what]} {say(f'zone.{what}')}",
            delta_color="off",
            delta_arrow="off",
        )
    first = say(f"verdict.{core.verdict(chain)}", n=chain.n)
    second = say(f"compare.{order(chain.a)}")
    st.markdown(say("two_sentences", first=first, second=second))
    below.shows(say, chain=chain)


controls.presets(say, PRESETS)
frame.first_screen(settings, chain, picture, words)
below.tabs(say, deeper.TABS)
