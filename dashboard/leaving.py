"""The export control of a page: the table on the screen, in the form its receiver can use.

The bytes are those of `unaveraged export` for the same runs, categories and items; they are made
when somebody asks for them.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Final

import streamlit as st

from dashboard.export.about import Selection
from dashboard.export.formats import FORMATS, MIME, Format

DRAWN: Final = frozenset({"reliability", "comparison"})
"""Tables that have a chart."""
_CHARTS: Final = frozenset({"svg", "png"})


def offer(db: str, tables: Mapping[str, str], selection: Selection, narrowed: str = "") -> None:
    """Draw the control for the tables of a page, named by what they are called in an export.

    ``narrowed`` says which of the page's filters an export does not follow.
    """
    with st.popover("Export", icon=":material/download:", width="content"):
        name = st.selectbox("Table", list(tables), format_func=lambda each: tables[each])
        form = st.selectbox("Form", forms(name))
        if narrowed:
            st.caption(narrowed)
        st.download_button(
            "Download",
            data=lambda: made(db, name, form, selection),
            file_name=f"{name}.{form}",
            mime=MIME[form],
            on_click="ignore",
            icon=":material/download:",
        )


def forms(table: str) -> list[Format]:
    """Return the forms in which a table can be had."""
    return [form for form in FORMATS if form != "pdf" and (form not in _CHARTS or table in DRAWN)]


def made(db: str, name: str, form: Format, selection: Selection) -> bytes:
    """Return a table in a form: the same bytes as the command's."""
    from dashboard.export import tables, write

    return write.exported(tables.build(Path(db), name, selection), form)
