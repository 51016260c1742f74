"""The judges page's tables: criteria with how their scores spread, items with their votes."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

import polars as pl

from dashboard import wording
from dashboard.decisions import JudgesLink
from dashboard.link import CaseLink, anchor
from queries.rules import CATEGORIES

Row = Mapping[str, Any]

ROWS: Final = 30
"""Items of a page: each has a box a repetition, and a hundred repetitions are not rare."""
SCORES: Final = (1, 2, 3, 4, 5)
SPREADS: Final = (0, 1, 2, 3, 4)
SHOWN: Final = {
    "straddling": "votes on both sides of the threshold",
    "low": "a low majority",
    "failed": "a failed vote",
}
THRESHOLDS: Final = {str(score): f"low is below {score}" for score in SCORES[1:]}


class Bar(NamedTuple):
    """How many trials have a value; the height is relative to the commonest."""

    value: str
    trials: int
    height: float
    low: bool


class Criterion(NamedTuple):
    """What judges said about one criterion of the run."""

    name: str
    href: str
    current: bool
    of_category: bool
    judged: int
    mean: str
    range: str
    scores: list[Bar]
    spreads: list[Bar]
    spread: str
    failed: int
    votes: int
    straddling: int
    comparable: int
    straddling_href: str
    shared: int
    split: int
    alpha: str
    alpha_reason: str
    shares: list[tuple[str, float]]
    shares_reason: str


class Trial(NamedTuple):
    """The votes on one trial."""

    href: str
    title: str
    bars: list[tuple[int, bool]]
    failed: int
    straddling: bool


class Item(NamedTuple):
    """The trials of one item."""

    anchor: str
    name: str
    href: str
    opened: bool
    trials: list[Trial]
    mean: str
    judged: int
    spread: str
    straddling: int
    failed: int


class Opinion(NamedTuple):
    """One vote as the judge wrote it."""

    score: int | None
    reason: str
    error: str


class Reasons(NamedTuple):
    """The votes on one trial side by side."""

    number: int
    href: str
    outcome: str
    majority: int | None
    straddling: bool
    votes: list[Opinion]


def criteria(
    found: pl.DataFrame, spread: pl.DataFrame, link: JudgesLink, own: str
) -> list[Criterion]:
    """Return a row for each judge criterion of the run."""
    return [
        _criterion(row, spread.filter(pl.col("criterion") == row["criterion"]), link, own)
        for row in found.to_dicts()
    ]


def _criterion(row: Row, spread: pl.DataFrame, link: JudgesLink, own: str) -> Criterion:
    name = row["criterion"]
    here = link.but(criterion=name, item=None, page=1)
    parts = ("item", "repetition", "vote")
    return Criterion(
        name,
        here.but(show=None).href,
        name == own,
        name in CATEGORIES,
        row["judged"],
        _score(row["mean_score"]),
        _ends(row["min_score"], row["max_score"]),
        _bars(spread, "majority", SCORES, row["threshold"]),
        _bars(spread, "spread", SPREADS, 0),
        _score(row["mean_vote_spread"]),
        row["failed_votes"],
        row["votes"],
        row["straddling"],
        row["comparable"],
        here.but(show="straddling").href,
        row["below_shared"],
        row["below_split"],
        _score(row["alpha"]),
        row["alpha_reason"] or "",
        [] if row["shares_reason"] else [(f"{part}s", row[f"{part}_share"]) for part in parts],
        row["shares_reason"] or "",
    )


def _ends(low: int | None, high: int | None) -> str:
    return wording.NOTHING if low is None else f"{low}–{high}"  # noqa: RUF001


def _score(value: float | None) -> str:
    return wording.NOTHING if value is None else f"{value:.2f}"


def _bars(spread: pl.DataFrame, measure: str, values: Sequence[int], low: int) -> list[Bar]:
    own = spread.filter(pl.col("measure") == measure).drop_nulls("value")
    counts = dict(own.select("value", "trials").iter_rows())
    most = max(counts.values(), default=1)
    return [
        Bar(str(value), counts.get(value, 0), counts.get(value, 0) / most, value < low)
        for value in values
    ]


def listed(items: pl.DataFrame, criterion: str, link: JudgesLink) -> pl.DataFrame:
    """Return the items of a criterion that an address asks for, the most disputed first."""
    wanted = {
        "straddling": pl.col("straddling") > 0,
        "low": pl.col("below_shared") + pl.col("below_split") > 0,
        "failed": pl.col("failed_votes") > 0,
    }.get(link.show or "", pl.lit(value=True))
    own = items.filter(pl.col("criterion") == criterion).filter(wanted)
    return own.sort(
        ["straddling", "mean_vote_spread", "item"], descending=[True, True, False], nulls_last=True
    )


def rows(items: pl.DataFrame, votes: pl.DataFrame, link: JudgesLink) -> list[Item]:
    """Return the items as they are drawn."""
    by_item = {key[0]: part for key, part in votes.partition_by("item", as_dict=True).items()}
    return [
        Item(
            anchor("item", row["item"]),
            row["item"],
            f"{link.but(item=row['item']).href}#open",
            row["item"] == link.item,
            _trials(by_item.get(row["item"]), link.show),
            _score(row["mean_score"]),
            row["judged"],
            _score(row["mean_vote_spread"]),
            row["straddling"],
            row["failed_votes"],
        )
        for row in items.to_dicts()
    ]


def _trials(votes: pl.DataFrame | None, show: str | None) -> list[Trial]:
    if votes is None:
        return []
    return [
        _trial(place, row)
        for place, row in enumerate(votes.to_dicts(), start=1)
        if show != "straddling" or row["straddling"]
    ]


def _trial(place: int, row: Row) -> Trial:
    given = [score for score in row["scores"] if score is not None]
    majority = row["majority"]
    listed = ", ".join("failed" if score is None else str(score) for score in row["scores"])
    said = f"majority {majority}" if majority is not None else "no verdict"
    return Trial(
        CaseLink(case=row["trial"]).href,
        f"repetition {_number(place, row)}: votes {listed or 'none'}; {said}",
        [(given.count(score), score == majority) for score in SCORES],
        row["failed_votes"],
        row["straddling"],
    )


def _number(place: int, row: Row) -> int:
    return place if row["repetition"] is None else int(row["repetition"]) + 1


def reasons(votes: pl.DataFrame, written: pl.DataFrame) -> list[Reasons]:
    """Return what the judges wrote about each trial of an item."""
    by_trial: dict[int, list[Opinion]] = {}
    for row in written.drop_nulls("vote").to_dicts():
        opinion = Opinion(row["score"], row["reason"] or "", row["error"] or "")
        by_trial.setdefault(row["trial"], []).append(opinion)
    return [
        Reasons(
            _number(place, row),
            CaseLink(case=row["trial"]).href,
            row["outcome"],
            row["majority"],
            row["straddling"],
            by_trial.get(row["trial_number"], []),
        )
        for place, row in enumerate(votes.to_dicts(), start=1)
    ]
