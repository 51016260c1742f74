"""Exports of each format as text that can be held against a golden, and as rows."""

import io
import json
from typing import Any

import fastexcel
import openpyxl
import polars as pl
import pyarrow.parquet as pq

Rows = list[dict[str, Any]]


def text_of(form: str, written: bytes) -> str:
    """Text that says all that is in a file."""
    if form == "xlsx":
        return workbook_text(written)
    if form == "parquet":
        return parquet_text(written)
    return written.decode()


def workbook_text(written: bytes) -> str:
    book = openpyxl.load_workbook(io.BytesIO(written))
    lines = [f"created {book.properties.created} title {book.properties.title}"]
    for sheet in book.worksheets:
        lines.append(f"sheet {sheet.title} frozen {sheet.freeze_panes}")
        for cells in sheet.iter_rows():
            told = [
                [cell.value, cell.number_format, "'" if cell.quotePrefix else ""] for cell in cells
            ]
            lines.append(json.dumps(told, ensure_ascii=False))
    return "\n".join(lines) + "\n"


def parquet_text(written: bytes) -> str:
    file = pq.ParquetFile(io.BytesIO(written))
    about = json.loads(file.schema_arrow.metadata[b"unaveraged"])
    rows = file.read().to_pylist()
    schema = [f"{field.name}: {field.type}" for field in file.schema_arrow]
    told = [json.dumps(about, ensure_ascii=False, indent=1), *schema]
    return "\n".join([*told, *(json.dumps(row, ensure_ascii=False) for row in rows)]) + "\n"


def rows_of(form: str, written: bytes) -> pl.DataFrame:
    """Rows of a format that programs read."""
    if form == "csv":
        return pl.read_csv(io.BytesIO(written), comment_prefix="# ", infer_schema_length=None)
    if form == "parquet":
        return pl.read_parquet(io.BytesIO(written))
    if form == "xlsx":
        sheet = fastexcel.read_excel(written).load_sheet("Table")
        frame = sheet.to_polars()
        return frame.rename({name: name.replace(" ", "_") for name in frame.columns})
    document = json.loads(written)
    parsed = {one["name"] for one in document["about"]["columns"] if one["kind"] == "json"}
    rows = [
        {name: json.dumps(value) if name in parsed else value for name, value in row.items()}
        for row in document["rows"]
    ]
    return pl.DataFrame(rows, infer_schema_length=None)
