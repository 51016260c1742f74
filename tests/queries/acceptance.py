"""Reference figures computed independently, and the reports they are of; absent elsewhere."""

from pathlib import Path
from typing import Any, Final, NamedTuple

import polars as pl
import pytest

from ingest.load import load_paths
from ingest.store import TableName, open_reader
from tests.acceptance import DATA, reference

present: Final = pytest.mark.skipif(not DATA.is_dir(), reason="the acceptance data is not here")


class Tables(NamedTuple):
    """Tables of one report."""

    runs: pl.LazyFrame
    items: pl.LazyFrame
    definitions: pl.LazyFrame
    trials: pl.LazyFrame
    checks: pl.LazyFrame
    votes: pl.LazyFrame


def expected(folder: str) -> dict[str, Any]:
    return dict(reference(folder))


def load(report: Path, directory: Path) -> Tables:
    db = directory / "store.duckdb"
    load_paths([str(report)], db)
    names: tuple[TableName, ...] = ("run", "item", "definition", "trial", "check", "vote")
    with open_reader(db) as reader:
        return Tables(*(reader.frame(name).lazy() for name in names))
