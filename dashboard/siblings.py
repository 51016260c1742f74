"""What lies beside a trial: the other repetitions of its cell, the failed trials around it."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from typing import Final, NamedTuple

import polars as pl

from dashboard import wording
from dashboard.link import CaseLink, FailuresLink
from dashboard.parts import Tool
from ingest.records import trial_name

MOST_SIBLINGS: Final = 60


class Sibling(NamedTuple):
    """One repetition of the same cell."""

    href: str
    outcome: str
    name: str
    title: str
    current: bool


def tools(failed: Sequence[int], trial: int, within: str | None) -> list[Tool]:
    """Return links to the trials of the list before and after this one, and to the list."""
    before, after = bisect_left(failed, trial), bisect_right(failed, trial)
    previous = failed[before - 1] if before else None
    following = failed[after] if after < len(failed) else None
    back = [Tool("Back to the list", f"{FailuresLink.PATH}?{within}", "u")] if within else []
    return [
        *back,
        _tool("← previous failed", previous, "p", within),
        _tool("next failed →", following, "n", within),
    ]


def _tool(text: str, trial: int | None, key: str, within: str | None) -> Tool:
    link = None if trial is None else CaseLink(case=trial_name(trial), within=within).href
    return Tool(text, link, key)


def listed(siblings: pl.DataFrame, trial: int) -> list[Sibling]:
    """Return the repetitions of a cell, the trial among them."""
    shown = siblings.sort("repetition", "trial_number", nulls_last=True).head(MOST_SIBLINGS)
    return [
        Sibling(
            CaseLink(case=row["trial"]).href,
            row["outcome"],
            str(place if row["repetition"] is None else row["repetition"] + 1),
            f"repetition {place if row['repetition'] is None else row['repetition'] + 1}: "
            + wording.sign(row["outcome"]).word,
            row["trial_number"] == trial,
        )
        for place, row in enumerate(shown.iter_rows(named=True), start=1)
    ]


def more(siblings: int) -> str:
    """Return in words how many siblings are not listed."""
    over = siblings - MOST_SIBLINGS
    return f"and {wording.count(over)} more" if over > 0 else ""
