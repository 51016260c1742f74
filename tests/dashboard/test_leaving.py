"""The export control hands out what the command writes."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from dashboard import leaving
from dashboard.cli import app
from dashboard.export import tables
from dashboard.export.about import Selection
from dashboard.export.names import OF_TWO, TABLES
from tests.dashboard.stored import run_of


def test_a_page_gives_the_bytes_of_the_command(samples: Path) -> None:
    run = run_of(samples, "library-desk.swift-model.json")
    command = ["export", "reliability", "--run", run, "--format", "csv", "--db", str(samples)]
    written = CliRunner().invoke(app, command).stdout_bytes

    assert leaving.made(str(samples), "reliability", "csv", Selection((run,))) == written


@pytest.mark.parametrize("name", [name for name in TABLES if name not in OF_TWO])
def test_a_table_is_offered_as_a_picture_where_it_has_a_chart(samples: Path, name: str) -> None:
    run = run_of(samples, "2026-11-02-loans-x4-swift-model.json")
    table = tables.build(samples, name, Selection((run,)))

    assert (table.chart is not None) == (name in leaving.DRAWN)
    if table.chart is not None:
        picture = leaving.made(str(samples), name, "svg", Selection((run,)))
        assert picture.count(b"<text") > 4


def test_only_tables_with_a_chart_can_be_pictures() -> None:
    assert "svg" in leaving.forms("reliability")
    assert "svg" not in leaving.forms("failures")
    assert "pdf" not in leaving.forms("reliability")
