"""Text that is not JSON, but could be if a case, item, sample or row of it were left out.

Decoders refuse such a text whole. Here the broken elements are found, and replaced by null; what
was wrong with each is said in its place when its reader refuses the null.
"""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

import msgspec

from ingest.errors import Rejection, excerpt
from ingest.faults import Fault, join, place
from ingest.malformed import explain

_TOKEN: Final = re.compile(rb'"[^"\\\n]*(?:\\.[^"\\\n]*)*"(?=\s*[,:\]}])|[\[\]{},:"]')
_SPLIT: Final = frozenset({(), ("cases",), ("items",), ("items", 0, "samples")})
"""Arrays whose elements are refused one by one; a number stands for every element."""
_PAIRS: Final = {b"}": b"{", b"]": b"["}
_OPENING: Final = frozenset(_PAIRS.values())
_DEEPEST: Final = 4
_NULL: Final = b"null"
_REMEDY: Final = "correct the writer; the rest of the file was loaded"
_VALUE: Final = msgspec.json.Decoder(msgspec.Raw)


class Unbalanced(Exception):
    """Quotes or brackets do not match: nobody can say where an element ends."""


class Broken(NamedTuple):
    """One element that is not JSON.

    Attributes:
        place: Its path.
        start: Where it begins in the text.
        end: Where it ends.
        fault: What is wrong with it; its place is seen from the element.
        text: The beginning of it.
    """

    place: str
    start: int
    end: int
    fault: Fault
    text: str

    def rejection(self, path: str) -> Rejection:
        """Return this as a thing that was not loaded."""
        where = join(self.place, self.fault.place)
        return Rejection(path, where, self.fault.rule, self.fault.message, _REMEDY, self.text)


class Salvaged(NamedTuple):
    """A text in which every broken element is null, and these elements by their places."""

    data: bytes
    broken: dict[str, Broken]


def salvage(data: bytes) -> Salvaged | None:
    """Return the text without its broken elements; None when that does not make it JSON."""
    broken: list[Broken] = []
    try:
        for path, start, end in _elements(data):
            inner = [each for each in broken if each.start >= start]
            try:
                _VALUE.decode(_without(data, start, end, inner))
            except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
                element = data[start:end]
                fault = explain(element, error)
                broken[len(broken) - len(inner) :] = [
                    Broken(place(path), start, end, fault, excerpt(element.lstrip()))
                ]
        mended = _without(data, 0, len(data), broken)
        _VALUE.decode(mended)
    except (Unbalanced, msgspec.DecodeError, RecursionError):
        return None
    return Salvaged(mended, {each.place: each for each in broken}) if broken else None


def _without(data: bytes, start: int, end: int, broken: list[Broken]) -> bytes:
    parts = []
    for each in broken:
        parts += [data[start : each.start], _NULL]
        start = each.end
    return b"".join([*parts, data[start:end]])


def _elements(data: bytes) -> Iterator[tuple[tuple[str | int, ...], int, int]]:
    """Yield the path, start and end of every element that can be left out, inner ones first."""
    walk = _Walk()
    for token in _TOKEN.finditer(data):
        mark = token[0]
        if mark == b'"':
            raise Unbalanced
        if mark in _OPENING:
            walk.enter(mark, token.end())
        elif mark == b":":
            walk.name()
        elif mark == b"," or mark in _PAIRS:
            start = walk.begin(mark)
            if walk.splits and data[start : token.start()].strip():
                yield tuple(walk.path), start, token.start()
            walk.leave(mark, token.end())
        walk.last = mark
    if walk.path:
        raise Unbalanced


class _Walk:
    """Where a scan of some text has got to; a text that would lead it astray ends it."""

    def __init__(self) -> None:
        self.path: list[str | int] = []
        self.last = b""
        self._open: list[bytes] = []
        self._starts: list[int] = []

    @property
    def splits(self) -> bool:
        """Whether the value that ends here is one that can be left out."""
        if self._open[-1] != b"[" or len(self.path) > _DEEPEST:
            return False
        return tuple(0 if isinstance(part, int) else part for part in self.path[:-1]) in _SPLIT

    def enter(self, mark: bytes, start: int) -> None:
        before = {b"{": (b":",), b"[": (b"[", b",")}
        if self._open and self.last not in before[self._open[-1]]:
            raise Unbalanced
        self._open.append(mark)
        self._starts.append(start)
        self.path.append("" if mark == b"{" else 0)

    def name(self) -> None:
        if not self._open or self._open[-1] != b"{":
            raise Unbalanced
        self.path[-1] = self.last[1:-1].decode("utf-8", "replace")

    def begin(self, mark: bytes) -> int:
        """Return where the value began that this mark ends."""
        if not self._open or self._open[-1] != _PAIRS.get(mark, self._open[-1]):
            raise Unbalanced
        return self._starts[-1]

    def leave(self, mark: bytes, start: int) -> None:
        if mark != b",":
            del self._open[-1], self._starts[-1], self.path[-1]
            return
        self._starts[-1] = start
        here = self.path[-1]
        self.path[-1] = here + 1 if isinstance(here, int) else ""
