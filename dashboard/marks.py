"""Marks that people put on failures: which hits have one, and how one is put there.

A mark is words beside a group. It filters a list when asked to, and changes no figure.
"""

from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from typing import Final, NamedTuple

import polars as pl

from dashboard import triage
from dashboard.link import Tab, anchor
from dashboard.marked import with_marks
from dashboard.runtable import Run
from dashboard.triage import Lists
from ingest import subjects
from ingest.subjects import MARK_KINDS, Mark, MarkKind, Notes, mark_key

NONE: Final = "not marked"
_MARKED: Final[tuple[Tab, ...]] = ("failed", "errored", "never", "bound")


class Place(NamedTuple):
    """Failures that can be marked: a group in some suites, or one cause of it."""

    suites: tuple[str, ...]
    name: str
    detail: str
    cause: str = ""

    @property
    def keys(self) -> list[str]:
        """The keys of its marks, one a suite."""
        return [mark_key(suite, self.name, self.detail, self.cause) for suite in self.suites]

    def marks(self, notes: Notes) -> list[Mark]:
        """Return what was said about it, each once."""
        found = [notes.marks[key] for key in self.keys if key in notes.marks]
        return list({(mark.kind, mark.text): mark for mark in found}.values())


def applied(found: Lists, runs: Iterable[Run], notes: Notes, asked: str | None) -> Lists:
    """Return the lists with the marks of their hits, those hits alone whose mark is asked for."""
    known = list(runs)
    kept = {
        tab: with_marks(triage.of(found, tab), known, notes).filter(wanted(asked))
        for tab in _MARKED
    }
    return found._replace(**kept)


def place(hits: pl.DataFrame, marking: str) -> Place | None:
    """Return the failures that an address wants to mark, null when they are not in the list."""
    groups = hits.select(*triage.GROUP, "cause", "suite").unique(maintain_order=True)
    suites: list[str] = []
    found: Place | None = None
    for row in groups.iter_rows(named=True):
        whole = triage.anchor_of(row)
        cause = anchor(whole, row["cause"] or "")
        if marking in {whole, cause}:
            suites.append(row["suite"])
            only = "" if marking == whole else row["cause"] or ""
            found = Place(tuple(sorted(set(suites))), row["name"], row["detail"], only)
    return found


def wanted(mark: str | None) -> pl.Expr:
    """Return whether a hit has the mark that an address asks for."""
    if mark is None:
        return pl.lit(value=True)
    return pl.col("mark").is_null() if mark == NONE else pl.col("mark") == mark


def choices(notes: Notes) -> Mapping[str, str]:
    """Return the marks to filter by."""
    used = {mark.kind for mark in notes.marks.values()}
    return {kind: kind for kind in MARK_KINDS if kind in used} | {NONE: NONE}


def put(db: Path, place: Place, kind: MarkKind, text: str) -> None:
    """Mark failures; the last word counts."""
    notes = subjects.read_notes(db)
    notes.marks |= {key: Mark(kind=kind, text=text.strip()) for key in place.keys}
    subjects.write_notes(db, notes)


def remove(db: Path, keys: Collection[str]) -> None:
    """Take the marks with these keys away."""
    notes = subjects.read_notes(db)
    notes.marks = {key: mark for key, mark in notes.marks.items() if key not in keys}
    subjects.write_notes(db, notes)


def said(mark: Mark) -> str:
    """Return a mark in words."""
    if not mark.text:
        return mark.kind
    return f"{mark.kind}{' ' if mark.kind == 'fixed in' else ': '}{mark.text}"
