"""What people marked in the browser stands in what leaves the tool, and changes no figure."""

import json
from pathlib import Path

import pytest

from ingest.subjects import Mark, mark_key, read_notes, write_notes
from tests.cli import reports
from tests.cli.conftest import Cli


@pytest.fixture
def marked(cli: Cli, tmp_path: Path) -> Path:
    db = tmp_path / "marked.duckdb"
    path = reports.write(
        tmp_path / "rows.jsonl", reports.failing("a", tool="wai"), reports.failing("b", tool="wai")
    )
    assert cli("ingest", path, "--db", db).exit_code == 0
    return db


def failures(cli: Cli, db: Path) -> list[dict[str, object]]:
    found: list[dict[str, object]] = json.loads(cli("failures", "--db", db, "--json").stdout)
    return found


def test_a_mark_is_told_with_the_failure_and_moves_no_figure(cli: Cli, marked: Path) -> None:
    before = failures(cli, marked)
    rates = cli("reliability", "--db", marked, "--json").stdout
    first = before[0]
    detail = " ".join(str(first[name]) for name in ("fault", "code") if first[name])
    notes = read_notes(marked)
    key = mark_key("wai", str(first["criterion"]), detail)
    notes.marks[key] = Mark(kind="known issue", text="see 41")
    write_notes(marked, notes)

    after = failures(cli, marked)
    exported = cli("export", "failures", "--db", marked, "--format", "csv").stdout

    assert {row["mark"] for row in before} == {None}
    assert (after[0]["mark"], after[0]["mark_text"]) == ("known issue", "see 41")
    assert '"known issue","see 41"' in exported
    assert cli("reliability", "--db", marked, "--json").stdout == rates
