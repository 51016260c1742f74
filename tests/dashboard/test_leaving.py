"""The export control hands out what the command writes."""

from pathlib import Path

from click.testing import CliRunner

from dashboard import leaving
from dashboard.cli import app
from dashboard.export.about import Selection
from tests.dashboard.stored import run_of


def test_a_page_gives_the_bytes_of_the_command(samples: Path) -> None:
    run = run_of(samples, "library-desk.swift-model.json")
    command = ["export", "reliability", "--run", run, "--format", "csv", "--db", str(samples)]
    written = CliRunner().invoke(app, command).stdout_bytes

    assert leaving.made(str(samples), "reliability", "csv", Selection((run,))) == written


def test_only_tables_with_a_chart_can_be_pictures() -> None:
    assert "svg" in leaving.forms("reliability")
    assert "svg" not in leaving.forms("failures")
    assert "pdf" not in leaving.forms("reliability")
