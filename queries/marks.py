"""The repetitions of a few cells, one by one: how each ended, over all or in one category."""

from collections.abc import Sequence
from functools import partial
from typing import Final

import narwhals as nw
import polars as pl
from narwhals.typing import IntoLazyFrameT

from queries.counting import Table, counted, is_root

CELL: Final = ("run", "item", "variants")
_TRIAL: Final = (*CELL, "trial", "repetition", "outcome", "graded")


def trials(table: Table, shown: pl.LazyFrame, columns: Sequence[str] = _TRIAL) -> pl.LazyFrame:
    """Return the trials of the cells in ``shown``, in order of their repetitions.

    Args:
        table: Rows of the table ``trial``.
        shown: ``item, variants`` of the cells.
        columns: What is wanted of each trial; with its cell, number, repetition.
    """
    return counted(partial(_shown, columns=tuple(columns)), table, shown).sort(
        *CELL, "repetition", "trial", nulls_last=True
    )


def _shown(
    trials: IntoLazyFrameT, shown: IntoLazyFrameT, columns: tuple[str, ...]
) -> IntoLazyFrameT:
    cells = nw.from_native(shown).select("item", "variants")
    return nw.from_native(trials).join(cells, on=["item", "variants"]).select(*columns).to_native()


def in_category(
    checks: Table, trials: Table, shown: pl.LazyFrame, assigned: pl.LazyFrame, category: str
) -> pl.LazyFrame:
    """Return per graded trial of these cells what its criteria of one category came to.

    Args:
        checks: Rows of the table ``check``.
        trials: Rows of the table ``trial``.
        shown: ``item, variants`` of the cells.
        assigned: Rows of ``categories.assign``.
        category: The category that is looked at.

    Returns:
        ``trial, failing, position``: criteria that failed, and the place of the first of them; only
        trials that evaluated a criterion of the category.
    """
    own = assigned.filter(pl.col("category") == category).select("definition")
    return counted(_by_trial, checks, trials, shown, own).sort("trial")


def _by_trial(
    checks: IntoLazyFrameT, trials: IntoLazyFrameT, shown: IntoLazyFrameT, own: IntoLazyFrameT
) -> IntoLazyFrameT:
    wanted = nw.from_native(_shown(trials, shown, ("trial",)))
    failed = ~nw.col("passed")
    return (
        nw.from_native(checks)
        .filter(is_root() & ~nw.col("errored") & nw.col("graded"))
        .select("trial", "definition", "passed", "position")
        .join(nw.from_native(own), on="definition")
        .join(wanted, on="trial")
        .select(
            "trial",
            nw.when(failed).then(nw.lit(1)).otherwise(nw.lit(0)).cast(nw.Int64).alias("failing"),
            nw.when(failed).then(nw.col("position")).cast(nw.Int64).alias("position"),
        )
        .group_by("trial")
        .agg(nw.col("failing").sum().cast(nw.Int64), nw.col("position").min())
        .to_native()
    )
