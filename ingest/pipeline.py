"""The way into the store: what was read is written while the next report is being read.

One thread makes frames of rows, another one writes them.

Reports are written part by part into a transaction that is committed when it has become large,
between two reports. Every commit costs as much as writing megabytes: what fills no whole row group
passes through the log and is written again.
"""

import sys
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from types import TracebackType
from typing import Any, Final

from ingest.batch import Batch, FileState
from ingest.parcel import Frames, Parcel
from ingest.store import Writer

PART_BYTES: Final = 16 * 1024 * 1024
GROUP_BYTES: Final = 256 * 1024 * 1024
PART_ROWS: Final = 200_000
GROUP_REPORTS: Final = 2_000
AHEAD: Final = 3
"""How many parts may wait: a part that fills a row group takes several times as long as others."""
SWITCH_SECONDS: Final = 0.001
"""How long the writer waits for its turn: it needs many short ones, and the reader never pauses."""


class Pipeline:
    """Writes batches in the order in which they come, the reader at most some parts ahead."""

    def __init__(self, writer: Writer) -> None:
        """Start the threads."""
        self.twice: set[str] = set()
        self._writer = writer
        self._framing = ThreadPoolExecutor(1, thread_name_prefix="frames")
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="store")
        self._waiting: deque[Future[Any]] = deque()
        self._broken = False
        self._pending: list[Batch] = []
        self._parcel = Parcel()
        self._size = 0
        self._uncommitted = 0
        self._reports = 0
        self._open: Batch | None = None
        self._switched = sys.getswitchinterval()

    def __enter__(self) -> "Pipeline":
        """Return the pipeline itself."""
        sys.setswitchinterval(SWITCH_SECONDS)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Stop the threads; what is not committed is given up."""
        self._framing.shutdown(wait=True)
        self._pool.submit(self._writer.abandon)
        self._pool.shutdown(wait=True)
        sys.setswitchinterval(self._switched)

    def keep(self, batch: Batch) -> None:
        """Write a batch that is complete, now or with the next ones."""
        self._pending.append(batch)
        self._parcel.take(batch.take())
        self._size += batch.source.size
        large = self._size > PART_BYTES or self._parcel.count > PART_ROWS
        full = self._uncommitted + self._size > GROUP_BYTES or self._reports >= GROUP_REPORTS
        self._reports += 1
        if large or full or self._open is batch:
            self.flush()
        if full:
            self._commit()

    def spill(self, batch: Batch) -> None:
        """Write what there is of a batch that is still being read."""
        if self._open is not batch:
            self.flush()
            self._commit()
            self._open = batch
        ready = self._framing.submit(batch.take().framed)
        self._submit(self._spill, batch.source.report, ready)

    def give_up(self, batch: Batch) -> None:
        """Leave nothing of a batch that was not read to its end."""
        if self._open is batch:
            self._open = None
            self._submit(self._writer.abandon)

    def flush(self) -> None:
        """Write what is pending."""
        if self._pending:
            ready = self._framing.submit(self._parcel.framed)
            self._submit(self._write, self._pending, ready)
        self._uncommitted += self._size
        self._pending, self._parcel, self._size = [], Parcel(), 0
        self._open = None

    def _commit(self) -> None:
        self._submit(self._writer.commit)
        self._uncommitted = self._reports = 0

    def finish(self, files: list[FileState]) -> None:
        """Write everything, and wait for it."""
        self.flush()
        self._commit()
        self._submit(self._writer.note_files, files)
        self._wait()

    def runs(self) -> list[dict[str, Any]]:
        """Return the runs stored so far."""
        self._wait()
        return self._pool.submit(self._writer.runs).result()

    def _spill(self, report: str, frames: Future[Frames]) -> None:
        self._writer.spill(report, frames.result())

    def _write(self, batches: list[Batch], frames: Future[Frames]) -> None:
        self.twice |= self._writer.write(batches, frames.result())

    def _submit(self, work: Callable[..., Any], *arguments: Any) -> None:
        self._wait(AHEAD - 1)
        self._waiting.append(self._pool.submit(self._do, work, *arguments))

    def _do(self, work: Callable[..., Any], *arguments: Any) -> None:
        """Do the next piece of work, but nothing more once a piece has failed."""
        if self._broken:
            return
        try:
            work(*arguments)
        except BaseException:
            self._broken = True
            raise

    def _wait(self, most: int = 0) -> None:
        """Wait until so many pieces of work are left; raise what one of them raised."""
        while len(self._waiting) > most:
            self._waiting.popleft().result()
