"""The store: one DuckDB file, and the only package that knows the database.

A DuckDB file is locked whole between processes, so nobody keeps it open: readers open, read what
they need and close; the writer opens for one transaction and closes. The store is derived from
files and disposable: it has a version and no migrations.
"""

from ingest.store.compacting import Compacted, compact
from ingest.store.connection import ENGINE, SCHEMA_VERSION, Waiting
from ingest.store.known import Known
from ingest.store.opening import one_opening, open_reader, version
from ingest.store.reader import READ_WAIT, Reader, Scalar, TableName
from ingest.store.sizes import Sizes, sizes
from ingest.store.writer import WRITE_WAIT, Writer

__all__ = [
    "ENGINE",
    "READ_WAIT",
    "SCHEMA_VERSION",
    "WRITE_WAIT",
    "Compacted",
    "Known",
    "Reader",
    "Scalar",
    "Sizes",
    "TableName",
    "Waiting",
    "Writer",
    "compact",
    "one_opening",
    "open_reader",
    "sizes",
    "version",
]
