"""Residual Lab: `streamlit run dashboard.py`."""

from pages.shared import frame

frame.main()
