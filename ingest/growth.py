"""Files that grow while a run goes on: the longer version replaces the shorter one."""

import hashlib
from typing import Any, NamedTuple

from ingest.files import File, blocks


class Grown(NamedTuple):
    """A report that took the place of an earlier one of the same file.

    Attributes:
        before: The runs of the earlier one.
        report: The later one.
    """

    before: list[dict[str, Any]]
    report: str


def begins_with(file: File, path: str, report: str, size: int) -> bool:
    """Return whether the first ``size`` bytes of a file are those of a report read before."""
    if size >= file.size:
        return False
    if size <= len(file.data):
        return hashlib.sha256(memoryview(file.data)[:size]).hexdigest() == report
    seen = hashlib.sha256()
    for block in blocks(path):
        seen.update(memoryview(block)[:size])
        size -= len(block)
        if size <= 0:
            break
    return seen.hexdigest() == report


def heirs(grown: Grown, runs: list[dict[str, Any]]) -> dict[str, str]:
    """Return for each earlier run the run that holds its rows now."""
    now = {_identity(run): run["run"] for run in runs if run["report"] == grown.report}
    return {run["run"]: now[_identity(run)] for run in grown.before if _identity(run) in now}


def _identity(run: dict[str, Any]) -> tuple[Any, ...]:
    return tuple(run[name] for name in ("dialect", "version", "suite", "subject", "arm"))
