"""The history of a suite: what is read, and how it is drawn and said."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import polars as pl
import streamlit as st

from dashboard import figures, overtime, runtable, wording
from dashboard.data import MOST_KEPT, Source, rulebook
from dashboard.decisions import HistoryLink
from dashboard.link import FailuresLink, ReliabilityLink, anchor
from dashboard.overtime import History
from dashboard.parts import Badge
from dashboard.traces import variants
from queries import history
from queries.rules import CATEGORIES

ROWS: Final = 60
Row = Mapping[str, Any]
Ids = tuple[str, ...]


class Column(NamedTuple):
    """One run of the board."""

    run: str
    place: int
    subject: str
    when: str
    href: str
    breaks: str
    badges: list[Badge]
    suspect: bool
    passed: int
    graded: int
    trials: int


class Stand(NamedTuple):
    """How a cell stood in one run."""

    mark: str
    tone: str
    title: str
    href: str
    changed: bool


class Strip(NamedTuple):
    """One cell over the runs; null where a run has no such cell."""

    anchor: str
    item: str
    variants: str
    changes: int
    stands: list[Stand | None]


def suite_of(runs: pl.DataFrame, link: HistoryLink) -> str | None:
    """Return the suite an address asks for, else that of the newest run."""
    named = runs.filter(pl.col("superseded_by").is_null())["suite"].drop_nulls().to_list()
    return link.suite or next(iter(named), None)


def of(at: Source, runs: pl.DataFrame, suite: str | None, subject: str | None) -> History | None:
    """Return the history of a suite, null where it has no run."""
    own = overtime.of_suite(runs, suite, subject)
    if own.is_empty():
        return None
    return _read(at, tuple(own["run"]), own)


@st.cache_resource(max_entries=MOST_KEPT, show_spinner="Reading the runs…")
def _read(at: Source, ids: Ids, _own: pl.DataFrame) -> History:  # noqa: ARG001 (the key)
    return overtime.read(Path(at.path), _own)


def rates(at: Source, found: History) -> pl.DataFrame:
    """Return the categories of these runs; they take longer than the runs themselves."""
    return _rates(at, tuple(found.runs["run"]), found.runs)


@st.cache_resource(max_entries=MOST_KEPT, show_spinner="Counting…")
def _rates(at: Source, ids: Ids, _runs: pl.DataFrame) -> pl.DataFrame:
    own = _runs.filter(pl.col("run").is_in(ids))
    return figures.reliability(Path(at.path), own, rulebook()).categories


def columns(found: History) -> list[Column]:
    """Return the runs in order, each with what must be known of it."""
    places = _places(found)
    return [
        Column(
            row["run"],
            places[row["subject"]],
            row["subject"] or "no subject",
            wording.moment(row["seen_at"]),
            ReliabilityLink(run=(row["run"],)).href,
            "; ".join(row["breaks"]),
            runtable.status(row),
            row["suspect"],
            row["passed"],
            row["graded"],
            row["trials"],
        )
        for row in found.runs.to_dicts()
    ]


def _places(found: History) -> dict[str | None, int]:
    """Give each subject its place in the palette, in the order they appear."""
    names = found.runs["subject"].unique(maintain_order=True).to_list()
    return {name: min(place, 6) for place, name in enumerate(names)}


def points(found: History, categories: pl.DataFrame) -> list[dict[str, Any]]:
    """Return the marks of the chart: a category of a run each, with its interval and its n."""
    places = _places(found)
    runs = {row["run"]: row for row in found.runs.to_dicts()}
    rows = {(row["category"], row["run"]): row for row in categories.to_dicts()}
    marks = []
    for name in CATEGORIES:
        for run, about in runs.items():
            row = rows.get((name, run))
            if row is not None and row["rate"] is not None:
                marks.append(_point(name, row, about, places))
    return marks


def _point(name: str, row: Row, about: Row, places: Mapping[str | None, int]) -> dict[str, Any]:
    subject = about["subject"] or "no subject"
    return {
        "category": wording.category(name),
        "order": about["order"],
        "when": wording.moment(about["seen_at"]),
        "subject": subject,
        "place": places[about["subject"]],
        "line": f"{subject} {about['arm'] or ''} {about['segment']}",
        "rate": row["rate"],
        "low": row["again_low"],
        "high": row["again_high"],
        "n": wording.held(row),
        "suspect": about["suspect"],
        "breaks": "; ".join(about["breaks"]),
        "href": FailuresLink(run=(about["run"],), category=name).href,
    }


def table(found: History, categories: pl.DataFrame) -> list[tuple[str, list[str]]]:
    """Return the counts of the chart: a row a category, a text a run."""
    runs = found.runs["run"].to_list()
    rows = {(row["category"], row["run"]): row for row in categories.to_dicts()}
    return [
        (name, [_said(rows.get((name, run))) for run in runs])
        for name in CATEGORIES
        if any((name, run) in rows for run in runs)
    ]


def _said(row: Row | None) -> str:
    return wording.NOTHING if row is None or row["rate"] is None else wording.held(row)


def cells(found: History, link: HistoryLink) -> pl.DataFrame:
    """Return the cells an address asks for, those that changed most often first."""
    every = history.listed(found.strips.lazy()).collect()
    if link.q:
        sought = pl.concat_str("item", "variants", separator=" ").str.to_lowercase()
        every = every.filter(sought.str.contains(link.q.lower(), literal=True))
    return every


def strips(found: History, shown: pl.DataFrame) -> list[Strip]:
    """Return the cells as they are drawn, over the runs that are not set aside."""
    key = ["item", "variants"]
    own: dict[tuple[str, str], dict[str, Row]] = {}
    for row in found.strips.join(shown.select(key), on=key, how="semi").iter_rows(named=True):
        own.setdefault((row["item"], row["variants"]), {})[row["run"]] = row
    runs = found.runs.filter(~pl.col("suspect"))["run"].to_list()
    return [
        Strip(
            anchor("cell", row["item"], row["variants"]),
            row["item"],
            variants(row["variants"]),
            row["changes"],
            [_stand(own.get((row["item"], row["variants"]), {}).get(run)) for run in runs],
        )
        for row in shown.to_dicts()
    ]


def _stand(row: Row | None) -> Stand | None:
    if row is None:
        return None
    mark, tone = {
        "passed": ("✓", "pass"),
        "failed": ("✗", "fail"),
        "mixed": (f"{row['passed']}/{row['measured']}", "mixed"),
        "ungraded": ("○", "ctx"),
    }[row["state"]]
    title = f"{row['passed']} of {row['measured']} graded passed, {row['trials']} trials"
    href = FailuresLink(run=(row["run"],), item=row["item"]).href
    return Stand(mark, tone, title, href, row["changed"])


def subjects(found: Sequence[Column]) -> list[Column]:
    """Return one column of each subject, for the key of the chart."""
    return list({column.place: column for column in found}.values())
