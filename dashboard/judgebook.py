"""What the judges page reads: scores and their spread, votes of the shown items, reasons of one."""

from pathlib import Path
from typing import NamedTuple

import polars as pl
import streamlit as st

from dashboard import repeated
from dashboard.data import MOST_KEPT, Source
from ingest import store
from queries import judged

Ids = tuple[str, ...]
MOST_REASONS = 60


class Judges(NamedTuple):
    """Everything said of the judges of some runs, but no single vote."""

    criteria: pl.DataFrame
    items: pl.DataFrame
    spread: pl.DataFrame


@st.cache_resource(max_entries=MOST_KEPT, show_spinner="Counting votes…")
def judges(at: Source, ids: Ids, threshold: int, _runs: pl.DataFrame) -> Judges:
    """Return what the judges of these runs said."""
    own = _runs.filter(pl.col("run").is_in(ids))
    found = repeated.votes(Path(at.path), own, threshold)
    with store.open_reader(Path(at.path)) as reader:
        spread = judged.distribution(reader.table("vote", runs=ids)).collect()
    return Judges(found.criteria, found.items, spread)


def votes(
    at: Source, ids: Ids, items: pl.DataFrame, criterion: str, threshold: int
) -> pl.DataFrame:
    """Return the trials of some items with their votes on one criterion."""
    with store.open_reader(Path(at.path)) as reader:
        vote, trial = reader.table("vote", runs=ids), reader.table("trial", runs=ids)
        shown = items.select("item").unique().lazy()
        return judged.of_items(vote, trial, shown, criterion, threshold).collect()


def reasons(at: Source, run: str, trials: list[int], criterion: str) -> pl.DataFrame:
    """Return the votes of these trials on one criterion, with what the judge wrote."""
    columns = ("trial", "vote", "score", "reason", "error")
    with store.open_reader(Path(at.path)) as reader:
        found = reader.frame(
            "vote", columns, runs=(run,), trials=trials, where={"criterion": criterion}
        )
    return found.sort("trial", "vote")
