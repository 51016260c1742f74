"""Writing a store: reports whole or not at all, open only inside a transaction."""

import contextlib
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import duckdb
import polars as pl

from ingest.batch import Batch, FileState
from ingest.errors import StoreError
from ingest.parcel import Frames, without
from ingest.records import TABLES
from ingest.store.connection import Waiting, check_version, connect, make, unusable
from ingest.store.known import known
from ingest.store.leftovers import clear_leftovers

WRITE_WAIT: Final = 30.0
_IDENTITY: Final = ("report", "run", "native_run", "subject", "dialect", "version", "suite", "arm")
_REPORT: Final = {
    "report": pl.String,
    "path": pl.String,
    "format": pl.String,
    "dialect": pl.String,
    "version": pl.Int64,
    "bytes": pl.Int64,
    "ingested_at": pl.Datetime("us"),
    "extra": pl.String,
}
_REJECTION: Final = dict.fromkeys(
    ("path", "report", "place", "rule", "message", "remedy", "excerpt"), pl.String
)
_FILE: Final = {
    "path": pl.String,
    "report": pl.String,
    "bytes": pl.Int64,
    "changed": pl.String,
    "read_at": pl.Int64,
}


class Writer:
    """Writes reports, each whole or not at all.

    The database is open only inside a transaction, so that readers and other writers get their
    turn. A large report is one long transaction: others wait until it is stored.
    """

    def __init__(
        self, path: Path, wait: float = WRITE_WAIT, waiting: Waiting | None = None
    ) -> None:
        """Make the store if there is none, and look at what it holds.

        Raises:
            StoreError: When it cannot be made, opened or used.
        """
        self.path = path
        self._wait = wait
        self._waiting = waiting
        self._connection: duckdb.DuckDBPyConnection | None = None
        self._stored: set[str] = set()
        clear_leftovers(path)
        if not path.exists() or path.stat().st_size == 0:
            path.unlink(missing_ok=True)
            make(path)
        with self._session() as connection:
            check_version(path, connection)
            self.known = known(connection)

    def runs(self) -> list[dict[str, Any]]:
        """Return every stored run: its report, and what it is known by."""
        with self._session() as connection:
            rows = connection.execute(
                f"SELECT {', '.join(_IDENTITY)} FROM run_loaded ORDER BY report, position"  # noqa: S608
            ).fetchall()
        return [dict(zip(_IDENTITY, row, strict=True)) for row in rows]

    def spill(self, report: str, frames: Frames) -> None:
        """Write a part of a report; :meth:`write` completes it."""
        self._begin()
        if report not in self._stored:
            self._insert_frames(frames)

    def write(self, batches: Sequence[Batch], frames: Frames) -> set[str]:
        """Write whole reports with their rejections; they are stored by :meth:`commit`.

        Returns the reports that another process has stored meanwhile: they were left out.
        """
        connection = self._begin()
        twice = {batch.source.report for batch in batches if batch.stored} & self._stored
        if twice:
            frames = without(frames, twice)
        self._insert_frames(frames)
        now = datetime.now(UTC).replace(tzinfo=None)
        kept = [batch for batch in batches if batch.source.report not in twice]
        with self._refusing():
            _forget(connection, *{batch.replaces for batch in kept if batch.replaces})
        self._insert("report", [_report_row(each, now) for each in kept if each.stored], _REPORT)
        self._replace("rejection", "path", [batch.source.path for batch in batches])
        self._insert("rejection", _refused(batches), _REJECTION)
        self._files([batch.file for batch in batches if batch.file is not None])
        return twice

    def commit(self) -> None:
        """Store what was written, and let others have the database."""
        self._end(commit=True)

    def note_files(self, files: Sequence[FileState]) -> None:
        """Remember where unchanged reports were seen, so that they need not be read again."""
        if files:
            self._begin()
            self._files(files)
            self._end(commit=True)

    def abandon(self) -> None:
        """Forget what was written since the last commit."""
        if self._connection is not None:
            with contextlib.suppress(StoreError):
                self._end(commit=False)

    def forget(self, *reports: str) -> int:
        """Remove reports and everything read from them, all or none; return how many trials."""
        connection = self._begin()
        with self._refusing():
            trials = _forget(connection, *reports)
        self._end(commit=True)
        return trials

    def _begin(self) -> duckdb.DuckDBPyConnection:
        if self._connection is None:
            connection = connect(self.path, self._wait, read_only=False, waiting=self._waiting)
            connection.begin()
            stored = connection.execute("SELECT report FROM report").fetchall()
            self._stored = {report for (report,) in stored}
            self._connection = connection
        return self._connection

    def _end(self, *, commit: bool) -> None:
        connection, self._connection = self._connection, None
        if connection is None:
            return
        try:
            if commit:
                connection.commit()
                connection.execute("CHECKPOINT store").fetchall()
            else:
                connection.rollback()
        except duckdb.Error as error:
            raise unusable(self.path, error) from error
        finally:
            connection.close()

    def _insert_frames(self, frames: Frames) -> None:
        for row_type, table in TABLES.items():
            if row_type in frames:
                self._insert_frame(table, frames.pop(row_type))

    def _insert(self, table: str, rows: Sequence[tuple[Any, ...]], schema: dict[str, Any]) -> None:
        if rows:
            self._insert_frame(table, pl.DataFrame(rows, schema=schema, orient="row"))

    def _insert_frame(self, table: str, incoming: pl.DataFrame) -> None:  # noqa: ARG002
        """Insert a frame, which the statement finds by the name of the argument.

        A registered frame would stay in memory until the transaction ends.
        """
        connection = self._begin()
        with self._refusing():
            connection.execute(f'INSERT INTO "{table}" BY NAME SELECT * FROM incoming').fetchall()  # noqa: S608

    def _files(self, files: Sequence[FileState]) -> None:
        self._replace("file", "path", [file.path for file in files])
        self._insert("file", list({file.path: tuple(file) for file in files}.values()), _FILE)

    def _replace(self, table: str, column: str, values: Sequence[str]) -> None:
        """Remove the rows that are about to be written anew."""
        connection = self._begin()
        connection.register("gone", pl.DataFrame({"value": values}, schema={"value": pl.String}))
        with self._refusing():
            connection.execute(
                f"DELETE FROM {table} WHERE {column} IN (SELECT value FROM gone)"  # noqa: S608
            ).fetchall()
        connection.unregister("gone")

    @contextlib.contextmanager
    def _refusing(self) -> Iterator[None]:
        """Give the transaction up when the database cannot go on, and say why."""
        try:
            yield
        except duckdb.Error as error:
            self.abandon()
            raise unusable(self.path, error) from error

    @contextlib.contextmanager
    def _session(self) -> Iterator[duckdb.DuckDBPyConnection]:
        """Lend the open connection, or one just for this question."""
        if self._connection is not None:
            yield self._connection
            return
        connection = connect(self.path, self._wait, read_only=True, waiting=self._waiting)
        try:
            yield connection
        finally:
            connection.close()


def _forget(connection: duckdb.DuckDBPyConnection, *reports: str) -> int:
    if not reports:
        return 0
    chosen = "report IN (SELECT unnest(?::VARCHAR[]))"
    runs = f"run IN (SELECT run FROM run_loaded WHERE {chosen})"  # noqa: S608
    told = [list(reports)]
    counted = connection.execute(f"SELECT count(*) FROM trial WHERE {runs}", told)  # noqa: S608
    trials = int(counted.fetchall()[0][0])
    for table in TABLES.values():
        if table not in ("run_loaded", "flag"):
            connection.execute(f'DELETE FROM "{table}" WHERE {runs}', told).fetchall()  # noqa: S608
    for table in ("flag", "rejection", "file", "run_loaded", "report"):
        connection.execute(f"DELETE FROM {table} WHERE {chosen}", told).fetchall()  # noqa: S608
    now = datetime.now(UTC).replace(tzinfo=None)
    gone = "INSERT INTO forgotten SELECT unnest(?::VARCHAR[]), ?"
    connection.execute(gone, [list(reports), now]).fetchall()
    return trials


def _refused(batches: Sequence[Batch]) -> list[tuple[Any, ...]]:
    return [
        (each.path, batch.source.report if batch.stored else None, *each[1:])
        for batch in batches
        for each in batch.rejections
    ]


def _report_row(batch: Batch, now: datetime) -> tuple[Any, ...]:
    source = batch.source
    told = (batch.format, batch.dialect, batch.version)
    return (source.report, source.path, *told, source.size, now, batch.extra)
