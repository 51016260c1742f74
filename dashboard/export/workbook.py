"""XLSX: typed cells under a frozen header, and a sheet of notes; made for no moment in particular.

Text is always text: no cell holds a formula or a link, and one that a spreadsheet would run when it
is edited carries the mark that keeps it text.
"""

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import BinaryIO, Final

import polars as pl
from xlsxwriter import Workbook
from xlsxwriter.format import Format
from xlsxwriter.worksheet import Worksheet

from dashboard.errors import InputError
from dashboard.export import harmless
from dashboard.export.table import Column, Kind, Table

MADE: Final = datetime(2000, 1, 1, tzinfo=UTC).replace(tzinfo=None)
"""The date of every workbook: the same selection gives the same bytes."""
MOST_ROWS: Final = 1_048_575
MOST_TEXT: Final = 32_767
CUT: Final = " … (cut: a cell holds no more)"
NUMBERS: Final[Mapping[Kind, str]] = {"count": "#,##0", "share": "0.0%", "number": "0.000"}
WIDEST: Final = 60
NARROWEST: Final = 9
MEASURED: Final = 200
"""Rows that decide how wide a column is."""
SETTINGS: Final = {
    "constant_memory": True,
    "strings_to_formulas": False,
    "strings_to_urls": False,
    "strings_to_numbers": False,
    "nan_inf_to_errors": False,
}


def write(table: Table, out: BinaryIO) -> None:
    """Write a table as a workbook.

    Raises:
        InputError: When a sheet cannot hold all rows.
    """
    with Workbook(out, SETTINGS) as book:
        book.set_properties({"created": MADE, "title": table.title, "comments": table.about.tool})
        _rows(book, table)
        _notes(book, table)


def _rows(book: Workbook, table: Table) -> None:
    sheet = book.add_worksheet("Table")
    head = book.add_format({"bold": True, "bottom": 1, "text_wrap": True, "valign": "bottom"})
    formats = [
        book.add_format({"num_format": NUMBERS[one.kind]} if one.kind in NUMBERS else {})
        for one in table.columns
    ]
    held = book.add_format({"quote_prefix": True})
    sheet.freeze_panes(1, 0)
    row = 0
    for part in table.parts():
        if row == 0:
            _head(sheet, table.columns, part, head)
        for values in part.iter_rows():
            row += 1
            if row > MOST_ROWS:
                raise InputError(
                    f"a sheet holds {MOST_ROWS} rows at most; export this table as csv or parquet"
                )
            for place, value in enumerate(values):
                _cell(sheet, row, place, value, formats[place], held)
    sheet.autofilter(0, 0, row, len(table.columns) - 1)


def _head(sheet: Worksheet, columns: tuple[Column, ...], part: pl.DataFrame, head: Format) -> None:
    for place, column in enumerate(columns):
        title = column.name.replace("_", " ")
        longest = part.head(MEASURED)[column.name].cast(pl.String).str.len_chars().max() or 0
        width = max(NARROWEST, min(WIDEST, int(str(longest)) + 2), min(len(title), 14) + 3)
        sheet.set_column(place, place, width)
        sheet.write_string(0, place, title, head)


def _cell(
    sheet: Worksheet, row: int, place: int, value: object, numbers: Format, held: Format
) -> None:
    if value is None:
        return
    if isinstance(value, bool):
        sheet.write_boolean(row, place, value)
    elif isinstance(value, int | float):
        sheet.write_number(row, place, value, numbers)
    else:
        text = _fitting(harmless.line(str(value)))
        sheet.write_string(row, place, text, held if harmless.runs(str(value)) else None)


def _fitting(text: str) -> str:
    return text if len(text) <= MOST_TEXT else text[: MOST_TEXT - len(CUT)] + CUT


def _notes(book: Workbook, table: Table) -> None:
    sheet = book.add_worksheet("Notes")
    strong = book.add_format({"bold": True, "valign": "top"})
    wrapped = book.add_format({"text_wrap": True, "valign": "top"})
    sheet.set_column(0, 0, 34)
    sheet.set_column(1, 1, 110)
    for row, (heading, line) in enumerate(_lines(table)):
        sheet.write_string(row, 0, heading, strong)
        sheet.write_string(row, 1, _fitting(harmless.line(line)), wrapped)


def _lines(table: Table) -> Iterator[tuple[str, str]]:
    yield "Table", table.title
    for heading, lines in table.sections():
        for number, line in enumerate(lines):
            yield "" if number else heading, line
