"""What a store holds before an ingest."""

from typing import NamedTuple

import duckdb

from ingest.batch import FileState
from ingest.errors import Rejection


class Known(NamedTuple):
    """What a store holds already.

    Attributes:
        reports: The path of every report by its hash.
        sizes: The size of every report by its hash.
        files: The state of every file a stored report was read from, by its absolute path.
        rejections: What was refused of stored reports, by report.
    """

    reports: dict[str, str]
    sizes: dict[str, int]
    files: dict[str, FileState]
    rejections: dict[str, list[Rejection]]


def known(connection: duckdb.DuckDBPyConnection) -> Known:
    """Return what a store holds."""
    reports = connection.execute("SELECT report, path, bytes FROM report").fetchall()
    files = connection.execute("SELECT path, report, bytes, changed, read_at FROM file").fetchall()
    refused: dict[str, list[Rejection]] = {}
    found = connection.execute(
        "SELECT report, path, place, rule, message, remedy, excerpt FROM rejection "
        "WHERE report IS NOT NULL ORDER BY rowid"
    ).fetchall()
    for report, *row in found:
        refused.setdefault(report, []).append(Rejection(*row))
    return Known(
        reports={report: path for report, path, _ in reports},
        sizes={report: size for report, _, size in reports},
        files={row[0]: FileState(*row) for row in files},
        rejections=refused,
    )
