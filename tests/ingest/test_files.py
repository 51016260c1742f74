"""Where reports come from: names, links, folders, standard input, files that grow."""

import io
import json
import os
import sys
import threading
import time
from pathlib import Path

import pytest

from ingest.load import Said
from ingest.subjects import read_notes
from tests.ingest.stores import content, ingest, row, rows, write
from tests.ingest.test_evaluation_report import REPORT
from tests.ingest.test_trial_row import CONTRACT

NAMES = [
    "it's.json",
    'a "quoted" one.json',
    "two\nlines.json",
    "semi;colon.json",
    "<script>alert(1)<script>.json",
    "a'); DROP TABLE report;--.json",
    "ünïcode-\U0001f600.json",
    "star*[x]?.json",
    "-dash.json",
    "UPPER.JSON",
]


@pytest.mark.parametrize("name", NAMES)
def test_names_are_names(tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ingest.batch.SPILL_ROWS", 1)
    folder = tmp_path / name.removesuffix(".json").replace("?", "")
    path = write(folder, name, REPORT)
    db = folder / "st'ore[1];.duckdb"
    result = ingest(db, folder)
    assert not result.rejected
    assert row(db, "report")["path"] == str(path)
    assert len(rows(db, "trial")) == 1
    assert [each.path for each in ingest(db, folder).unchanged] == [str(path)]


def test_names_that_are_no_text_are_kept_readable(tmp_path: Path) -> None:
    path = tmp_path / os.fsdecode(b"bad-\xff.json")
    try:
        path.write_text(json.dumps(REPORT))
    except OSError:
        pytest.skip("the file system takes text only")
    db = tmp_path / "store.duckdb"
    assert not ingest(db, tmp_path).rejected
    assert "bad-" in row(db, "report")["path"]


def test_loops_of_links_end(tmp_path: Path) -> None:
    folder = tmp_path / "reports"
    write(folder, "a.json", REPORT)
    (folder / "self").symlink_to(folder)
    (folder / "up").symlink_to(tmp_path)
    (folder / "loop.json").symlink_to(folder / "loop.json")
    (folder / "gone.json").symlink_to(folder / "nowhere.json")
    result = ingest(tmp_path / "store.duckdb", folder)
    assert len(result.loaded) == 1
    assert {Path(each.path).name: each.rule for each in result.rejected} == {
        "loop.json": "unreadable",
        "gone.json": "unreadable",
    }


def test_folders_behind_links_are_read_once(tmp_path: Path) -> None:
    write(tmp_path / "elsewhere", "a.json", REPORT)
    folder = tmp_path / "reports"
    folder.mkdir()
    (folder / "one").symlink_to(tmp_path / "elsewhere")
    (folder / "two").symlink_to(tmp_path / "elsewhere")
    result = ingest(tmp_path / "store.duckdb", folder)
    assert (len(result.loaded), len(result.unchanged)) == (1, 0)


def test_what_cannot_be_read_is_named(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.json")
    (tmp_path / "empty").mkdir()
    result = ingest(tmp_path / "s.duckdb", tmp_path / "nope.json", tmp_path / "empty")
    assert [each.rule for each in result.rejected] == ["unreadable", "no-reports"]
    assert "missing evidence" in result.rejected[1].message
    found = ingest(tmp_path / "s.duckdb", tmp_path)
    assert [(Path(each.path).name, each.rule) for each in found.rejected] == [
        ("pipe.json", "unreadable")
    ]


def test_standard_input(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    db = tmp_path / "store.duckdb"
    lines = "".join(json.dumps(CONTRACT | {"repetition": n}) + "\n" for n in range(3))
    stream = io.TextIOWrapper(io.BytesIO(lines.encode()))
    monkeypatch.setattr(sys, "stdin", stream)
    assert not ingest(db, Path("-")).rejected
    assert row(db, "report")["path"] == "-"
    assert len(rows(db, "trial")) == 3


def grow(path: Path, *repetitions: int) -> None:
    with path.open("a", encoding="utf-8") as file:
        for n in repetitions:
            file.write(json.dumps(CONTRACT | {"repetition": n}) + "\n")


def test_a_file_that_has_grown_replaces_what_it_was(tmp_path: Path) -> None:
    db, path = tmp_path / "store.duckdb", tmp_path / "rows.jsonl"
    grow(path, 0, 1)
    first = ingest(db, path, said=Said(labels={"team": "blue"})).loaded[0]
    grow(path, 2)
    second = ingest(db, path).loaded[0]
    assert second.replaced == first.report
    assert sorted(trial["repetition"] for trial in rows(db, "trial")) == [0, 1, 2]
    assert len(rows(db, "run")) == len(rows(db, "report")) == 1
    fresh = tmp_path / "fresh.duckdb"
    ingest(fresh, path)
    assert content(db) == content(fresh)
    run = str(row(db, "run")["run"])
    assert read_notes(db).runs[run].labels == {"team": "blue"}


def test_a_file_that_was_rewritten_replaces_nothing(tmp_path: Path) -> None:
    db = tmp_path / "store.duckdb"
    path = write(tmp_path, "rows.jsonl", [CONTRACT])
    ingest(db, path)
    write(tmp_path, "rows.jsonl", [CONTRACT | {"notes": "other"}, CONTRACT | {"repetition": 1}])
    assert ingest(db, path).loaded[0].replaced is None
    assert len(rows(db, "report")) == 2


def test_a_report_that_is_being_written_is_looked_at_again(tmp_path: Path) -> None:
    db, path = tmp_path / "store.duckdb", tmp_path / "report.json"
    text = json.dumps(REPORT)
    path.write_text(text[:-50])

    def complete() -> None:
        time.sleep(0.1)
        path.write_text(text)

    writer = threading.Thread(target=complete)
    writer.start()
    result = ingest(db, path)
    writer.join()
    assert not result.rejected
    assert len(result.loaded) == 1


def test_a_file_nobody_touched_is_not_read_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    db = tmp_path / "store.duckdb"
    path = write(tmp_path, "report.json", REPORT)
    monkeypatch.setattr("ingest.load.SETTLED_SECONDS", -60.0)
    ingest(db, path)
    monkeypatch.setattr("ingest.files.read", _fail)
    assert len(ingest(db, path).unchanged) == 1


def test_a_file_touched_just_now_is_read_again(tmp_path: Path) -> None:
    db = tmp_path / "store.duckdb"
    path = write(tmp_path, "report.json", REPORT)
    ingest(db, path)
    times = (path.stat().st_atime_ns, path.stat().st_mtime_ns)
    path.write_bytes(path.read_bytes().replace(b"native-run", b"nativ3-run"))
    os.utime(path, ns=times)
    assert len(ingest(db, path).loaded) == 1


def _fail(path: str) -> None:
    raise AssertionError(path)
