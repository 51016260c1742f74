"""The history of a suite over a store: its runs in order, and how each cell stood in them."""

from pathlib import Path
from typing import Final, NamedTuple

import polars as pl

from dashboard.errors import InputError
from dashboard.selection import listed
from ingest import store
from queries import history, tally, variance
from queries.counting import counted

MOST_RUNS: Final = 30


class History(NamedTuple):
    """Everything about the runs of a suite, in their order.

    Attributes:
        runs: The runs with their order, segment, breaks, counts, and whether they are suspect.
        strips: Rows of ``history.strips``; suspect runs are set aside.
        older: Runs before these, which are not shown.
    """

    runs: pl.DataFrame
    strips: pl.DataFrame
    older: int


def runs_of(runs: pl.DataFrame, suite: str, subject: str | None) -> pl.DataFrame:
    """Return the runs of a suite that no later report replaces, of one subject where one is named.

    Raises:
        InputError: When there is none.
    """
    current = runs.filter(pl.col("superseded_by").is_null())
    own = of_suite(current, suite, subject)
    if not own.is_empty():
        return own
    if current.filter(pl.col("suite") == suite).is_empty():
        told = listed(current["suite"].drop_nulls().unique().sort())
        raise InputError(f"no run is of the suite {suite!r}; there is {told or 'none'}")
    told = listed(of_suite(current, suite, None)["subject"].drop_nulls().unique().sort())
    raise InputError(f"no run of {suite} has the subject {subject!r}; there is {told or 'none'}")


def of_suite(runs: pl.DataFrame, suite: str | None, subject: str | None) -> pl.DataFrame:
    """Return those of these runs that are of a suite, and of a subject where one is named."""
    own = runs.filter(pl.col("suite") == (suite or ""), pl.col("superseded_by").is_null())
    return own if subject is None else own.filter(pl.col("subject") == subject)


def read(db: Path, own: pl.DataFrame, most: int | None = MOST_RUNS) -> History:
    """Return the history of these runs, the newest so many of them."""
    ids = own["run"].to_list()
    with store.open_reader(db) as reader:
        digests = reader.frame("run", ("run", "suite_digest"), runs=ids)
        items = reader.frame("item", ("run", "item", "digest"), runs=ids).lazy()
        parts = reader.frame(
            "part", ("run", "item", "part", "digest", "provenance"), runs=ids
        ).lazy()
        told = history.definitions(digests.lazy(), items, parts)
        every = history.ordered(own.lazy().join(told, on="run", how="left")).collect()
        kept = every if most is None else every.tail(most)
        trials = reader.table("trial", runs=kept["run"].to_list())
        outcomes, cells = pl.collect_all(
            [counted(tally.outcomes, trials), counted(tally.cells, trials)]
        )
    ended = outcomes.group_by("run").agg(
        pl.col("trials").sum(),
        passed=pl.col("trials").filter(pl.col("outcome") == "passed").sum(),
        graded=pl.col("trials").filter(pl.col("outcome").is_in(["passed", "failed"])).sum(),
    )
    suspect = variance.suspects(outcomes.lazy()).collect()
    placed = (
        kept.join(suspect, on="run", how="left")
        .join(ended, on="run", how="left")
        .with_columns(
            pl.col("suspect").fill_null(value=False),
            pl.col("trials", "passed", "graded").fill_null(0),
        )
    )
    read = placed.filter(~pl.col("suspect"))
    strips = history.strips(cells.rename({"repetitions": "trials"}).lazy(), read.lazy()).collect()
    return History(placed.sort("order"), strips, every.height - kept.height)
