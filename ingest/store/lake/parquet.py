"""Writing the rows of one report as Parquet: hidden files first, which a caller then renames."""

import contextlib
import os
import uuid
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

import duckdb

from ingest.records import TABLES as ROWS
from ingest.store.lake.manifest import TABLES, Part

OF_RUN: Final = tuple(table for table in ROWS.values() if table != "flag")
OF_REPORT: Final = ("report", "flag", "rejection")
"""Tables that have no run; they lie in a partition of their report."""
_ORDER: Final = {
    "trial": "trial",
    "turn": "trial, turn",
    "check": "trial, position",
    "vote": "trial, position, vote",
    "discard": "trial, position",
    "item": "position",
    "definition": "definition, position",
}
_ROW_GROUP: Final = 16_384
_OF_PAYLOADS: Final = 2_048
"""Rows a reader of one trial has to unpack at least; payloads are large."""


class Fresh(NamedTuple):
    """A file that is complete, and does not have its name yet."""

    hidden: Path
    part: Part


def write(
    connection: duckdb.DuckDBPyConnection, lake: Path, report: str, runs: Sequence[str]
) -> Iterator[Fresh]:
    """Write what a store has of a report, one file a table and run; tables without rows give none.

    Every file has all columns of its table, ``run`` too, so that it can be read alone.
    """
    for table in OF_RUN:
        for run in runs:
            fresh = _write(connection, lake, table, ("run", run))
            if fresh is not None:
                yield fresh
    for table in OF_REPORT:
        fresh = _write(connection, lake, table, ("report", report))
        if fresh is not None:
            yield fresh


def name(lake: Path, fresh: Fresh) -> None:
    """Give a file its name; one of the same report that is there has the same rows."""
    fresh.hidden.replace(lake / fresh.part.path)


def drop(lake: Path, parts: Sequence[Part]) -> None:
    """Remove files, and the folders that are then empty."""
    for part in parts:
        path = lake / part.path
        path.unlink(missing_ok=True)
        with contextlib.suppress(OSError):
            path.parent.rmdir()


def _write(
    connection: duckdb.DuckDBPyConnection, lake: Path, table: str, key: tuple[str, str]
) -> Fresh | None:
    column, value = key
    # The value is a digest in hexadecimal digits, and table and column are of this module.
    found = f"FROM \"{table}\" WHERE {column} = '{value}'"
    (count,) = connection.execute(f"SELECT count(*) {found}").fetchall()[0]
    if not count:
        return None
    folder = Path(TABLES, f"table={table}", f"{column}={value}")
    (lake / folder).mkdir(parents=True, exist_ok=True)
    hidden = lake / folder / f".{uuid.uuid4().hex}.parquet"
    quoted = str(hidden).replace("'", "''")
    order = f"ORDER BY {_ORDER[table]}" if table in _ORDER else ""
    size = _OF_PAYLOADS if table == "turn" else _ROW_GROUP
    options = f"FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE {size}"
    rows = f"SELECT * {found} {order}"
    connection.execute(f"COPY ({rows}) TO '{quoted}' ({options})").fetchall()
    _to_disk(hidden)
    part = Part(
        table=table,
        run=value if column == "run" else None,
        path=(folder / f"{value}.parquet").as_posix(),
        rows=count,
        bytes=hidden.stat().st_size,
    )
    return Fresh(hidden, part)


def _to_disk(path: Path) -> None:
    with path.open("rb") as file:
        os.fsync(file.fileno())
