"""JSON: the description, then every row on a line of its own, exact."""

from typing import BinaryIO

from dashboard import shapes, text
from dashboard.export.table import Table


def write(table: Table, out: BinaryIO) -> None:
    """Write a table as one JSON object: `about` and `rows`."""
    parsed = [column.name for column in table.columns if column.kind == "json"]
    out.write(b'{"about": ' + text.json_text(table.record()).encode() + b',\n"rows": [')
    first = True
    for part in table.parts():
        for row in part.iter_rows(named=True):
            exact = row | {name: shapes.payload(row[name]) for name in parsed}
            out.write((b"\n" if first else b",\n") + text.json_line(exact).encode())
            first = False
    out.write(b"\n]}\n")
