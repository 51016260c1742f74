"""Which reports a store may forget by their age, and which it keeps because a run is the newest.

A report leaves the store whole or not at all: with its runs, or with none of them.
"""

import re
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, Final, NamedTuple

import polars as pl

from dashboard.errors import InputError

_AGE: Final = re.compile(r"(\d{1,6})([hdw])")
_UNITS: Final = {"h": timedelta(hours=1), "d": timedelta(days=1), "w": timedelta(weeks=1)}
_SERIES: Final = ("format", "dialect", "suite", "subject", "arm")
"""Runs that follow one another: of these the newest are kept."""


class Plan(NamedTuple):
    """Reports that go and the runs of both kinds.

    ``reports`` has ``report, path, runs, when``: how many runs a report has and the latest moment
    of them. ``gone`` and ``kept`` are run ids.
    """

    reports: pl.DataFrame
    gone: list[str]
    kept: list[str]


def age(written: str) -> timedelta:
    """Return a number of hours, days or weeks, such as ``90d``.

    Raises:
        InputError: When it is none.
    """
    found = _AGE.fullmatch(written.strip())
    if found is None:
        raise InputError(f"{written!r} is no age; write hours, days or weeks: 36h, 90d, 12w")
    return int(found[1]) * _UNITS[found[2]]


def moment(run: Mapping[str, Any]) -> datetime:
    """Return when a run was: when it finished, else started, else when its report was loaded."""
    for name in ("finished_at", "started_at"):
        try:
            read = datetime.fromisoformat(run[name] or "")
        except ValueError:
            continue
        return read if read.tzinfo else read.replace(tzinfo=UTC)
    ingested: datetime = run["ingested_at"]
    return ingested.replace(tzinfo=UTC)


def plan(runs: pl.DataFrame, older: timedelta, latest: int, now: datetime) -> Plan:
    """Return what is older than an age and may go.

    Args:
        runs: Rows of ``figures.known``.
        older: Runs of this age or less stay.
        latest: How many current runs of each suite and subject stay whatever their age.
        now: The moment ages are counted from.
    """
    rows = sorted(runs.to_dicts(), key=lambda row: (moment(row), row["run"]), reverse=True)
    staying = {row["report"] for row in rows if now - moment(row) <= older}
    staying |= {row["report"] for row in _latest(rows, latest)}
    replacing = {row["run"]: row["report"] for row in rows}
    # Without the run that replaces it, a run that stays would count again.
    while (
        needed := {
            replacing[row["superseded_by"]]
            for row in rows
            if row["report"] in staying and row["superseded_by"] in replacing
        }
        - staying
    ):
        staying |= needed
    gone = [row for row in rows if row["report"] not in staying]
    listed: dict[str, dict[str, Any]] = {}
    for row in gone:
        empty = {"report": row["report"], "path": row["path"], "runs": 0, "when": moment(row)}
        listed.setdefault(row["report"], empty)["runs"] += 1
    schema: dict[str, Any] = {
        "report": pl.String,
        "path": pl.String,
        "runs": pl.Int64,
        "when": pl.Datetime("us", "UTC"),
    }
    reports = pl.DataFrame([*listed.values()], schema=schema).sort("when", "path", "report")
    kept = [row["run"] for row in rows if row["report"] in staying]
    return Plan(reports, [row["run"] for row in gone], kept)


def _latest(rows: Iterable[Mapping[str, Any]], number: int) -> Iterable[Mapping[str, Any]]:
    """Yield the first rows of each series that no later run replaces."""
    seen: dict[tuple[Any, ...], int] = {}
    for row in rows:
        if row["superseded_by"] is None:
            series = tuple(row[name] for name in _SERIES)
            seen[series] = seen.get(series, 0) + 1
            if seen[series] <= number:
                yield row
