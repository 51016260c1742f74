"""The acceptance reports beside the repository: their reference figures, and ours."""

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import polars as pl

from ingest.load import load_paths
from ingest.store import open_reader
from queries import cases, categories, evidence, reliability, runs

DATA: Final = Path(__file__).parents[2] / "shared" / "data"
TABLES: Final = (*("run", "item", "definition", "trial", "turn", "check", "vote", "discard"),)
BOOK: Final = categories.shipped()

Expected = Mapping[str, Any]
Rows = list[dict[str, Any]]


def reference(folder: str) -> dict[str, Expected]:
    path = DATA / folder / "expected.json"
    if not path.is_file():
        return {}
    read: dict[str, Expected] = json.loads(path.read_text(encoding="utf-8"))
    return read


EVALUATIONS: Final = reference("evaluation_report")
SAMPLES: Final = reference("sample_report").get("runs", {})
ROWS: Final = reference("trial_row")


class Figures:
    """All figures of a store that holds every acceptance report."""

    def __init__(self, tables: Mapping[str, pl.DataFrame]) -> None:
        self.tables = tables
        lazy = {name: table.lazy() for name, table in tables.items()}
        run, item, trial, check = (lazy[name] for name in ("run", "item", "trial", "check"))
        self.overview = runs.overview(run, item, trial, check).collect()
        self.outcomes = runs.outcomes(trial).collect()
        self.categories = reliability.categories(
            run, item, trial, check, lazy["definition"], BOOK
        ).collect()
        self.rates = reliability.rates(trial).collect()
        self.votes = reliability.votes(lazy["vote"]).collect()
        self.refused = reliability.refused(trial).collect()
        self.discards = reliability.discards(trial, lazy["discard"]).collect()
        self.tasks = reliability.tasks(trial).collect()
        self.failures = evidence.failures(
            run, item, trial, lazy["turn"], check, lazy["definition"], BOOK
        ).collect()
        self.suite = evidence.suite(check).collect()
        self.listing = cases.listing(trial, item, check).collect()

    def runs_of(self, path: Path) -> pl.DataFrame:
        """Return the runs of a file, found by its content as the store knows it."""
        report = hashlib.sha256(path.read_bytes()).hexdigest()
        return self.overview.filter(pl.col("report") == report)

    def run_of(self, folder: str, name: str) -> dict[str, Any]:
        return self.runs_of(DATA / folder / name).row(0, named=True)


def of(frame: pl.DataFrame, run: str) -> Rows:
    """Return the rows of one run."""
    return frame.filter(pl.col("run") == run).to_dicts()


def load(db: Path) -> Figures:
    """Load every acceptance report into a new store."""
    load_paths([str(DATA)], db)
    with open_reader(db) as reader:
        return Figures({name: reader.frame(name) for name in TABLES})
