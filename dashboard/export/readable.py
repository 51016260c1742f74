"""The readable rows of a table, run by run, before a format writes them."""

from collections.abc import Iterator
from itertools import groupby
from typing import Final, NamedTuple

from dashboard.export.table import Source, Table

MOST_ROWS: Final = 2_000
"""Rows beyond which a readable form says where the others are, and stops."""


class Group(NamedTuple):
    """The rows of one run, or of the whole table where it has no runs to head them."""

    source: Source | None
    rows: list[tuple[str, ...]]


class Readable(NamedTuple):
    """All rows that a readable form shows, and what it says where there are more."""

    groups: list[Group]
    more: str


def rows(table: Table) -> Readable:
    """Return the rows as people read them."""
    frame = table.frame(MOST_ROWS)
    over = frame.height > MOST_ROWS
    sources = {source.run: source for source in table.about.runs}
    groups = []
    shown = frame.head(MOST_ROWS).iter_rows(named=True)
    for run, found in groupby(shown, key=lambda row: row["run"] if table.by_run else None):
        cells = [tuple(one.cell(row) for one in table.shown) for row in found]
        groups.append(Group(sources.get(run) if run else None, cells))
    return Readable(groups, _more() if over else "")


def _more() -> str:
    return f"The first {MOST_ROWS} rows; csv, parquet and json hold all of them."


def headings(table: Table) -> Iterator[tuple[str, list[str]]]:
    """Yield the notes that a reader of the readable form needs: not its exact columns."""
    for heading, lines in table.sections():
        if heading != "Columns":
            yield heading, lines
