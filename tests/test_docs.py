"""What the documentation shows is there and works."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from dashboard.cli import app
from dashboard.export.formats import FORMATS
from dashboard.export.names import REPORT, TABLES
from tests.cli.conftest import ROOT, cli, samples
from tests.test_readme import is_named, long_options

__all__ = ["cli", "samples"]

DOCS = ROOT / "docs"
PAGES = sorted(DOCS.glob("*.md"))
EVALUATION = ROOT / "sample_reports" / "evaluation"


def commands(text: str) -> Iterator[list[str]]:
    """Command lines of a page, those that go on put together."""
    for block in re.findall(r"^```[a-z]*\n(.*?)^```", text, re.DOTALL | re.MULTILINE):
        for line in block.replace("\\\n", " ").splitlines():
            if found := re.search(r"(?:^|\s)(unaveraged [a-z]+ [^#>|]*)", line):
                yield found[1].split()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_command_of_a_page_has_its_options(page: Path) -> None:
    for _, name, *words in commands(page.read_text("utf-8")):
        command = app.commands[name]
        if isinstance(command, click.Group):
            command = command.commands[words[0]]
        options = set(long_options(command))
        assert {word for word in words if word.startswith("--")} <= options, (name, words)


def test_the_exports_are_all_described() -> None:
    text = (DOCS / "export.md").read_text("utf-8")
    names = [f"`{name}`" for name in (*TABLES, REPORT, *FORMATS)]

    assert [name for name in names if name not in text and name != "`pdf`"] == []


def test_the_readme_names_every_page_of_the_documentation() -> None:
    readme = (ROOT / "README.md").read_text("utf-8")

    assert [page.name for page in PAGES if not is_named(f"docs/{page.name}", readme)] == []


def test_the_python_of_the_documentation_runs(samples: Path, tmp_path: Path) -> None:
    (code,) = re.findall(
        r"^```python\n(.*?)^```", (DOCS / "python.md").read_text("utf-8"), re.DOTALL | re.MULTILINE
    )
    shutil.copy(samples, tmp_path / "unaveraged.duckdb")
    finished = subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
    )

    assert finished.returncode == 0, finished.stderr


def test_the_step_that_judges_works_as_written(tmp_path: Path) -> None:
    text = (DOCS / "ci.md").read_text("utf-8")
    (step,) = re.findall(r"- name: Judge\n.*?run: \|\n(.*?)\n\n", text, re.DOTALL)
    (tmp_path / "reports").mkdir()
    shutil.copy(EVALUATION / "library-desk.swift-model.json", tmp_path / "baseline.json")
    current = EVALUATION / "library-desk.patient-model.json"
    shutil.copy(current, tmp_path / "reports" / "current.json")
    program = Path(sys.executable).parent
    environment = os.environ | {
        "PATH": f"{program}{os.pathsep}{os.environ['PATH']}",
        "GITHUB_STEP_SUMMARY": str(tmp_path / "summary.md"),
        "GITHUB_OUTPUT": str(tmp_path / "output"),
    }
    finished = subprocess.run(
        ["bash", "-e", "-c", step],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        env=environment,
    )

    assert finished.returncode == 0, finished.stderr
    assert (tmp_path / "output").read_text() == "code=1\n"
    assert (tmp_path / "summary.md").read_text("utf-8").startswith("### ❌ Gate: fail")
    for name in ("report.html", "gate.xml", "brief.md", "unaveraged.duckdb"):
        assert (tmp_path / name).stat().st_size > 1000
