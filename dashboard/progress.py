"""What a long ingest says meanwhile, on standard error: a line that moves, or a line a file."""

import sys
import time
from types import TracebackType
from typing import TYPE_CHECKING, Final, Self

from dashboard import text, wording

if TYPE_CHECKING:
    from ingest.load import Event

PATIENCE: Final = 1.0
"""Seconds of work that need no word."""
INTERVAL: Final = 0.1
_WIPE: Final = "\r\x1b[K"


class Progress:
    """Counts files as they are done; shows the counts on a terminal, in a pipe nothing."""

    def __init__(self, *, verbose: bool = False) -> None:
        """Start counting; `verbose` prints a line for each file instead, wherever it goes."""
        self._verbose = verbose
        self._moving = sys.stderr.isatty() and not verbose
        self._next = time.monotonic() + PATIENCE
        self._shown = False
        self._files = self._bytes = self._rejected = 0

    def __enter__(self) -> Self:
        """Return the progress itself, to be called with each event."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        """Wipe the line, so that what follows stands alone."""
        if self._shown:
            sys.stderr.write(_WIPE)

    def __call__(self, event: "Event") -> None:
        """Count one file."""
        self._files += 1
        self._bytes += event.size
        self._rejected += event.state == "rejected"
        if self._verbose:
            text.note(f"{event.state:<9}  {text.shown(event.path)}  {wording.size(event.size)}")
        elif self._moving and time.monotonic() >= self._next:
            self._next = time.monotonic() + INTERVAL
            self._shown = True
            sys.stderr.write(f"{_WIPE}{self._line()}")
            sys.stderr.flush()

    def _line(self) -> str:
        files = text.plural(self._files, "file")
        return f"{files}, {wording.size(self._bytes)}, {self._rejected} rejected"
