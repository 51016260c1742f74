"""Rebuilding a store from a lake, for pages and commands that want it on this machine."""

from pathlib import Path
from typing import NamedTuple

import duckdb

from ingest.store.connection import check_version, connect, make, unusable
from ingest.store.lake import manifest
from ingest.store.lake.manifest import Entry
from ingest.store.lake.sync import Tell


class Restored(NamedTuple):
    """What a restore did: reports written, and how many were there."""

    written: tuple[str, ...]
    unchanged: int


def restore(lake: Path, db: Path, wait: float, tell: Tell | None = None) -> Restored:
    """Write the reports of a lake which a store lacks; each is there whole or not at all.

    Raises:
        StoreError: When the store or the lake cannot be used.
    """
    entries = [each for each in manifest.entries(lake).values() if each.forgotten_at is None]
    if not db.exists():
        make(db)
    connection = connect(db, wait, read_only=False)
    try:
        check_version(db, connection)
        stored = {name for (name,) in connection.execute("SELECT report FROM report").fetchall()}
        due = [each for each in entries if each.report not in stored]
        for number, entry in enumerate(due, 1):
            _copy(connection, lake, entry)
            if tell is not None:
                tell(number, len(due), entry.rows)
        connection.execute("CHECKPOINT store").fetchall()
    except duckdb.Error as error:
        raise unusable(db, error) from error
    finally:
        connection.close()
    return Restored(tuple(each.report for each in due), len(entries) - len(due))


def _copy(connection: duckdb.DuckDBPyConnection, lake: Path, entry: Entry) -> None:
    connection.begin()
    for part in entry.parts:
        path = str(lake / part.path).replace("'", "''")
        rows = f"SELECT * FROM read_parquet('{path}', hive_partitioning = false)"  # noqa: S608
        connection.execute(f'INSERT INTO "{part.table}" BY NAME {rows}').fetchall()
    connection.commit()
