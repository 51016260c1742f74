"""What was not loaded, and what was kept with a flag, grouped by the rule that it breaks."""

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any, Final, NamedTuple

import polars as pl

from dashboard import wording
from dashboard.link import CaseLink, RejectionsLink
from dashboard.tabs import TabLine
from ingest.records import trial_name

ROWS: Final = 200
KEPT: Final = "kept, with a flag: it counts in the figures"


class Group(NamedTuple):
    """Things that break one rule, and what can be done about them.

    Attributes:
        size: How many there are, also on other pages.
        more: Says so when not all of them are listed here.
    """

    anchor: str
    rule: str
    remedy: str
    size: int
    rows: Sequence[Mapping[str, Any]]
    more: str


def tabs(link: RejectionsLink, rejections: int, flags: int) -> list[TabLine]:
    """Return the two lists to choose from."""
    return [
        TabLine("Not loaded", rejections, RejectionsLink().href, not link.flags),
        TabLine("Kept with a flag", flags, RejectionsLink(flags=True).href, link.flags),
    ]


def of_rule(found: pl.DataFrame, rule: str | None) -> pl.DataFrame:
    """Return the things that break a rule, or all of them."""
    return found if rule is None else found.filter(pl.col("rule") == rule)


def rejected(found: pl.DataFrame) -> pl.DataFrame:
    """Return rejections in the order in which they are listed."""
    ordered = found.sort("rule", "remedy", "path", "place", maintain_order=True)
    return ordered.with_columns(href=pl.lit(None, pl.String))


def flagged(found: pl.DataFrame) -> pl.DataFrame:
    """Return flags in the shape of rejections, each with the address of its trial."""
    trials = (
        None if each is None else CaseLink(case=trial_name(each)).href for each in found["trial"]
    )
    return found.with_columns(
        pl.lit(KEPT).alias("remedy"),
        pl.lit("").alias("excerpt"),
        pl.Series("href", list(trials), pl.String),
    )


def groups(found: pl.DataFrame, shown: pl.DataFrame) -> list[Group]:
    """Return the things shown by rule and remedy, of all that were found, in their order."""
    sizes = {
        (rule, remedy): number
        for rule, remedy, number in found.group_by("rule", "remedy").len().iter_rows()
    }
    made = []
    listed = groupby(shown.iter_rows(named=True), lambda row: (row["rule"], row["remedy"]))
    for place, ((rule, remedy), rows) in enumerate(listed):
        held, size = list(rows), sizes[rule, remedy]
        others = size - len(held)
        more = (
            f"{wording.plural(others, 'other is', 'others are')} on another page" if others else ""
        )
        made.append(Group(f"rule-{place}", rule, remedy, size, held, more))
    return made
