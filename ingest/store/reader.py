"""Reading a store: only the columns and rows asked for, as Polars frames."""

import contextlib
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, Literal, get_args

import duckdb
import polars as pl

from ingest.records import run_of
from ingest.store.connection import check_version, connect
from ingest.stored import StoredTable

TableName = Literal[
    "report",
    "file",
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
_DTYPES: Final[dict[str, pl.DataType]] = {
    "VARCHAR": pl.String(),
    "VARCHAR[]": pl.List(pl.String()),
    "BIGINT": pl.Int64(),
    "INTEGER": pl.Int32(),
    "BOOLEAN": pl.Boolean(),
    "TIMESTAMP": pl.Datetime("us"),
}


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
        span: range | None = None,
    ) -> pl.DataFrame:
        """Return rows of one table, in no particular order.

        Only the named columns are read, and only rows whose ``run`` is among ``runs``, whose
        ``trial`` is among ``trials`` and in ``span``, and whose columns equal the values of
        ``where``; all are evaluated by the database.

        Raises:
            KeyError: When the table or a column does not exist.
        """
        known = self.columns(table)
        wanted = list(known) if columns is None else list(columns)
        filters: dict[str, list[Any]] = {name: [value] for name, value in (where or {}).items()}
        if runs is not None:
            filters["run"] = list(runs)
        among = runs
        if among is None and trials is not None:
            among = {run_of(number) for number in trials}
        if trials is not None:
            filters["trial"] = list(trials)
        for name in [*wanted, *filters]:
            if name not in known:
                raise KeyError(f"table {table} has no column {name!r}; it has {', '.join(known)}")
        relation = _kept(self._scan(self._connection, table, among), filters)
        if trials and span is None:
            # Parts of the table are passed over by their bounds, not by a list.
            span = range(min(trials), max(trials) + 1)
        if span is not None:
            trial = duckdb.ColumnExpression("trial")
            relation = relation.filter(trial >= duckdb.ConstantExpression(span.start))
            relation = relation.filter(trial < duckdb.ConstantExpression(span.stop))
        return pl.DataFrame(relation.select(*(duckdb.ColumnExpression(name) for name in wanted)))

    def ask(self, sql: str, parameters: Mapping[str, Any]) -> pl.DataFrame:
        """Return the rows of a question of this package to the database.

        Raises:
            ValueError: When the database cannot answer it, as of a broken regular expression.
        """
        try:
            return pl.DataFrame(self._connection.sql(sql, params=dict(parameters)))
        except (duckdb.InvalidInputException, duckdb.BinderException) as error:
            raise ValueError(str(error).splitlines()[0]) from error

    def table(self, table: TableName, *, runs: Collection[str] | None = None) -> StoredTable:
        """Return a table to be counted where it lies, of rows whose ``run`` is among ``runs``.

        Raises:
            KeyError: When the table does not exist, or has no column ``run``.
        """
        if "run" not in self.columns(table):
            raise KeyError(f"table {table} has no column 'run'")
        filters = {} if runs is None else {"run": tuple(runs)}

        def scan(cursor: duckdb.DuckDBPyConnection) -> duckdb.DuckDBPyRelation:
            return _kept(self._scan(cursor, table, runs), filters)

        return StoredTable(self._connection.cursor, scan, self._schema(table))

    def columns(self, table: TableName) -> dict[str, str]:
        """Return the columns of a table and their database types, in order.

        Raises:
            KeyError: When the table does not exist.
        """
        if table not in get_args(TableName):
            raise KeyError(f"no table {table!r}; there are {', '.join(get_args(TableName))}")
        relation = self._connection.table(f'"{table}"')
        return dict(zip(relation.columns, map(str, relation.types), strict=True))

    def _schema(self, table: TableName) -> dict[str, pl.DataType]:
        return {name: _DTYPES[kind] for name, kind in self.columns(table).items()}

    def _scan(
        self,
        cursor: duckdb.DuckDBPyConnection,
        table: TableName,
        runs: Collection[str] | None,  # noqa: ARG002 (a lake reads only the files of these)
    ) -> duckdb.DuckDBPyRelation:
        """Return a table as it lies, with at least the rows of these runs."""
        return cursor.table(f'"{table}"')


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
def open_store(path: Path, wait: float = READ_WAIT) -> Iterator[Reader]:
    """Open the file of a store for reading, and close it again.

    Raises:
        StoreBusy: When a writer holds it for longer than ``wait`` seconds.
        StoreOutdated: When another version of the tool made it.
        StoreUnreadable: When the file is not a store.
    """
    connection = connect(path, wait, read_only=True)
    try:
        check_version(path, connection)
        connection.execute("SET enable_external_access = false").fetchall()
        yield Reader(connection)
    finally:
        connection.close()
