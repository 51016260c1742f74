"""The application: its pages, their addresses, and what is shown when the store cannot be read."""

import contextlib
from importlib.resources import files
from pathlib import Path
from typing import Final
from urllib.parse import unquote, urlsplit

import streamlit as st

from dashboard import markup, news, notices
from dashboard.errors import InputError
from ingest import store
from ingest.errors import StoreError

RAIL_WIDTH = 236
PAGES: Final = {
    "reliability": "Reliability",
    "compare": "Compare",
    "variance": "Variance",
    "judges": "Judges",
    "failures": "Failures",
    "search": "Search",
    "trials": "Trials",
    "history": "History",
    "routing": "Routing",
    "case": "Case",
    "divergence": "Side by side",
    "raw": "Raw JSON",
    "rejections": "Not loaded",
}


def main() -> None:
    """Draw the page that the address asks for."""
    st.set_page_config(
        page_title="Unaveraged",
        page_icon=str(Path(str(files("dashboard") / "icon.svg"))),
        layout="wide",
        initial_sidebar_state=RAIL_WIDTH,
    )
    st.html(markup.stylesheet())
    pages = [st.Page("views/overview.py", title="Runs", default=True)]
    pages += [
        st.Page(f"views/{name}.py", title=title, url_path=name) for name, title in PAGES.items()
    ]
    if asked := _unknown():
        pages.append(st.Page("views/unknown.py", title="No such page", url_path=asked))
    page = st.navigation(pages, position="hidden")
    st.sidebar.html(markup.behaviour(), unsafe_allow_javascript=True)
    news.offer()
    # A page reads one state of the store. A search takes its time, and lets others in between.
    opening = contextlib.nullcontext() if page.url_path == "search" else store.one_opening()
    try:
        with opening:
            page.run()
    except StoreError as error:
        notices.store_error(error)
    except InputError as error:
        notices.unusable(error)


def _unknown() -> str:
    """Return the last part of an address that no page has, so that it can have one."""
    path = unquote(urlsplit(st.context.url or "").path).strip("/")
    name = path.rpartition("/")[2]
    return "" if name in {"", "overview", *PAGES} else name


main()
