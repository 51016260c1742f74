"""The store: one DuckDB file, the only module that knows the database.

A DuckDB file is locked whole between processes, so nobody keeps it open: readers open, read what
they need and close; the writer opens for one transaction and closes. The store is derived from
files and disposable: it has a version and no migrations.
"""

import contextlib
import re
import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from importlib import resources
from pathlib import Path
from typing import Any, Final, Literal, get_args

import duckdb
import polars as pl

from ingest.batch import Batch
from ingest.errors import (
    Rejection,
    StoreBusy,
    StoreMissing,
    StoreOutdated,
    StoreUnreadable,
)
from ingest.records import TABLES, Row
from ingest.stored import StoredTable

SCHEMA_VERSION: Final = 1
TableName = Literal[
    "report",
    "run",
    "item",
    "part",
    "definition",
    "trial",
    "turn",
    "check",
    "vote",
    "discard",
    "flag",
    "rejection",
]
Scalar = str | int | bool
READ_WAIT: Final = 2.0
WRITE_WAIT: Final = 30.0
_RETRY: Final = 0.05
_SETTINGS: Final[dict[str, str | bool | int | float | list[str]]] = {
    "autoinstall_known_extensions": False,
    "autoload_known_extensions": False,
}
_HOLDER: Final = re.compile(r"held in (.+?) \(PID (\d+)\)")
_DTYPES: Final[dict[str, pl.DataType]] = {
    "VARCHAR": pl.String(),
    "VARCHAR[]": pl.List(pl.String()),
    "BIGINT": pl.Int64(),
    "INTEGER": pl.Int32(),
    "BOOLEAN": pl.Boolean(),
    "TIMESTAMP": pl.Datetime("us"),
}


def version(path: Path) -> str:
    """Return a text that changes whenever the store's content may have: a cache key.

    Raises:
        StoreMissing: When there is no store.
    """
    try:
        found = path.stat()
    except OSError:
        raise StoreMissing(path) from None
    return f"{found.st_mtime_ns}-{found.st_size}"


class Reader:
    """A store opened for reading; hands out Polars frames."""

    def __init__(self, connection: duckdb.DuckDBPyConnection) -> None:
        """Take a connection that :func:`open_reader` opened and closes."""
        self._connection = connection

    def frame(
        self,
        table: TableName,
        columns: Sequence[str] | None = None,
        *,
        runs: Collection[str] | None = None,
        trials: Collection[int] | None = None,
        where: Mapping[str, Scalar] | None = None,
    ) -> pl.DataFrame:
        """Return rows of one table, in no particular order.

        Only the named columns are read, and only rows whose ``run`` is among ``runs``, whose
        ``trial`` is among ``trials`` and whose columns equal the values of ``where``; all are
        evaluated by the database.

        Raises:
            KeyError: When the table or a column does not exist.
        """
        known = self.columns(table)
        wanted = list(known) if columns is None else list(columns)
        filters: dict[str, list[Any]] = {name: [value] for name, value in (where or {}).items()}
        if runs is not None:
            filters["run"] = list(runs)
        if trials is not None:
            filters["trial"] = list(trials)
        for name in [*wanted, *filters]:
            if name not in known:
                raise KeyError(f"table {table} has no column {name!r}; it has {', '.join(known)}")
        relation = _kept(self._connection.table(f'"{table}"'), filters)
        return pl.DataFrame(relation.select(*(duckdb.ColumnExpression(name) for name in wanted)))

    def ask(self, sql: str, parameters: Mapping[str, Any]) -> pl.DataFrame:
        """Return the rows of a question of this package to the database.

        Raises:
            ValueError: When the database cannot answer it, as of a broken regular expression.
        """
        try:
            return pl.DataFrame(self._connection.sql(sql, params=dict(parameters)))
        except (duckdb.InvalidInputException, duckdb.BinderException) as error:
            raise ValueError(_first_line(error)) from error

    def table(self, table: TableName, *, runs: Collection[str] | None = None) -> StoredTable:
        """Return a table to be counted where it lies, of rows whose ``run`` is among ``runs``.

        Raises:
            KeyError: When the table does not exist, or has no column ``run``.
        """
        known = self.columns(table)
        if "run" not in known:
            raise KeyError(f"table {table} has no column 'run'")
        filters = {} if runs is None else {"run": tuple(runs)}

        def scan(cursor: duckdb.DuckDBPyConnection) -> duckdb.DuckDBPyRelation:
            return _kept(cursor.table(f'"{table}"'), filters)

        schema = {name: _DTYPES[kind] for name, kind in known.items()}
        return StoredTable(self._connection.cursor, scan, schema)

    def columns(self, table: TableName) -> dict[str, str]:
        """Return the columns of a table and their database types, in order.

        Raises:
            KeyError: When the table does not exist.
        """
        if table not in get_args(TableName):
            raise KeyError(f"no table {table!r}; there are {', '.join(get_args(TableName))}")
        relation = self._connection.table(f'"{table}"')
        return dict(zip(relation.columns, map(str, relation.types), strict=True))


def _kept(
    relation: duckdb.DuckDBPyRelation, filters: Mapping[str, Sequence[Any]]
) -> duckdb.DuckDBPyRelation:
    """Keep the rows that have one of the values in each of these columns."""
    for name, values in filters.items():
        constants = [duckdb.ConstantExpression(value) for value in values]
        chosen = (
            duckdb.ColumnExpression(name).isin(*constants)
            if constants
            else duckdb.ConstantExpression(value=False)
        )
        relation = relation.filter(chosen)
    return relation


@contextlib.contextmanager
def open_reader(path: Path, wait: float = READ_WAIT) -> Iterator[Reader]:
    """Open a store for reading, and close it again.

    Raises:
        StoreMissing: When there is no store.
        StoreBusy: When a writer holds it for longer than ``wait`` seconds.
        StoreOutdated: When another version of the tool made it.
        StoreUnreadable: When the file is not a store.
    """
    if not path.is_file():
        raise StoreMissing(path)
    connection = _connect(path, wait, read_only=True)
    try:
        _check_version(path, connection)
        connection.execute("SET enable_external_access = false").fetchall()
        yield Reader(connection)
    finally:
        connection.close()


class Writer:
    """Writes reports, each whole or not at all.

    The database is open only inside a transaction, so that readers and other writers get their
    turn.
    """

    def __init__(self, path: Path, wait: float = WRITE_WAIT) -> None:
        """Make the store if there is none.

        Raises:
            StoreError: When it cannot be made, opened or used.
        """
        self.path = path
        self._wait = wait
        self._connection: duckdb.DuckDBPyConnection | None = None
        self._dtypes: dict[str, dict[str, pl.DataType]] = {}
        with self._session() as connection:
            if not connection.execute("SELECT 1 FROM duckdb_tables()").fetchall():
                _create(connection)
            _check_version(path, connection)
            for table in (*TABLES.values(), "report", "rejection"):
                relation = connection.table(f'"{table}"')
                types = (_DTYPES[str(kind)] for kind in relation.types)
                self._dtypes[table] = dict(zip(relation.columns, types, strict=True))

    def reports(self) -> dict[str, str]:
        """Return the path of every stored report by its hash."""
        with self._session() as connection:
            return dict(connection.execute("SELECT report, path FROM report").fetchall())

    def runs(self) -> list[dict[str, Any]]:
        """Return every stored run: report, run, native_run, subject as its report names it."""
        names = ("report", "run", "native_run", "subject")
        with self._session() as connection:
            rows = connection.execute(
                "SELECT report, run, native_run, subject FROM run_loaded ORDER BY report, position"
            ).fetchall()
        return [dict(zip(names, row, strict=True)) for row in rows]

    def rejections(self) -> dict[str, list[Rejection]]:
        """Return what was refused of reports that are stored, by report."""
        refused: dict[str, list[Rejection]] = {}
        with self._session() as connection:
            rows = connection.execute(
                "SELECT report, path, place, rule, message, remedy, excerpt FROM rejection "
                "WHERE report IS NOT NULL ORDER BY rowid"
            ).fetchall()
        for report, *row in rows:
            refused.setdefault(report, []).append(Rejection(*row))
        return refused

    def spill(self, batch: Batch) -> None:
        """Write a batch's rows so far into the open transaction; :meth:`write` completes it."""
        self._insert_rows(self._begin(), batch.take())

    def write(self, batches: Sequence[Batch]) -> None:
        """Write whole reports with their rejections, and commit."""
        connection = self._begin()
        merged: dict[type[Row], list[Row]] = {table: [] for table in TABLES}
        for batch in batches:
            for table, rows in batch.take().items():
                merged[table].extend(rows)
        self._insert_rows(connection, merged)
        now = datetime.now(UTC).replace(tzinfo=None)
        reports = [_report_row(batch, now) for batch in batches if batch.stored]
        self._insert(connection, "report", reports)
        for batch in batches:
            path = batch.source.path
            connection.execute("DELETE FROM rejection WHERE path = ?", [path]).fetchall()
        refused = [
            (each.path, batch.source.report if batch.stored else None, *each[1:])
            for batch in batches
            for each in batch.rejections
        ]
        self._insert(connection, "rejection", refused)
        self._end(commit=True)

    def abandon(self) -> None:
        """Forget what was written since the last commit."""
        if self._connection is not None:
            self._end(commit=False)

    def forget(self, report: str) -> int:
        """Remove a report and everything read from it; return the number of trials removed."""
        connection = self._begin()
        runs = "run IN (SELECT run FROM run_loaded WHERE report = ?)"
        counted = connection.execute(f"SELECT count(*) FROM trial WHERE {runs}", [report])  # noqa: S608
        trials = int(counted.fetchall()[0][0])
        for table in TABLES.values():
            if table not in ("run_loaded", "flag"):
                connection.execute(f'DELETE FROM "{table}" WHERE {runs}', [report]).fetchall()  # noqa: S608
        for table in ("flag", "rejection", "run_loaded", "report"):
            connection.execute(f"DELETE FROM {table} WHERE report = ?", [report]).fetchall()  # noqa: S608
        self._end(commit=True)
        return trials

    def _begin(self) -> duckdb.DuckDBPyConnection:
        if self._connection is None:
            self._connection = _connect(self.path, self._wait, read_only=False)
            self._connection.begin()
        return self._connection

    def _end(self, *, commit: bool) -> None:
        connection, self._connection = self._connection, None
        if connection is None:
            return
        try:
            if commit:
                connection.commit()
            else:
                connection.rollback()
        except duckdb.Error as error:
            raise StoreUnreadable(self.path, str(error)) from error
        finally:
            connection.close()

    def _insert_rows(
        self, connection: duckdb.DuckDBPyConnection, rows: Mapping[type[Row], Sequence[Row]]
    ) -> None:
        for row_type, table in TABLES.items():
            self._insert(connection, table, rows[row_type])

    def _insert(
        self,
        connection: duckdb.DuckDBPyConnection,
        table: str,
        rows: Sequence[tuple[Any, ...]],
    ) -> None:
        if not rows:
            return
        dtypes = self._dtypes[table]
        columns = zip(*rows, strict=True)
        frame = pl.DataFrame(
            [
                pl.Series(name, values, dtype=dtype)
                for (name, dtype), values in zip(dtypes.items(), columns, strict=True)
            ]
        )
        connection.register("incoming", frame)
        try:
            connection.execute(f'INSERT INTO "{table}" BY NAME SELECT * FROM incoming').fetchall()  # noqa: S608
        except duckdb.Error as error:
            self.abandon()
            raise StoreUnreadable(self.path, str(error)) from error
        connection.unregister("incoming")

    @contextlib.contextmanager
    def _session(self) -> Iterator[duckdb.DuckDBPyConnection]:
        """Lend the open connection, or one just for this question."""
        if self._connection is not None:
            yield self._connection
            return
        connection = _connect(self.path, self._wait, read_only=False)
        try:
            yield connection
        finally:
            connection.close()


def _connect(path: Path, wait: float, *, read_only: bool) -> duckdb.DuckDBPyConnection:
    started = time.monotonic()
    while True:
        try:
            connection = duckdb.connect(str(path), read_only=read_only, config=_SETTINGS)
            connection.execute("SET TimeZone = 'UTC'").fetchall()
        except duckdb.Error as error:
            if "lock" not in str(error):
                raise StoreUnreadable(path, _first_line(error)) from error
            waited = time.monotonic() - started
            if waited >= wait:
                raise StoreBusy(path, _holder(error), waited) from error
            time.sleep(_RETRY)
        else:
            return connection


def _holder(error: duckdb.Error) -> str:
    found = _HOLDER.search(str(error))
    return f"process {found[2]} ({found[1]})" if found else "another process"


def _first_line(error: duckdb.Error) -> str:
    return str(error).splitlines()[0]


def _create(connection: duckdb.DuckDBPyConnection) -> None:
    connection.begin()
    connection.execute(resources.files("ingest").joinpath("schema.sql").read_text("utf-8"))
    connection.execute("INSERT INTO meta VALUES (?)", [SCHEMA_VERSION]).fetchall()
    connection.commit()


def _check_version(path: Path, connection: duckdb.DuckDBPyConnection) -> None:
    try:
        found = connection.execute("SELECT schema_version FROM meta").fetchall()
    except duckdb.Error:
        message = "it is a DuckDB database, but none of this tool's; choose another path"
        raise StoreUnreadable(path, message) from None
    if found != [(SCHEMA_VERSION,)]:
        raise StoreOutdated(path, found[0][0] if found else 0, SCHEMA_VERSION)


def _report_row(batch: Batch, now: datetime) -> tuple[Any, ...]:
    source = batch.source
    told = (batch.format, batch.dialect, batch.version)
    return (source.report, source.path, *told, source.size, now, batch.extra)
