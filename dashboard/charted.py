"""How a chart stands on a page: under its title, with words for those who cannot see it."""

import streamlit as st

from dashboard import parts
from dashboard.charts import Chart


def chart(title: str, drawn: Chart, says: str = "") -> None:
    """Draw a chart under its title, which also says to a screen reader what it shows."""
    with st.container(width="content", gap="xxsmall"):
        parts.draw("charted", title=title, says=says)
        st.altair_chart(drawn, width="content", alt=title)
