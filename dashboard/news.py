"""Offers new data: the store has changed since the page was drawn.

Nothing is drawn anew by itself, so that nobody loses the place. The offer looks for itself, without
the rest of the page being run.
"""

from typing import Final

import streamlit as st

from dashboard import data, parts
from ingest.errors import StoreMissing

EVERY: Final = 2
"""Seconds between two looks."""
_DRAWN: Final = "drawn_version"


def offer() -> None:
    """Remember what the page is drawn from, and say when that has changed."""
    st.session_state[_DRAWN] = _version()
    look()


@st.fragment(run_every=EVERY)
def look() -> None:
    """Draw the offer when there is one to make."""
    now = _version()
    if now is None or now == st.session_state.get(_DRAWN):
        return
    with st.container(key="newdata", horizontal=True, vertical_alignment="center"):
        parts.draw("news")
        if st.button("Show it", icon=":material/refresh:"):
            st.rerun()


def _version() -> str | None:
    try:
        return data.source().version
    except StoreMissing:
        return None
