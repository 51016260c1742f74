"""From bytes to JSON values: a file's one object, its array's elements, or its lines."""

import hashlib
import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Final, NamedTuple

import msgspec

from ingest.batch import Chunk
from ingest.cut import RAW_LIST, RAW_OBJECT, Value
from ingest.files import WRITE_AGAIN, File, Unreadable, blocks, changing
from ingest.large import BLOCK, is_lines, is_object
from ingest.large import BOM as _BOM
from ingest.large import SPACE as _SPACE
from ingest.malformed import explain
from ingest.salvage import Broken, salvage
from ingest.surrogates import without_lone

PEEK: Final = 20
_UTF16: Final = (b"\xff\xfe", b"\xfe\xff")
LINE: Final = "line {}"
_ROWS: Final = 20_000
_WHOLE: Final = ""
_LOOK: Final = "look at the job that wrote it"
_REMEDIES: Final = {
    "too-deep": "no report nests this deep; check its writer",
    "not-a-number": "correct the writer: JSON knows neither NaN nor Infinity",
    "encoding": "write it as UTF-8",
}


class Content(NamedTuple):
    """What a file holds.

    Attributes:
        chunks: Its JSON values; can be gone through once.
        members: The members of the first objects among them.
        unfinished: Whether the last line seems to be cut off.
        mended: Whether lone surrogates were replaced to read it.
        broken: What in it is no JSON and was left out, by its place.
    """

    chunks: Iterable[Chunk]
    members: list[frozenset[str]]
    unfinished: bool = False
    mended: bool = False
    broken: Mapping[str, Broken] = {}


def values(file: File, path: str) -> Content:
    """Return the JSON values of a file.

    Raises:
        Unreadable: When it holds none, or is not JSON.
    """
    data = file.data
    if data.startswith(_UTF16):
        remedy = "convert it: iconv -f UTF-16 -t UTF-8"
        raise Unreadable("encoding", "the file is UTF-16; JSON is UTF-8", remedy, data)
    start = data[:BLOCK].removeprefix(_BOM).lstrip(_SPACE) or data.removeprefix(_BOM).lstrip(_SPACE)
    if not start:
        raise _missing("empty-file", "the file is empty", data)
    if is_lines(start):
        return _lines(file, path)
    body = data if file.view is None else file.view
    return _mended(body[len(_BOM) :] if data.startswith(_BOM) else body)


def _mended(data: bytes | memoryview) -> Content:
    """Return what a text holds, if need be without what is no JSON in it."""
    try:
        return _whole(data)
    except Unreadable as error:
        written = bytes(data)
        mended = without_lone(written)
        if mended == written:
            return _salvaged(written, error)
    try:
        return _whole(mended)._replace(mended=True)
    except Unreadable as error:
        return _salvaged(mended, error)._replace(mended=True)


def _salvaged(data: bytes, error: Unreadable) -> Content:
    found = salvage(data)
    if found is None:
        raise error
    return _whole(found.data)._replace(broken=found.broken)


def _whole(data: bytes | memoryview) -> Content:
    if bytes(data[:BLOCK]).lstrip(_SPACE).startswith(b"["):
        return _array(data)
    try:
        members = RAW_OBJECT.decode(data)
    except (msgspec.DecodeError, RecursionError) as error:
        text = bytes(data)
        if _mostly_lines(text):
            return _lines_of(text)
        raise _invalid(error, text) from None
    return Content([Chunk(_WHOLE, [1], [data], members)], [frozenset(members)])


def _array(data: bytes | memoryview) -> Content:
    try:
        elements = RAW_LIST.decode(data)
    except (msgspec.DecodeError, RecursionError) as error:
        raise _invalid(error, bytes(data)) from None
    if not elements:
        raise _missing("no-rows", "the array is empty", bytes(data))
    chunks = [
        Chunk(
            "[{}]", range(start, min(start + _ROWS, len(elements))), elements[start : start + _ROWS]
        )
        for start in range(0, len(elements), _ROWS)
    ]
    return Content(chunks, _peek(elements))


def _lines(file: File, path: str) -> Content:
    if file.whole:
        return _lines_of(file.data)
    chunks = _line_chunks(_checked(path, file.digest))
    return Content(chunks, _peek(_first_lines(file.data)))


def _lines_of(data: bytes) -> Content:
    pieces = (data[start : start + BLOCK] for start in range(0, len(data), BLOCK))
    tail = data[data.rstrip(_SPACE).rfind(b"\n") + 1 :]
    unfinished = not data.endswith(b"\n") and not is_object(tail)
    return Content(_line_chunks(pieces), _peek(_first_lines(data)), unfinished=unfinished)


def _checked(path: str, digest: str) -> Iterator[bytes]:
    """Yield a file's blocks; at the end it must have been the file whose digest is known."""
    seen = hashlib.sha256()
    with ThreadPoolExecutor(1) as behind:
        for block in blocks(path):
            behind.submit(seen.update, block)
            yield block
    if seen.hexdigest() != digest:
        raise changing()


def _line_chunks(pieces: Iterable[bytes]) -> Iterator[Chunk]:
    number, rest, first = 1, b"", True
    for piece in itertools.chain(pieces, [None]):
        if piece is None:
            lines, rest = [rest] if rest else [], b""
        else:
            *lines, rest = (rest + piece).split(b"\n")
        if first and lines:
            lines[0] = lines[0].removeprefix(_BOM)
            first = False
        texts = [line.strip(_SPACE) for line in lines]
        if texts:
            yield _numbered(texts, number)
            number += len(texts)


def _numbered(texts: list[bytes], first: int) -> Chunk:
    numbers: Sequence[int] = range(first, first + len(texts))
    if not all(texts):
        numbers = [number for number, text in zip(numbers, texts, strict=True) if text]
        texts = [text for text in texts if text]
    return Chunk(LINE, numbers, texts)


def _first_lines(data: bytes) -> list[bytes]:
    lines = data[:BLOCK].removeprefix(_BOM).split(b"\n", PEEK)[:PEEK]
    return [line.strip(_SPACE) for line in lines if line.strip(_SPACE)]


def _mostly_lines(data: bytes) -> bool:
    lines = _first_lines(data)
    return len(lines) > 1 and 2 * sum(map(is_object, lines)) > len(lines)


def _peek(found: Iterable[Value]) -> list[frozenset[str]]:
    members = []
    for value in itertools.islice(found, PEEK):
        try:
            members.append(frozenset(RAW_OBJECT.decode(value)))
        except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
            continue
    return members


def _missing(rule: str, found: str, data: bytes) -> Unreadable:
    return Unreadable(rule, f"{found}: missing evidence, not success", _LOOK, data)


def _invalid(error: Exception, data: bytes) -> Unreadable:
    fault = explain(data, error)
    where = f"{fault.place}: " if fault.place else ""
    remedy = _REMEDIES.get(fault.rule, WRITE_AGAIN)
    return Unreadable(fault.rule, f"{where}{fault.message}", remedy, data)
