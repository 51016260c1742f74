"""Two sides compared: what may be said at all, then category by category on the same cells.

A side is a set of runs of one suite. Nothing is pooled over categories or cells, and where too much
of the suite cannot be paired no figure is given at all.
"""

from collections.abc import Iterable
from typing import Any, Final, get_args, get_type_hints

import polars as pl

from queries import categories as rules
from queries import difference, intervals, pair_tally, paired_tests
from queries.counting import counted
from queries.pairing import Tables

MAX_EXCLUDED_SHARE: Final = 0.1
LEVEL: Final = 0.05
SHARED: Final = ("format", "version", "dialect", "suite")
"""What the runs of both sides must have in common."""

_CELL: Final = ["item", "variants"]
_STRATUM: Final = paired_tests.Stratum._fields
_DTYPES: Final = {int: pl.Int64(), float: pl.Float64(), str: pl.String()}


def obstacle(runs: Iterable[dict[str, Any]]) -> str | None:
    """Return why these runs cannot be compared with each other; None when they can."""
    rows = list(runs)
    for column in SHARED:
        found = {row[column] for row in rows}
        if len(found) > 1:
            listed = ", ".join(sorted("none" if value is None else str(value) for value in found))
            return f"they differ in {column}: {listed}"
    return None


def headline(pairs: pl.LazyFrame, max_excluded_share: float = MAX_EXCLUDED_SHARE) -> pl.LazyFrame:
    """Return the one row that says how much was compared and how often either side passed.

    Args:
        pairs: Rows of ``pairing.pairs``.
        max_excluded_share: Above this share of excluded cells there is no figure, only a reason.

    Returns:
        ``compared, excluded, excluded_share, unverified, added, removed, withheld, reason``, counts
        of both sides over the compared cells, ``baseline, current, delta``.
    """
    state = {name: pl.col("state") == name for name in ("compared", "excluded", "added", "removed")}
    compared = state["compared"]
    counts = pairs.select(
        *(held.sum().cast(pl.Int64).alias(name) for name, held in state.items()),
        *(
            pl.col(f"{side}_{name}").filter(compared).sum()
            for side in pair_tally.SIDES
            for name in ("trials", "graded", "passed")
        ),
        unverified=pl.col("unverified").sum().cast(pl.Int64),
        all_trials=pl.col("all_trials").any(),
    )
    both = pl.col("compared") + pl.col("excluded")
    return (
        counts.with_columns(excluded_share=pl.when(both > 0).then(pl.col("excluded") / both))
        .with_columns(reason=_reason(max_excluded_share))
        .with_columns(withheld=pl.col("reason").is_not_null())
        .with_columns(baseline=_rate("base"), current=_rate("current"))
        .select(
            *("compared", "excluded", pl.col("excluded_share").fill_null(0.0), "unverified"),
            *("added", "removed", "withheld", "reason"),
            *(f"base_{name}" for name in ("trials", "graded", "passed")),
            *(f"current_{name}" for name in ("trials", "graded", "passed")),
            *("baseline", "current"),
            delta=pl.col("current") - pl.col("baseline"),
        )
    )


def _reason(ceiling: float) -> pl.Expr:
    compared, excluded = pl.col("compared"), pl.col("excluded")
    both = compared + excluded
    percent = (100 * pl.col("excluded_share")).round(1)
    return (
        pl.when(both == 0)
        .then(pl.lit("no item is on both sides: there is nothing to compare"))
        .when(compared == 0)
        .then(pl.format("all {} paired cells are excluded: nothing is left to compare", excluded))
        .when(pl.col("excluded_share") > ceiling)
        .then(
            pl.format(
                "{} of {} paired cells ({} %) are excluded, more than the {} % allowed: a figure "
                "over the rest would look like one of the whole suite",
                *(excluded, both, percent, pl.lit(f"{100 * ceiling:g}")),
            )
        )
    )


def _rate(side: str) -> pl.Expr:
    whole = pl.when("all_trials").then(f"{side}_trials").otherwise(f"{side}_graded")
    return pl.when(~pl.col("withheld") & (whole > 0)).then(pl.col(f"{side}_passed") / whole)


def categories(
    tables: Tables, sides: pl.LazyFrame, pairs: pl.LazyFrame, rulebook: rules.RuleBook
) -> pl.LazyFrame:
    """Return one row per category: the difference on the same cells, with its interval and test.

    Only compared cells that measured the category on both sides enter; ``unmeasured_cells`` counts
    the compared cells that did so on one side only.

    Returns:
        ``category`` and the columns of ``difference.Difference``: rates are means over cells,
        ``items_low`` and ``items_high`` the interval for other cells like these; then
        ``again_low`` and ``again_high``, that for these cells run again, ``base_low`` to
        ``current_high`` the same of either side's own rate, and ``unmeasured_cells``.
    """
    rows = cells(tables, sides, pairs, rulebook)
    measured = (pl.col("base_trials") > 0) & (pl.col("current_trials") > 0)
    strata = (
        pair_tally.tables(rows.filter(measured))
        .sort("category", *_STRATUM)
        .group_by("category", maintain_order=True)
        .agg(pl.struct(_STRATUM).alias("strata"))
    )
    figures = pl.col("strata").map_batches(_measured, return_dtype=_difference_type())
    unmeasured = (
        rows.filter(~measured)
        .group_by("category")
        .agg(pl.len().cast(pl.Int64).alias("unmeasured_cells"))
    )
    low, high = paired_tests.newcombe(
        *(pl.col(name) for name in ("base_rate", "base_size", "current_rate", "current_size"))
    )
    own = {
        side: intervals.wilson(pl.col(f"{side}_rate"), pl.col(f"{side}_size"))
        for side in pair_tally.SIDES
    }
    return (
        strata.select("category", figures.alias("figures"))
        .unnest("figures")
        .with_columns(
            *(pair[0].alias(f"{side}_low") for side, pair in own.items()),
            *(pair[1].alias(f"{side}_high") for side, pair in own.items()),
            again_low=low,
            again_high=high,
        )
        .join(unmeasured, on="category", how="left")
        .with_columns(pl.col("unmeasured_cells").fill_null(0))
        .sort("category")
    )


def on_one_page(categories: pl.LazyFrame, headline: pl.LazyFrame) -> pl.LazyFrame:
    """Add what depends on all categories shown together: ``tests``, ``p_holm`` and ``verdict``.

    ``p_holm`` is p adjusted for the number of tests made. ``verdict`` is better or worse where it
    is below 5 % and the interval excludes zero, else ``cannot say``. Where the headline is withheld
    there is no category either.
    """
    adjusted = pl.col("p").map_batches(
        lambda values: pl.Series(paired_tests.holm(values.to_list()), dtype=pl.Float64),
        return_dtype=pl.Float64,
    )
    found = pl.col("p_holm") < LEVEL
    verdict = (
        pl.when(found & (pl.col("again_low") > 0))
        .then(pl.lit("better"))
        .when(found & (pl.col("again_high") < 0))
        .then(pl.lit("worse"))
        .otherwise(pl.lit("cannot say"))
    )
    return (
        categories.join(headline.filter(~pl.col("withheld")).select("withheld"), how="cross")
        .drop("withheld")
        .sort("category")
        .with_columns(p_holm=adjusted, tests=pl.col("p").count().cast(pl.Int64))
        .with_columns(verdict=verdict)
    )


def cells(
    tables: Tables, sides: pl.LazyFrame, pairs: pl.LazyFrame, rulebook: rules.RuleBook
) -> pl.LazyFrame:
    """Return per (category, compared cell) the trials that measured it and those that passed.

    Trials and passes of either side; cells that measured a category on neither are left out.
    """
    assigned = rules.assign(tables.definitions, tables.items, tables.runs, rulebook)
    failing = counted(
        pair_tally.categories,
        tables.checks,
        tables.trials,
        sides,
        assigned.select("definition", "category"),
    )
    compared = pairs.filter(pl.col("state") == "compared").select(
        *_CELL, "base_graded", "current_graded"
    )
    known = tables.runs.select(known=(pl.col("format") == "evaluation-report").all())
    every = compared.join(_always(tables.runs, failing), how="cross")
    rows = every.join(failing, on=["category", *_CELL], how="left").join(known, how="cross")
    whole = {
        side: pl.when("known").then(f"{side}_covered").otherwise(f"{side}_graded").fill_null(0)
        for side in pair_tally.SIDES
    }
    return (
        rows.select(
            *("category", *_CELL),
            *(column.alias(f"{side}_trials") for side, column in whole.items()),
            *(
                (column - pl.col(f"{side}_failing").fill_null(0)).alias(f"{side}_passed")
                for side, column in whole.items()
            ),
        )
        .filter((pl.col("base_trials") > 0) | (pl.col("current_trials") > 0))
        .sort("category", *_CELL)
    )


def _always(runs: pl.LazyFrame, failing: pl.LazyFrame) -> pl.LazyFrame:
    """Return the categories that occur, and those this format reports whether or not they do."""
    recorded = pl.LazyFrame(
        [(form, name) for form, names in rules.RECORDED.items() for name in names],
        schema={"format": pl.String, "category": pl.String},
        orient="row",
    )
    fixed = runs.select("format").unique().join(recorded, on="format").select("category")
    return pl.concat([fixed, failing.select("category")]).unique()


def _measured(strata: pl.Series) -> pl.Series:
    figures = [
        difference.measure([paired_tests.Stratum(**row) for row in rows])._asdict()
        for rows in strata.to_list()
    ]
    return pl.Series(strata.name, figures, dtype=_difference_type())


def _difference_type() -> pl.Struct:
    """Return the type of a row of figures, from the declaration of its members."""
    return pl.Struct(
        {
            name: next(dtype for kind, dtype in _DTYPES.items() if kind in (hint, *get_args(hint)))
            for name, hint in get_type_hints(difference.Difference).items()
        }
    )
