"""The hits of a search as they are drawn: in context, with the address of the turn."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

import polars as pl

from dashboard import traces, wording
from dashboard.link import CaseLink
from dashboard.runtable import Run
from dashboard.searchbook import Scan
from ingest.records import trial_name
from ingest.search import Excerpt

ROWS: Final = 50
ASK: Final = "Type a text, or a pattern: every hit stands in its context and leads to its turn."
_NAMES: Final = {
    "check reason": "reason of a criterion",
    "trial reason": "reason of the outcome",
    "vote reason": "reason of a vote",
    "vote error": "error of a vote",
}
_BLANKS: Final = re.compile(r"\s+")
_LONGEST_FIND: Final = 60


class Hit(NamedTuple):
    """One place that holds the text."""

    where: str
    href: str
    before: str
    found: str
    after: str


class Trial(NamedTuple):
    """One trial with the places in it."""

    name: str
    item: str
    variants: str
    outcome: str
    repetition: str
    run: str
    href: str
    hits: list[Hit]


def trials(
    hits: pl.DataFrame,
    excerpts: Sequence[Excerpt | None],
    known: Mapping[int, Mapping[str, Any]],
    names: Mapping[str, str],
) -> list[Trial]:
    """Return the trials of a page of hits, each with its hits."""
    drawn: dict[int, Trial] = {}
    for row, excerpt in zip(hits.iter_rows(named=True), excerpts, strict=True):
        trial = known[row["trial"]]
        if row["trial"] not in drawn:
            drawn[row["trial"]] = _trial(trial, names)
        if excerpt is not None:
            drawn[row["trial"]].hits.append(_hit(row, excerpt))
    return list(drawn.values())


def _trial(trial: Mapping[str, Any], names: Mapping[str, str]) -> Trial:
    name = trial_name(trial["trial"])
    repetition = trial["repetition"]
    return Trial(
        name,
        trial["item"],
        traces.variants(trial["variants"]),
        trial["outcome"],
        "" if repetition is None else f"repetition {repetition + 1}",
        names.get(trial["run"], ""),
        CaseLink(case=name).href,
        [],
    )


def _hit(row: Mapping[str, Any], excerpt: Excerpt) -> Hit:
    table, _, column = row["place"].partition(" ")
    find = excerpt.found if table == "turn" and len(excerpt.found) <= _LONGEST_FIND else None
    link = CaseLink(case=trial_name(row["trial"]), find=find)
    if table == "turn":
        number = row["turn"] + 1
        where, place = f"turn {number} · {column}", f"#turn-{number}"
        link = link.but(turn=number)
    else:
        where = _NAMES[row["place"]]
        place = f"#c{row['position']}" if table == "check" else "#whole"
    told = (_BLANKS.sub(" ", part) for part in excerpt)
    return Hit(where, f"{link.href}{place}", *told)


def says(scan: Scan, *, stopped: bool) -> str:
    """Return how much was found, and in how much."""
    places = wording.plural(scan.count, "place")
    if scan.done and scan.more:
        return f"The first {places}; there may be more. Narrow the search to see them."
    if scan.done:
        return f"{places} in {wording.size(scan.total)} of payloads."
    far = f"{wording.size(scan.scanned)} of {wording.size(scan.total)}"
    return f"{places} in {far}{'; stopped.' if stopped else '…'}"


def names(runs: Iterator[Run]) -> dict[str, str]:
    """Return how each run is called beside its trials."""
    return {run["run"]: f"{run['subject'] or 'no subject'} · {run['suite'] or ''}" for run in runs}
