"""The export control of a page: the table on the screen, in the form its receiver can use.

The bytes are those of `unaveraged export` for the same runs, categories and items; they are made
when somebody asks for them.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Final

import streamlit as st

from dashboard import inforce
from dashboard.contrast import Contrast
from dashboard.export.about import Selection
from dashboard.export.formats import FORMATS, MIME, Format
from dashboard.link import FailuresLink

DRAWN: Final = frozenset(
    {"reliability", "comparison", "variance", "variance-categories", "votes", "history"}
)
"""Tables that have a chart."""
RELIABILITY: Final = {
    "reliability": "Categories",
    "reliability-items": "Categories by item",
    "reliability-tags": "Categories by tag",
    "reliability-axis": "The format's own words",
}
FAILURES: Final = {"failures": "Failures"}
COMPARISON: Final = {"comparison": "Categories", "changes": "Changes"}
VARIANCE: Final = {"variance": "Cells", "variance-categories": "Categories"}
VOTES: Final = {"votes": "Judges' criteria", "votes-items": "Judges' criteria by item"}
TRIALS: Final = {"trials": "Planned trials", "grid": "Repetitions of each cell"}
HISTORY: Final = {"history": "Categories, run by run", "history-cells": "Cells, run by run"}
ROUTING: Final = {"routing": "Routing"}
_CHARTS: Final = frozenset({"svg", "png"})


def offer(db: str, tables: Mapping[str, str], selection: Selection) -> None:
    """Draw the control for the tables of a page, by their names in an export."""
    own = selection._replace(rule_files=inforce.rule_files())
    if ROUTING.items() <= tables.items():
        own = own._replace(channels=inforce.channels_file())
    with st.popover("Export", icon=":material/download:", width="content"):
        name = st.selectbox("Table", list(tables), format_func=lambda each: tables[each])
        form = st.selectbox("Form", forms(name))
        st.caption("Of the runs shown, narrowed by category and item; other filters stay here.")
        st.download_button(
            "Download",
            data=lambda: made(db, name, form, own),
            file_name=f"{name}.{form}",
            mime=MIME[form],
            on_click="ignore",
            icon=":material/download:",
        )


def of_failures(runs: tuple[str, ...], link: FailuresLink) -> Selection:
    """Return what the failures page shows, as far as an export can say it."""
    categories = (link.category,) if link.category else ()
    return Selection(runs, categories, (link.item,) if link.item else ())


def of_sides(found: Contrast) -> Selection:
    """Return the baseline and the first run beside it: an export compares two."""
    return Selection((found.base.ids[0], found.others[0].ids[0]))


def forms(table: str) -> list[Format]:
    """Return the forms in which a table can be had."""
    return [form for form in FORMATS if form != "pdf" and (form not in _CHARTS or table in DRAWN)]


def made(db: str, name: str, form: Format, selection: Selection) -> bytes:
    """Return a table in a form: the same bytes as the command's."""
    from dashboard.export import tables, write

    return write.exported(tables.build(Path(db), name, selection), form)
