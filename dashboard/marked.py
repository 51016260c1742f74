"""Which failures people have marked: read from the notes beside the store, changing no figure."""

from collections.abc import Iterable, Mapping
from typing import Any, Final

import polars as pl

from ingest.subjects import Mark, Notes, mark_key

DETAIL: Final = pl.concat_str("error_code", "fault", "code", separator=" ", ignore_nulls=True)
"""What tells failures of one criterion apart, as the key of a mark has it."""
_KEY: Final = ("suite", "name", "detail", "cause")


def with_marks(hits: pl.DataFrame, runs: Iterable[Mapping[str, Any]], notes: Notes) -> pl.DataFrame:
    """Add the suite of every hit, and the mark of its cause, else of its group, and what it says.

    Needs columns run, name, detail, cause; ``mark`` and ``mark_text`` are null without a mark.
    """
    suites = {run["run"]: run["suite"] or "" for run in runs}
    named = hits.with_columns(
        suite=pl.col("run").replace_strict(suites, default="", return_dtype=pl.String)
    )
    if not notes.marks or hits.is_empty():
        none = pl.lit(None, pl.String)
        return named.with_columns(mark=none, mark_text=none)
    distinct = named.select(_KEY).unique()
    marks = [_mark(row, notes) for row in distinct.iter_rows()]
    found = distinct.with_columns(
        mark=pl.Series([mark and mark.kind for mark in marks], dtype=pl.String),
        mark_text=pl.Series([mark and mark.text for mark in marks], dtype=pl.String),
    )
    return named.join(found, on=_KEY, how="left", nulls_equal=True, maintain_order="left")


def marked(failures: pl.DataFrame, runs: pl.DataFrame, notes: Notes) -> pl.DataFrame:
    """Add the marks of failed and errored criteria, as :func:`with_marks` does of hits."""
    hits = failures.with_columns(name="criterion", detail=DETAIL)
    found = with_marks(hits, runs.select("run", "suite").iter_rows(named=True), notes)
    return found.drop("name", "detail", "suite")


def _mark(row: tuple[Any, ...], notes: Notes) -> Mark | None:
    suite, name, detail, cause = (value or "" for value in row)
    own = notes.marks.get(mark_key(suite, name, detail, cause))
    return own or notes.marks.get(mark_key(suite, name, detail))
