"""`unaveraged ingest --watch`: what comes after the first look is loaded, until Ctrl-C."""

import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from queue import Queue
from threading import Thread

import pytest

from ingest.store import open_reader
from tests.cli import reports
from tests.cli.conftest import ROOT, Cli

SNAPSHOT = ROOT / "sample_reports" / "evaluation" / "library-desk.swift-model.running.json"
PATIENCE = 30


class Following:
    """An ingest that follows a folder, and what it says."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self.process = process
        self._lines: Queue[str] = Queue()
        self._reader = Thread(target=self._read)
        self._reader.start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self._lines.put(line.rstrip())

    def until(self, said: str) -> list[str]:
        """Return the lines up to the first that says this."""
        lines = [""]
        while said not in lines[-1]:
            lines.append(self._lines.get(timeout=PATIENCE))
        return lines

    def end(self) -> list[str]:
        """End it as a person would; return its last lines."""
        self.process.send_signal(signal.SIGINT)
        assert self.process.wait(PATIENCE) == 0
        self._reader.join()
        return [self._lines.get_nowait() for _ in range(self._lines.qsize())]


@contextmanager
def following(*arguments: str | Path) -> Iterator[Following]:
    command = [sys.executable, "-m", "dashboard.cli", "ingest", *map(str, arguments), "--watch"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=ROOT
    ) as process:
        ingest = Following(process)
        try:
            ingest.until("following ")
            yield ingest
        finally:
            process.kill()


def trials(db: Path) -> int:
    with open_reader(db) as reader:
        return reader.frame("trial", ["trial"]).height


def test_a_folder_is_followed_until_an_interrupt(tmp_path: Path) -> None:
    folder, db = tmp_path / "reports", tmp_path / "reports" / "store.duckdb"
    folder.mkdir()
    reports.write(folder / "first.jsonl", reports.row())
    with following(folder, "--db", db) as ingest:
        growing = reports.write(folder / "growing.jsonl", reports.row("a"))
        ingest.until(f"loaded {growing} (1 run, 1 trial)")
        with growing.open("a") as file:
            file.write(json.dumps(reports.row("b")) + "\n")
        ingest.until(f"loaded {growing} (1 run, 2 trials)")
        assert trials(db) == 3
        later = folder / "later"
        later.mkdir()
        ingest_path = later / "snapshot.json"
        ingest_path.write_bytes(SNAPSHOT.read_bytes()[:-100])
        ingest.until(f"{ingest_path}: truncated: ")
        ingest_path.write_bytes(SNAPSHOT.read_bytes())
        ingest.until(f"loaded {ingest_path} (1 run, ")
        (folder / "notes.txt").write_text("no report")
        last = ingest.end()
    assert last == [
        f"3 reports loaded (3 runs, {trials(db)} trials)",
        "0 reports unchanged",
        "0 rejected",
    ]


def test_a_file_is_followed_by_name_also_when_it_is_replaced(tmp_path: Path) -> None:
    db = tmp_path / "store.duckdb"
    path = reports.write(tmp_path / "rows.jsonl", reports.row())
    with following(path, "--db", db) as ingest:
        reports.write(tmp_path / "other.jsonl", reports.row("other"))
        reports.write(tmp_path / "new", reports.row(), reports.row("b")).replace(path)
        lines = ingest.until(f"loaded {path} (1 run, 2 trials)")
        assert not any("other" in line for line in lines)
        ingest.end()
    assert trials(db) == 2


@pytest.mark.parametrize("argument", ["--json", "-"])
def test_what_cannot_be_followed_is_said(cli: Cli, tmp_path: Path, argument: str) -> None:
    result = cli("ingest", tmp_path, argument, "--watch", "--db", tmp_path / "s.duckdb")

    assert result.exit_code == 2
    assert "--watch follows files" in result.stderr
