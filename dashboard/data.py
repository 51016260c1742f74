"""What pages read: the figures of this session's store, kept until the store changes.

No connection is ever held, so that reports can be loaded while the pages are open. Figures are
those of the commands, kept per version of the store. Frames never change, so sessions share them.
"""

import os
from pathlib import Path
from typing import Final, NamedTuple

import polars as pl
import streamlit as st

from dashboard import figures as figures_of
from dashboard import inforce, unmet
from dashboard.figures import Reliability, Runs
from dashboard.server import STORE_VARIABLE
from ingest import store, subjects
from ingest.errors import StoreMissing
from queries import categories

DEFAULT_STORE: Final = "unaveraged.duckdb"
MOST_KEPT: Final = 24


class Source(NamedTuple):
    """The store as it is now: its path, and what changes when it changes."""

    path: str
    version: str


def source() -> Source:
    """Return the store of this server as it is now.

    Raises:
        StoreMissing: When there is no file.
    """
    path = Path(os.environ.get(STORE_VARIABLE, DEFAULT_STORE))
    if not path.exists():
        raise StoreMissing(path)
    return Source(str(path), store.version(path) + inforce.stamp())


def rulebook() -> categories.RuleBook:
    """Return the category rules in force."""
    return inforce.rulebook()


def known_runs(at: Source) -> pl.DataFrame:
    """Return all runs, newest first, each with its file and the subject people gave it."""
    path = Path(at.path)
    return subjects.with_notes(_runs(at), subjects.read_notes(path))


@st.cache_resource(max_entries=2, show_spinner=False)
def _runs(at: Source) -> pl.DataFrame:
    newest = ["started_at", "ingested_at", "report", "position"]
    return figures_of.described(Path(at.path)).sort(
        newest, descending=[True, True, False, False], nulls_last=True
    )


@st.cache_resource(max_entries=2, show_spinner=False)
def overview(at: Source) -> Runs:
    """Return the counts of every run."""
    return figures_of.runs(Path(at.path))


@st.cache_resource(max_entries=MOST_KEPT, show_spinner=False)
def rejections(at: Source) -> pl.DataFrame:
    """Return everything that was not loaded."""
    with store.open_reader(Path(at.path)) as reader:
        return reader.frame("rejection").sort("rule", "path", "place")


@st.cache_resource(max_entries=MOST_KEPT, show_spinner=False)
def flags(at: Source) -> pl.DataFrame:
    """Return everything that was kept although it breaks a rule, each with its file."""
    with store.open_reader(Path(at.path)) as reader:
        found = reader.frame("flag")
        reports = reader.frame("report", ("report", "path"))
    return found.join(reports, on="report").sort("rule", "path", "place")


@st.cache_resource(max_entries=MOST_KEPT, show_spinner=False)
def figures(at: Source, chosen: tuple[str, ...]) -> Reliability:
    """Return the figures of the chosen runs."""
    return figures_of.reliability(Path(at.path), described(at, chosen), rulebook())


@st.cache_resource(max_entries=MOST_KEPT, show_spinner="Reading the store…")
def failures(at: Source, chosen: tuple[str, ...], item: str | None = None) -> pl.DataFrame:
    """Return the criteria of the chosen runs, or of one item of them, that failed or errored."""
    return unmet.failures(Path(at.path), described(at, chosen), rulebook(), item=item)


def described(at: Source, chosen: tuple[str, ...]) -> pl.DataFrame:
    """Return the chosen runs as their reports describe them."""
    return _runs(at).filter(pl.col("run").is_in(chosen))
