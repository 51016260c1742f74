"""Unmet criteria put together for whoever mends them: one row where cell and evidence are equal."""

from typing import Final

import polars as pl

_CELL: Final = ("run", "item", "variants")
_KEY: Final = (*_CELL, "scope", "turn", "criterion", "cause", "errored")
_FIRST: Final = (
    *("position", "step", "label", "category", "rule", "fault", "code", "reason", "error_code"),
)
_COUNTS: Final = (
    "failed",
    "failed_at_all",
    "graded",
    "repetitions",
    "cells",
    "cut_short",
    "trials",
)


def entries(failures: pl.LazyFrame, trials: pl.LazyFrame) -> pl.LazyFrame:
    """Return one row per cell, criterion and cause of :func:`evidence.failures`, by `rank`.

    ``failed`` counts the graded repetitions it happened in, of ``graded``, ``failed_at_all`` those
    in which the criterion failed for whatever cause; ``cells`` the cells of the run that it
    happened in; ``trials`` lists all it happened in, graded or not. What happens in
    every graded repetition and in most cells decides most and ranks first; errored criteria come
    after all failures, what was cut short after what ran to its end. What stands beside the counts
    is of the first trial.
    """
    cell = list(_CELL)
    sizes = trials.group_by(cell).agg(
        repetitions=pl.len().cast(pl.Int64), graded=pl.col("graded").sum().cast(pl.Int64)
    )
    measured = trials.select(trial_number="trial", measured="graded")
    elsewhere = ("run", "criterion", "cause", "errored")
    whatever = [name for name in _KEY if name != "cause"]
    of = pl.col("graded").clip(1)
    order = (
        *(pl.col("errored"), pl.col("cut_short")),
        *(-(pl.col("failed_at_all") / of), -(pl.col("failed") / of)),
        *(-pl.col("cells"), -pl.col("failed")),
        *(pl.col("trials").list.first(), pl.col("position")),
    )
    return (
        failures.join(measured, on="trial_number", how="left")
        .sort("run", "trial_number", "position")
        .group_by(_KEY, maintain_order=True)
        .agg(
            pl.col(_FIRST).first(),
            failed=pl.col("measured").sum().cast(pl.Int64),
            trials=pl.col("trial_number").unique(maintain_order=True),
            cut_short=pl.col("unfinished").all(),
        )
        .join(sizes, on=cell, how="left")
        .with_columns(
            cells=pl.struct(cell).n_unique().over(elsewhere).cast(pl.Int64),
            failed_at_all=pl.col("failed").sum().over(whatever),
        )
        .sort("run", *order)
        .with_columns(rank=pl.int_range(pl.len()).over("run"))
        .select(*_KEY, *_COUNTS, *_FIRST, "rank")
    )
