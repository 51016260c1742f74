"""The measurement of a long export, in a small size."""

from pathlib import Path

from benchmarks import export


def test_a_long_export_can_be_measured(tmp_path: Path) -> None:
    db = tmp_path / "store.duckdb"
    export.make(db, 200)
    found = export.measure(db, "csv", tmp_path)

    lines = (tmp_path / "failures.csv").read_text("utf-8").splitlines()
    assert sum(not line.startswith("#") for line in lines) == 201
    assert found.peak_mb > 0
    assert found.seconds > 0
