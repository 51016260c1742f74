"""What each entry point loads, and that no module hides from the import rules."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGES = ("ingest", "queries", "dashboard", "tests")
UI_ONLY = {"altair", "pandas", "streamlit"}
WRITERS = {"jinja2", "mcp", "vl_convert", "xlsxwriter"}


def packages_loaded_by(*arguments: str) -> set[str]:
    """Top-level packages that a fresh interpreter imports while it runs with these arguments."""
    finished = subprocess.run(
        [sys.executable, "-X", "importtime", *arguments],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
    )
    assert finished.returncode == 0, finished.stderr
    timings = (line for line in finished.stderr.splitlines() if line.startswith("import time:"))
    return {line.rpartition("|")[2].strip().partition(".")[0] for line in timings}


@pytest.mark.parametrize("module", ["ingest.load", "queries.reliability"])
def test_rows_and_figures_load_without_the_ui(module: str) -> None:
    loaded = packages_loaded_by("-c", f"import {module}")

    assert module.partition(".")[0] in loaded
    assert loaded.isdisjoint(UI_ONLY)


@pytest.mark.parametrize("arguments", [["--help"], ["runs", "--help"]])
def test_help_of_a_command_loads_without_the_ui(arguments: list[str]) -> None:
    loaded = packages_loaded_by("-m", "dashboard.cli", *arguments)

    assert "dashboard" in loaded
    assert loaded.isdisjoint(UI_ONLY)


@pytest.mark.parametrize("arguments", [["--help"], ["export", "--help"], ["mcp", "--help"]])
def test_help_loads_no_writer_of_any_format(arguments: list[str]) -> None:
    loaded = packages_loaded_by("-m", "dashboard.cli", *arguments)

    assert loaded.isdisjoint(UI_ONLY | WRITERS | {"polars", "duckdb"})


@pytest.mark.parametrize("command", ["runs", "reliability", "failures", "variance", "votes"])
def test_a_command_that_prints_figures_loads_no_writer(command: str, tmp_path: Path) -> None:
    db = tmp_path / "one.duckdb"
    report = "sample_reports/evaluation/lost-items.limited.json"
    packages_loaded_by("-m", "dashboard.cli", "ingest", report, "--db", str(db))
    loaded = packages_loaded_by("-m", "dashboard.cli", command, "--db", str(db))

    assert "polars" in loaded
    assert loaded.isdisjoint(UI_ONLY | WRITERS)


@pytest.mark.parametrize("package", PACKAGES)
def test_every_folder_of_modules_is_a_package(package: str) -> None:
    """import-linter passes over a folder that is none, and reports its rules as kept."""
    folders = {module.parent for module in (ROOT / package).rglob("*.py")}

    assert folders
    assert [folder for folder in sorted(folders) if not (folder / "__init__.py").is_file()] == []
