"""Stores to export from: the sample reports, and a report that is hostile in every text."""

from pathlib import Path

import pytest

from ingest.load import load_paths
from tests.cli.conftest import ROOT, SUBJECT_FROM, cli, samples
from tests.export.hostile import hostile_report

__all__ = ["ROOT", "SUBJECT_FROM", "cli", "hostile", "samples"]


@pytest.fixture(scope="session")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store of one report whose name, ids and texts try to be more than text."""
    folder = tmp_path_factory.mktemp("hostile")
    path = hostile_report(folder)
    db = folder / "hostile.duckdb"
    result = load_paths([str(path)], db)
    assert [each.path for each in result.loaded] == [str(path)]
    return db
