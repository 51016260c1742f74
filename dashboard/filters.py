"""The filters of the failures page: those used most in sight, the others one click away."""

from collections.abc import Mapping
from typing import Final

import polars as pl
import streamlit as st

from dashboard import choice, parts, runtable
from dashboard.link import FailuresLink

FIRST: Final = {
    "category": "all categories",
    "item": "all items",
    "tag": "all tags",
    "outcome": "all outcomes",
}
MORE: Final = {
    "variant": "all variants",
    "criterion": "all criteria",
    "fault": "all faults",
    "code": "all codes",
    "error_code": "all error codes",
}


def draw(
    link: FailuresLink,
    choices: Mapping[str, Mapping[str, str]],
    marks: Mapping[str, str],
    runs: pl.DataFrame,
) -> None:
    """Draw every filter; the address holds what they say."""
    with st.container(horizontal=True, key="filters"):
        parts.search("Search", "q", link.q)
        for name, label in FIRST.items():
            parts.choose(label, name, getattr(link, name), choices[name])
        with st.popover("More", icon=":material/filter_list:", width="content"):
            for name, label in MORE.items():
                parts.choose(label, name, getattr(link, name), choices[name])
            parts.choose("marked or not", "mark", link.mark, marks)
        with st.popover("Runs", icon=":material/list:", width="content"):
            st.caption("Runs by name, or all current runs of a suite or subject.")
            parts.choose_several("Runs", "run", link.run, runtable.options(runs), choice.MOST_RUNS)
            parts.choose("all suites", "suite", link.suite, runtable.choices(runs, "suite"))
            parts.choose("all subjects", "subject", link.subject, runtable.choices(runs, "subject"))
