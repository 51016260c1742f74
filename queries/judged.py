"""How judges' scores spread, and the votes behind them, trial by trial."""

from functools import partial
from typing import Final

import narwhals as nw
import polars as pl
from narwhals.typing import IntoLazyFrameT

from queries import grain, opinions
from queries.counting import Table, count, counted
from queries.reliability import JUDGE_CRITERIA, place_in

MEASURES: Final = ("majority", "spread")


def distribution(votes: Table) -> pl.LazyFrame:
    """Return trials per (run, criterion, measure, value): how often a majority, a spread occurs.

    ``value`` is null for the majority of a trial without a verdict; a trial with fewer than two
    verdicts has no spread.
    """
    parts = [
        counted(partial(_occurrences, measure=measure), votes).select(
            "run", "criterion", pl.lit(measure).alias("measure"), "value", "trials"
        )
        for measure in MEASURES
    ]
    order = ("run", place_in("criterion", JUDGE_CRITERIA), "criterion", "measure", "value")
    return pl.concat(parts).sort(*order, nulls_last=True)


def _occurrences(votes: IntoLazyFrameT, measure: str) -> IntoLazyFrameT:
    judged = nw.from_native(opinions.judgements(votes))
    if measure == "spread":
        judged = judged.filter(nw.col("scores") > 1)
    return (
        judged.select("run", "criterion", nw.col(measure).cast(nw.Int64).alias("value"))
        .group_by("run", "criterion", "value")
        .agg(count().alias("trials"))
        .to_native()
    )


def of_items(
    votes: Table, trials: Table, shown: pl.LazyFrame, criterion: str, threshold: int
) -> pl.LazyFrame:
    """Return one row per trial of some items that a criterion was judged on, with its votes.

    Args:
        votes: Rows of the table ``vote``.
        trials: Rows of the table ``trial``.
        shown: ``item``: the items that are wanted.
        criterion: The judge criterion.
        threshold: Scores below this are low.

    Returns:
        ``run, item, trial_number, trial, repetition, outcome, scores, failed_votes, majority,
        spread, straddling``; ``scores`` are in the order of the votes, null where one failed.
    """
    key = ["run", "item", "trial"]
    score = pl.col("score")
    given = score.drop_nulls()
    rows = counted(partial(_votes, criterion=criterion), votes, trials, shown)
    return (
        rows.sort(*key, "vote", nulls_last=True)
        .group_by(key, maintain_order=True)
        .agg(
            pl.col("repetition", "outcome").first(),
            scores=score.filter(pl.col("vote").is_not_null()),
            failed_votes=(score.is_null() & pl.col("vote").is_not_null()).sum().cast(pl.Int64),
            majority=given.mode().min(),
            spread=given.max() - given.min(),
            straddling=(given.min() < threshold) & (given.max() >= threshold),
        )
        .with_columns(pl.col("straddling").fill_null(value=False))
        .with_columns(trial_number="trial", trial=grain.trial_name())
        .sort("run", "item", "repetition", "trial_number", nulls_last=True)
    )


def _votes(
    votes: IntoLazyFrameT, trials: IntoLazyFrameT, shown: IntoLazyFrameT, criterion: str
) -> IntoLazyFrameT:
    wanted = (
        nw.from_native(trials)
        .select("run", "trial", "item", "repetition", "outcome")
        .join(nw.from_native(shown).select("item"), on="item")
    )
    return (
        nw.from_native(votes)
        .filter(nw.col("criterion") == criterion)
        .select("trial", "vote", nw.col("score").cast(nw.Int64))
        .join(wanted, on="trial")
        .select("run", "item", "trial", "repetition", "outcome", "vote", "score")
        .to_native()
    )
