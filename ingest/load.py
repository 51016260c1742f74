"""Loads files into a store: which format, which rows, what was refused.

A file that cannot be read is a rejection and loading goes on; a store that cannot be used stops it.
"""

import gc
import hashlib
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple

from ingest import files, subjects
from ingest.batch import SPILL_BYTES, Batch, Source
from ingest.errors import Rejection
from ingest.files import Found, Unreadable
from ingest.formats import READERS, Reader
from ingest.records import Run, Trial
from ingest.store import WRITE_WAIT, Writer

SHOWN_MEMBERS: Final = 8
GROUP_BYTES: Final = SPILL_BYTES
GROUP_REPORTS: Final = 2_000


class Loaded(NamedTuple):
    """One report that was stored, or was stored before."""

    path: str
    report: str
    format: str
    dialect: str | None
    runs: int
    trials: int
    rejected: int

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


class Event(NamedTuple):
    """One file done: for a progress display."""

    path: str
    state: Literal["loaded", "unchanged", "rejected"]
    size: int


class Said(NamedTuple):
    """What the user says: the subject of runs that name none, and labels for all runs."""

    subject: str | None = None
    subject_from: re.Pattern[str] | None = None
    labels: Mapping[str, str] = {}


def load_paths(
    paths: Sequence[str],
    db: Path,
    *,
    said: Said = Said(),  # noqa: B008 - immutable
    on_event: Callable[[Event], None] | None = None,
    wait: float = WRITE_WAIT,
) -> LoadResult:
    """Load files and folders into the store at ``db``, making it if needed.

    Raises:
        StoreError: When the store cannot be made, opened or written.
    """
    loader = _Loader(db, said, on_event, wait)
    with _without_collector():
        for found in files.find(paths, db):
            loader.load(found)
        loader.finish()
    return loader.result


class _Loader:
    """One ingest: collects small reports and writes them together, each whole."""

    def __init__(
        self, db: Path, said: Said, on_event: Callable[[Event], None] | None, wait: float
    ) -> None:
        self.db = db
        self.said = said
        self.tell = on_event or (lambda _: None)
        self.writer = Writer(db, wait)
        self.known = self.writer.reports()
        self.refused_before = self.writer.rejections()
        self.result = LoadResult([], [], [])
        self.pending: list[Batch] = []
        self.pending_bytes = 0
        self.spilling: Batch | None = None
        self.spoken: list[tuple[str, str]] = []

    def load(self, found: Found) -> None:
        """Load one file, or note why it was not."""
        size = 0
        try:
            if not found.named and not files.looks_like_json(found.path):
                raise Unreadable(
                    "not-a-report",
                    f"the name ends in none of {', '.join(files.ENDINGS)}: the file is no report",
                    "nothing to do if it is none; otherwise rename it or give it by name",
                )
            data = files.read(found.path)
            size = len(data)
            self._load(found.path, data)
        except Unreadable as error:
            self._reject_file(found.path, error.rejection(found.path))
            self.tell(Event(found.path, "rejected", size))

    def finish(self) -> None:
        """Write what is left, and what was said about the runs."""
        self._flush()
        if self.said.subject or self.said.subject_from or self.said.labels:
            self._write_notes()

    def _load(self, path: str, data: bytes) -> None:
        report = hashlib.sha256(data).hexdigest()
        self.spoken.append((path, report))
        if report in self.known:
            self.result.unchanged.append(Unchanged(path, report, self.known[report]))
            self.result.rejected.extend(self.refused_before.get(report, ()))
            self.tell(Event(path, "unchanged", len(data)))
            return
        content = files.split(data)
        reader = claimant(content.members, data)
        source = Source(path, report, len(data), content.documents)
        batch = Batch(source, reader.NAME, self._spill)
        try:
            reader.read(source, batch)
        except BaseException:
            if self.spilling is batch:
                self.writer.abandon()
            raise
        self._keep(batch)
        self.tell(Event(path, "loaded" if batch.stored else "rejected", len(data)))

    def _keep(self, batch: Batch) -> None:
        source = batch.source
        self.result.rejected.extend(batch.rejections)
        if batch.stored:
            self.known[source.report] = source.path
            counts = {kind: len(batch.rows[kind]) + batch.counted[kind] for kind in (Run, Trial)}
            self.result.loaded.append(
                Loaded(
                    source.path,
                    source.report,
                    batch.format,
                    batch.dialect,
                    counts[Run],
                    counts[Trial],
                    len(batch.rejections),
                )
            )
        self.pending.append(batch)
        self.pending_bytes += source.size
        if (
            self.spilling is batch
            or self.pending_bytes > GROUP_BYTES
            or len(self.pending) > GROUP_REPORTS
        ):
            self._flush()

    def _spill(self, batch: Batch) -> None:
        """Make room while a large report is read: it gets a transaction of its own."""
        if self.spilling is not batch:
            self._flush()
            self.spilling = batch
        self.writer.spill(batch)

    def _flush(self) -> None:
        if self.pending:
            self.writer.write(self.pending)
            gc.collect()
        self.pending, self.pending_bytes, self.spilling = [], 0, None

    def _reject_file(self, path: str, rejection: Rejection) -> None:
        self.result.rejected.append(rejection)
        batch = Batch(Source(path, "", 0, []), "")
        batch.rejections.append(rejection)
        self.pending.append(batch)

    def _write_notes(self) -> None:
        notes = subjects.read_notes(self.db)
        paths = {report: path for path, report in self.spoken}
        for run in self.writer.runs():
            if run["report"] in paths:
                self._note(notes, run, paths[run["report"]])
        subjects.write_notes(self.db, notes)

    def _note(self, notes: subjects.Notes, run: Mapping[str, Any], path: str) -> None:
        who = subjects.identity(run)
        subject, source = self._subject(path)
        already = notes.runs.get(who, subjects.RunNote()).subject_source
        if subject and run["subject"] is None and (source == "option" or already != "label"):
            notes.name_subject(who, subject, source)
        if self.said.labels:
            notes.label(who, self.said.labels)

    def _subject(self, path: str) -> tuple[str | None, subjects.Said]:
        if self.said.subject:
            return self.said.subject, "option"
        pattern = self.said.subject_from
        return (subjects.subject_from(pattern, path) if pattern else None), "file name"


def claimant(members: Sequence[frozenset[str]], data: bytes) -> Reader:
    """Return the one format that claims a file.

    Raises:
        Unreadable: When none does.
        RuntimeError: When two do, which is a mistake in a format module.
    """
    for names in members:
        claiming = [reader for reader in READERS if reader.claims(names)]
        if len(claiming) > 1:
            raise RuntimeError(f"{[each.NAME for each in claiming]} all claim {sorted(names)}")
        if claiming:
            return claiming[0]
    seen = sorted(set().union(*members)) if members else []
    shown = ", ".join(seen[:SHOWN_MEMBERS]) + (", …" if len(seen) > SHOWN_MEMBERS else "")
    raise Unreadable(
        "unknown-format",
        f"JSON, but no report: members seen are {shown or 'none'}; "
        f"known formats: {'; '.join(reader.TITLE for reader in READERS)}",
        "nothing to do if it is no report; otherwise check what wrote it",
        data,
    )


@contextmanager
def _without_collector() -> Iterator[None]:
    """Keep the cyclic collector off: rows hold no cycles; walking them costs more than parsing."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
