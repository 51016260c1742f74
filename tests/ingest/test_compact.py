"""A store written anew holds what it held, in a smaller file, whatever happens meanwhile."""

import random
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, Final

import pytest

from benchmarks.generate import Size, generate
from ingest.errors import StoreBusy, StoreMissing, StoreUnreadable
from ingest.store import Writer, compact, open_reader
from tests.ingest.stores import ROOT, content, rows

KILLS: Final = 12
COMPACT: Final = """
import sys
from pathlib import Path
from ingest.store import compact
print("ready", flush=True)
compact(Path(sys.argv[1]))
"""
HOLD: Final = """
import sys, time
from pathlib import Path
from ingest.store import open_reader
with open_reader(Path(sys.argv[1])):
    print("ready", flush=True)
    time.sleep(float(sys.argv[2]))
"""


@pytest.fixture
def db(tmp_path: Path) -> Path:
    path = tmp_path / "store.duckdb"
    generate(path, Size(runs=6, items=12, repetitions=6))
    return path


def start(program: str, *arguments: object) -> "subprocess.Popen[str]":
    command = [sys.executable, "-c", program, *map(str, arguments)]
    started = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT)
    assert started.stdout is not None
    assert started.stdout.readline() == "ready\n"
    return started


def in_order(db: Path) -> list[tuple[Any, ...]]:
    with open_reader(db) as reader:
        return reader.ask('SELECT run, trial, position FROM "check"', {}).rows()


def test_the_room_of_what_was_forgotten_is_given_back(db: Path) -> None:
    size = db.stat().st_size
    Writer(db).forget(*(row["report"] for row in rows(db, "report")[1:]))
    before, order = content(db), in_order(db)
    assert db.stat().st_size >= size

    done = compact(db)

    assert done.before >= size
    assert db.stat().st_size == done.after < size * 0.8
    assert content(db) == before
    assert in_order(db) == order
    assert [path.name for path in db.parent.iterdir()] == [db.name]


def test_a_store_written_anew_can_be_written_to(db: Path) -> None:
    compact(db)
    (first, *others) = [row["report"] for row in rows(db, "report")]

    assert Writer(db).forget(first) > 0
    assert [row["report"] for row in rows(db, "report")] == others
    with pytest.raises(StoreUnreadable, match=r"(?i)duplicate|constraint"):
        _twice(db, others[0])


def _twice(db: Path, report: str) -> None:
    writer = Writer(db)
    with writer._refusing():
        writer._begin().execute(
            "INSERT INTO report SELECT * FROM report WHERE report = ?", [report]
        )


def test_killed_it_leaves_the_old_store_or_the_new(db: Path, tmp_path: Path) -> None:
    Writer(db).forget(rows(db, "report")[0]["report"])
    before = content(db)
    chance = random.Random(4)  # noqa: S311
    ends = set()
    longest = 0.6
    for _ in range(KILLS):
        process = start(COMPACT, db)
        time.sleep(chance.uniform(0, longest))
        process.kill()
        process.communicate()
        ends.add(process.returncode)
        assert content(db) == before
    assert -9 in ends

    Writer(db)
    assert [path.name for path in tmp_path.iterdir()] == [db.name]


def test_it_waits_for_whoever_uses_the_store(db: Path) -> None:
    reading = start(HOLD, db, 0.8)
    told: list[str] = []
    compact(db, wait=20, waiting=told.append)
    reading.communicate()

    assert [str(reading.pid) in holder for holder in told] == [True]


def test_it_gives_up_when_the_store_stays_in_use(db: Path) -> None:
    before = content(db)
    reading = start(HOLD, db, 30)
    try:
        with pytest.raises(StoreBusy):
            compact(db, wait=0.2)
    finally:
        reading.kill()
        reading.communicate()
    assert content(db) == before
    assert [path.name for path in db.parent.iterdir()] == [db.name]


def test_without_room_the_old_store_stays(db: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = content(db)

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("ingest.store.compacting._settle", full)
    with pytest.raises(StoreUnreadable, match="No space left"):
        compact(db)
    assert content(db) == before
    assert [path.name for path in db.parent.iterdir()] == [db.name]


def test_a_store_that_is_not_there_is_not_made(tmp_path: Path) -> None:
    with pytest.raises(StoreMissing):
        compact(tmp_path / "none.duckdb")
    assert list(tmp_path.iterdir()) == []
