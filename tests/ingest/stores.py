"""Small stores made from documents, and what is in them."""

import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final, get_args

import pytest

from ingest.load import LoadResult, Said, load_paths
from ingest.store import TableName, open_reader

ROOT: Final = Path(__file__).parents[2]
SAMPLES: Final = ROOT / "sample_reports"
DATA: Final = Path(os.environ.get("UNAVERAGED_DATA", ROOT.parent / "shared" / "data"))
"""Reports with independently computed figures; not part of the repository."""
needs_data: Final = pytest.mark.skipif(not DATA.is_dir(), reason="the acceptance data is absent")

Row = dict[str, Any]
TABLES: Final[tuple[TableName, ...]] = get_args(TableName)


def write(folder: Path, name: str, document: Any) -> Path:
    """Write a report: bytes as they are, a list as lines where the name says so, else as JSON."""
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    if isinstance(document, bytes):
        path.write_bytes(document)
    elif name.endswith("l"):
        path.write_text("".join(f"{json.dumps(row)}\n" for row in document), "utf-8")
    else:
        path.write_text(json.dumps(document), "utf-8")
    return path


def ingest(db: Path, *paths: Path, said: Said | None = None) -> LoadResult:
    """Load files into a store."""
    return load_paths([str(path) for path in paths], db, said=said or Said())


def rows(db: Path, table: TableName, **where: str | int | bool) -> list[Row]:
    """Return the rows of a table in the order of their first columns."""
    with open_reader(db) as reader:
        frame = reader.frame(table, where=where)
    return sorted(frame.to_dicts(), key=lambda row: json.dumps(row, default=str))


def row(db: Path, table: TableName, **where: str | int | bool) -> Row:
    """Return the only row of a table that is so."""
    found = rows(db, table, **where)
    assert len(found) == 1, found
    return found[0]


def content(db: Path) -> dict[TableName, list[Row]]:
    """Return everything a store holds, in an order that does not depend on the loading."""
    found = {table: rows(db, table) for table in TABLES}
    for each in found["report"]:
        del each["ingested_at"]
    for each in found["file"]:
        del each["read_at"]
    return found


def counts(db: Path) -> dict[TableName, int]:
    """Return the number of rows of every table."""
    return {table: len(found) for table, found in content(db).items()}


def only(found: Mapping[str, Any], columns: Sequence[str]) -> Row:
    """Return some columns of a row."""
    return {column: found[column] for column in columns}


def filled(found: Mapping[str, Any]) -> Row:
    """Return the columns of a row that hold something."""
    return {column: value for column, value in found.items() if value is not None}
