"""Writing a store anew, so that the file gives back the room of what was taken out.

The database never makes its file smaller. The rows are copied to a file beside it while the old one
is held as a writer holds it; then the new file takes the old one's name, at once.
"""

import os
import shutil
import time
from pathlib import Path
from typing import Final, NamedTuple

import duckdb

from ingest.errors import StoreMissing, StoreUnreadable
from ingest.store.connection import ROW_GROUP, Waiting, check_version, connect, declare, unusable
from ingest.store.leftovers import clear_leftovers, overflow
from ingest.store.writer import WRITE_WAIT

_LINGER: Final = 0.2
"""Seconds the old file stays held once it has no name: whoever opened it by name just before finds
it busy, and opens the name again."""


class Compacted(NamedTuple):
    """Bytes of the file before and after."""

    before: int
    after: int


def compact(path: Path, wait: float = WRITE_WAIT, waiting: Waiting | None = None) -> Compacted:
    """Write a store anew: afterwards there is the new file or the old one, never neither.

    Raises:
        StoreMissing: When there is no store.
        StoreError: When it cannot be had within ``wait`` seconds, or not be copied.
    """
    if not path.is_file():
        raise StoreMissing(path)
    clear_leftovers(path)
    place = overflow(path, "compact")
    connection = connect(path, wait, read_only=False, waiting=waiting)
    try:
        check_version(path, connection)
        # What is still in the log belongs to the old file and must not meet the new one.
        connection.execute("CHECKPOINT store").fetchall()
        before = path.stat().st_size
        place.mkdir()
        fresh = place / "store.duckdb"
        _copy(connection, fresh)
        shutil.copymode(path, fresh)
        _settle(fresh)
        fresh.replace(path)
        _settle(path.parent)
        time.sleep(_LINGER)
        return Compacted(before, path.stat().st_size)
    except duckdb.Error as error:
        raise unusable(path, error) from error
    except OSError as error:
        raise StoreUnreadable(path, error.strerror or str(error)) from error
    finally:
        connection.close()
        shutil.rmtree(place, ignore_errors=True)


def _copy(connection: duckdb.DuckDBPyConnection, fresh: Path) -> None:
    """Copy every table in the order of its rows, and leave the copy closed."""
    quoted = str(fresh).replace("'", "''")
    connection.execute("SET preserve_insertion_order = true").fetchall()
    connection.execute(f"ATTACH '{quoted}' AS fresh (ROW_GROUP_SIZE {ROW_GROUP})").fetchall()
    connection.execute("USE fresh").fetchall()
    declare(connection)
    connection.begin()
    names = connection.execute(
        "SELECT table_name FROM duckdb_tables() WHERE database_name = 'fresh' ORDER BY 1"
    ).fetchall()
    for (name,) in names:
        connection.execute(
            f'INSERT INTO fresh."{name}" BY NAME SELECT * FROM store."{name}"'  # noqa: S608
        ).fetchall()
    connection.commit()
    connection.execute("CHECKPOINT fresh").fetchall()
    connection.execute("USE store").fetchall()
    connection.execute("DETACH fresh").fetchall()


def _settle(path: Path) -> None:
    """Wait until a file or a folder is on the disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
