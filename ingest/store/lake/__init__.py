"""A lake: the tables of stores as Parquet, shared by machines, and read like a store.

It is a folder: ``lake.json`` says what it is, ``manifest/`` has a small file per report that names
what is current, ``tables/table=T/run=R/`` holds the rows. Nothing else says what the lake holds, so
a reader never sees a part of a report. It is also the archive a store can be rebuilt from.
"""

from ingest.store.lake.engine import CLIENT, RAY, is_engine
from ingest.store.lake.engine import choose as choose_engine
from ingest.store.lake.manifest import entries, is_lake
from ingest.store.lake.restore import Restored, restore
from ingest.store.lake.sync import Said, Synced, Tell, forget_now, sync

__all__ = [
    "CLIENT",
    "RAY",
    "Restored",
    "Said",
    "Synced",
    "Tell",
    "choose_engine",
    "entries",
    "forget_now",
    "is_engine",
    "is_lake",
    "restore",
    "sync",
]
