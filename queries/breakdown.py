"""One table of counts and rates at three grains: a run, each of its items, each of its tags."""

from collections.abc import Callable
from typing import Final, NamedTuple

import polars as pl

from queries import cells, tally
from queries.counting import Table, counted

SUMS: Final = (
    *("covered", "failing_trials", "failures", "failures_ungraded"),
    *("unfinished_trials", "unfinished_failures", "errored_criteria", "stopped_trials"),
)
COLUMNS: Final = (
    *("trials", "graded", "covered", "failing_trials", "failures"),
    *("rate", "low", "high", "failure_rate"),
    *("ungraded", "ungraded_relevant", "outcomes", "errored_criteria", "failures_ungraded"),
    *("unfinished_trials", "unfinished_failures", "stopped_trials"),
    *cells.INTERVALS,
)

Spread = Callable[[pl.LazyFrame], pl.LazyFrame]


class Counts(NamedTuple):
    """Everything the table adds up, per run, item and place (what failures are counted by)."""

    runs: pl.LazyFrame
    rows: pl.LazyFrame
    """Rows that exist whatever came out: ``run, item, place, measured``; item null: of the run."""
    sums: pl.LazyFrame
    """:data:`SUMS` and ``demanding``: ungraded trials of items that demand something of it."""
    outcomes: pl.LazyFrame
    """Trials per (run, item, outcome)."""
    passes: pl.LazyFrame
    """As :func:`cells.passes` gives them."""


def count(
    runs: pl.LazyFrame,
    trials: Table,
    checks: Table,
    labels: cells.Labels,
    always: pl.LazyFrame,
    stops: pl.LazyFrame,
) -> Counts:
    """Count what criteria came to, by the places of ``labels``.

    Args:
        runs: Rows of the view ``run``.
        trials: Rows of the table ``trial``.
        checks: Rows of the table ``check``.
        labels: The place of each definition.
        always: Places each run has whatever came out: ``run, place, measured``.
        stops: Stopped trials and errored criteria per (run, item, place).
    """
    verdicts = cells.verdicts(trials, checks, labels)
    demands = labels.places.select("run", "item", "place").unique()
    open_ = demands.join(
        counted(tally.ungraded, trials).rename({"ungraded": "demanding"}), on=["run", "item"]
    )
    outcomes = counted(tally.outcomes_by_item, trials)
    everywhere = pl.concat(
        [
            always.with_columns(item=pl.lit(None, pl.String)),
            always.join(outcomes.select("run", "item").unique(), on="run"),
            demands.with_columns(measured=True).select("run", "place", "measured", "item"),
        ],
        how="diagonal",
    )
    return Counts(
        runs.select("run", "format"),
        everywhere.select("run", "item", "place", "measured"),
        pl.concat([verdicts.drop("variants"), stops, open_], how="diagonal"),
        outcomes,
        cells.passes(runs, trials, verdicts, labels),
    )


def table(
    counts: Counts, extra: tuple[str, ...] = (), spread: Spread | None = None
) -> pl.LazyFrame:
    """Return one row per (run, *extra, place): counts, the rate, its bounds and its intervals.

    Args:
        counts: What to add up.
        extra: Key columns between run and place.
        spread: Adds those columns to rows of an item that lack them, a row more than once when it
            belongs to several keys.
    """
    spread = spread or (lambda frame: frame)
    group = ("run", *extra)
    key = (*group, "place")
    sums = pl.concat([spread(counts.rows), spread(counts.sums)], how="diagonal")
    if extra:
        sums = sums.filter(pl.col("item").is_not_null())
    added = sums.group_by(key).agg(
        pl.col(*SUMS, "demanding").sum(), pl.col("measured").any().fill_null(value=False)
    )
    shapes = cells.shape(spread(counts.passes), key)
    complete = (
        added.join(counts.runs, on="run")
        .join(_totals(spread(counts.outcomes), group), on=list(group), how="left")
        .join(shapes, on=list(key), how="left")
    )
    return cells.with_intervals(_rates(complete)).select(*key, *COLUMNS)


def _totals(outcomes: pl.LazyFrame, group: tuple[str, ...]) -> pl.LazyFrame:
    """Return trials, graded and the outcomes of the ungraded per key."""
    graded = pl.col("outcome").is_in(["passed", "failed"])
    outcome = pl.struct("outcome", "trials")
    return (
        outcomes.group_by(*group, "outcome")
        .agg(pl.col("trials").sum())
        .group_by(group)
        .agg(
            pl.col("trials").sum(),
            pl.col("trials").filter(graded).sum().alias("graded"),
            outcome.filter(~graded).sort_by(pl.col("outcome").filter(~graded)).alias("outcomes"),
        )
    )


def _rates(counts: pl.LazyFrame) -> pl.LazyFrame:
    """Fill absent counts with zero and divide, once."""
    known = pl.col("format") == "evaluation-report"
    zeros = pl.col("trials", "graded", "demanding", *SUMS).fill_null(0)
    denominator = pl.when(known).then("covered").when("measured").then("graded")
    missing = pl.when(known).then("demanding").when("measured").then("ungraded").otherwise(0)
    passing = pl.col("denominator") - pl.col("failing_trials")
    every = pl.col("denominator") + pl.col("ungraded_relevant")
    return (
        counts.with_columns(zeros, pl.col("outcomes").fill_null([]))
        .with_columns(ungraded=pl.col("trials") - pl.col("graded"))
        .with_columns(
            denominator=denominator,
            ungraded_relevant=missing,
            covered=pl.when(known).then("covered"),
        )
        .with_columns(
            rate=share(passing, pl.col("denominator")),
            low=share(passing, every),
            high=share(passing + pl.col("ungraded_relevant"), every),
            failure_rate=share(pl.col("failing_trials"), pl.col("trials")),
        )
    )


def share(part: pl.Expr, whole: pl.Expr) -> pl.Expr:
    """Divide two counts; nothing of nothing is unknown."""
    return pl.when(whole > 0).then(part / whole)
