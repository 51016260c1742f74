"""Opening what figures are read from: the file of a store, or the folder of a lake."""

import contextlib
from collections.abc import Iterator
from pathlib import Path

from ingest.errors import StoreMissing
from ingest.store.lake import manifest
from ingest.store.lake.reader import open_lake
from ingest.store.reader import READ_WAIT, Reader, open_store


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
def open_reader(path: Path, wait: float = READ_WAIT) -> Iterator[Reader]:
    """Open a store or a lake for reading, and close it again.

    Raises:
        StoreMissing: When there is neither.
        StoreBusy: When a writer holds the store for longer than ``wait`` seconds.
        StoreOutdated: When another version of the tool made the store.
        StoreUnreadable: When the file is not a store.
        LakeUnreadable: When the folder is not a lake.
    """
    if manifest.is_lake(path):
        with open_lake(path) as reader:
            yield reader
    elif path.is_file():
        with open_store(path, wait) as reader:
            yield reader
    else:
        raise StoreMissing(path)
