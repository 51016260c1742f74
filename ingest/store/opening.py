"""Opening what figures are read from: the file of a store, or the folder of a lake."""

import contextlib
from collections.abc import Iterator
from contextvars import ContextVar
from pathlib import Path
from typing import Final

from ingest.errors import StoreMissing
from ingest.store.lake import manifest
from ingest.store.lake.reader import open_lake
from ingest.store.reader import READ_WAIT, Reader, open_store

_OPENED: Final[ContextVar[tuple[contextlib.ExitStack, dict[Path, Reader]] | None]] = ContextVar(
    "opened", default=None
)


def version(path: Path) -> str:
    """Return a text that changes whenever the content may have: a cache key.

    Raises:
        StoreMissing: When there is neither a store nor a lake.
    """
    if manifest.is_lake(path):
        return manifest.version(path)
    try:
        found = path.stat()
    except OSError:
        raise StoreMissing(path) from None
    return f"{found.st_mtime_ns}-{found.st_size}"


@contextlib.contextmanager
def one_opening() -> Iterator[None]:
    """Open each store once within, however often it is asked for, and close it at the end.

    For work that is soon done: a store that is open for reading cannot be written.
    """
    with contextlib.ExitStack() as opened:
        token = _OPENED.set((opened, {}))
        try:
            yield
        finally:
            _OPENED.reset(token)


@contextlib.contextmanager
def open_reader(path: Path, wait: float = READ_WAIT) -> Iterator[Reader]:
    """Open a store or a lake for reading, and close it again, or leave that to one_opening.

    Raises:
        StoreMissing: When there is neither.
        StoreBusy: When a writer holds the store for longer than ``wait`` seconds.
        StoreOutdated: When another version of the tool made the store.
        StoreUnreadable: When the file is not a store.
        LakeUnreadable: When the folder is not a lake.
    """
    shared = _OPENED.get()
    if shared is None:
        with _opened(path, wait) as reader:
            yield reader
        return
    opened, readers = shared
    if path not in readers:
        readers[path] = opened.enter_context(_opened(path, wait))
    yield readers[path]


def _opened(path: Path, wait: float) -> contextlib.AbstractContextManager[Reader]:
    if manifest.is_lake(path):
        return open_lake(path)
    if not path.is_file():
        raise StoreMissing(path)
    return open_store(path, wait)
