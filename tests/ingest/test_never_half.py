"""Killed, out of room, shut out or in company: a store holds whole reports or says why not."""

import random
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import pytest

from ingest.errors import StoreBusy, StoreError, StoreUnreadable
from ingest.load import load_paths
from ingest.store import Writer, open_reader
from tests.ingest.stores import ROOT, ingest, rows, write
from tests.ingest.test_evaluation_report import CASE, REPORT
from tests.ingest.test_trial_row import CONTRACT

KILLS: Final = 25
INGEST: Final = """
import sys
from pathlib import Path
from ingest import batch, pipeline
from ingest.load import load_paths
pipeline.GROUP_REPORTS = 3
batch.SPILL_ROWS = 200
print("ready", flush=True)
load_paths(sys.argv[2:], Path(sys.argv[1]))
"""


def start(db: Path, *paths: Path) -> "subprocess.Popen[str]":
    command = [sys.executable, "-c", INGEST, str(db), *map(str, paths)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT)


def report(number: int, cases: int) -> dict[str, Any]:
    many = [CASE | {"id": f"{n}", "repetition": n} for n in range(cases)]
    summary = {"total": cases, "failed": cases}
    return REPORT | {"runId": f"run-{number}", "cases": many, "summary": summary}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("reports")
    for number in range(12):
        write(folder, f"{number:02}.json", report(number, 20 if number % 4 else 150))
    write(folder, "rows.jsonl", [CONTRACT | {"repetition": n} for n in range(600)])
    return folder


def held(db: Path) -> dict[str, tuple[int, int, int]]:
    """Return for each report stored its trials, turns and checks."""
    with open_reader(db) as reader:
        reports = reader.frame("run", ["run", "report"]).rows()
        counts = {
            table: dict(reader.frame(table, ["run"])["run"].value_counts().rows())
            for table in ("trial", "turn", "check")
        }
    return {
        report: (
            counts["trial"].get(run, 0),
            counts["turn"].get(run, 0),
            counts["check"].get(run, 0),
        )
        for run, report in reports
    }


def test_a_killed_ingest_leaves_whole_reports_only(folder: Path, tmp_path: Path) -> None:
    whole = tmp_path / "whole.duckdb"
    process = start(whole, folder)
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    process.stdout.close()
    began = time.monotonic()
    assert process.wait() == 0
    took = time.monotonic() - began
    wanted = held(whole)
    chance = random.Random(3)  # noqa: S311
    stored = []
    for kill in range(KILLS):
        db = tmp_path / f"{kill}.duckdb"
        process = start(db, folder)
        assert process.stdout is not None
        process.stdout.readline()
        time.sleep(chance.uniform(0, took))
        process.kill()
        process.wait()
        process.stdout.close()
        found = held(db) if db.exists() else {}
        assert found.items() <= wanted.items()
        stored.append(len(found))
        if kill % 5 == 0:
            assert not load_paths([str(folder)], db).rejected
            assert held(db) == wanted
            assert not list(tmp_path.glob(f".{db.name}.*"))
    assert len(set(stored)) > 1


def limited(db: Path, folder: Path, size: int) -> "subprocess.CompletedProcess[str]":
    """Ingest in a process whose files cannot grow beyond a size."""
    text = f"""
import resource, sys
resource.setrlimit(resource.RLIMIT_FSIZE, ({size}, {size}))
from pathlib import Path
from ingest.errors import StoreError
from ingest.load import load_paths
try:
    load_paths([sys.argv[2]], Path(sys.argv[1]))
except StoreError as error:
    print(error)
    sys.exit(2)
"""
    command = [sys.executable, "-c", text, str(db), str(folder)]
    return subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False)


@pytest.mark.parametrize("kilobytes", [0, 100, 300, 600, 1_100])
def test_no_room_is_one_clear_line(folder: Path, tmp_path: Path, kilobytes: int) -> None:
    db = tmp_path / "store.duckdb"
    ingest(db, folder / "00.json")
    before = held(db)
    done = limited(db, folder, kilobytes * 1024)
    assert done.stderr == ""
    if done.returncode:
        assert done.returncode == 2
        assert done.stdout.startswith(f"{db} cannot be used as a store: ")
        assert done.stdout.count("\n") == 1
    found = held(db)
    assert before.items() <= found.items()
    ingest(db, folder)
    assert found.items() <= held(db).items()
    assert len(held(db)) == 13


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="needs a folder that takes no files")
def test_a_folder_that_takes_no_files_is_one_clear_line(folder: Path) -> None:
    with pytest.raises(StoreUnreadable, match="cannot be used as a store") as raised:
        load_paths([str(folder)], Path("/proc/store.duckdb"))
    assert "\n" not in str(raised.value)


def test_a_folder_that_is_not_there_is_one_clear_line(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(StoreUnreadable) as raised:
        load_paths([str(folder)], tmp_path / "nope" / "store.duckdb")
    assert "\n" not in str(raised.value)


def test_a_file_that_is_no_store_is_left_alone(folder: Path, tmp_path: Path) -> None:
    db = write(tmp_path, "store.duckdb", b"something else entirely" * 1000)
    with pytest.raises(StoreError):
        load_paths([str(folder)], db)
    assert db.read_bytes() == b"something else entirely" * 1000


def test_two_ingests_at_once_store_each_report_once(folder: Path, tmp_path: Path) -> None:
    db = tmp_path / "store.duckdb"
    both = [start(db, folder) for _ in range(2)]
    assert [process.wait() for process in both] == [0, 0]
    for process in both:
        assert process.stdout is not None
        process.stdout.close()
    assert len(held(db)) == 13
    alone = tmp_path / "alone.duckdb"
    ingest(alone, folder)
    assert held(db) == held(alone)
    assert len(rows(db, "report")) == 13


def test_what_another_ingest_stores_meanwhile_is_left_out(folder: Path, tmp_path: Path) -> None:
    db = tmp_path / "store.duckdb"
    others: list[int] = []

    def meanwhile(_: object) -> None:
        if not others:
            others.append(0)
            others.append(len(ingest(db, folder).loaded))

    mine = load_paths([str(folder)], db, on_event=meanwhile)
    assert others == [0, 13]
    assert (len(mine.loaded), len(mine.unchanged)) == (0, 13)
    alone = tmp_path / "alone.duckdb"
    ingest(alone, folder)
    assert held(db) == held(alone)


HOLD: Final = """
import sys, time
from pathlib import Path
from ingest.store import Writer
writer = Writer(Path(sys.argv[1]))
writer._begin()
print("held", flush=True)
time.sleep(float(sys.argv[2]))
writer.abandon()
"""


def hold(db: Path, seconds: float) -> "subprocess.Popen[str]":
    command = [sys.executable, "-c", HOLD, str(db), str(seconds)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT)
    assert process.stdout is not None
    assert process.stdout.readline() == "held\n"
    process.stdout.close()
    return process


def test_one_waits_for_another_and_says_so(folder: Path, tmp_path: Path) -> None:
    db = tmp_path / "store.duckdb"
    Writer(db)
    told: list[str] = []
    other = hold(db, 1.0)
    load_paths([str(folder / "01.json")], db, waiting=told.append)
    other.wait()
    assert len(held(db)) == 1
    assert len(told) >= 1
    assert str(other.pid) in told[0]


def test_one_does_not_wait_longer_than_asked(folder: Path, tmp_path: Path) -> None:
    db = tmp_path / "store.duckdb"
    Writer(db)
    other = hold(db, 30)
    try:
        with pytest.raises(StoreBusy, match=f"process {other.pid}"):
            load_paths([str(folder / "01.json")], db, wait=0.2)
    finally:
        other.kill()
        other.wait()


def test_a_reader_error_leaves_nothing_of_the_report(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    db = tmp_path / "store.duckdb"
    ingest(db, folder / "01.json")
    before = held(db)
    monkeypatch.setattr("ingest.batch.SPILL_ROWS", 10)
    monkeypatch.setattr("ingest.formats.evaluation_report.progress", _broken)
    with pytest.raises(ZeroDivisionError):
        ingest(db, folder / "02.json")
    assert held(db) == before
    assert not list(tmp_path.glob(".*"))


def _broken(*_: object) -> Callable[..., Any]:
    raise ZeroDivisionError


def test_a_path_the_database_cannot_take_is_said_plainly(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(StoreUnreadable, match=r"no path with '\?'"):
        load_paths([str(folder)], tmp_path / "what?.duckdb")
