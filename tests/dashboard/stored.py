"""What a test store holds, asked of the store itself."""

from pathlib import Path
from typing import Any

from ingest import store
from ingest.records import trial_name

Row = dict[str, Any]


def rows(db: Path, table: store.TableName, **where: store.Scalar) -> list[Row]:
    """The rows of a table whose columns have these values."""
    with store.open_reader(db) as reader:
        return reader.frame(table, where=where).to_dicts()


def run_of(db: Path, file: str) -> str:
    """The first run of the report whose path ends so."""
    (report,) = [row["report"] for row in rows(db, "report") if row["path"].endswith(file)]
    runs = [(row["position"], str(row["run"])) for row in rows(db, "run", report=report)]
    return min(runs)[1]


def case_of(db: Path, run: str, **where: store.Scalar) -> str:
    """The name of the first trial of a run that is like this."""
    return trial_name(min(row["trial"] for row in rows(db, "trial", run=run, **where)))
