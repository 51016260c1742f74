"""What the variance page reads: figures kept per version of the store, and the cells it shows."""

from collections.abc import Sequence
from pathlib import Path

import polars as pl
import streamlit as st

from dashboard import repeated
from dashboard.data import MOST_KEPT, Source, rulebook
from ingest import store
from queries import ways

Ids = tuple[str, ...]


@st.cache_resource(max_entries=MOST_KEPT, show_spinner="Counting…")
def categories(at: Source, ids: Ids, _runs: pl.DataFrame) -> pl.DataFrame:
    """Return how much the repetitions of these runs differ, by category."""
    own = _runs.filter(pl.col("run").is_in(ids))
    return repeated.categories(Path(at.path), own, rulebook())


@st.cache_resource(max_entries=MOST_KEPT, show_spinner="Telling behaviours apart…")
def cells(at: Source, ids: Ids, _runs: pl.DataFrame) -> pl.DataFrame:
    """Return how much the repetitions of each cell differ; it takes longer than the categories."""
    return repeated.cells(Path(at.path), _runs.filter(pl.col("run").is_in(ids)))


def shown(at: Source, ids: Ids, cells: pl.DataFrame) -> pl.DataFrame:
    """Return the trials of some cells, each with its behaviour."""
    with store.open_reader(Path(at.path)) as reader:
        trials, checks = reader.table("trial", runs=ids), reader.table("check", runs=ids)
        return ways.ways(trials, checks, cells.select("item", "variants").unique().lazy()).collect()


def criteria(at: Source, run: str, trials: Sequence[int]) -> pl.DataFrame:
    """Return what the criteria of these trials came to."""
    columns = ("trial", "position", "parent", "criterion", "turn", "passed", "errored")
    with store.open_reader(Path(at.path)) as reader:
        found = reader.frame("check", columns, runs=(run,), trials=list(trials))
    return found.filter(pl.col("parent").is_null()).sort("trial", "position")


def cell_of(at: Source, run: str, trial: int) -> tuple[str, str] | None:
    """Return the item and the variants of a trial, null where the run has no such trial."""
    with store.open_reader(Path(at.path)) as reader:
        own = reader.frame("trial", ("item", "variants"), runs=(run,), trials=(trial,))
    return None if own.is_empty() else own.row(0)
