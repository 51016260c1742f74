"""How counts are asked for: of a frame, or of a table that is counted where it lies."""

from collections.abc import Callable, Mapping
from typing import Any, Protocol

import narwhals as nw
import polars as pl


class Stored(Protocol):
    """A table that is not in memory; ``ingest.store`` has such tables."""

    def counted(self, reduce: Callable[..., Any], tables: "tuple[Table, ...]", /) -> pl.LazyFrame:
        """Return what ``reduce`` makes of ``tables``, computed where this one lies."""
        ...


Table = pl.LazyFrame | Stored


def counted(reduce: Callable[..., Any], *tables: Table) -> pl.LazyFrame:
    """Return the counts that ``reduce``, a function of ``tally``, makes of the tables.

    Frames are counted by Polars. As soon as one table is stored, all of it happens there, when the
    result is collected, and only the counts come back.
    """
    stored = next((table for table in tables if not isinstance(table, pl.LazyFrame)), None)
    if stored is None:
        frame: pl.LazyFrame = reduce(*tables)
        return frame
    return stored.counted(reduce, tables)


def count() -> nw.Expr:
    """Rows, Int64."""
    return nw.len().cast(nw.Int64)


def flag(condition: nw.Expr) -> nw.Expr:
    """One where the condition holds, zero where it fails or is unknown."""
    return nw.when(condition).then(nw.lit(1)).otherwise(nw.lit(0)).cast(nw.Int64)


def flagged(conditions: Mapping[str, nw.Expr]) -> list[nw.Expr]:
    """Each condition as a column of ones and zeros."""
    return [flag(condition).alias(name) for name, condition in conditions.items()]


def totals(*columns: str) -> list[nw.Expr]:
    """Sum of each column, Int64."""
    return [nw.col(column).sum().cast(nw.Int64) for column in columns]


def is_root() -> nw.Expr:
    """Criteria of turn and trial scope."""
    return nw.col("parent").is_null() & (nw.col("scope") != "run")


def count_where(condition: nw.Expr) -> nw.Expr:
    """Rows on which the condition holds, Int64."""
    return nw.when(condition).then(nw.lit(1)).count().cast(nw.Int64)


def total_where(column: str, condition: nw.Expr) -> nw.Expr:
    """Sum of a column over the rows on which the condition holds, Int64."""
    return nw.when(condition).then(nw.col(column)).otherwise(nw.lit(0)).sum().cast(nw.Int64)


def in_order(term: pl.Expr, *order: str) -> pl.Expr:
    """Add up floating-point numbers in one order, so that the sum is the same to the last bit.

    Polars drops a sort before ``sum``; it keeps one before a running sum.
    """
    return term.fill_null(0).sort_by(order).cum_sum().last()
