"""How far two runs of the same code lie apart: the movement that needs no explanation."""

import polars as pl

from queries import changes
from queries.pairing import Tables


def floor(tables: Tables, control: pl.LazyFrame, pairs: pl.LazyFrame) -> pl.LazyFrame:
    """Return the one row that says how much the unchanged system moved.

    Args:
        tables: Rows of the store, of the two control runs.
        control: ``run, side``: the first run as the base, the second as the current.
        pairs: Rows of ``pairing.pairs`` of these sides. Cells are paired by what they are called
            alone: nobody changes the corpus between two runs of a control.

    Returns:
        ``items_compared, unpaired_items, pass_rate, judge_score, suite_pass_rate``: the largest
        movement of a cell's pass rate and of a cell's mean score on one judge criterion (null when
        nobody judged), and that of the whole suite's pass rate.
    """
    paired = pl.col("state").is_in(["compared", "excluded"])
    counts = pairs.select(
        items_compared=paired.sum().cast(pl.Int64),
        unpaired_items=(~paired).sum().cast(pl.Int64),
        pass_rate=(pl.col("after") - pl.col("before")).abs().filter(paired).max(),
        suite_pass_rate=(_whole("current", paired) - _whole("base", paired)).abs(),
    )
    moved = pl.col("after") - pl.col("before")
    scores = changes.judged(tables, control).select(judge_score=moved.abs().max())
    return counts.join(scores, how="cross").select(
        *("items_compared", "unpaired_items", "pass_rate", "judge_score", "suite_pass_rate")
    )


def _whole(side: str, paired: pl.Expr) -> pl.Expr:
    trials = pl.when("all_trials").then(f"{side}_trials").otherwise(f"{side}_graded")
    counted = trials.filter(paired).sum()
    return pl.when(counted > 0).then(pl.col(f"{side}_passed").filter(paired).sum() / counted)
