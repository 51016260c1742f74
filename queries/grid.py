"""What was planned against what came out: per cell the outcome of every repetition, holes shown."""

from typing import Final

import polars as pl

_CELL: Final = ("run", "item", "variants")
_COUNTS: Final = ("repetitions", "passed", "failed", "ungraded", "missing")


def grid(items: pl.LazyFrame, trials: pl.LazyFrame) -> pl.LazyFrame:
    """Return one row per (run, item, variants); an item without a trial has one without variants.

    ``results`` holds the outcomes in the order of the repetitions, ``missing`` the repetitions that
    lie before the last one of the cell and that no trial has.
    """
    repetition = pl.col("repetition").cast(pl.Int64)
    cells = (
        trials.sort("run", "item", "variants", "repetition", "trial", nulls_last=True)
        .group_by(_CELL, maintain_order=True)
        .agg(
            repetitions=pl.len().cast(pl.Int64),
            passed=_trials("passed"),
            failed=_trials("failed"),
            ungraded=(~pl.col("graded")).sum().cast(pl.Int64),
            missing=repetition.max() + 1 - repetition.drop_nulls().n_unique().cast(pl.Int64),
            results=pl.col("outcome"),
        )
    )
    named = items.select("run", "item", "name", "tags")
    return (
        named.join(cells, on=["run", "item"], how="full", coalesce=True)
        .with_columns(pl.col(_COUNTS).fill_null(0), pl.col("results").fill_null([]))
        .select(*_CELL, "name", "tags", *_COUNTS, "results")
        .sort(_CELL)
    )


def _trials(outcome: str) -> pl.Expr:
    return (pl.col("outcome") == outcome).sum().cast(pl.Int64)
