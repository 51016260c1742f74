"""Rows on their way from a reader into the store: some one by one, some as columns or frames."""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import polars as pl

from ingest.frames import frame_of, together
from ingest.records import TABLES, Flag, Row, Run


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

    def frame(self, row_type: type[Row]) -> pl.DataFrame | None:
        """Return all rows of one table, or None when there are none; they are gone then."""
        for columns in self.columns.values():
            for table, frame in columns.frames().items():
                self.frames[table].append(frame)
        self.columns = {}
        rows, frames = self.rows.pop(row_type, []), self.frames.pop(row_type, [])
        if rows:
            frames.append(frame_of(row_type, rows))
        return together(frames) if frames else None

    def framed(self) -> "Parcel":
        """Turn everything into frames; return the parcel itself."""
        for table in TABLES:
            frame = self.frame(table)
            self.rows[table], self.frames[table] = [], [] if frame is None else [frame]
        return self

    def without(self, reports: set[str]) -> "Parcel":
        """Return what does not belong to the given reports."""
        kept = Parcel()
        runs = {run.run for run in self.rows[Run] if isinstance(run, Run) and run.report in reports}
        for table in TABLES:
            frame = self.frame(table)
            if frame is None:
                continue
            owner, gone = ("report", reports) if table is Flag else ("run", runs)
            kept.frames[table] = [frame.filter(~pl.col(owner).is_in(list(gone)))]
        return kept
