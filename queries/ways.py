"""Which repetition of a cell behaved how: behaviours numbered by how often they occur."""

from typing import Final

import polars as pl

from queries import behaviour, grain
from queries.counting import Table, counted

_CELL: Final = list(behaviour.CELL)
_TRACE: Final = ("facts", *behaviour.DIGESTS, "error_code")


def ways(trials: Table, checks: Table, shown: pl.LazyFrame) -> pl.LazyFrame:
    """Return the trials of some cells, each with the number of its behaviour in its cell.

    As ``variance.cells`` counts them: the commonest behaviour is 1, of equals the one whose first
    trial came first. ``way`` is null for a trial that recorded nothing to tell behaviours apart by;
    ``masked`` numbers them with ids masked.

    Args:
        trials: Rows of the table ``trial``.
        checks: Rows of the table ``check``.
        shown: ``item, variants`` of the cells.

    Returns:
        ``run, item, variants, trial_number, trial, repetition, outcome, graded, error_code,
        signature, way, masked``.
    """
    rows = counted(behaviour.each, trials, checks, shown)
    known = pl.col("signature").is_not_null() | pl.col("graded")
    traced = pl.when(pl.col("signature").is_null()).then(pl.struct(_TRACE))
    return (
        rows.with_columns(
            raw=pl.struct("signature", traced.alias("trace")).hash(),
            same=pl.struct("masked_signature", traced.alias("trace")).hash(),
        )
        .with_columns(
            *(
                count.over([*_CELL, name]).alias(f"{name}_{what}")
                for name in ("raw", "same")
                for what, count in (
                    ("count", known.sum().cast(pl.Int64)),
                    ("first", pl.col("trial").min()),
                )
            ),
        )
        .with_columns(
            way=pl.when(known).then(_place("raw", known)),
            masked=pl.when(known).then(_place("same", known)),
        )
        .with_columns(trial_number="trial", trial=grain.trial_name())
        .sort(*_CELL, "repetition", "trial_number", nulls_last=True)
        .select(
            *(*_CELL, "trial_number", "trial", "repetition", "outcome", "graded", "error_code"),
            *("signature", "way", "masked"),
        )
    )


def _place(name: str, known: pl.Expr) -> pl.Expr:
    """Number behaviours of a cell: the more often the earlier, then by their first trial."""
    rank = pl.struct(-pl.col(f"{name}_count"), pl.col(f"{name}_first"))
    order = pl.when(known).then(rank)
    return order.rank("dense").over(_CELL).cast(pl.Int64)
