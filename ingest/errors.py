"""What can go wrong: something was not loaded (a result), or the store cannot be used (raised).

A file, case or row that cannot be read is a :class:`Rejection`: it is stored and shown, and loading
goes on. A store that cannot be opened stops the command: every :class:`StoreError` says what was
found and what to do.
"""

from pathlib import Path
from typing import NamedTuple

EXCERPT_LENGTH = 160


class Rejection(NamedTuple):
    """One thing that was not loaded.

    Attributes:
        path: The file, as given on the command line.
        place: JSON path or line inside the file; empty for the whole file.
        rule: Short stable name of the rule that refused it, such as ``B4`` or ``unknown-format``.
        message: What was found and what was expected.
        remedy: What the reader can do about it.
        excerpt: The beginning of the refused text, for recognition; never parsed.
    """

    path: str
    place: str
    rule: str
    message: str
    remedy: str
    excerpt: str = ""

    def to_json(self) -> dict[str, str]:
        """Return the stable JSON shape of ``ingest --json``."""
        return {
            "path": self.path,
            "where": self.place,
            "rule": self.rule,
            "message": self.message,
            "remedy": self.remedy,
        }


def excerpt(data: bytes) -> str:
    """Return the beginning of refused bytes as text that is safe to store."""
    return data[:EXCERPT_LENGTH].decode("utf-8", "replace").replace("\x00", "\N{SYMBOL FOR NULL}")


class StoreError(Exception):
    """The store cannot be used; the message says what was found and what to do."""

    def __init__(self, path: Path, message: str) -> None:
        """Remember the path beside the message."""
        super().__init__(message)
        self.path = path


class StoreMissing(StoreError):
    """There is no store at this path."""

    def __init__(self, path: Path) -> None:
        """Say how to make one."""
        super().__init__(
            path,
            f"there is no store at {path}; make one with: unaveraged ingest PATH… --db {path}",
        )


class StoreBusy(StoreError):
    """Another process holds the store."""

    def __init__(self, path: Path, holder: str, waited: float) -> None:
        """Say who holds it and for how long we waited."""
        super().__init__(
            path,
            f"{path} is in use by {holder}; waited {waited:.0f} s. "
            "Try again when it has finished, or wait longer with --wait SECONDS",
        )


class StoreOutdated(StoreError):
    """The store was made by another version of the tool."""

    def __init__(self, path: Path, found: int, expected: int) -> None:
        """Say how to rebuild it: a store is derived from files and holds nothing of its own."""
        super().__init__(
            path,
            f"{path} has store version {found}, this tool reads version {expected}; rebuild it: "
            f"remove {path} and run: unaveraged ingest PATH… --db {path} "
            "(names and labels given to runs are kept beside it)",
        )


class StoreUnreadable(StoreError):
    """The file is not a store, or the folder cannot be used."""

    def __init__(self, path: Path, reason: str) -> None:
        """Give the database's own reason on one line."""
        super().__init__(path, f"{path} cannot be used as a store: {' '.join(reason.split())}")


class LakeUnreadable(StoreError):
    """The folder is not a lake, or cannot be used as one."""

    def __init__(self, path: Path, reason: str) -> None:
        """Give the reason on one line."""
        super().__init__(path, f"{path} cannot be used as a lake: {' '.join(reason.split())}")


class LakeChanged(StoreError):
    """A report was forgotten while it was being read."""

    def __init__(self, path: Path, reason: str) -> None:
        """Say what to do about it."""
        super().__init__(
            path, f"{path} changed while it was read; try again ({' '.join(reason.split())})"
        )


class EngineFailed(StoreError):
    """An engine could not count; there is no figure rather than a part of one."""

    def __init__(self, path: Path, engine: str, reason: str) -> None:
        """Say which engine, and why."""
        super().__init__(path, f"the engine {engine} could not count {path}: {reason}")
