"""The counts behind a comparison: base and current side by side, per cell of a suite.

As in ``tally``: written once against narwhals' lazy API, integers only. ``sides`` says which runs
stand on which side; a run may stand on both.
"""

from typing import Final

import narwhals as nw
from narwhals.typing import IntoLazyFrameT

from queries import opinions
from queries.categories import UNMAPPED
from queries.counting import flag, is_root, totals

SIDES: Final = ("base", "current")
_CELL: Final = ("item", "variants")


def _per_side(**counted: nw.Expr) -> list[nw.Expr]:
    """Each count once for the base and once for the current rows."""
    return [
        nw.when(nw.col("side") == side)
        .then(expression)
        .otherwise(nw.lit(0))
        .cast(nw.Int64)
        .alias(f"{side}_{name}")
        for side in SIDES
        for name, expression in counted.items()
    ]


def _sums(*names: str) -> list[nw.Expr]:
    return totals(*(f"{side}_{name}" for side in SIDES for name in names))


def cells(trials: IntoLazyFrameT, sides: IntoLazyFrameT) -> IntoLazyFrameT:
    """Per cell: trials, graded and passed of either side."""
    counted = _placed(trials, sides, "graded", "outcome").select(
        *_CELL,
        *_per_side(
            trials=nw.lit(1),
            graded=flag(nw.col("graded")),
            passed=flag(nw.col("outcome") == "passed"),
        ),
    )
    return counted.group_by(*_CELL).agg(*_sums("trials", "graded", "passed")).to_native()


def bounds(trials: IntoLazyFrameT) -> IntoLazyFrameT:
    """The bounds that trials of each (run, item) ran under, as written."""
    frame = nw.from_native(trials).filter(~nw.col("bounds").is_null())
    key = ("run", "item", "bounds")
    return frame.group_by(*key).agg(nw.len().cast(nw.Int64).alias("trials")).to_native()


def failing(
    checks: IntoLazyFrameT,
    trials: IntoLazyFrameT,
    sides: IntoLazyFrameT,
    names: IntoLazyFrameT,
) -> IntoLazyFrameT:
    """Per (cell, criterion, category): trials of either side that failed it, graded or not.

    Args:
        checks: Rows of the table ``check``.
        trials: Rows of the table ``trial``.
        sides: ``run, side``.
        names: Per ``definition`` what people call the criterion, and its ``category``.
    """
    key = (*_CELL, "name", "category")
    failed = (
        _evaluated(checks)
        .filter(~nw.col("passed"))
        .group_by("trial", "definition")
        .agg(nw.len())
        .select("trial", "definition")
    )
    return (
        failed.join(nw.from_native(names), on="definition")
        .join(_placed(trials, sides), on="trial")
        .select(*key, *_per_side(failed=nw.lit(1)))
        .group_by(*key)
        .agg(*_sums("failed"))
        .to_native()
    )


def categories(
    checks: IntoLazyFrameT,
    trials: IntoLazyFrameT,
    sides: IntoLazyFrameT,
    assigned: IntoLazyFrameT,
) -> IntoLazyFrameT:
    """Per (category, cell): graded trials of either side that were covered, and that failed.

    Args:
        checks: Rows of the table ``check``.
        trials: Rows of the table ``trial``.
        sides: ``run, side``.
        assigned: Category of each ``definition``; a criterion without one is unmapped.
    """
    key = ("category", *_CELL)
    named = nw.from_native(assigned).select("definition", "category")
    per_trial = (
        _evaluated(checks)
        .filter(nw.col("graded"))
        .select("trial", "definition", flag(~nw.col("passed")).cast(nw.Int8).alias("failed"))
        .join(named, on="definition", how="left")
        .with_columns(nw.col("category").fill_null(UNMAPPED))
        .group_by("trial", "category")
        .agg(nw.col("failed").max())
    )
    return (
        per_trial.join(_placed(trials, sides), on="trial")
        .select(*key, *_per_side(covered=nw.lit(1), failing=nw.col("failed")))
        .group_by(*key)
        .agg(*_sums("covered", "failing"))
        .to_native()
    )


def scores(votes: IntoLazyFrameT, trials: IntoLazyFrameT, sides: IntoLazyFrameT) -> IntoLazyFrameT:
    """Per (cell, judge criterion): scored trials of either side and the sum of their majorities.

    Args:
        votes: Rows of the table ``vote``.
        trials: Rows of the table ``trial``.
        sides: ``run, side``.
    """
    key = (*_CELL, "criterion")
    majority = nw.col("majority")
    return (
        nw.from_native(opinions.judgements(votes))
        .filter(~majority.is_null())
        .select("trial", "criterion", "majority")
        .join(_placed(trials, sides), on="trial")
        .select(*key, *_per_side(scored=nw.lit(1), score=majority))
        .group_by(*key)
        .agg(*_sums("scored", "score"))
        .to_native()
    )


def tables(cells: IntoLazyFrameT) -> IntoLazyFrameT:
    """Per (category, passed and measured trials of either side): how many cells look like that.

    A category of a million cells becomes a few dozen rows here, and every statistic about paired
    cells is a function of them.
    """
    key = ("category", "base_passed", "base_trials", "current_passed", "current_trials")
    grouped = nw.from_native(cells).group_by(*key)
    return grouped.agg(nw.len().cast(nw.Int64).alias("cells")).to_native()


def _placed(
    trials: IntoLazyFrameT, sides: IntoLazyFrameT, *columns: str
) -> nw.LazyFrame[IntoLazyFrameT]:
    """The trials of both sides, each with its cell and the side it stands on."""
    frame: nw.LazyFrame[IntoLazyFrameT] = nw.from_native(trials)
    placed = frame.join(nw.from_native(sides).select("run", "side"), on="run")
    return placed.select("trial", "side", *_CELL, *columns)


def _evaluated(checks: IntoLazyFrameT) -> nw.LazyFrame[IntoLazyFrameT]:
    """Turn and trial criteria that were evaluated without an error."""
    frame: nw.LazyFrame[IntoLazyFrameT] = nw.from_native(checks)
    return frame.filter(is_root() & ~nw.col("errored"))
