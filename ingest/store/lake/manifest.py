"""What a lake holds: one small file per report names its Parquet files, and is replaced whole.

Reports are independent of each other, so machines that share a lake never write the same file
unless they hold the same report, and then they write the same content. What happens in between,
renaming the files of a report and naming them here, is done under a lock of the file system.
"""

import contextlib
import fcntl
import functools
import hashlib
import json
import os
from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from pydantic import BaseModel, ConfigDict, ValidationError

from ingest.errors import LakeUnreadable, StoreMissing
from ingest.store.connection import SCHEMA_VERSION

MARKER: Final = "lake.json"
ENTRIES: Final = "manifest"
TABLES: Final = "tables"
_FORMAT: Final = "unaveraged lake"
_LOCK: Final = ".lock"
_KEPT: Final = 4


class Part(BaseModel):
    """One Parquet file: the rows one table has of one run, or of the report itself."""

    model_config = ConfigDict(frozen=True)

    table: str
    run: str | None
    path: str
    rows: int
    bytes: int


class Entry(BaseModel):
    """What the lake holds of one report; nothing any more when it is forgotten."""

    model_config = ConfigDict(frozen=True)

    report: str
    source: str
    ingested_at: datetime
    forgotten_at: datetime | None = None
    runs: tuple[str, ...] = ()
    parts: tuple[Part, ...] = ()
    said: dict[str, dict[str, Any]] = {}

    @property
    def rows(self) -> int:
        """Rows of all its tables."""
        return sum(part.rows for part in self.parts)


def is_lake(path: Path) -> bool:
    """Return whether a path is meant as a lake: a folder, where a store is a file."""
    return path.is_dir()


def prepare(lake: Path) -> None:
    """Make an empty lake unless there is one, and check that this tool can write it.

    Raises:
        LakeUnreadable: When the folder holds something else, or cannot be made.
    """
    try:
        lake.mkdir(parents=True, exist_ok=True)
        if _is_of_others(lake):
            raise LakeUnreadable(lake, "the folder holds other files; choose a new or an empty one")
        for folder in (ENTRIES, TABLES):
            (lake / folder).mkdir(exist_ok=True)
        with locked(lake):
            if not (lake / MARKER).exists():
                marker = {"format": _FORMAT, "schema_version": SCHEMA_VERSION}
                write_whole(lake / MARKER, json.dumps(marker, indent=1) + "\n")
    except OSError as error:
        raise LakeUnreadable(lake, error.strerror or str(error)) from error
    check(lake)


def check(lake: Path) -> None:
    """Refuse a folder that is no lake, or is one of another version.

    Raises:
        StoreMissing: When there is no folder.
        LakeUnreadable: When it is none of ours.
    """
    try:
        found = json.loads((lake / MARKER).read_bytes())
        named, version = found["format"], found["schema_version"]
    except FileNotFoundError:
        if not lake.exists():
            raise StoreMissing(lake) from None
        message = f"it holds no {MARKER}; make a lake with: unaveraged lake sync {lake} --db STORE"
        raise LakeUnreadable(lake, message) from None
    except (OSError, ValueError, LookupError, TypeError) as error:
        raise LakeUnreadable(lake, f"its {MARKER} is unreadable: {error}") from error
    if named != _FORMAT or version != SCHEMA_VERSION:
        message = (
            f"its {MARKER} says {named!r}, version {version!r}; this tool reads {_FORMAT!r}, "
            f"version {SCHEMA_VERSION}: sync to a new folder"
        )
        raise LakeUnreadable(lake, message)


def version(lake: Path) -> str:
    """Return a text that changes whenever a report is added, changed or forgotten."""
    return hashlib.sha256(repr(_listed(lake)).encode()).hexdigest()


def entries(lake: Path) -> Mapping[str, Entry]:
    """Return the entry of every report, forgotten ones among them, by report.

    Raises:
        StoreMissing: When there is no folder.
        LakeUnreadable: When it is no lake, or an entry is unreadable.
    """
    check(lake)
    return _entries(lake, _listed(lake))


def entry(lake: Path, report: str) -> Entry | None:
    """Return the entry of one report as it is now; null when there was never one."""
    path = _path(lake, report)
    try:
        return Entry.model_validate_json(path.read_bytes())
    except FileNotFoundError:
        return None
    except (OSError, ValidationError) as error:
        raise LakeUnreadable(lake, f"{ENTRIES}/{path.name} is unreadable: {error}") from error


def put(lake: Path, changed: Entry) -> None:
    """Replace the entry of a report, whole or not at all; the caller holds the lock."""
    write_whole(_path(lake, changed.report), changed.model_dump_json(exclude_defaults=True) + "\n")


@contextlib.contextmanager
def locked(lake: Path) -> Iterator[None]:
    """Keep other writers of this lake away for a moment; readers need no lock."""
    with (lake / _LOCK).open("ab") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def write_whole(path: Path, text: str) -> None:
    """Write a file so that it holds its former content or all of the new one."""
    fresh = path.with_name(f".{path.name}.{os.getpid()}")
    with fresh.open("w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    fresh.replace(path)


def _is_of_others(lake: Path) -> bool:
    """Return whether a folder that is no lake holds what no interrupted making of one leaves."""
    found = {each.name for each in lake.iterdir() if each.name[0] != "."}
    return MARKER not in found and not found <= {ENTRIES, TABLES}


def _path(lake: Path, report: str) -> Path:
    return lake / ENTRIES / f"{report}.json"


def _listed(lake: Path) -> tuple[tuple[str, int, int], ...]:
    """Return name, time and size of every entry: what :func:`version` is of."""
    try:
        with os.scandir(lake / ENTRIES) as found:
            stats = [(each.name, each.stat()) for each in found if each.name[0] != "."]
    except FileNotFoundError:
        return ()
    return tuple(sorted((name, stat.st_mtime_ns, stat.st_size) for name, stat in stats))


@functools.lru_cache(maxsize=_KEPT)
def _entries(lake: Path, listed: tuple[tuple[str, int, int], ...]) -> Mapping[str, Entry]:
    reports = (name.removesuffix(".json") for name, _, _ in listed)
    found = (entry(lake, report) for report in reports)
    return {each.report: each for each in found if each is not None}
