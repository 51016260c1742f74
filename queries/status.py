"""In one word, what became of each cell of a comparison, and whether it wavers."""

from typing import Final

import polars as pl

from queries import pair_tally
from queries.changes import CLOSE

WORDS: Final = (
    *("regressed", "fixed", "improved", "still failing", "same"),
    *("new", "gone", "not comparable"),
)
"""What can be said of a cell; beside it a cell may be unstable on either side."""

_CELL: Final = ["item", "variants"]
_COUNTS: Final = tuple(
    f"{side}_{name}" for side in pair_tally.SIDES for name in ("trials", "graded", "passed")
)


def of_cells(pairs: pl.LazyFrame) -> pl.LazyFrame:
    """Return one row per (item, variants) with its word.

    ``fixed`` is a cell that did not pass every time and now does, ``improved`` one that passes more
    often but not always, ``still failing`` one that fails as often as before. Excluded cells and
    those without a measured trial on a side are ``not comparable``. Unstable is a side that graded
    passed and failed repetitions; ``instability`` adds up passed times failed over the square of
    the graded, of both sides.

    Args:
        pairs: Rows of ``pairing.pairs``, or of :func:`in_category`.

    Returns:
        ``item, variants, word, movement, base_unstable, current_unstable, instability``, the counts
        and rates of both sides, ``state, unverified, position``.
    """
    movement = pl.col("after") - pl.col("before")
    wavering = {side: _waver(side) for side in pair_tally.SIDES}
    return (
        pairs.with_columns(movement=movement)
        .with_columns(
            word=_word(),
            instability=pl.sum_horizontal(wavering.values()),
            **{f"{side}_unstable": value > 0 for side, value in wavering.items()},
        )
        .select(
            *_CELL,
            *("word", "movement", "base_unstable", "current_unstable", "instability"),
            *(*_COUNTS, "before", "after", "state", "unverified", "position"),
        )
        .sort("position", *_CELL)
    )


def in_category(pairs: pl.LazyFrame, cells: pl.LazyFrame, category: str) -> pl.LazyFrame:
    """Return the compared pairs that measured a category, counted by that category alone.

    Args:
        pairs: Rows of ``pairing.pairs``.
        cells: Rows of ``comparison.cells``.
        category: The category that counts.
    """
    measured = {
        f"{side}_{name}": name for side in pair_tally.SIDES for name in ("trials", "passed")
    }
    own = cells.filter(pl.col("category") == category).select(*_CELL, *measured)
    return (
        pairs.drop(*_COUNTS, "before", "after")
        .join(own, on=_CELL)
        .with_columns(
            *(pl.col(f"{side}_trials").alias(f"{side}_graded") for side in pair_tally.SIDES),
            *(
                pl.when(pl.col(f"{side}_trials") > 0)
                .then(pl.col(f"{side}_passed") / pl.col(f"{side}_trials"))
                .alias(name)
                for side, name in zip(pair_tally.SIDES, ("before", "after"), strict=True)
            ),
        )
    )


def _word() -> pl.Expr:
    movement, state = pl.col("movement"), pl.col("state")
    return (
        pl.when(state == "added")
        .then(pl.lit("new"))
        .when(state == "removed")
        .then(pl.lit("gone"))
        .when((state == "excluded") | movement.is_null())
        .then(pl.lit("not comparable"))
        .when(movement < -CLOSE)
        .then(pl.lit("regressed"))
        .when((movement > CLOSE) & (pl.col("after") >= 1))
        .then(pl.lit("fixed"))
        .when(movement > CLOSE)
        .then(pl.lit("improved"))
        .when(pl.col("after") < 1)
        .then(pl.lit("still failing"))
        .otherwise(pl.lit("same"))
    )


def _waver(side: str) -> pl.Expr:
    passed, graded = pl.col(f"{side}_passed"), pl.col(f"{side}_graded")
    failed = graded - passed
    return pl.when(graded > 0).then(passed * failed / (graded * graded)).otherwise(0.0)


SORTS: Final = ("change", "regression", "improvement", "instability", "name")


def ranked(cells: pl.LazyFrame, sort: str) -> pl.LazyFrame:
    """Return one row per cell over several comparisons with one baseline, the wanted first.

    Args:
        cells: Rows of :func:`of_cells` of each comparison.
        sort: One of ``SORTS``; ``change`` puts regressions first, then improvements, then what
            wavers.

    Returns:
        ``item, variants, words, unstable``: everything that a comparison says of the cell.
    """
    fell, rose = pl.col("lowest") < -CLOSE, pl.col("highest") > CLOSE
    order = {
        "change": pl.when(fell)
        .then(pl.col("lowest") - 2)
        .when(rose)
        .then(-1 - pl.col("highest"))
        .otherwise(-pl.col("instability")),
        "regression": pl.col("lowest"),
        "improvement": -pl.col("highest"),
        "instability": -pl.col("instability"),
        "name": pl.lit(0),
    }[sort]
    unstable = pl.col("base_unstable") | pl.col("current_unstable")
    ranks = (
        cells.group_by(_CELL)
        .agg(
            pl.col("word").unique().sort().alias("words"),
            unstable.any().alias("unstable"),
            pl.col("movement").min().fill_null(0).alias("lowest"),
            pl.col("movement").max().fill_null(0).alias("highest"),
            pl.col("instability").max(),
            pl.col("position").min(),
        )
        .with_columns(rank=order, place=pl.lit(0) if sort == "name" else pl.col("position"))
    )
    return ranks.sort("rank", "place", *_CELL).select(*_CELL, "words", "unstable")
