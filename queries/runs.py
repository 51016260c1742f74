"""What each run holds: cells, trials and their outcomes, criteria that failed or errored."""

import polars as pl

from queries import tally
from queries.counting import Table, counted

_COUNTS = (
    *("items", "items_without_trials", "cells", "repetitions", "trials", "turns"),
    *("measured", "passed", "criteria_failing", "criteria_errored"),
    *("suite_passed", "suite_failed", "suite_errored"),
)


def overview(runs: pl.LazyFrame, items: pl.LazyFrame, trials: Table, checks: Table) -> pl.LazyFrame:
    """Return the counts of each run, beside whatever columns ``runs`` brings.

    ``items`` counts the suite as the report defines it, ``items_without_trials`` those of it that
    no trial was selected for. ``criteria_*`` counts turn and trial criteria, ``suite_*`` the
    suite's own.
    """
    tried = counted(tally.outcomes_by_item, trials)
    seen = tried.select("run", "item").unique().with_columns(tried=1)
    inventory = (
        items.select("run", "item")
        .join(seen, on=["run", "item"], how="left")
        .group_by("run")
        .agg(
            pl.len().cast(pl.Int64).alias("items"),
            pl.col("tried").is_null().sum().cast(pl.Int64).alias("items_without_trials"),
        )
    )
    named = runs.drop("turns", strict=False)
    own = pl.exclude(_COUNTS)
    return (
        named.join(inventory, on="run", how="left")
        .join(
            counted(tally.progress, trials).rename({"graded": "measured"}),
            on="run",
            how="left",
        )
        .join(counted(tally.criteria, checks), on="run", how="left")
        .select(own, pl.col(_COUNTS).fill_null(0))
        .sort("run")
    )


def outcomes(trials: Table) -> pl.LazyFrame:
    """Return the trials of each (run, outcome)."""
    return counted(tally.outcomes, trials).select("run", "outcome", "trials").sort("run", "outcome")
