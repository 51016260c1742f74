"""What became of the files of one ingest."""

import re
from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

from ingest.errors import Rejection


class Loaded(NamedTuple):
    """One report that was stored.

    Attributes:
        replaced: The report it replaces: the same file when it was shorter.
    """

    path: str
    report: str
    format: str
    dialect: str | None
    runs: int
    trials: int
    rejected: int
    replaced: str | None = None

    def to_json(self) -> dict[str, Any]:
        """Return the shape of ``ingest --json``."""
        return self._asdict()


class Unchanged(NamedTuple):
    """One file whose content is already stored."""

    path: str
    report: str
    stored_as: str

    def to_json(self) -> dict[str, Any]:
        """Return the shape of ``ingest --json``."""
        return self._asdict()


class LoadResult(NamedTuple):
    """What became of the files of one ingest."""

    loaded: list[Loaded]
    unchanged: list[Unchanged]
    rejected: list[Rejection]


Outcome = Literal["loaded", "unchanged", "rejected"]


class Event(NamedTuple):
    """One file done: for a progress display.

    Attributes:
        size: Its length on disk.
        trials: How many trials were read from it.
        rejected: How many things in it were refused.
    """

    path: str
    state: Outcome
    size: int
    trials: int = 0
    rejected: int = 0


class Said(NamedTuple):
    """What the user says: the subject of runs that name none, and labels for all runs."""

    subject: str | None = None
    subject_from: re.Pattern[str] | None = None
    labels: Mapping[str, str] = {}
