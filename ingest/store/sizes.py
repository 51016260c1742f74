"""How large a store is, table by table."""

from pathlib import Path
from typing import Final, NamedTuple, get_args

import polars as pl

from ingest.store.lake import manifest
from ingest.store.reader import Reader, TableName

_PACKED: Final = "ZSTD"
"""How texts are stored that only a case page reads: payloads, reasons and signatures."""
_PARTS: Final = """
SELECT block_id, compression = $packed AS packed, count(*) AS parts,
    coalesce(sum(len(additional_block_ids)), 0)::BIGINT AS more
FROM pragma_storage_info($table) WHERE block_id >= 0 AND persistent GROUP BY ALL
"""
_BLOCKS: Final = "SELECT block_size, total_blocks, free_blocks FROM pragma_database_size()"


class Sizes(NamedTuple):
    """The size of a store.

    ``file`` are the bytes of the file, ``free`` those of them that hold nothing. ``tables`` has a
    row a table, ``table, rows, bytes, texts``: about the bytes on disk, and of these the packed
    texts. ``payloads`` are the bytes of inputs, observations and checkpoints before packing.
    """

    file: int
    free: int
    tables: pl.DataFrame
    payloads: int


def sizes(path: Path, reader: Reader) -> Sizes:
    """Return the size of a store; the tables share blocks, so theirs are rounded.

    Of a lake it is that of its files, and nothing is said of their texts.
    """
    if manifest.is_lake(path):
        return _of_lake(path, reader)
    block, _, free = reader.ask(_BLOCKS, {}).row(0)
    names: list[str] = [name for name in get_args(TableName) if name != "run"]
    parts = pl.concat(
        [
            reader.ask(_PARTS, {"table": stored, "packed": _PACKED}).with_columns(
                table=pl.lit(name)
            )
            for name, stored in (*((name, name) for name in names), ("run", "run_loaded"))
        ]
    )
    # A block holds parts of several columns, also of several tables: each has its share.
    own = pl.col("parts")
    share = block * own / own.sum().over("block_id") + pl.col("more") * block
    kept = parts.with_columns(bytes=share)
    by_table = kept.group_by("table").agg(
        pl.col("bytes").sum().round().cast(pl.Int64),
        texts=pl.col("bytes").filter("packed").sum().round().cast(pl.Int64),
    )
    counted = [
        {"table": name, "rows": reader.ask(f'SELECT count(*) AS n FROM "{name}"', {}).item()}  # noqa: S608
        for name in (*names, "run")
    ]
    tables = (
        pl.DataFrame(counted)
        .join(by_table, on="table", how="left")
        .with_columns(pl.col("bytes", "texts").fill_null(0))
        .sort("bytes", "table", descending=[True, False])
    )
    return Sizes(path.stat().st_size, free * block, tables, _raw(reader))


def _raw(reader: Reader) -> int:
    raw: int = reader.ask("SELECT coalesce(sum(bytes), 0)::BIGINT AS n FROM turn", {}).item()
    return raw


def _of_lake(path: Path, reader: Reader) -> Sizes:
    parts = [part for entry in manifest.entries(path).values() for part in entry.parts]
    files = pl.DataFrame(
        [(part.table, part.rows, part.bytes) for part in parts],
        schema={"table": pl.String, "rows": pl.Int64, "bytes": pl.Int64},
        orient="row",
    )
    tables = (
        files.group_by("table")
        .agg(pl.col("rows", "bytes").sum())
        .with_columns(pl.col("table").replace("run_loaded", "run"), texts=pl.lit(None, pl.Int64))
        .sort("bytes", "table", descending=[True, False])
    )
    return Sizes(sum(part.bytes for part in parts), 0, tables, _raw(reader))
