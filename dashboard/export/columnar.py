"""Parquet: every row with its type, exact; the notes are metadata of the file."""

from typing import BinaryIO, Final

import polars as pl
import pyarrow.parquet as pq

from dashboard import text
from dashboard.export.table import Table

KEY: Final = "unaveraged"
"""Name of the metadata: the description as JSON."""


def write(table: Table, out: BinaryIO) -> None:
    """Write a table as Parquet, a row group a part."""
    about = {KEY: text.json_text(table.record())}
    writer = None
    for part in table.parts():
        rows = part.to_arrow(compat_level=pl.CompatLevel.oldest())
        if writer is None:
            schema = rows.schema.with_metadata(about)
            writer = pq.ParquetWriter(out, schema, compression="zstd")
        writer.write_table(rows.replace_schema_metadata(about))
    if writer is not None:
        writer.close()
