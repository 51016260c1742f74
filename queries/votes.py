"""What judges say about trials, how far they agree, and where the differences come from.

Votes measure the judge; nothing here enters a rate of the subject.
"""

from functools import partial
from typing import Final

import polars as pl

from queries import opinions
from queries.breakdown import share
from queries.counting import Table, counted, in_order
from queries.reliability import JUDGE_CRITERIA, place_in

THRESHOLD: Final = 3
"""The middle of the scale of 1 to 5: a score of at least this much counts as acceptable."""
NO_VARIATION: Final = "no variation"
NO_VERDICT: Final = "no verdict"
ONE_VOTE: Final = "one vote: the judge's noise is unknown"
ONE_REPETITION: Final = "one repetition: the subject's noise is unknown"
ONE_ITEM: Final = "one item"

_SIDES: Final = ("below_shared", "below_split", "above_split", "above_shared")
_ADDED: Final = (
    *("judged", "votes", "failed_votes", "spread", "majority", "agreeing"),
    *(*_SIDES, "scores", "scored", "comparable"),
    *("comparable_votes", "comparable_sum", "comparable_squares"),
)
_COLUMNS: Final = (
    *("judged", "votes", "failed_votes", "scored", "mean_score", "min_score", "max_score"),
    *("mean_vote_spread", "lowest_vote", "highest_vote", "agreement", "threshold", *_SIDES),
    *("straddling", "comparable", "straddling_share"),
    *("alpha", "alpha_reason", "vote_variance", "vote_variance_reason"),
)
_SHARES: Final = (
    *("items", "trial_variance", "item_variance"),
    *("item_share", "repetition_share", "vote_share", "shares_reason"),
)


def criteria(votes: Table, trials: Table, threshold: int = THRESHOLD) -> pl.LazyFrame:
    """Return one row per (run, criterion) of the judges.

    Scores are of the majority of each trial's votes, the lower one on a tie. ``straddling`` counts
    trials with votes on both sides of the threshold, of those with at least two verdicts
    (``comparable``); ``below_split`` is a low majority that some vote contradicts, ``below_shared``
    one that all share. ``alpha`` is Krippendorff's, for scores. The variance of the scores lies
    between items, between repetitions of an item, and between votes on one trial: ``item_share``,
    ``repetition_share`` and ``vote_share``.
    """
    rows = _rows(votes, trials, threshold)
    key = ["run", "criterion"]
    return (
        _summary(rows, key, threshold)
        .join(_parts(rows), on=key, how="left")
        .with_columns(pl.col("items", "freedom").fill_null(0))
        .with_columns(_shares())
        .with_columns(_shares_reason())
        .select(*key, *_COLUMNS, *_SHARES)
        .sort("run", place_in("criterion", JUDGE_CRITERIA), "criterion")
    )


def items(votes: Table, trials: Table, threshold: int = THRESHOLD) -> pl.LazyFrame:
    """Return the table of :func:`criteria` for each item, without the shares of its variance."""
    key = ["run", "criterion", "item"]
    return (
        _summary(_rows(votes, trials, threshold), key, threshold)
        .select(*key, *_COLUMNS)
        .sort("run", place_in("criterion", JUDGE_CRITERIA), "criterion", "item")
    )


def _rows(votes: Table, trials: Table, threshold: int) -> pl.LazyFrame:
    """Return the sums per (run, criterion, item, scores), with what they mean for agreement."""
    scores, judged = pl.col("scores"), pl.col("judged")
    several = pl.when(scores > 1)
    return counted(partial(opinions.by_item, threshold=threshold), votes, trials).with_columns(
        scores=scores * judged,
        each=scores,
        scored=pl.when(scores > 0).then(judged).otherwise(0),
        comparable=several.then(judged).otherwise(0),
        comparable_votes=several.then(scores * judged).otherwise(0),
        comparable_sum=several.then("sum").otherwise(0),
        comparable_squares=several.then("squares").otherwise(0),
        apart=several.then(scores * pl.col("squares") - pl.col("sum_squared")).otherwise(0),
    )


def _summary(rows: pl.LazyFrame, key: list[str], threshold: int) -> pl.LazyFrame:
    """Add up and divide, once. ``apart`` is m Σy² - (Σy)² of trials with m verdicts."""
    each = pl.col("each")
    several = each > 1
    by_size = rows.group_by(*key, "each").agg(
        pl.col(*_ADDED, "apart").sum(),
        pl.col("min_score", "lowest").min(),
        pl.col("max_score", "highest").max(),
    )
    apart = pl.when(several).then(pl.col("apart"))
    summed = by_size.group_by(key).agg(
        pl.col(_ADDED).sum(),
        pl.col("min_score", "lowest").min(),
        pl.col("max_score", "highest").max(),
        in_order(apart / (each - 1), "each").alias("observed"),
        in_order(apart / each, "each").alias("deviations"),
    )
    split = pl.col("below_split") + pl.col("above_split")
    freedom = pl.col("comparable_votes") - pl.col("comparable")
    return summed.with_columns(
        mean_score=share(pl.col("majority"), pl.col("scored")),
        mean_vote_spread=share(pl.col("spread"), pl.col("judged")),
        lowest_vote="lowest",
        highest_vote="highest",
        agreement=share(pl.col("agreeing"), pl.col("scores")),
        threshold=pl.lit(threshold, pl.Int64),
        straddling=split,
        straddling_share=share(split, pl.col("comparable")),
        vote_variance=share(pl.col("deviations"), freedom),
        vote_variance_reason=_too_few_votes(),
        **_alpha(),
    )


def _alpha() -> dict[str, pl.Expr]:
    """Krippendorff's alpha with squared differences, over trials with at least two verdicts."""
    votes, total = pl.col("comparable_votes"), pl.col("comparable_sum")
    scattered = votes * pl.col("comparable_squares") - total * total
    agreement = 1 - pl.col("observed") * (votes - 1) / scattered
    several = pl.col("comparable") > 0
    return {
        "alpha": pl.when(several & (scattered > 0)).then(agreement),
        "alpha_reason": pl.coalesce(
            _too_few_votes(), pl.when(scattered == 0).then(pl.lit(NO_VARIATION))
        ),
    }


def _too_few_votes() -> pl.Expr:
    return (
        pl.when(pl.col("scored") == 0)
        .then(pl.lit(NO_VERDICT))
        .when(pl.col("comparable") == 0)
        .then(pl.lit(ONE_VOTE))
    )


def _parts(rows: pl.LazyFrame) -> pl.LazyFrame:
    """Return per (run, criterion) how the mean scores of trials vary inside and between items."""
    each, trials = pl.col("each"), pl.col("judged")

    mean = pl.col("means") / pl.col("trials")
    of_items = (
        rows.filter(each > 0)
        .group_by("run", "criterion", "item")
        .agg(
            trials.sum().alias("trials"),
            in_order(pl.col("sum") / each, "each").alias("means"),
            in_order(pl.col("sum_squared") / (each * each), "each").alias("squares"),
            in_order(trials / each, "each").alias("inverse"),
        )
        .with_columns(mean=mean, inside=(pl.col("squares") - pl.col("means") * mean).clip(0))
        .with_columns(
            freedom=pl.col("trials") - 1,
            noise=(pl.col("trials") - 1) * pl.col("inverse") / pl.col("trials"),
            spread_of_trials=1 / pl.col("trials"),
            spread_of_votes=pl.col("inverse") / pl.col("trials").pow(2),
        )
    )
    totals = ("inside", "noise", "spread_of_trials", "spread_of_votes", "mean")
    square = (pl.col("mean") - in_order(pl.col("mean"), "item") / pl.len()).pow(2)
    return of_items.group_by("run", "criterion").agg(
        pl.len().cast(pl.Int64).alias("items"),
        pl.col("freedom").sum(),
        *(in_order(pl.col(name), "item").alias(f"total_{name}") for name in totals),
        in_order(square, "item").alias("between"),
    )


def _shares() -> list[pl.Expr]:
    """Split the variance by the method of moments, trials and items of any number of votes.

    The estimate of a part may come out negative, and then counts as zero.
    """
    vote, n = pl.col("vote_variance"), pl.col("items")
    trial = (pl.col("total_inside") - vote * pl.col("total_noise")) / pl.col("freedom")
    means = trial * pl.col("total_spread_of_trials") + vote * pl.col("total_spread_of_votes")
    item = pl.col("between") / (n - 1) - means / n
    trial_known = (pl.col("freedom") > 0) & vote.is_not_null()
    item_known = trial_known & (n > 1)
    parts = {"item": item.clip(0), "repetition": trial.clip(0), "vote": vote}
    whole = pl.sum_horizontal(parts.values())
    shown = pl.when(item_known & (whole > 0))
    return [
        pl.when(trial_known).then(parts["repetition"]).alias("trial_variance"),
        pl.when(item_known).then(parts["item"]).alias("item_variance"),
        *(shown.then(part / whole).alias(f"{name}_share") for name, part in parts.items()),
    ]


def _shares_reason() -> pl.Expr:
    return (
        pl.when(pl.col("vote_variance_reason").is_not_null())
        .then("vote_variance_reason")
        .when(pl.col("freedom") == 0)
        .then(pl.lit(ONE_REPETITION))
        .when(pl.col("items") < 2)
        .then(pl.lit(ONE_ITEM))
        .when(pl.col("vote_share").is_null())
        .then(pl.lit(NO_VARIATION))
        .alias("shares_reason")
    )
