"""Reading a lake as if it were a store: the same tables, of the files its manifest names.

Only the files of the runs asked for are opened.
"""

import contextlib
from collections.abc import Collection, Iterator, Mapping
from importlib import resources
from pathlib import Path
from typing import Any, Final, get_args

import duckdb
import polars as pl

from ingest.errors import LakeChanged
from ingest.store.connection import reading
from ingest.store.lake import engine, manifest
from ingest.store.reader import Reader, TableName

_LOADED: Final = "run_loaded"
_SUPERSEDING: Final = "run"
_SETTINGS: Final[dict[str, str | bool | int | float | list[str]]] = {
    "autoinstall_known_extensions": False,
    "autoload_known_extensions": False,
    "preserve_insertion_order": False,
}

Files = Mapping[str, Mapping[str | None, list[str]]]
"""Per table and run the files that hold its rows; of tables without runs, under null."""


class LakeReader(Reader):
    """A lake opened for reading."""

    def __init__(
        self,
        connection: duckdb.DuckDBPyConnection,
        files: Files,
        counting: engine.Engine | None,
    ) -> None:
        """Take a connection with empty tables, the files, and who counts if not the database."""
        super().__init__(connection)
        self._files = files
        self._counting = counting
        self._shown: set[str] = set()
        self._show(_LOADED)

    def ask(self, sql: str, parameters: Mapping[str, Any]) -> pl.DataFrame:
        """Return the rows of a question of this package to the database.

        Raises:
            ValueError: When the database cannot answer it.
        """
        for table in get_args(TableName):
            self._show(table)
        return super().ask(sql, parameters)

    def table(self, table: TableName, *, runs: Collection[str] | None = None) -> Any:
        """Return a table to be counted where it lies, of rows whose ``run`` is among ``runs``.

        Raises:
            KeyError: When the table does not exist, or has no column ``run``.
        """
        stored = super().table(table, runs=runs)
        if self._counting is None or table == _SUPERSEDING:
            return stored
        return engine.Spread(self._counting, self._named(table, runs), self._schema(table))

    def _scan(
        self,
        cursor: duckdb.DuckDBPyConnection,
        table: TableName,
        runs: Collection[str] | None,
    ) -> duckdb.DuckDBPyRelation:
        paths = self._named(table, runs)
        if table == _SUPERSEDING or not paths:
            return cursor.table(f'"{table}"')
        return cursor.read_parquet(paths, hive_partitioning=False)

    def _named(self, table: str, runs: Collection[str] | None) -> list[str]:
        """Return the files of a table, of these runs or of all."""
        of_table = self._files.get(table, {})
        wanted = (
            of_table if runs is None else (run for run in of_table if run in set(runs) | {None})
        )
        return [path for run in wanted for path in of_table[run]]

    def _show(self, table: str) -> None:
        """Put the files of a table in the place of the empty one."""
        paths = self._named(table, None)
        if table in self._shown or not paths:
            return
        self._shown.add(table)
        listed = ", ".join("'" + path.replace("'", "''") + "'" for path in paths)
        files = f"read_parquet([{listed}], hive_partitioning = false)"
        self._connection.execute(f'DROP TABLE "{table}"').fetchall()
        self._connection.execute(f'CREATE VIEW "{table}" AS SELECT * FROM {files}').fetchall()  # noqa: S608


@contextlib.contextmanager
def open_lake(lake: Path) -> Iterator[LakeReader]:
    """Open a lake for reading, as it is now, and close it again.

    Raises:
        StoreMissing: When there is no folder.
        LakeUnreadable: When it is no lake, or of another version.
        LakeChanged: When a report is forgotten while it is read.
    """
    files = _files(lake.absolute())
    with duckdb.connect(config=_SETTINGS | reading()) as connection:
        connection.execute("SET TimeZone = 'UTC'").fetchall()
        folder = str(lake.absolute()).replace("'", "''")
        connection.execute(f"SET allowed_directories = ['{folder}']").fetchall()
        connection.execute("SET enable_external_access = false").fetchall()
        connection.execute(resources.files("ingest").joinpath("schema.sql").read_text("utf-8"))
        try:
            yield LakeReader(connection, files, engine.chosen(lake))
        except duckdb.IOException as error:
            raise LakeChanged(lake, str(error).splitlines()[0]) from error


def _files(lake: Path) -> Files:
    found: dict[str, dict[str | None, list[str]]] = {}
    for entry in manifest.entries(lake).values():
        for part in entry.parts if entry.forgotten_at is None else ():
            found.setdefault(part.table, {}).setdefault(part.run, []).append(str(lake / part.path))
    return found
