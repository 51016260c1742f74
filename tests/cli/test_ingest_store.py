"""`unaveraged ingest` when the store is in use or cannot be written, and what it says meanwhile."""

import io
import os
import subprocess
import sys
from pathlib import Path

import pytest

from dashboard import progress
from ingest.load import Event
from ingest.store import Writer
from tests.cli import reports
from tests.cli.conftest import ROOT, Cli
from tests.ingest.test_never_half import hold

LIMITED = """
import resource, sys
resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000))
from dashboard.cli import main
main()
"""


def test_no_room_is_one_line_and_exit_code_2(tmp_path: Path) -> None:
    db = tmp_path / "store.duckdb"
    done = subprocess.run(
        [sys.executable, "-c", LIMITED, "ingest", "sample_reports", "--db", str(db)],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
    )

    assert done.returncode == 2
    assert done.stderr.startswith(f"unaveraged: {db} cannot be used as a store: ")
    assert len(done.stderr.splitlines()) == 1
    assert done.stdout == ""


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="needs a folder that takes no files")
def test_a_folder_that_takes_no_files_is_one_line_and_exit_code_2(cli: Cli, tmp_path: Path) -> None:
    path = reports.write(tmp_path / "rows.jsonl", reports.row())

    result = cli("ingest", path, "--db", "/proc/store.duckdb")

    assert result.exit_code == 2
    assert result.stderr.startswith("unaveraged: /proc/store.duckdb cannot be used as a store: ")
    assert len(result.stderr.splitlines()) == 1


def test_one_says_for_whom_it_waits(cli: Cli, tmp_path: Path) -> None:
    db = tmp_path / "store.duckdb"
    path = reports.write(tmp_path / "rows.jsonl", reports.row())
    Writer(db)
    other = hold(db, 1.0)

    result = cli("ingest", path, "--db", db)
    other.wait()

    assert result.exit_code == 0, result.stderr
    waited = f"waiting for process {other.pid} "
    assert {line.partition("(")[0] for line in result.stderr.splitlines()} == {waited}
    assert ", which holds the store" in result.stderr


def test_one_waits_no_longer_than_asked(cli: Cli, tmp_path: Path) -> None:
    db = tmp_path / "store.duckdb"
    path = reports.write(tmp_path / "rows.jsonl", reports.row())
    Writer(db)
    other = hold(db, 30)
    try:
        result = cli("ingest", path, "--db", db, "--wait", "0.1")
    finally:
        other.kill()
        other.wait()

    assert result.exit_code == 2
    assert f"is in use by process {other.pid}" in result.stderr.splitlines()[-1]


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_long_ingest_shows_a_bar_on_a_terminal_and_wipes_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_bytes(b"x" * 2_000_000)
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setattr(progress, "PATIENCE", 0)
    monkeypatch.setitem(os.environ, "TERM", "xterm")
    monkeypatch.setitem(os.environ, "COLUMNS", "120")
    with progress.Progress([str(path)], tmp_path / "s.duckdb") as shown:
        assert shown.begun.wait(10)
        shown(Event(str(path), "loaded", 1_500_000, trials=3000, rejected=2))

    told = terminal.getvalue()
    assert "1.5 MB of 2.0 MB, 1 file, " in told
    assert "trials/s, 2 rejected" in told
    assert told.endswith("\x1b[2K")


def test_a_pipe_sees_no_bar(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stderr = io.StringIO()
    monkeypatch.setattr(sys, "stderr", stderr)
    monkeypatch.setattr(progress, "PATIENCE", 0)
    with progress.Progress([], tmp_path / "s.duckdb") as shown:
        shown(Event("a", "loaded", 1))

    assert stderr.getvalue() == ""
