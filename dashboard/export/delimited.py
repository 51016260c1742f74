"""CSV: the notes as comment lines, then every row, exact, a part at a time."""

from collections.abc import Iterator
from typing import BinaryIO

import polars as pl

from dashboard.export import harmless
from dashboard.export.table import Table


def write(table: Table, out: BinaryIO) -> None:
    """Write a table as CSV; numbers have full precision, text cannot be run by a spreadsheet."""
    out.writelines(f"# {harmless.line(line)}\n".encode() for line in _comments(table))
    for number, part in enumerate(table.parts()):
        out.write(
            _cells(part).write_csv(include_header=number == 0, quote_style="non_numeric").encode()
        )


def _comments(table: Table) -> Iterator[str]:
    yield table.title
    for heading, lines in table.sections():
        for line in lines:
            yield f"{heading}: {line}"
    yield "Text has its control characters written out, and an apostrophe before what would be run."


def _cells(part: pl.DataFrame) -> pl.DataFrame:
    text = [name for name, dtype in part.schema.items() if dtype == pl.String]
    return part.with_columns(harmless.for_spreadsheets(pl.col(name)).alias(name) for name in text)
