"""A large report on its way into the store: parts on disk, until all of it can go in at once.

So the store is locked for the moment it takes to copy the parts, not while the report is read, and
memory holds one part at a time.
"""

import os
import shutil
from pathlib import Path
from typing import Final

import duckdb

from ingest.batch import Parcel
from ingest.errors import StoreUnreadable
from ingest.records import TABLES

_GLOB: Final = str.maketrans({letter: f"[{letter}]" for letter in "*?["})


class Staging:
    """The parts of one report, in a hidden folder beside the store."""

    def __init__(self, db: Path) -> None:
        """Remove what an ingest that was killed has left."""
        self._db = db
        self._folder = db.with_name(f".{db.name}.part-{os.getpid()}")
        self._parts: dict[str, list[Path]] = {}
        for left in db.parent.glob(f".{glob_safe(db.name)}.part-*"):
            if not _is_running(left.name.rpartition("-")[2]):
                shutil.rmtree(left, ignore_errors=True)

    def put(self, parcel: Parcel) -> None:
        """Write a part to disk.

        Raises:
            StoreUnreadable: When there is no room for it.
        """
        try:
            self._folder.mkdir(exist_ok=True)
            for row_type, table in TABLES.items():
                frame = parcel.frame(row_type)
                if frame is not None:
                    parts = self._parts.setdefault(table, [])
                    parts.append(self._folder / f"{table}-{len(parts)}.parquet")
                    frame.write_parquet(parts[-1], compression="lz4", statistics=False)
        except OSError as error:
            self.clear()
            raise StoreUnreadable(self._db, error.strerror or str(error)) from error

    def insert(self, connection: duckdb.DuckDBPyConnection) -> None:
        """Copy all parts into the open transaction, and remove them."""
        for table, parts in self._parts.items():
            paths = [glob_safe(str(part)) for part in parts]
            connection.execute(
                f'INSERT INTO "{table}" BY NAME '  # noqa: S608
                "SELECT * FROM read_parquet(?, union_by_name = true)",
                [paths],
            ).fetchall()
        self.clear()

    def clear(self) -> None:
        """Remove all parts."""
        self._parts = {}
        shutil.rmtree(self._folder, ignore_errors=True)


def glob_safe(name: str) -> str:
    """Return a name as a pattern that matches it alone."""
    return name.translate(_GLOB)


def _is_running(process: str) -> bool:
    if not process.isdigit() or int(process) == os.getpid():
        return False
    try:
        os.kill(int(process), 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
