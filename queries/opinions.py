"""What the judges of each trial said: one pass over votes, Int64 sums per key."""

import narwhals as nw
from narwhals.typing import IntoLazyFrameT

from queries.counting import count, count_where, totals

_SCALE = 1 << 24
"""Larger than any score, so that a count and a score fit one number."""


def judgements(votes: IntoLazyFrameT) -> IntoLazyFrameT:
    """Per (run, trial, criterion): votes, votes without a verdict, majority, spread, agreement.

    The majority is the score most votes gave, the lower one on a tie; null when no vote has one.
    ``scores`` counts the verdicts, ``agreeing`` those equal to the majority, ``sum`` and
    ``squares`` are of the scores.
    """
    key = ("run", "trial", "criterion")
    score = nw.col("score")
    scored = ~score.is_null()
    counted = (
        nw.from_native(votes)
        .select(*key, "vote", score.cast(nw.Int64))
        .group_by(*key, "score")
        .agg(nw.col("vote").count().cast(nw.Int64).alias("given"))
    )
    # The most often given score wins, the lower one on a tie: the largest of these numbers.
    rank = nw.when(scored).then(nw.col("given") * _SCALE - score)
    given = {"all_given": nw.lit(1), "sum": score, "squares": score * score}
    return (
        counted.with_columns(
            rank.alias("rank"),
            nw.when(scored).then(nw.col("given")).alias("scores"),
            nw.when(~scored).then(nw.col("given")).alias("failed_votes"),
            *((nw.col("given") * value).alias(name) for name, value in given.items()),
        )
        .group_by(*key)
        .agg(
            *totals("all_given", "failed_votes", "scores", "sum", "squares"),
            nw.col("scores").max().alias("agreeing"),
            nw.col("rank").max(),
            score.min().alias("lowest"),
            score.max().alias("highest"),
        )
        .with_columns((nw.col("agreeing") * _SCALE - nw.col("rank")).alias("majority"))
        .with_columns((nw.col("highest") - nw.col("lowest")).fill_null(0).alias("spread"))
        .rename({"all_given": "votes"})
        .drop("rank")
        .to_native()
    )


def scores(judged: IntoLazyFrameT) -> IntoLazyFrameT:
    """Sums of :func:`judgements` per (run, criterion)."""
    majority = nw.col("majority")
    return (
        nw.from_native(judged)
        .group_by("run", "criterion")
        .agg(
            count().alias("judged"),
            majority.count().cast(nw.Int64).alias("scored"),
            *totals("votes", "failed_votes", "spread", "majority"),
            majority.min().alias("min_score"),
            majority.max().alias("max_score"),
        )
        .to_native()
    )


def by_item(votes: IntoLazyFrameT, trials: IntoLazyFrameT, threshold: int) -> IntoLazyFrameT:
    """Sums of :func:`judgements` per (run, criterion, item, scores): ``scores`` verdicts a trial.

    ``below_shared`` counts trials whose verdicts all lie below the threshold, ``below_split`` those
    with such a majority but a verdict at or above it, and so on; ``sum_squared`` adds up the
    squared sums.
    """
    below = {name: nw.col(name) < threshold for name in ("majority", "lowest", "highest")}
    conditions = {
        "below_shared": below["highest"],
        "below_split": below["majority"] & ~below["highest"],
        "above_split": ~below["majority"] & below["lowest"],
        "above_shared": ~below["lowest"],
    }
    items = nw.from_native(trials).select("trial", "item")
    judged = nw.from_native(judgements(votes)).join(items, on="trial")
    sums = ("votes", "failed_votes", "spread", "majority", "agreeing", "sum", "squares")
    return (
        judged.with_columns((nw.col("sum") * nw.col("sum")).alias("sum_squared"))
        .group_by("run", "criterion", "item", "scores")
        .agg(
            count().alias("judged"),
            *(count_where(condition).alias(name) for name, condition in conditions.items()),
            *totals(*sums, "sum_squared"),
            nw.col("majority").min().alias("min_score"),
            nw.col("majority").max().alias("max_score"),
            nw.col("lowest").min(),
            nw.col("highest").max(),
        )
        .to_native()
    )
