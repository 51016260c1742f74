"""The application: its pages, their addresses, and what is shown when the store cannot be read."""

from importlib.resources import files
from pathlib import Path

import streamlit as st

from dashboard import markup, notices
from ingest.errors import StoreError

RAIL_WIDTH = 236


def main() -> None:
    """Draw the page that the address asks for."""
    st.set_page_config(
        page_title="Unaveraged",
        page_icon=str(Path(str(files("dashboard") / "icon.svg"))),
        layout="wide",
        initial_sidebar_state=RAIL_WIDTH,
    )
    st.html(markup.stylesheet())
    page = st.navigation(
        [
            st.Page("views/overview.py", title="Runs", default=True),
            st.Page("views/reliability.py", title="Reliability", url_path="reliability"),
            st.Page("views/compare.py", title="Compare", url_path="compare"),
            st.Page("views/variance.py", title="Variance", url_path="variance"),
            st.Page("views/judges.py", title="Judges", url_path="judges"),
            st.Page("views/failures.py", title="Failures", url_path="failures"),
            st.Page("views/trials.py", title="Trials", url_path="trials"),
            st.Page("views/history.py", title="History", url_path="history"),
            st.Page("views/routing.py", title="Routing", url_path="routing"),
            st.Page("views/case.py", title="Case", url_path="case"),
            st.Page("views/rejections.py", title="Not loaded", url_path="rejections"),
        ],
        position="hidden",
    )
    st.sidebar.html(markup.behaviour(), unsafe_allow_javascript=True)
    try:
        page.run()
    except StoreError as error:
        notices.store_error(error)


main()
