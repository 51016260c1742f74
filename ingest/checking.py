"""Reads files as an ingest would, and stores nothing: for whoever writes reports."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from ingest import files
from ingest.batch import Batch
from ingest.errors import Rejection
from ingest.files import Found, Unreadable
from ingest.load import without_collector
from ingest.reading import check_name, read
from ingest.records import Flag
from ingest.values import values

_NO_STORE: Final = Path("/dev/null")


class Checked(NamedTuple):
    """What an ingest would make of one file.

    Attributes:
        format: None when nothing of it would be stored.
        rejected: What it would refuse.
        flags: Rules broken by what it would keep.
    """

    path: str
    format: str | None
    dialect: str | None
    version: int | None
    runs: int
    trials: int
    rejected: list[Rejection]
    flags: list[Flag]

    def to_json(self) -> dict[str, Any]:
        """Return the shape of ``check --json``."""
        return self._asdict() | {
            "rejected": [each.to_json() for each in self.rejected],
            "flags": [
                {"where": each.place, "rule": each.rule, "message": each.message}
                for each in self.flags
            ],
        }


def check_paths(paths: Sequence[str]) -> Iterator[Checked]:
    """Yield what would become of every file; rows are dropped as they come."""
    with without_collector():
        for found in files.find(paths, _NO_STORE):
            yield _check(found)


def _check(found: Found) -> Checked:
    path = files.readable(found.path)
    flags: list[Flag] = []

    def drop(batch: Batch) -> None:
        flags.extend(row for row in batch.take().rows[Flag] if isinstance(row, Flag))

    try:
        check_name(found)
        file = files.read(found.path)
        content = values(file, found.path)
        batch = read(path, file, content, drop, drop)
    except Unreadable as error:
        return Checked(path, None, None, None, 0, 0, [error.rejection(path)], [])
    drop(batch)
    return Checked(
        path,
        batch.format if batch.stored else None,
        batch.dialect,
        batch.version if batch.stored else None,
        batch.runs,
        batch.trials,
        batch.rejections,
        flags,
    )
