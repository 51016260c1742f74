"""What the store and the figures say of each of many files loaded together."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import polars as pl

from ingest.store import open_reader
from queries import categories, reliability, runs, votes
from tests.ingest.stores import TABLES, Row, ingest, only, write

Said = dict[str, list[Row]]
"""Rows by the name of their table or figure."""


def said(folder: Path, documents: Mapping[str, Any]) -> dict[str, Said]:
    """Load documents, each as a file of this name, and return what is said of each."""
    for name, document in documents.items():
        write(folder, name, document)
    db = folder / "store.duckdb"
    ingest(db, *(folder / name for name in documents))
    with open_reader(db) as reader:
        tables: dict[str, pl.DataFrame] = {table: reader.frame(table) for table in TABLES}
    reports: dict[str, str] = dict(tables["report"].select("report", "path").rows())
    owners: dict[str, str] = dict(tables["run"].select("run", "report").rows())
    found: dict[str, Said] = {name: {} for name in documents}
    for table, frame in {**tables, **_figures(tables)}.items():
        for each in frame.iter_rows(named=True):
            path = each.get("path") if table == "rejection" else None
            path = path or reports[each.get("report") or owners[each["run"]]]
            found[Path(path).name].setdefault(table, []).append(each)
    return found


def _figures(tables: Mapping[Any, pl.DataFrame]) -> dict[str, pl.DataFrame]:
    lazy = {table: frame.lazy() for table, frame in tables.items()}
    run, item, trial, check = (lazy[name] for name in ("run", "item", "trial", "check"))
    book = categories.shipped()
    figures = {
        "overview": runs.overview(run.select("run"), item, trial, check),
        "category": reliability.categories(run, item, trial, check, lazy["definition"], book),
        "rate": reliability.rates(trial),
        "refused": reliability.refused(trial),
        "discarded": reliability.discards(trial, lazy["discard"]),
        "task": reliability.tasks(trial),
        "judge": votes.criteria(lazy["vote"], trial),
    }
    return {name: figure.collect() for name, figure in figures.items()}


def agree(found: Said, table: str, where: Row, wanted: Row | int) -> None:
    """Check the rows that are so: their number, or what the only one of them says."""
    rows = [row for row in found.get(table, []) if only(row, list(where)) == where]
    if isinstance(wanted, int):
        assert len(rows) == wanted, rows
        return
    assert len(rows) == 1, found.get(table)
    assert only(rows[0], list(wanted)) == wanted
