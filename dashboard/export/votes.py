"""Tables of judges' votes, by criterion and by item: they measure the judge, not the subject."""

from typing import Final

import polars as pl

from dashboard import repeated, wording
from dashboard.errors import InputError
from dashboard.export import cells, repeated_charts
from dashboard.export.about import Chosen
from dashboard.export.table import Column, Row, Shown, Table, at_once
from ingest import store
from queries import judged
from queries.votes import THRESHOLD

_RUN: Final = (
    Column("run", "id of the run"),
    Column("suite", "the set of items, as its report names it"),
    Column("subject", "the model or target under evaluation"),
    Column("criterion", "what the judge was asked about"),
)
_SCORES: Final = (
    Column("judged", "trials that were judged on it", "count"),
    Column("votes", "votes on them", "count"),
    Column("failed_votes", "votes without a verdict", "count"),
    Column("scored", "trials with a verdict", "count"),
    Column("mean_score", "mean over trials of the majority of their votes", "number"),
    Column("min_score", "lowest of these majorities", "count"),
    Column("max_score", "highest of these majorities", "count"),
    Column("mean_vote_spread", "mean over trials of highest minus lowest vote", "number"),
    Column("lowest_vote", "lowest single vote", "count"),
    Column("highest_vote", "highest single vote", "count"),
    Column("agreement", "votes that agree with the majority of their trial", "share"),
    Column("threshold", "the score from which one counts as acceptable", "count"),
    Column("below_shared", "low majorities that all votes share", "count"),
    Column("below_split", "low majorities that some vote contradicts", "count"),
    Column("above_split", "acceptable majorities that some vote contradicts", "count"),
    Column("above_shared", "acceptable majorities that all votes share", "count"),
    Column("straddling", "trials with votes on both sides of the threshold", "count"),
    Column("comparable", "trials with at least two verdicts", "count"),
    Column("straddling_share", "straddling / comparable", "share"),
    Column("alpha", "Krippendorff's alpha of the votes", "number"),
    Column("alpha_reason", "why it is unknown"),
)
_SHARES: Final = (
    Column("item_share", "share of the variance between items", "share"),
    Column("repetition_share", "share between repetitions of an item", "share"),
    Column("vote_share", "share between votes on one trial", "share"),
    Column("shares_reason", "why they are unknown"),
)
_SPREAD: Final = (
    Column("measure", "what is counted: majority or spread"),
    Column("value", "its value", "count"),
    Column("trials", "trials that have it", "count"),
)
CRITERIA: Final = (*_RUN, *_SCORES, *_SHARES)
ITEMS: Final = (*_RUN, Column("item", "the scenario"), *_SCORES)
NOTES: Final = (
    "Votes measure the judge, repetitions the subject: no vote enters a rate of the subject.",
    "A majority is the score most votes gave, the lower one on a tie.",
)


def _low(row: Row) -> str:
    return f"{row['below_shared']} / {row['below_split']}"


_SHOWN: Final = (
    cells.count("judged", "judged", "failed_votes", "failed votes"),
    cells.score("mean", "mean_score"),
    cells.score("lowest", "min_score"),
    cells.score("highest", "max_score"),
    cells.score("spread of votes", "mean_vote_spread"),
    Shown("low: shared / split", _low, right=True),
    Shown("agreement", lambda row: wording.percent(row["agreement"]), right=True),
)
_CRITERION: Final = Shown("judge's criterion", lambda row: wording.spoken(row["criterion"]))


def _alpha(row: Row) -> str:
    return row["alpha_reason"] or "" if row["alpha"] is None else f"{row['alpha']:.2f}"


def table(chosen: Chosen) -> Table:
    """Return what judges said per criterion of the chosen runs.

    Raises:
        InputError: When categories or items are asked for.
    """
    if chosen.selection.categories or chosen.selection.items:
        raise InputError("a judge's criterion has no category and no item; see votes-items")
    found = repeated.votes(chosen.db, chosen.runs, THRESHOLD).criteria
    return Table(
        name="votes",
        title="What judges said, by criterion",
        says="One row is one criterion that judges were asked about in one run.",
        columns=CRITERIA,
        shown=(_CRITERION, *_SHOWN, Shown("alpha", _alpha, right=True)),
        parts=at_once(chosen.named(found, CRITERIA)),
        about=chosen.about,
        notes=NOTES,
        chart=lambda: repeated_charts.majorities(_spread(chosen)),
    )


def _spread(chosen: Chosen) -> pl.DataFrame:
    """Return how many trials have each majority, and each spread of votes."""
    with store.open_reader(chosen.db) as reader:
        found = judged.distribution(reader.table("vote", runs=chosen.ids)).collect()
    return chosen.named(found, [*_RUN, *_SPREAD])


def items(chosen: Chosen) -> Table:
    """Return what judges said per criterion and item of the chosen runs.

    Raises:
        InputError: When categories are asked for.
    """
    if chosen.selection.categories:
        raise InputError("a judge's criterion has no category; export votes-items without it")
    found = repeated.votes(chosen.db, chosen.runs, THRESHOLD).items
    found = chosen.kept(found, "item", chosen.selection.items)
    return Table(
        name="votes-items",
        title="What judges said, by criterion and item",
        says="One row is one criterion that judges were asked about on one item of one run.",
        columns=ITEMS,
        shown=(_CRITERION, cells.plain("item", "item"), *_SHOWN),
        parts=at_once(chosen.named(found, ITEMS)),
        about=chosen.about,
        notes=NOTES,
    )
