"""How far a long piece of work is, on standard error: one line that moves, on a terminal only."""

import sys
import time
from types import TracebackType
from typing import Final, Self

PATIENCE: Final = 1.0
"""Seconds of work that need no word."""
INTERVAL: Final = 0.1
WIDTH: Final = 24
_WIPE: Final = "\r\x1b[K"


class Meter:
    """Counts what is done of a known whole, and draws a bar when it takes long."""

    def __init__(self, noun: str) -> None:
        """Start counting things called `noun`."""
        self._noun = noun
        self._moving = sys.stderr.isatty()
        self._next = time.monotonic() + PATIENCE
        self._shown = False
        self._made = 0

    def __enter__(self) -> Self:
        """Return the meter itself, to be told of each step."""
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

    def __call__(self, done: int, whole: int, made: int) -> None:
        """Say that `done` of `whole` steps are done, the last of which made so many things."""
        self._made += made
        if not self._moving or time.monotonic() < self._next:
            return
        self._next = time.monotonic() + INTERVAL
        self._shown = True
        share = done / whole if whole else 1.0
        bar = ("█" * round(share * WIDTH)).ljust(WIDTH, "░")
        sys.stderr.write(f"{_WIPE}{bar} {share:4.0%}  {self._made} {self._noun}")
        sys.stderr.flush()
