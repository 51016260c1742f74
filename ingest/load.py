"""Loads files into a store: which format, which rows, what was refused.

A file that cannot be read is a rejection and loading goes on; a store that cannot be used stops it.
"""

import gc
import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from ingest import files, growth
from ingest.batch import Batch, FileState, Source
from ingest.errors import Rejection
from ingest.files import File, Found, Stat, Unreadable
from ingest.pipeline import Pipeline
from ingest.reading import check_name, read
from ingest.results import Event, Loaded, LoadResult, Outcome, Said, Unchanged
from ingest.sayings import write_sayings
from ingest.store import WRITE_WAIT, Waiting, Writer
from ingest.values import values

__all__ = ["Event", "LoadResult", "Loaded", "Said", "Unchanged", "load_paths"]

SETTLED_SECONDS: Final = 2.0
"""A file touched more recently may be touched again without its times telling."""
STALE_SECONDS: Final = 10.0
RETRY_SECONDS: Final = 0.3


def load_paths(
    paths: Sequence[str],
    db: Path,
    *,
    said: Said = Said(),  # noqa: B008 - immutable
    on_event: Callable[[Event], None] | None = None,
    wait: float = WRITE_WAIT,
    waiting: Waiting | None = None,
) -> LoadResult:
    """Load files and folders into the store at ``db``, making it if needed.

    ``waiting`` is told who holds the store when another process does; ``wait`` is for how many
    seconds one stands that.

    Raises:
        StoreError: When the store cannot be made, opened or written.
    """
    writer = Writer(db, wait, waiting)
    with without_collector(), Pipeline(writer) as pipeline:
        loader = Loader(writer, pipeline, on_event or (lambda _: None))
        for found in files.find(paths, db):
            loader.load(found)
        loader.finish()
        write_sayings(db, said, loader.spoken, loader.grown, pipeline.runs)
    return loader.result


class Loader:
    """One ingest: reads files one after the other and hands what they hold to the pipeline."""

    def __init__(self, writer: Writer, pipeline: Pipeline, tell: Callable[[Event], None]) -> None:
        """Start with what the store holds already."""
        self.known = writer.known
        self.pipeline = pipeline
        self.tell = tell
        self.result = LoadResult([], [], [])
        self.spoken: dict[str, str] = {}
        self.grown: list[growth.Grown] = []
        self.later: list[tuple[Found, float]] = []
        self.seen: list[FileState] = []

    def load(self, found: Found, *, again: bool = False) -> None:
        """Load one file, or note why it was not."""
        state = files.stat(found.path)
        size = state.bytes if state else 0
        told = files.readable(found.path)
        try:
            check_name(found)
            if (report := self._untouched(told, state)) is not None:
                self._unchanged(told, report, size)
                return
            self._load(found.path, files.read(found.path), state, again=again)
        except Unreadable as error:
            if error.rule in files.UNFINISHED and not again and found.path != files.STDIN:
                self.later.append((found, self._patience(state)))
                return
            self._reject_file(told, error.rejection(told))
            self.tell(Event(told, "rejected", size, rejected=1))

    def finish(self) -> None:
        """Look once more at files that were being written, and store what is left."""
        later, self.later = self.later, []
        if any(patience for _, patience in later):
            time.sleep(RETRY_SECONDS)
        for found, _ in later:
            self.load(found, again=True)
        self.pipeline.finish(self.seen)
        self._leave_to_others()

    def _load(self, path: str, file: File, state: Stat | None, *, again: bool) -> None:
        size = state.bytes if state else file.size
        told = files.readable(path)
        place = None if state is None else _state(told, file.digest, state)
        if file.digest in self.known.reports:
            if place is not None:
                self.seen.append(place)
            self._unchanged(told, file.digest, size)
            return
        content = values(file, path)
        if content.unfinished and not again and state is not None:
            raise Unreadable("truncated", "the last line is incomplete", files.WRITE_AGAIN)
        batch = read(told, file, content, self.pipeline.spill, self.pipeline.give_up)
        batch.file = place
        self._replace(batch, path, file)
        self._keep(batch)
        outcome: Outcome = "loaded" if batch.stored else "rejected"
        self.tell(Event(told, outcome, size, batch.trials, len(batch.rejections)))

    def _keep(self, batch: Batch) -> None:
        source = batch.source
        self.result.rejected.extend(batch.rejections)
        if batch.stored:
            self.spoken[source.report] = source.path
            self.known.reports[source.report] = source.path
            self.known.sizes[source.report] = source.size
            described = (batch.format, batch.dialect, batch.runs, batch.trials)
            refused = len(batch.rejections)
            self.result.loaded.append(
                Loaded(source.path, source.report, *described, refused, batch.replaces)
            )
        self.pipeline.keep(batch)

    def _replace(self, batch: Batch, path: str, file: File) -> None:
        """Let a file that has only grown take the place of what it was."""
        if batch.file is None or not batch.stored:
            return
        before = self.known.files.get(batch.file.path)
        self.known.files[batch.file.path] = batch.file
        if before is None or before.report not in self.known.reports:
            return
        if growth.begins_with(file, path, before.report, self.known.sizes[before.report]):
            runs = [run for run in self.pipeline.runs() if run["report"] == before.report]
            self.grown.append(growth.Grown(runs, file.digest))
            batch.replaces = before.report
            del self.known.reports[before.report]
            del self.known.sizes[before.report]

    def _untouched(self, path: str, state: Stat | None) -> str | None:
        """Return the report a file is known to hold still, without reading it."""
        known = self.known.files.get(_absolute(path))
        if known is None or state is None or known.report not in self.known.reports:
            return None
        same = (known.bytes, known.changed) == (state.bytes, state.changed)
        long_ago = known.read_at - state.newest > SETTLED_SECONDS * 1e9
        return known.report if same and long_ago else None

    def _unchanged(self, path: str, report: str, size: int) -> None:
        self.spoken.setdefault(report, path)
        refused = self.known.rejections.get(report, [])
        self.result.unchanged.append(Unchanged(path, report, self.known.reports[report]))
        self.result.rejected.extend(refused)
        self.tell(Event(path, "unchanged", size, rejected=len(refused)))

    def _patience(self, state: Stat | None) -> bool:
        return state is not None and not files.is_settled(state, STALE_SECONDS)

    def _reject_file(self, path: str, rejection: Rejection) -> None:
        self.result.rejected.append(rejection)
        batch = Batch(Source(path, "", 0, []), "")
        batch.rejections.append(rejection)
        self.pipeline.keep(batch)

    def _leave_to_others(self) -> None:
        """Call unchanged what another ingest stored while this one was reading it."""
        others = self.pipeline.twice
        if others:
            mine = [each for each in self.result.loaded if each.report not in others]
            theirs = [each for each in self.result.loaded if each.report in others]
            self.result.loaded[:] = mine
            self.result.unchanged.extend(
                Unchanged(each.path, each.report, each.path) for each in theirs
            )


def _state(path: str, report: str, state: Stat) -> FileState:
    return FileState(_absolute(path), report, state.bytes, state.changed, time.time_ns())


def _absolute(path: str) -> str:
    """Return what ``Path.absolute`` does, which takes long for many files."""
    if path.startswith(".") or path.endswith("/") or "//" in path or "/." in path:
        return str(Path(path).absolute())
    return os.path.join(os.getcwd(), path)  # noqa: PTH109, PTH118


@contextmanager
def without_collector() -> Iterator[None]:
    """Keep the cyclic collector off: rows hold no cycles; walking them costs more than parsing."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
