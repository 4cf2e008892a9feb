"""The deeper tabs of the worked example."""

import streamlit as st

from core import block_check, numbers
from core.linear_block import Setting
from core.words import Words


def check(say: Words, setting: Setting) -> None:
    """Show the exact numbers beside autograd's and central differences."""
    rows = block_check.check(setting)
    differences = {
        name: numbers.text(block_check.largest_difference(rows, name))
        for name in ("autograd", "central")
    }
    st.markdown(say("differences", **differences))
    titles = {
        "quantity": say("quantity"),
        "closed": say("by_hand"),
        "autograd": "torch.autograd",
        "central": say("central"),
    }
    st.dataframe(rows.rename(columns=titles), hide_index=True)
