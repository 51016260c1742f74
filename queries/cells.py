"""How often each cell passed in each category: what every statistic of a category starts from.

A cell is an item with its variants. Statistics need few numbers of it: how many of its trials were
graded and how many of those passed.
"""

from functools import partial
from typing import Final, NamedTuple

import polars as pl

from queries import intervals, tally
from queries.counting import Table, counted, in_order

CELL: Final = ("run", "item", "variants")
_SHAPE: Final = (
    *("cells", "cell_inverse", "fewest", "most", "graded_passed", "graded_all"),
    *("items", "squares", "within"),
)


class Labels(NamedTuple):
    """What failures are counted by: categories, or the words a format has of its own.

    ``places`` numbers the label of each definition: ``run, definition, item, place``. ``rest``
    is the place of criteria whose definition has none. ``measured`` lists what has a rate in runs
    that record failures only: ``run, place``.
    """

    places: pl.LazyFrame
    measured: pl.LazyFrame
    rest: int


def verdicts(trials: Table, checks: Table, labels: Labels) -> pl.LazyFrame:
    """Return what the criteria of each (run, place, item, variants) came to."""
    places = labels.places.select("definition", "place")
    return counted(partial(tally.verdicts, rest=labels.rest), checks, trials, places)


def passes(
    runs: pl.LazyFrame, trials: Table, verdicts: pl.LazyFrame, labels: Labels
) -> pl.LazyFrame:
    """Return per (run, place, item, variants) how many trials were graded and how many passed.

    Graded are the trials that evaluated a criterion of this place, where the format says which;
    else all graded ones. Cells without any are left out.
    """
    known = runs.filter(pl.col("format") == "evaluation-report").select("run")
    failing = verdicts.select(*CELL, "place", "covered", "failing_trials")
    covered = failing.join(known, on="run", how="semi").rename({"covered": "graded"})
    cells = counted(tally.cells, trials).select(*CELL, graded="measured")
    others = (
        labels.measured.join(known, on="run", how="anti")
        .join(cells, on="run")
        .join(failing.drop("covered"), on=[*CELL, "place"], how="left")
    )
    columns = [*CELL, "place", "graded", pl.col("failing_trials").fill_null(0)]
    return (
        pl.concat([covered.select(columns), others.select(columns)])
        .filter(pl.col("graded") > 0)
        .select(*CELL, "place", "graded", passed=pl.col("graded") - pl.col("failing_trials"))
    )


def by_repetitions(passes: pl.LazyFrame, key: tuple[str, ...]) -> pl.LazyFrame:
    """Return cells by ``graded``: how many, their passes, and the sum of passed times failed.

    Sums of integers, so that what is divided by a power of ``graded`` is divided once for all
    cells of as many repetitions.
    """
    failed = pl.col("graded") - pl.col("passed")
    return passes.group_by(*key, "graded").agg(
        pl.len().cast(pl.Int64).alias("cells"),
        pl.col("passed").sum(),
        (pl.col("passed") * failed).sum().alias("mixed"),
        (pl.col("graded") == pl.col("passed")).sum().cast(pl.Int64).alias("always"),
        (pl.col("passed") == 0).sum().cast(pl.Int64).alias("never"),
    )


def added(term: pl.Expr) -> pl.Expr:
    """Add up quotients, one for each number of repetitions, always in the same order."""
    return in_order(term, "graded")


def shape(passes: pl.LazyFrame, key: tuple[str, ...]) -> pl.LazyFrame:
    """Return what the intervals of each key need, of its cells and of its items."""
    graded, cells = pl.col("graded"), pl.col("cells")
    of_cells = (
        by_repetitions(passes, key)
        .group_by(key)
        .agg(
            cells.sum(),
            added(cells / graded).alias("cell_inverse"),
            graded.min().alias("fewest"),
            graded.max().alias("most"),
            pl.col("passed").sum().alias("graded_passed"),
            (graded * cells).sum().alias("graded_all"),
        )
    )
    per_item = tuple(dict.fromkeys((*key, "item")))
    items = passes.group_by(per_item).agg(graded.sum(), pl.col("passed").sum())
    of_items = (
        by_repetitions(items, key)
        .group_by(key)
        .agg(
            cells.sum().alias("items"),
            (graded * graded * cells).sum().alias("squares"),
            added(pl.col("mixed") / graded).alias("within"),
        )
    )
    return of_cells.join(of_items, on=list(key), how="left").select(*key, *_SHAPE)


INTERVALS: Final = (
    *("items", "cells", "repetitions_least", "repetitions_most"),
    *("again_size", "again_low", "again_high"),
    *("items_correlation", "items_size", "items_low", "items_high"),
)


def with_intervals(frame: pl.LazyFrame) -> pl.LazyFrame:
    """Turn the columns of :func:`shape` into the two intervals of the rate, and their sizes.

    ``again`` asks what these items would give if run again, ``items`` what other items like these
    would. Both are about passed of graded, the rate that is printed.
    """
    total, passed, items = pl.col("graded_all"), pl.col("graded_passed"), pl.col("items")
    rate = passed / total
    again_size = pl.col("cells").cast(pl.Float64).pow(2) / pl.col("cell_inverse")
    correlation = intervals.correlation(pl.col("within"), total, passed, items)
    alike = intervals.assumed(pl.col("items_correlation"), items)
    several = pl.when(items > 1)
    again = intervals.wilson(rate, pl.col("again_size"))
    other = intervals.wilson(rate, pl.col("items_size"), intervals.t_of(items))
    zero = pl.col("items", "cells").fill_null(0)
    return (
        frame.with_columns(
            zero,
            repetitions_least="fewest",
            repetitions_most="most",
            again_size=again_size,
            items_correlation=several.then(correlation),
        )
        .with_columns(
            items_size=several.then(intervals.effective(total, pl.col("squares"), alike)),
        )
        .with_columns(
            again_low=again[0], again_high=again[1], items_low=other[0], items_high=other[1]
        )
        .drop(set(_SHAPE) - {"items", "cells"})
    )
