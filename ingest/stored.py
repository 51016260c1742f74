"""A table of the store that is counted where it lies: only the counts leave the database."""

import functools
import threading
from collections.abc import Callable, Mapping
from typing import Any

import polars as pl


class StoredTable:
    """A table that is counted by the database.

    What it hands out must be collected while the store is open. Built by ``Reader.table``; knows
    the database only as something whose cursors give relations that narwhals takes.
    """

    def __init__(
        self,
        cursor: Callable[[], Any],
        scan: Callable[[Any], Any],
        schema: Mapping[str, pl.DataType],
    ) -> None:
        """Take how to get a cursor, how to scan the table with one, and the table's columns."""
        self._cursor = cursor
        self._scan = scan
        self.empty = pl.LazyFrame(schema=dict(schema))

    def counted(self, reduce: Callable[..., Any], tables: tuple[Any, ...], /) -> pl.LazyFrame:
        """Return what ``reduce`` makes of ``tables``, computed by the database when collected.

        ``reduce`` is written against narwhals, so that it takes Polars frames and the database's
        relations alike; frames among the tables are handed to the database.
        """

        def compute() -> pl.DataFrame:
            # Polars asks for several results at a time; a connection answers one.
            with self._cursor() as cursor:
                relations = [
                    table._scan(cursor)
                    if isinstance(table, StoredTable)
                    else cursor.from_arrow(table.collect().to_arrow())
                    for table in tables
                ]
                return pl.DataFrame(reduce(*relations))

        return deferred(reduce, tables, compute)


def deferred(
    reduce: Callable[..., Any], tables: tuple[Any, ...], compute: Callable[[], pl.DataFrame]
) -> pl.LazyFrame:
    """Return what ``compute`` will give, once, with the columns ``reduce`` gives of Polars frames.

    Args:
        reduce: Written against narwhals.
        tables: Frames, and tables that know themselves without rows as ``empty``.
        compute: Gives the same columns of whatever types its engine counts in.
    """
    empty = (table.clear() if isinstance(table, pl.LazyFrame) else table.empty for table in tables)
    schema = reduce(*empty).collect_schema()

    @_once
    def typed() -> pl.DataFrame:
        return compute().select(pl.col(name).cast(dtype) for name, dtype in schema.items())

    return pl.defer(typed, schema=schema)


def _once(compute: Callable[[], pl.DataFrame]) -> Callable[[], pl.DataFrame]:
    """Compute when first asked, whichever thread that is, and keep the result."""
    lock = threading.Lock()
    kept = functools.cache(compute)

    def locked() -> pl.DataFrame:
        with lock:
            return kept()

    return locked
