"""A search through what trials said: goes on in steps, keeps what it found, and can be stopped."""

from pathlib import Path
from threading import Lock
from typing import Final

import polars as pl
import streamlit as st

from dashboard.data import MOST_KEPT, Source
from ingest import search, store
from ingest.search import Among, Excerpt, Range, Text

MOST_FOUND: Final = 10_000


class Scan:
    """One search: what it found so far, and what it has still to look into."""

    def __init__(self, at: Source, text: Text, among: Among) -> None:
        """Plan the search."""
        self._at, self._text, self._among = at, text, among
        self._lock = Lock()
        with store.open_reader(Path(at.path)) as reader:
            self._left = search.ranges(reader, among.runs)
        self.total = sum(part.bytes for part in self._left)
        self.scanned = 0
        self.found: list[pl.DataFrame] = []

    @property
    def done(self) -> bool:
        """Whether all has been looked into, or more was found than anybody reads."""
        return not self._left or self.count >= MOST_FOUND

    @property
    def more(self) -> bool:
        """Whether there may be more than was found."""
        return bool(self._left)

    @property
    def count(self) -> int:
        """How many places were found."""
        return sum(frame.height for frame in self.found)

    @property
    def hits(self) -> pl.DataFrame:
        """The places found, in the order of the trials."""
        return pl.concat(self.found) if self.found else pl.DataFrame()

    def step(self) -> None:
        """Look into the next trials.

        Raises:
            ValueError: When the regular expression is none.
        """
        with self._lock:
            if self.done:
                return
            part: Range = self._left[0]
            with store.open_reader(Path(self._at.path)) as reader:
                most = MOST_FOUND - self.count
                found = search.holding(reader, self._text, self._among, part, most)
            self._left = self._left[1:]
            self.scanned += part.bytes
            if found.height:
                self.found.append(found)


@st.cache_resource(max_entries=MOST_KEPT, show_spinner=False)
def scan(at: Source, text: Text, among: Among) -> Scan:
    """Return a search, as far as it has come."""
    return Scan(at, text, among)


@st.cache_resource(max_entries=MOST_KEPT, show_spinner=False)
def excerpts(at: Source, text: Text, _hits: pl.DataFrame, key: str) -> list[Excerpt | None]:  # noqa: ARG001
    """Return what stands around each of these hits; ``key`` names them."""
    with store.open_reader(Path(at.path)) as reader:
        return list(search.excerpts(reader, text, _hits))


@st.cache_resource(max_entries=MOST_KEPT, show_spinner=False)
def trials(at: Source, _numbers: list[int], key: str) -> dict[int, dict[str, object]]:  # noqa: ARG001
    """Return the trials with these numbers; ``key`` names them."""
    columns = ("run", "trial", "item", "variants", "repetition", "outcome")
    with store.open_reader(Path(at.path)) as reader:
        found = reader.frame("trial", columns, trials=_numbers)
    return {row["trial"]: row for row in found.iter_rows(named=True)}
