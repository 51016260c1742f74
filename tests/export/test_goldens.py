"""Every table in every format, from the sample reports.

`pytest --regenerate-goldens` writes `tests/golden/export/` anew; the difference is for review. A
workbook and a Parquet file are held as the text of all that is in them.
"""

from pathlib import Path
from typing import Final

import pytest

from dashboard.export import about, tables, write
from dashboard.export.formats import Format
from dashboard.export.names import OF_TWO, TABLES
from tests.export.conftest import ROOT
from tests.export.dumps import text_of

GOLDEN: Final = ROOT / "tests" / "golden" / "export"
FORMATS: Final[tuple[Format, ...]] = ("csv", "xlsx", "md", "html", "parquet", "json")
RUNS: Final = ("library-desk.swift-model", "2026-11-02-loans-x4-swift-model", "tidelog.week-45")
SIDES: Final = ("library-desk.swift-model", "library-desk.patient-model")


def selected(table: str) -> about.Selection:
    # The order of runs that record no time is that in which they were loaded.
    return about.Selection(SIDES if table in OF_TWO or table.startswith("history") else RUNS)


def golden_of(table: str, form: Format) -> Path:
    dumped = ".txt" if form in ("xlsx", "parquet") else ""
    return GOLDEN / f"{table}.{form}{dumped}"


@pytest.fixture(autouse=True)
def _no_version(monkeypatch: pytest.MonkeyPatch) -> None:
    """Goldens outlive a release."""
    monkeypatch.setattr(about, "version", lambda _: "VERSION")


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("table", TABLES)
def test_a_table_is_written_as_it_was(
    table: str, form: Format, samples: Path, request: pytest.FixtureRequest
) -> None:
    written = write.exported(tables.build(samples, table, selected(table)), form)
    told = text_of(form, written)
    golden = golden_of(table, form)
    if request.config.getoption("--regenerate-goldens"):
        golden.parent.mkdir(exist_ok=True)
        golden.write_bytes(told.encode())

    assert golden.is_file(), f"no golden of {golden.name}: run pytest --regenerate-goldens"
    assert told == golden.read_bytes().decode()


@pytest.mark.parametrize("form", [*FORMATS, "svg", "png"])
def test_the_same_selection_gives_the_same_bytes(form: Format, samples: Path) -> None:
    first, second = (
        write.exported(tables.build(samples, "reliability", selected("reliability")), form)
        for _ in range(2)
    )

    assert first == second


def test_no_golden_is_left_of_a_table_that_is_gone() -> None:
    expected = {golden_of(table, form) for table in TABLES for form in FORMATS}

    assert set(GOLDEN.glob("*")) == expected
