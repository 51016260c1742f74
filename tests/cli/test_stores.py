"""Stores that cannot be read: one line that says what to do, never a trace."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import duckdb
import pytest

from tests.cli import reports
from tests.cli.conftest import Cli, parsed

READING = (
    ["runs"],
    ["reliability"],
    ["failures"],
    ["label", "any", "a=b"],
    ["forget", "any"],
    ["brief", "any"],
    ["show", "0000000000-0"],
    ["export", "reliability"],
    ["export", "report"],
    ["mcp"],
    ["open", "--no-browser"],
)


def one_line(cli: Cli, arguments: list[str], db: Path) -> str:
    result = cli(*arguments, "--db", db)
    assert result.exit_code == 2
    assert result.stdout == ""
    (line,) = result.stderr.splitlines()
    assert line.startswith("unaveraged: ")
    return line


@pytest.mark.parametrize("arguments", READING, ids=lambda arguments: arguments[0])
def test_a_missing_store_is_named_and_not_made(
    cli: Cli, tmp_path: Path, arguments: list[str]
) -> None:
    db = tmp_path / "gone.duckdb"

    assert f"there is no store at {db}; make one with: " in one_line(cli, arguments, db)
    assert not db.exists()


@pytest.mark.parametrize("arguments", READING, ids=lambda arguments: arguments[0])
def test_a_file_that_is_no_store_is_named(cli: Cli, tmp_path: Path, arguments: list[str]) -> None:
    db = tmp_path / "letter.txt"
    db.write_text("dear reader" * 1000)

    assert f"{db} cannot be used as a store" in one_line(cli, arguments, db)


@pytest.mark.parametrize("arguments", READING, ids=lambda arguments: arguments[0])
def test_an_outdated_store_says_how_to_rebuild_it(
    cli: Cli, tmp_path: Path, arguments: list[str]
) -> None:
    db = tmp_path / "old.duckdb"
    with duckdb.connect(str(db)) as connection:
        connection.sql("CREATE TABLE meta (schema_version INTEGER)")
        connection.execute("INSERT INTO meta VALUES (0)")

    line = one_line(cli, arguments, db)

    assert "has store version 0" in line
    assert "unaveraged ingest" in line


@contextmanager
def held(db: Path) -> Iterator[None]:
    """Let another process hold a store for writing."""
    program = (
        f"import duckdb\nheld = duckdb.connect({str(db)!r})\nprint('held', flush=True)\ninput()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "held\n"
        try:
            yield
        finally:
            process.communicate("\n")


def test_a_busy_store_is_said_to_be_busy(cli: Cli, tmp_path: Path) -> None:
    db = tmp_path / "busy.duckdb"
    path = reports.write(tmp_path / "rows.jsonl", reports.row())
    assert cli("ingest", path, "--db", db).exit_code == 0

    with held(db):
        reading = one_line(cli, ["runs"], db)
        writing = one_line(cli, ["ingest", str(path), "--wait", "0"], db)

    assert f"{db} is in use by process " in reading
    assert f"{db} is in use by process " in writing


def test_an_empty_store_is_no_error(cli: Cli, tmp_path: Path) -> None:
    db = tmp_path / "empty.duckdb"
    path = reports.write(tmp_path / "rows.jsonl", reports.row())
    assert cli("ingest", path, "--db", db).exit_code == 0
    assert cli("forget", "rows", "--db", db).exit_code == 0

    assert parsed(cli("runs", "--json", "--db", db)) == []
    assert parsed(cli("failures", "--json", "--db", db)) == []
    assert "fill it" not in cli("runs", "--db", db).stderr
    assert "unaveraged ingest PATH" in cli("runs", "--db", db).stdout
    assert "unaveraged ingest PATH" in cli("reliability", "--db", db).stdout


def test_the_store_can_be_named_by_the_environment(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    db = tmp_path / "named.duckdb"
    path = reports.write(tmp_path / "rows.jsonl", reports.row())
    monkeypatch.setenv("UNAVERAGED_DB", str(db))

    assert cli("ingest", path).exit_code == 0
    assert db.is_file()
    assert len(parsed(cli("runs", "--json"))) == 1
