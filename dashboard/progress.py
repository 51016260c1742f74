"""What a long ingest says meanwhile, on standard error: a bar that moves, or a line a file."""

import sys
import threading
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Final, Self

from dashboard import text, wording

if TYPE_CHECKING:
    from rich.progress import Progress as Bar

    from ingest.load import Event

PATIENCE: Final = 1.0
"""Seconds of work that need no word."""


class Progress:
    """Counts files as they are done; shows the counts on a terminal, in a pipe nothing."""

    def __init__(self, paths: Sequence[str], db: Path, *, verbose: bool = False) -> None:
        """Start counting; `verbose` prints a line for each file instead, wherever it goes."""
        self._verbose = verbose
        self._paths, self._db = paths, db
        self._files = self._bytes = self._trials = self._rejected = 0
        self.begun = threading.Event()
        """Set once the bar is there."""
        self._bar: Bar | None = None
        self._timer: threading.Timer | None = None
        if sys.stderr.isatty() and not verbose:
            self._timer = threading.Timer(PATIENCE, self._start)

    def __enter__(self) -> Self:
        """Return the progress itself, to be called with each event."""
        if self._timer is not None:
            self._timer.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        """Wipe the bar, so that what follows stands alone."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer.join()
        if self._bar is not None:
            self._bar.stop()

    def __call__(self, event: "Event") -> None:
        """Count one file."""
        self._files += 1
        self._bytes += event.size
        self._trials += event.trials
        self._rejected += event.rejected
        if self._verbose:
            text.note(_line(event))
        elif self._bar is not None:
            self._show(self._bar)

    def waiting(self, holder: str) -> None:
        """Say who has to finish first."""
        text.note(f"waiting for {text.shown(holder)}, which holds the store")

    def _start(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, SpinnerColumn, TextColumn
        from rich.progress import Progress as Bar

        parts = (SpinnerColumn(), BarColumn(), TextColumn("{task.description}", markup=False))
        bar = Bar(*parts, console=Console(stderr=True), transient=True)
        bar.add_task("", total=_total(self._paths, self._db) or None)
        bar.start()
        self._show(bar)
        self._bar = bar
        self.begun.set()

    def _show(self, bar: "Bar") -> None:
        task = bar.tasks[0]
        total = f" of {wording.size(int(task.total))}" if task.total else ""
        rate = round(self._trials / task.elapsed) if task.elapsed else 0
        told = (
            f"{wording.size(self._bytes)}{total}",
            text.plural(self._files, "file"),
            f"{wording.count(rate)} trials/s",
            f"{self._rejected} rejected",
        )
        bar.update(task.id, completed=self._bytes, description=", ".join(told))


def _line(event: "Event") -> str:
    parts = [f"{event.state:<9}", text.shown(event.path), wording.size(event.size)]
    if event.trials:
        parts.append(text.plural(event.trials, "trial"))
    if event.rejected:
        parts.append(f"{event.rejected} rejected")
    return "  ".join(parts)


def _total(paths: Sequence[str], db: Path) -> int:
    """Return the bytes there are to read, as far as they can be known."""
    from ingest import files

    found = (files.stat(each.path) for each in files.find(paths, db))
    return sum(each.bytes for each in found if each is not None)
