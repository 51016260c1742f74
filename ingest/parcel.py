"""Rows on their way from a reader into the store: some one by one, some as columns or frames."""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import polars as pl

from ingest.frames import frame_of, together
from ingest.records import TABLES, Flag, Row, Run

Frames = dict[type[Row], pl.DataFrame]
"""The rows of some tables."""


class Columns(Protocol):
    """Rows of several tables that a format collects column by column."""

    @property
    def trials(self) -> Sequence[Any]:
        """Those of the rows that are trials."""

    def __len__(self) -> int:
        """Return the number of rows that count against the size of a part."""

    def extend(self, other: Any) -> None:
        """Take the rows of another one below these."""

    def frames(self) -> Mapping[type[Row], pl.DataFrame]:
        """Return them as frames."""


class Parcel:
    """Rows on their way into the store."""

    def __init__(self) -> None:
        """Start empty."""
        self.columns: dict[type[Columns], Columns] = {}
        self.rows: dict[type[Row], list[Row]] = {table: [] for table in TABLES}
        self.frames: dict[type[Row], list[pl.DataFrame]] = {table: [] for table in TABLES}
        self.count = 0
        self.bytes = 0

    def take(self, other: "Parcel") -> None:
        """Take everything out of another parcel."""
        for table, rows in other.rows.items():
            self.rows[table].extend(rows)
        for table, frames in other.frames.items():
            self.frames[table].extend(frames)
        for columns in other.columns.values():
            self.put(columns)
        self.count += other.count
        self.bytes += other.bytes

    def put(self, columns: Columns) -> None:
        """Take rows that are columns."""
        known = self.columns.setdefault(type(columns), columns)
        if known is not columns:
            known.extend(columns)

    def framed(self) -> Frames:
        """Return all rows as frames; they are gone then."""
        for columns in self.columns.values():
            for table, frame in columns.frames().items():
                self.frames[table].append(frame)
        self.columns = {}
        framed: Frames = {}
        for table in TABLES:
            rows, frames = self.rows.pop(table), self.frames.pop(table)
            if rows:
                frames.append(frame_of(table, rows))
            if frames:
                framed[table] = together(frames)
        return framed


def without(framed: Frames, reports: set[str]) -> Frames:
    """Return what does not belong to the given reports."""
    of_reports = pl.col("report").is_in(list(reports))
    runs = framed[Run].filter(of_reports)["run"].to_list() if Run in framed else []
    of_runs = pl.col("run").is_in(runs)
    return {
        table: frame.filter(~(of_reports if table is Flag else of_runs))
        for table, frame in framed.items()
    }
