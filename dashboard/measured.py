"""The sizes of a store, and how long its main counts take."""

import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

import polars as pl

from dashboard import figures, kept, repeated
from ingest import store
from queries.votes import THRESHOLD

Record = dict[str, Any]
Count = Callable[[Path, pl.DataFrame], int]


def sizes(db: Path) -> Record:
    """Return the bytes of the file and of each table, and how many reports and runs there are.

    ``texts_share`` is the part of the tables on disk that packed texts take: payloads, reasons,
    signatures and definitions; null of a lake, whose files do not say.
    """
    with store.open_reader(db) as reader:
        found = store.sizes(db, reader)
        runs = reader.frame("run", ("superseded_by",))
        reports = reader.frame("report", ("report",))
    totals = (
        found.tables.drop_nulls("texts").select(pl.col("bytes", "texts").sum()).row(0, named=True)
    )
    return {
        "path": str(db),
        "file": found.file,
        "free": found.free,
        "reports": reports.height,
        "runs": runs.height,
        "superseded": runs.height - runs["superseded_by"].null_count(),
        "payloads": found.payloads,
        "texts_share": totals["texts"] / totals["bytes"] if totals["bytes"] else None,
        "tables": found.tables.to_dicts(),
    }


def _reliability(db: Path, runs: pl.DataFrame) -> int:
    return figures.reliability(db, runs, figures.rules(None)).categories.height


def _variance(db: Path, runs: pl.DataFrame) -> int:
    return repeated.cells(db, runs).height


def _votes(db: Path, runs: pl.DataFrame) -> int:
    return repeated.votes(db, runs, THRESHOLD).items.height


COUNTS: Final[Mapping[str, Count]] = {
    "runs": lambda db, _: figures.runs(db).overview.height,
    "reliability": _reliability,
    "variance": _variance,
    "votes": _votes,
}
"""What is timed: the counts behind the commands of these names."""


def counts(db: Path) -> list[Record]:
    """Return how long each count takes: ``count, seconds, processor, rows``."""
    chosen = figures.chosen(db, None)
    found = []
    for name, count in COUNTS.items():
        wall, busy = time.perf_counter(), time.process_time()
        with kept.unused():
            rows = count(db, chosen)
        taken = {
            "seconds": time.perf_counter() - wall,
            "processor": time.process_time() - busy,
        }
        found.append({"count": name, **taken, "rows": rows})
    return found
