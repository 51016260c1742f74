"""Bringing a lake up to a store: reports that are new, and those the store has forgotten.

A report is written while nobody is kept waiting, then named in one step. A sync that is killed
leaves whole reports, and hidden files that a later one removes.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, NamedTuple

import duckdb

from ingest.errors import LakeUnreadable, StoreMissing
from ingest.store.connection import check_version, connect, unusable
from ingest.store.lake import manifest, parquet
from ingest.store.lake.manifest import Entry

LEFT_ALONE: Final = 24 * 3600
"""Seconds after which a hidden file can be of no sync that still runs."""

Said = Mapping[str, dict[str, Any]]
"""What people said about runs, by the name under which a run is spoken of."""
Tell = Callable[[int, int, int], None]
"""Hears the reports done, the reports there are to do, and the rows of the last."""


class Synced(NamedTuple):
    """What a sync did: reports written and forgotten, how many were there, and bytes written."""

    written: tuple[str, ...]
    unchanged: int
    forgotten: tuple[str, ...]
    bytes: int


class _Stored(NamedTuple):
    report: str
    source: str
    ingested_at: datetime
    spoken_of: Sequence[str]


def sync(db: Path, lake: Path, wait: float, said: Said, tell: Tell | None = None) -> Synced:
    """Write what the lake lacks of this store, and drop what the store has forgotten since.

    Reports that only the lake holds, such as those of other machines, stay.

    Raises:
        StoreError: When the store or the lake cannot be used.
    """
    stored, forgotten = _known(db, wait)
    manifest.prepare(lake)
    there = manifest.entries(lake)
    due = [each for each in stored if _is_due(each, there.get(each.report))]
    written: list[Entry] = []
    try:
        _sweep(lake, there)
        for number, report in enumerate(due, 1):
            copied = _copy(db, lake, wait, report, said)
            written += copied
            if tell is not None:
                tell(number, len(due), sum(entry.rows for entry in copied))
        for report in stored:
            _say_again(lake, there.get(report.report), _said_of(report, said))
        gone = _drop_forgotten(lake, forgotten, {each.report for each in stored})
    except OSError as error:
        raise LakeUnreadable(lake, error.strerror or str(error)) from error
    names = tuple(entry.report for entry in written)
    size = sum(part.bytes for entry in written for part in entry.parts)
    return Synced(names, len(stored) - len(due), gone, size)


def forget(lake: Path, report: str, at: datetime) -> bool:
    """Take a report out of the lake unless it was ingested again since; return whether it went."""
    with manifest.locked(lake):
        entry = manifest.entry(lake, report)
        if entry is None or entry.forgotten_at is not None or entry.ingested_at > at:
            return False
        _empty(lake, entry.model_copy(update={"forgotten_at": at, "runs": (), "said": {}}))
    return True


def forget_now(lake: Path, report: str) -> int:
    """Take a report out of the lake; return the number of trials removed."""
    before = manifest.entry(lake, report)
    gone = forget(lake, report, datetime.now(UTC).replace(tzinfo=None))
    trials = (part.rows for part in before.parts if part.table == "trial") if before else ()
    return sum(trials) if gone else 0


def _empty(lake: Path, entry: Entry) -> None:
    """Remove the files of a forgotten report; until that is done its entry names them."""
    manifest.put(lake, entry)
    parquet.drop(lake, entry.parts)
    manifest.put(lake, entry.model_copy(update={"parts": ()}))


def _known(db: Path, wait: float) -> tuple[list[_Stored], dict[str, datetime]]:
    """Return the reports of the store, and when it forgot others."""
    if not db.is_file():
        raise StoreMissing(db)
    connection = connect(db, wait, read_only=True)
    try:
        check_version(db, connection)
        rows = connection.execute(
            "SELECT report, path, ingested_at, coalesce(list(coalesce(native_run, run)) "
            "FILTER (run IS NOT NULL), []) FROM report LEFT JOIN run_loaded USING (report) "
            "GROUP BY ALL ORDER BY ingested_at, report"
        ).fetchall()
        forgotten = connection.execute(
            "SELECT report, max(forgotten_at) FROM forgotten GROUP BY report"
        ).fetchall()
    finally:
        connection.close()
    return [_Stored(*row) for row in rows], dict(forgotten)


def _is_due(stored: _Stored, entry: Entry | None) -> bool:
    if entry is None:
        return True
    return entry.forgotten_at is not None and stored.ingested_at > entry.forgotten_at


def _copy(db: Path, lake: Path, wait: float, stored: _Stored, said: Said) -> list[Entry]:
    """Write one report; nothing when the store has forgotten it meanwhile."""
    report = stored.report
    fresh: list[parquet.Fresh] = []
    connection = connect(db, wait, read_only=True)
    try:
        found = connection.execute(
            "SELECT run FROM report LEFT JOIN run_loaded USING (report) "
            "WHERE report = ? ORDER BY position",
            [report],
        ).fetchall()
        runs = [run for (run,) in found if run is not None]
        fresh.extend(parquet.write(connection, lake, report, runs) if found else ())
    except duckdb.Error as error:
        raise unusable(lake, error) from error
    finally:
        connection.close()
    if not found:
        return []
    entry = Entry(
        report=report,
        source=stored.source,
        ingested_at=stored.ingested_at,
        runs=tuple(runs),
        parts=tuple(each.part for each in fresh),
        said=_said_of(stored, said),
    )
    with manifest.locked(lake):
        for each in fresh:
            parquet.name(lake, each)
        manifest.put(lake, entry)
    return [entry]


def _said_of(stored: _Stored, said: Said) -> dict[str, dict[str, Any]]:
    return {who: said[who] for who in stored.spoken_of if who in said}


def _say_again(lake: Path, before: Entry | None, said: dict[str, dict[str, Any]]) -> None:
    """Write down what has been said since; what other machines said of other runs stays."""
    if before is None or before.forgotten_at is not None or before.said | said == before.said:
        return
    with manifest.locked(lake):
        entry = manifest.entry(lake, before.report)
        if entry is not None and entry.forgotten_at is None:
            manifest.put(lake, entry.model_copy(update={"said": entry.said | said}))


def _drop_forgotten(
    lake: Path, forgotten: Mapping[str, datetime], kept: set[str]
) -> tuple[str, ...]:
    return tuple(
        report
        for report, at in forgotten.items()
        if report not in kept and forget(lake, report, at)
    )


def _sweep(lake: Path, entries: Mapping[str, Entry]) -> None:
    """Remove what syncs left that were killed."""
    for entry in entries.values():
        if entry.forgotten_at is not None and entry.parts:
            with manifest.locked(lake):
                now = manifest.entry(lake, entry.report)
                if now == entry:
                    _empty(lake, entry)
    for path in (lake / manifest.TABLES).rglob(".*.parquet"):
        if time.time() - path.stat().st_mtime > LEFT_ALONE:
            path.unlink(missing_ok=True)
