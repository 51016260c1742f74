"""The counts a gate decides from: per cell what was planned, what ran, and how it ended."""

from typing import Final

import narwhals as nw
import polars as pl
from narwhals.typing import IntoLazyFrameT

from queries.counting import Table, count, counted, flagged, totals

WAITING: Final = ("pending", "running", "absent")
"""Outcomes of trials that were planned and never ran to an end."""

_CELL: Final = ("run", "item", "variants")
_GRID: Final = ("report", "suite", "dialect", "version", "arm")
_COUNTS: Final = ("planned", "trials", "graded", "passed", "waiting", "skipped", "duplicates")


def tally(trials: IntoLazyFrameT) -> IntoLazyFrameT:
    """Per cell: trials, graded, passed, waiting, skipped, and repetitions that occur again."""
    outcome = nw.col("outcome")
    flags = {
        "graded": nw.col("graded"),
        "passed": outcome == "passed",
        "waiting": outcome.is_in(WAITING),
        "skipped": outcome == "skipped",
        "numbered": ~nw.col("repetition").is_null(),
    }
    frame = nw.from_native(trials).select(*_CELL, "repetition", *flagged(flags))
    repeated = frame.group_by(*_CELL, "repetition").agg(count().alias("trials"), *totals(*flags))
    again = nw.when(nw.col("numbered") > 1).then(nw.col("numbered") - 1).otherwise(nw.lit(0))
    return (
        repeated.with_columns(again.alias("duplicates"))
        .group_by(*_CELL)
        .agg(
            *totals("trials", "graded", "passed", "waiting", "skipped", "duplicates"),
            nw.col("repetition").max().alias("last"),
        )
        .to_native()
    )


def cells(runs: pl.LazyFrame, items: pl.LazyFrame, trials: Table) -> pl.LazyFrame:
    """Return one row per cell of each run: what was planned of it and what became of that.

    Planned is every trial an evaluation report lists, the samples per item a sample report was
    configured for, and for trial rows with a model as many repetitions as any scenario of the file
    has, of every scenario the file has for any model: that grid is inferred, not declared.

    Returns:
        ``run, item, variants, planned, trials, graded, passed, waiting, skipped, duplicates,
        unmeasured, missing``.
    """
    ended = counted(tally, trials)
    planned = pl.concat([_configured(runs, items), _grid(runs, items, ended)])
    ran = pl.col("trials") - pl.col("waiting")
    return (
        ended.drop("last")
        .join(planned, on=list(_CELL), how="full", coalesce=True)
        .with_columns(pl.coalesce("planned", "trials"))
        .with_columns(pl.col(_COUNTS).fill_null(0))
        .with_columns(
            unmeasured=ran - pl.col("graded") - pl.col("skipped"),
            missing=(pl.col("planned") - ran + pl.col("duplicates")).clip(0),
        )
        .select(*_CELL, *_COUNTS, "unmeasured", "missing")
        .sort(_CELL)
    )


def _configured(runs: pl.LazyFrame, items: pl.LazyFrame) -> pl.LazyFrame:
    """Return the samples of each item that a sample report was configured to take."""
    wanted = pl.col("config").str.json_path_match("$.execution.samples_per_item")
    reports = runs.filter(pl.col("format") == "sample-report").select(
        "run", planned=wanted.cast(pl.Int64, strict=False)
    )
    return (
        items.select("run", "item", variants=pl.lit("{}"))
        .join(reports.filter(pl.col("planned").is_not_null()), on="run")
        .select(*_CELL, "planned")
    )


def _grid(runs: pl.LazyFrame, items: pl.LazyFrame, ended: pl.LazyFrame) -> pl.LazyFrame:
    """Return every scenario of a file for every model, with the most repetitions of any."""
    rows = runs.filter((pl.col("format") == "trial-row") & pl.col("subject").is_not_null())
    placed = rows.select("run", grid=pl.struct(_GRID))
    scenarios = items.join(placed, on="run").select("grid", "item").unique()
    repetitions = (
        ended.join(placed, on="run").group_by("grid").agg(planned=pl.col("last").max() + 1)
    )
    return (
        placed.join(scenarios, on="grid")
        .join(repetitions, on="grid")
        .filter(pl.col("planned").is_not_null())
        .select("run", "item", pl.lit("{}").alias("variants"), pl.col("planned").cast(pl.Int64))
    )
