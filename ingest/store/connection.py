"""Opening and making the database file, and saying plainly why that failed.

A DuckDB file is locked whole between processes. It is attached to a connection in memory, because
only so can the size of its row groups be chosen: small ones are compressed and written while a
report is still being read, large ones would pass through the log first. For the same reason what a
commit leaves over is checkpointed at once when it is more than a little.
"""

import contextlib
import os
import re
import tempfile
import time
from collections.abc import Callable
from importlib import resources
from pathlib import Path
from typing import Final

import duckdb

from ingest.errors import StoreBusy, StoreOutdated, StoreUnreadable
from ingest.store.leftovers import overflow

SCHEMA_VERSION: Final = 3
ENGINE: Final[str] = duckdb.__version__
"""Version of the database that counts."""
ROW_GROUP: Final = 8192
MEMORY: Final = "1GB"
_RETRY: Final = 0.05
_NO_QUESTION: Final = "the database takes no path with '?' in it; choose another one"
_SETTINGS: Final[dict[str, str | bool | int | float | list[str]]] = {
    "autoinstall_known_extensions": False,
    "autoload_known_extensions": False,
    "preserve_insertion_order": False,
    "write_buffer_row_group_count": 1,
    "wal_autocheckpoint": "100KB",
}
_HOLDER: Final = re.compile(r"held in (.+?) \(PID (\d+)\)")

Waiting = Callable[[str], None]
"""Told once who holds the store, when one has to wait for it."""


def connect(
    path: Path, wait: float, *, read_only: bool, waiting: Waiting | None = None
) -> duckdb.DuckDBPyConnection:
    """Open the store; retry while another process holds it.

    Raises:
        StoreBusy: When that takes longer than ``wait`` seconds.
        StoreUnreadable: When it cannot be opened for another reason.
    """
    if "?" in str(path):
        raise StoreUnreadable(path, _NO_QUESTION)
    started = time.monotonic()
    told = False
    while True:
        try:
            return _attach(path, read_only=read_only)
        except duckdb.Error as error:
            if "Could not set lock" not in str(error):
                raise unusable(path, error) from error
            waited = time.monotonic() - started
            if waited >= wait:
                raise StoreBusy(path, _holder(error), waited) from error
            if waiting is not None and not told:
                waiting(_holder(error))
                told = True
            time.sleep(_RETRY)


def make(path: Path) -> None:
    """Make an empty store: whole, or not at all.

    Raises:
        StoreUnreadable: When it cannot be made.
    """
    if "?" in str(path):
        raise StoreUnreadable(path, _NO_QUESTION)
    fresh = path.with_name(f"{path.name}.new-{os.getpid()}")
    try:
        connection = _attach(fresh, read_only=False)
        try:
            declare(connection)
            connection.execute("INSERT INTO meta VALUES (?)", [SCHEMA_VERSION]).fetchall()
        finally:
            connection.close()
        try:
            os.link(fresh, path)
        except FileExistsError:
            return
    except duckdb.Error as error:
        raise unusable(path, error) from error
    except OSError as error:
        raise StoreUnreadable(path, error.strerror or str(error)) from error
    finally:
        fresh.unlink(missing_ok=True)


def declare(connection: duckdb.DuckDBPyConnection) -> None:
    """Make the tables of a store, empty, in the database in use."""
    connection.execute(resources.files("ingest").joinpath("schema.sql").read_text("utf-8"))


def check_version(path: Path, connection: duckdb.DuckDBPyConnection) -> None:
    """Refuse a database that is none of ours or was made by another version.

    Raises:
        StoreUnreadable: When it holds something else.
        StoreOutdated: When its version is another one.
    """
    try:
        found = connection.execute("SELECT schema_version FROM meta").fetchall()
    except duckdb.Error:
        message = "it is a DuckDB database, but none of this tool's; choose another path"
        raise StoreUnreadable(path, message) from None
    if found != [(SCHEMA_VERSION,)]:
        raise StoreOutdated(path, found[0][0] if found else 0, SCHEMA_VERSION)


def unusable(path: Path, error: duckdb.Error) -> StoreUnreadable:
    """Return the database's complaint as ours, on one line."""
    return StoreUnreadable(path, str(error).splitlines()[0])


def reading() -> dict[str, str]:
    """Return the limits of a connection that reads; what does not fit goes to a folder for that.

    It is not beside the store, which may lie where nothing can be written.
    """
    limits = {"memory_limit": MEMORY}
    with contextlib.suppress(FileNotFoundError):  # there is no such folder, or no room in it
        spill = Path(tempfile.gettempdir()) / f"unaveraged-{os.getpid()}"
        limits["temp_directory"] = str(spill)
    return limits


def _attach(path: Path, *, read_only: bool) -> duckdb.DuckDBPyConnection:
    if read_only:
        connection = duckdb.connect(str(path), read_only=True, config=_SETTINGS | reading())
    else:
        # The reader of reports needs the other cores more than the database does.
        connection = duckdb.connect(config={**_SETTINGS, "threads": 1})
    try:
        connection.execute("SET TimeZone = 'UTC'").fetchall()
        if not read_only:
            quoted, aside = (str(each).replace("'", "''") for each in (path, overflow(path)))
            connection.execute(f"SET memory_limit = '{MEMORY}'").fetchall()
            connection.execute(f"SET temp_directory = '{aside}'").fetchall()
            options = f"TYPE duckdb, ROW_GROUP_SIZE {ROW_GROUP}"
            connection.execute(f"ATTACH '{quoted}' AS store ({options})").fetchall()
            connection.execute("USE store").fetchall()
    except BaseException:
        connection.close()
        raise
    return connection


def _holder(error: duckdb.Error) -> str:
    found = _HOLDER.search(str(error))
    return f"process {found[2]} ({found[1]})" if found else "another process"
