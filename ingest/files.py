"""From paths to bytes: finding reports, reading them, undoing compression."""

import gzip
import hashlib
import os
import stat as kinds
import sys
import time
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import BinaryIO, Final, NamedTuple

import zstandard

from ingest.errors import Rejection, excerpt
from ingest.large import BLOCK, file_buffer, is_lines

ENDINGS: Final = (".json", ".jsonl", ".ndjson")
COMPRESSED: Final = (".gz", ".zst")
STDIN: Final = "-"
LARGE: Final = 16 * 1024 * 1024
_GZIP: Final = b"\x1f\x8b"
_ZSTD: Final = b"\x28\xb5\x2f\xfd"
WRITE_AGAIN: Final = "write the report again, or ingest it when its writer has finished"
UNFINISHED: Final = frozenset({"truncated", "compression"})
"""Rules that a file may keep a moment later, when its writer has gone on."""


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


class Stat(NamedTuple):
    """What tells that nobody touched a file: length, inode and times of change."""

    bytes: int
    changed: str
    newest: int


class File(NamedTuple):
    """A file that was read.

    Attributes:
        digest: sha256 of its bytes, decompressed.
        size: Their number.
        data: The bytes; of a large file only the beginning.
        whole: Whether ``data`` is all of it.
        view: All bytes of a large file that is one value; None when it holds lines.
    """

    digest: str
    size: int
    data: bytes
    whole: bool
    view: memoryview | None = None


def find(paths: Iterable[str], own: Path) -> Iterator[Found]:
    """Yield every file under the paths in name order, without hidden files and the store's own.

    A folder that holds none is yielded itself. Links to folders are followed, each folder once.
    """
    for path in paths:
        if path != STDIN and Path(path).is_dir():
            empty = True
            for found in _walk(path, own):
                empty = False
                yield Found(found, named=False)
            if empty:
                yield Found(path, named=True)
        else:
            yield Found(path, named=True)


def _walk(top: str, own: Path) -> Iterator[str]:
    seen = {_identity(top)}
    for folder, folders, names in os.walk(top, followlinks=True):
        inside = str(Path(folder) / "_").removesuffix("_")
        inner = [name for name in sorted(folders) if not name.startswith(".")]
        folders.clear()
        for name in inner:
            identity = _identity(str(Path(folder) / name))
            if identity not in seen:
                seen.add(identity)
                folders.append(name)
        for name in sorted(names):
            if not name.startswith(".") and not _is_own(folder, name, own):
                yield f"{inside}{name}"


def _identity(folder: str) -> tuple[int, int]:
    """Return what tells a folder from others, under whatever name a link gives it."""
    try:
        found = Path(folder).stat()
    except OSError:
        return 0, 0
    return found.st_dev, found.st_ino


def _is_own(folder: str, name: str, own: Path) -> bool:
    return name.startswith(own.name) and Path(folder).resolve() == own.parent.resolve()


def looks_like_json(path: str) -> bool:
    """Return whether the file's name is one that reports have."""
    name = path.lower()
    for ending in COMPRESSED:
        name = name.removesuffix(ending)
    return name.endswith(ENDINGS)


def readable(path: str) -> str:
    """Return a path as text; bytes in it that are no text are written as escapes."""
    return os.fsencode(path).decode("utf-8", "backslashreplace")


def stat(path: str) -> Stat | None:
    """Return what tells that nobody touched a file; None when it is no plain file."""
    if path == STDIN:
        return None
    try:
        found = os.stat(path)  # noqa: PTH116 - making a Path takes longer than looking
    except OSError:
        return None
    changed = f"{found.st_dev}-{found.st_ino}-{found.st_mtime_ns}-{found.st_ctime_ns}"
    return Stat(found.st_size, changed, max(found.st_mtime_ns, found.st_ctime_ns))


def is_special(path: str) -> bool:
    """Return whether something is there that is no plain file."""
    try:
        return not kinds.S_ISREG(os.stat(path).st_mode)  # noqa: PTH116 - as in stat()
    except (OSError, ValueError):
        return False


def is_settled(found: Stat, seconds: float) -> bool:
    """Return whether a file was last touched that long ago."""
    return time.time_ns() - found.newest > seconds * 1e9


def read(path: str) -> File:
    """Return the file's content, decompressed; of a large plain file only the beginning.

    Raises:
        Unreadable: When it cannot be read or decompressed.
    """
    try:
        if path == STDIN:
            data = sys.stdin.buffer.read()
        elif Path(path).is_dir():
            raise Unreadable(
                "no-reports",
                "the folder holds no files: missing evidence, not success",
                "look at the job that should have written it",
            )
        else:
            with Path(path).open("rb") as file:
                data = file.read(LARGE)
                if len(data) == LARGE and not data.startswith((_GZIP, _ZSTD)):
                    return _large(file, data)
                data += file.read()
    except OSError as error:
        raise _unreadable(error) from None
    data = _decompressed(data)
    return File(hashlib.sha256(data).hexdigest(), len(data), data, whole=True)


def blocks(path: str) -> Iterator[bytes]:
    """Yield the bytes of a plain file in order, a block at a time.

    Raises:
        Unreadable: When it cannot be read.
    """
    try:
        with Path(path).open("rb") as file:
            while block := file.read(BLOCK):
                yield block
    except OSError as error:
        raise _unreadable(error) from None


def _unreadable(error: OSError) -> Unreadable:
    reason = error.strerror or str(error)
    remedy = "check the path and its permissions"
    return Unreadable("unreadable", f"the file cannot be read: {reason}", remedy)


def changing() -> Unreadable:
    """Return what to say about a file that is written while it is read."""
    return Unreadable("truncated", "the file changed while it was read", WRITE_AGAIN)


def _large(file: BinaryIO, data: bytes) -> File:
    if not is_lines(data[:BLOCK]):
        return _one_value(file, data)
    digest, size = hashlib.sha256(data), len(data)
    while block := file.read(BLOCK):
        digest.update(block)
        size += len(block)
    return File(digest.hexdigest(), size, data, whole=size == len(data))


def _one_value(file: BinaryIO, data: bytes) -> File:
    """Read all of a file into memory of which parts can be given back."""
    digest = hashlib.sha256()
    size, view = file_buffer(file, data, digest.update)
    if size != len(view):
        raise changing()
    return File(digest.hexdigest(), size, data, whole=False, view=view)


def _decompressed(data: bytes) -> bytes:
    try:
        if data.startswith(_GZIP):
            return gzip.decompress(data)
        if data.startswith(_ZSTD):
            return b"".join(_frames(data))
    except (OSError, EOFError, zlib.error, zstandard.ZstdError) as error:
        raise Unreadable(
            "compression", f"the file cannot be decompressed: {error}", WRITE_AGAIN, data
        ) from None
    return data


def _frames(data: bytes) -> Iterator[bytes]:
    while data:
        frame = zstandard.ZstdDecompressor().decompressobj()
        yield frame.decompress(data)
        if not frame.eof:
            raise EOFError("the last frame ends too early")
        data = frame.unused_data
