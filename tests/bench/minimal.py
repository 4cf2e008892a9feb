"""The yardstick of a script run: one slider and one chart, drawn the plain way."""

import altair as alt
import pandas as pd
import streamlit as st

n = st.slider("n", 1, 1000, 20, key="n")
rows = pd.DataFrame({"layers": range(41), "value": [layer * n for layer in range(41)]})
st.altair_chart(alt.Chart(rows).mark_line().encode(x="layers:Q", y="value:Q"))
