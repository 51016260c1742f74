"""Every sample report, loaded alone: what the commands print about it, figure by figure.

`pytest --regenerate-goldens` writes `tests/golden/` anew; the difference is for review. A report
dropped into `sample_reports/` has its golden test without a new line here.
"""

import json
from pathlib import Path

import pytest

from dashboard.text import json_text
from tests.cli.conftest import ROOT, SUBJECT_FROM, Cli, parsed

GOLDEN = ROOT / "tests" / "golden"
SAMPLES = sorted(
    path.relative_to(ROOT)
    for path in (ROOT / "sample_reports").rglob("*")
    if path.is_file() and path.name != "README.md"
)
COMMANDS = ("runs", "reliability", "failures")


def golden_of(sample: Path) -> Path:
    return GOLDEN / f"{sample.stem}.json"


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.name)
def test_a_sample_report_gives_the_figures_it_gave(
    sample: Path, cli: Cli, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    db = tmp_path / "one.duckdb"
    loaded = cli("ingest", sample, "--subject-from", SUBJECT_FROM, "--db", db)
    figures = {command: parsed(cli(command, "--json", "--db", db)) for command in COMMANDS}
    golden = golden_of(sample)
    if request.config.getoption("--regenerate-goldens"):
        golden.parent.mkdir(exist_ok=True)
        golden.write_text(f"{json_text(figures)}\n", "utf-8")

    assert loaded.exit_code == 0, loaded.stderr
    assert golden.is_file(), f"no golden of {sample}: run pytest --regenerate-goldens"
    assert figures == json.loads(golden.read_text("utf-8"))


def test_no_golden_is_left_of_a_sample_that_is_gone() -> None:
    there = [path for path in GOLDEN.glob("*") if path.is_file()]

    assert sorted(there) == sorted(map(golden_of, SAMPLES))
