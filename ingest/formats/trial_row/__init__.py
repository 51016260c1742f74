"""Trial rows (``report_version``): one row is one trial; a file holds one, an array, or lines.

Rows have no run id, so the file is the run: the rows of one file with one tool, model, arm, dialect
and version are a run. A row that cannot be kept is refused alone.
"""

from ingest.batch import Batch, Source
from ingest.formats.trial_row.reader import NAME, RowReader

__all__ = ["NAME", "TITLE", "claims", "read"]

TITLE = "trial rows (members report_version, name, tool, status, checks, bounds)"


def claims(members: frozenset[str]) -> bool:
    """Return whether a JSON object with these members is meant to be a trial row."""
    return (
        "report_version" in members
        or {"passed", "failures"} <= members
        or {"kind", "scenario"} <= members
        or ({"tool", "checks"} <= members)
        or ({"scenario", "checks"} <= members)
    )


def read(source: Source, batch: Batch) -> None:
    """Read every row of a file into rows of the store."""
    reader = RowReader(source, batch)
    for chunk in source.chunks:
        reader.read(chunk)
    reader.finish()
