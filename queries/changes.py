"""What changed between two sides, cell by cell, and whether the change is larger than noise."""

from typing import Final, NamedTuple

import polars as pl

from queries import categories as rules
from queries import pair_tally
from queries.counting import counted
from queries.pairing import Tables
from queries.reliability import JUDGE_CRITERIA

_CELL: Final = ["item", "variants"]
_KINDS: Final = (
    "added",
    "derived_input",
    "deterministic_regression",
    "deterministic_improvement",
    "judge_drift",
    "removed",
)
_CHANGE: Final = (
    *("item", "variants", "kind", "before", "after", "before_of", "after_of"),
    *("newly_failing", "categories", "criterion", "parts", "noise"),
)
CLOSE: Final = 1e-12
"""Differences of rates that are equal as fractions may differ by this much as numbers."""


class Tolerances(NamedTuple):
    """How much movement is no change."""

    pass_rate: float = 0.0
    judge_score: float = 0.25


def changes(
    tables: Tables,
    sides: pl.LazyFrame,
    pairs: pl.LazyFrame,
    rulebook: rules.RuleBook,
    tolerances: Tolerances,
    floor: pl.LazyFrame | None,
) -> pl.LazyFrame:
    """Return one row per change of a cell: added, removed, other input, better, worse, drifted.

    Args:
        tables: Rows of the store.
        sides: ``run, side``.
        pairs: Rows of ``pairing.pairs``.
        rulebook: Rules in force.
        tolerances: Movements up to this much are no change.
        floor: The row of ``noise.floor`` of a control pair; without it noise is unmeasured.

    Returns:
        ``item, variants, kind, before, after, before_of, after_of, newly_failing, categories,
        criterion, parts, noise``; what a kind does not have is null. ``before_of`` and ``after_of``
        are the trials that a rate or a score is over.
    """
    compared = pairs.filter(pl.col("state") == "compared")
    rows = pl.concat(
        [
            _came_and_went(pairs),
            _derived(compared),
            _moved(tables, sides, compared, rulebook, tolerances.pass_rate),
            _drifted(tables, sides, compared, tolerances.judge_score),
        ],
        how="diagonal",
    )
    kind = pl.Enum(_KINDS)
    criterion = pl.col("criterion").replace_strict(
        {name: place for place, name in enumerate(JUDGE_CRITERIA)},
        default=len(JUDGE_CRITERIA),
        return_dtype=pl.Int64,
    )
    return (
        _weighed(rows, floor)
        .sort("position", *_CELL, pl.col("kind").cast(kind), criterion, "criterion")
        .select(_CHANGE)
    )


def judged(tables: Tables, sides: pl.LazyFrame) -> pl.LazyFrame:
    """Return the mean judge score of either side, per (cell, judge criterion) that both scored.

    ``before_of`` and ``after_of`` are the trials with a score.
    """
    return (
        counted(pair_tally.scores, tables.votes, tables.trials, sides)
        .filter((pl.col("base_scored") > 0) & (pl.col("current_scored") > 0))
        .select(
            *_CELL,
            "criterion",
            before=pl.col("base_score") / pl.col("base_scored"),
            after=pl.col("current_score") / pl.col("current_scored"),
            before_of="base_scored",
            after_of="current_scored",
        )
        .sort(*_CELL, "criterion")
    )


def _came_and_went(pairs: pl.LazyFrame) -> pl.LazyFrame:
    return pairs.filter(pl.col("state").is_in(["added", "removed"])).select(
        *_CELL,
        "position",
        *("before", "after"),
        *_over(),
        kind="state",
    )


def _over() -> list[pl.Expr]:
    """The trials a cell's rate is over on either side; null where it has none."""
    return [
        pl.when(pl.col(value).is_not_null())
        .then(pl.when("all_trials").then(f"{side}_trials").otherwise(f"{side}_graded"))
        .alias(f"{value}_of")
        for side, value in zip(pair_tally.SIDES, ("before", "after"), strict=True)
    ]


def _derived(compared: pl.LazyFrame) -> pl.LazyFrame:
    return compared.filter(pl.col("derived").list.len() > 0).select(
        *_CELL, "position", pl.lit("derived_input").alias("kind"), parts="derived"
    )


def _moved(
    tables: Tables,
    sides: pl.LazyFrame,
    compared: pl.LazyFrame,
    rulebook: rules.RuleBook,
    tolerance: float,
) -> pl.LazyFrame:
    delta = pl.col("after") - pl.col("before")
    fell = delta < 0
    worse, better = pl.lit("deterministic_regression"), pl.lit("deterministic_improvement")
    moved = compared.filter(delta.abs() > tolerance + CLOSE).select(
        *(*_CELL, "position", "before", "after"),
        *_over(),
        kind=pl.when(fell).then(worse).otherwise(better),
    )
    known = pl.when(pl.col("kind") == "deterministic_regression")
    return moved.join(_newly_failing(tables, sides, rulebook), on=_CELL, how="left").with_columns(
        known.then(pl.col(column).fill_null([])).alias(column)
        for column in ("newly_failing", "categories")
    )


def _newly_failing(tables: Tables, sides: pl.LazyFrame, rulebook: rules.RuleBook) -> pl.LazyFrame:
    """Per cell: the criteria that fail on the current side and never did on the base, and kinds."""
    failed = counted(
        pair_tally.failing, tables.checks, tables.trials, sides, _names(tables, rulebook)
    )
    return (
        failed.group_by(*_CELL, "name")
        .agg(pl.col("base_failed", "current_failed").sum(), pl.col("category").unique())
        .filter((pl.col("base_failed") == 0) & (pl.col("current_failed") > 0))
        .group_by(_CELL)
        .agg(
            pl.col("name").sort().alias("newly_failing"),
            pl.col("category").list.explode().unique().sort().alias("categories"),
        )
    )


def _names(tables: Tables, rulebook: rules.RuleBook) -> pl.LazyFrame:
    """Name every criterion as its report does: the expectation, or the step and the id."""
    assigned = rules.assign(tables.definitions, tables.items, tables.runs, rulebook)
    stepped = pl.concat_str("step", "criterion", separator="/")
    return (
        tables.definitions.filter((pl.col("position") == 0) & (pl.col("scope") != "run"))
        .join(assigned, on=["run", "definition"], how="left")
        .select(
            "definition",
            pl.coalesce("expectation", stepped, "criterion").alias("name"),
            pl.col("category").fill_null(rules.UNMAPPED),
        )
    )


def _drifted(
    tables: Tables, sides: pl.LazyFrame, compared: pl.LazyFrame, tolerance: float
) -> pl.LazyFrame:
    delta = (pl.col("after") - pl.col("before")).abs()
    return (
        judged(tables, sides)
        .filter(delta > tolerance + CLOSE)
        .join(compared.select(*_CELL, "position"), on=_CELL)
        .with_columns(kind=pl.lit("judge_drift"))
    )


def _weighed(rows: pl.LazyFrame, floor: pl.LazyFrame | None) -> pl.LazyFrame:
    """Say of every movement whether the unchanged system moved as much; unmeasured without one."""
    unmeasured = pl.lit("unmeasured")
    if floor is None:
        return rows.with_columns(noise=unmeasured)
    limit = (
        pl.when(pl.col("kind") == "judge_drift")
        .then("judge_score")
        .when(pl.col("kind").str.starts_with("deterministic"))
        .then("pass_rate")
    )
    delta = (pl.col("after") - pl.col("before")).abs()
    verdict = (
        pl.when(limit.is_null())
        .then(unmeasured)
        .when(delta <= limit + CLOSE)
        .then(pl.lit("within_noise"))
        .otherwise(pl.lit("exceeds_noise"))
    )
    return rows.join(floor.select("pass_rate", "judge_score"), how="cross").with_columns(
        noise=verdict
    )
