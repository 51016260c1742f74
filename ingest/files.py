"""From paths to bytes to JSON values: finding reports, undoing compression, splitting lines."""

import gzip
import io
import os
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final, NamedTuple

import msgspec
import zstandard

from ingest.batch import Document
from ingest.cut import RAW_LIST, RAW_OBJECT
from ingest.errors import Rejection, excerpt

ENDINGS: Final = (".json", ".jsonl", ".ndjson")
COMPRESSED: Final = (".gz", ".zst")
_GZIP: Final = b"\x1f\x8b"
_ZSTD: Final = b"\x28\xb5\x2f\xfd"
_BOM: Final = b"\xef\xbb\xbf"
_UTF16: Final = (b"\xff\xfe", b"\xfe\xff")
_SPACE: Final = b" \t\r\n"
PEEK: Final = 20
WRITE_AGAIN: Final = "write the report again, or ingest it when its writer has finished"


class Unreadable(Exception):
    """A file that yields no JSON values; carries the rejection's rule, message and remedy."""

    def __init__(self, rule: str, message: str, remedy: str, data: bytes = b"") -> None:
        """Keep the parts of the rejection apart."""
        super().__init__(message)
        self.rule, self.message, self.remedy, self.data = rule, message, remedy, data

    def rejection(self, path: str) -> Rejection:
        """Return this as a rejection of a whole file."""
        return Rejection(path, "", self.rule, self.message, self.remedy, excerpt(self.data))


class Found(NamedTuple):
    """A file to look at; ``named`` when the user gave it by name, not by its folder."""

    path: str
    named: bool


class Content(NamedTuple):
    """The JSON values of a file, and the members of the first objects among them."""

    documents: Iterable[Document]
    members: list[frozenset[str]]


def find(paths: Iterable[str], own: Path) -> Iterator[Found]:
    """Yield every file under the paths in name order, without hidden files and the store's own."""
    for path in paths:
        if Path(path).is_dir():
            yield from (Found(found, named=False) for found in _walk(path, own))
        else:
            yield Found(path, named=True)


def _walk(top: str, own: Path) -> Iterator[str]:
    for folder, folders, names in os.walk(top):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            if not name.startswith(".") and not _is_own(folder, name, own):
                yield str(Path(folder) / name)


def _is_own(folder: str, name: str, own: Path) -> bool:
    return name.startswith(own.name) and Path(folder).resolve() == own.parent.resolve()


def looks_like_json(path: str) -> bool:
    """Return whether the file's name is one that reports have."""
    name = path.lower()
    for ending in COMPRESSED:
        name = name.removesuffix(ending)
    return name.endswith(ENDINGS)


def read(path: str) -> bytes:
    """Return the file's content, decompressed.

    Raises:
        Unreadable: When it cannot be read or decompressed.
    """
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        reason = error.strerror or str(error)
        raise Unreadable(
            "unreadable", f"the file cannot be read: {reason}", "check the path and its permissions"
        ) from None
    try:
        if data.startswith(_GZIP):
            return gzip.decompress(data)
        if data.startswith(_ZSTD):
            with zstandard.ZstdDecompressor().stream_reader(
                data, read_across_frames=True
            ) as stream:
                return bytes(stream.readall())
    except (OSError, EOFError, zlib.error, zstandard.ZstdError) as error:
        raise Unreadable(
            "compression", f"the file cannot be decompressed: {error}", WRITE_AGAIN, data
        ) from None
    return data


def split(data: bytes) -> Content:
    """Return the JSON values of a file: its one object, its array's elements, or its lines.

    Raises:
        Unreadable: When it holds none, or is not JSON.
    """
    if data.startswith(_UTF16):
        remedy = "convert it: iconv -f UTF-16 -t UTF-8"
        raise Unreadable("encoding", "the file is UTF-16; JSON is UTF-8", remedy, data)
    data = data.removeprefix(_BOM)
    start = data[:4096].lstrip(_SPACE) or data.lstrip(_SPACE)
    if not start:
        raise Unreadable(
            "empty-file",
            "the file is empty: missing evidence, not success",
            "look at the job that wrote it",
            data,
        )
    if start.startswith(b"["):
        return _array(data)
    return _object(data) or _lines(data)


def _array(data: bytes) -> Content:
    try:
        values = RAW_LIST.decode(data)
    except (msgspec.DecodeError, RecursionError) as error:
        raise _invalid(error, data) from None
    if not values:
        raise Unreadable(
            "no-rows",
            "the array is empty: missing evidence, not success",
            "look at the job that wrote it",
            data,
        )
    documents = [Document(f"[{place}]", value) for place, value in enumerate(values)]
    return Content(documents, _peek(documents))


def _object(data: bytes) -> Content | None:
    """Return the content of a file that is one object, or None when it may be lines."""
    try:
        members = RAW_OBJECT.decode(data)
    except RecursionError as error:
        raise _invalid(error, data) from None
    except msgspec.DecodeError as error:
        first = data.lstrip(_SPACE).split(b"\n", 1)[0]
        if len(first) < len(data.strip(_SPACE)) and _is_object(first):
            return None
        raise _invalid(error, data) from None
    return Content([Document("", data)], [frozenset(members)])


def _lines(data: bytes) -> Content:
    return Content(_each_line(data), _peek(_each_line(data)))


def _each_line(data: bytes) -> Iterator[Document]:
    for number, line in enumerate(io.BytesIO(data), 1):
        text = line.strip(_SPACE)
        if text:
            yield Document(f"line {number}", text)


def _peek(documents: Iterable[Document]) -> list[frozenset[str]]:
    found = []
    for document, _ in zip(documents, range(PEEK), strict=False):
        try:
            found.append(frozenset(RAW_OBJECT.decode(document.data)))
        except (msgspec.DecodeError, RecursionError):
            continue
    return found


def _is_object(line: bytes) -> bool:
    try:
        RAW_OBJECT.decode(line)
    except (msgspec.DecodeError, RecursionError):
        return False
    return True


def _invalid(error: Exception, data: bytes) -> Unreadable:
    text = str(error)
    if isinstance(error, RecursionError):
        return Unreadable(
            "too-deep",
            "the JSON is nested too deeply",
            "no report nests this deep; check its writer",
            data,
        )
    if "truncated" in text:
        return Unreadable(
            "truncated",
            "the file ends in the middle of a value: still being written, or cut off",
            WRITE_AGAIN,
            data,
        )
    return Unreadable("invalid-json", f"the file is not JSON: {text}", WRITE_AGAIN, data)
