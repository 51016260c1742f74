"""Large files: what they begin like, and memory for them of which parts can be given back."""

import mmap
import os
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, BinaryIO, Final

import msgspec
import pyarrow as pa

from ingest.cut import RAW_OBJECT, Value

BLOCK: Final = 8 * 1024 * 1024
SPACE: Final = b" \t\r\n"
BOM: Final = b"\xef\xbb\xbf"


def is_lines(data: bytes) -> bool:
    """Return whether the first line is an object of its own and something follows it."""
    first, _, rest = data.removeprefix(BOM).lstrip(SPACE).partition(b"\n")
    return first.startswith(b"{") and bool(rest.strip(SPACE)) and is_object(first)


def is_object(line: bytes) -> bool:
    """Return whether some text is one JSON object."""
    try:
        RAW_OBJECT.decode(line)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        return False
    return True


def file_buffer(
    file: BinaryIO, beginning: bytes, look: Callable[[memoryview], object]
) -> tuple[int, memoryview]:
    """Read the rest of a file; return the length found and a view of as much as was announced.

    ``look`` is shown all of it in order, while the next block is read. The file itself is not
    mapped: its writer could cut it off under our hands.
    """
    room = max(os.fstat(file.fileno()).st_size, len(beginning))
    # Shared memory, the default, would outlive being given back.
    view = memoryview(mmap.mmap(-1, room, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS))
    view[: len(beginning)] = beginning
    size = len(beginning)
    with ThreadPoolExecutor(1) as behind:
        behind.submit(look, view[:size])
        while got := file.readinto(view[size : size + BLOCK]):  # type: ignore[attr-defined]
            behind.submit(look, view[size : size + got])
            size += got
    return size + len(file.read(1)), view


def offset(part: Any, data: Any) -> int:
    """Return where a part of some buffer begins in it."""
    start: int = pa.py_buffer(part).address - pa.py_buffer(data).address
    return start


def without(data: Value, parts: Iterable[msgspec.Raw], instead: bytes) -> bytes:
    """Return a record with some of its values replaced."""
    pieces: list[bytes | memoryview] = []
    end = 0
    view = memoryview(data)
    for start, length in sorted((offset(part, data), memoryview(part).nbytes) for part in parts):
        pieces += [view[end:start], instead]
        end = start + length
    return b"".join([*pieces, view[end:]])


def give_back(data: Any, start: int, end: int) -> None:
    """Give the memory between two places back, if the data lies in memory that allows it.

    What was there reads as zeros from then on.
    """
    if isinstance(data, memoryview) and isinstance(data.obj, mmap.mmap):
        origin = offset(data, data.obj)
        page = mmap.PAGESIZE
        first, last = -(-(origin + start) // page) * page, (origin + end) // page * page
        if last > first:
            data.obj.madvise(mmap.MADV_DONTNEED, first, last - first)
