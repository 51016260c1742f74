"""A lake holds what its stores hold, changes where they did, and says what is wrong with it."""

import json
import shutil
from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any

import duckdb
import polars as pl
import pytest

from ingest import subjects
from ingest.errors import LakeChanged, LakeUnreadable, StoreMissing
from ingest.load import Said
from ingest.store import Writer, lake, open_reader, version
from ingest.store.lake import manifest
from ingest.store.lake.sync import sync as sync_lake
from tests.ingest.stores import SAMPLES, TABLES, Row, content, ingest, rows, write
from tests.ingest.test_trial_row import CONTRACT

WAIT = 5.0


def sync(db: Path, folder: Path) -> lake.Synced:
    return lake.sync(db, folder, WAIT, subjects.sayings(db))


def one_row(name: str) -> Row:
    return CONTRACT | {"name": name}


def loaded(content: dict[Any, list[Row]]) -> dict[Any, list[Row]]:
    """What came of reports: without where files lie, and what was refused whole."""
    kept = {table: found for table, found in content.items() if table != "file"}
    kept["rejection"] = [each for each in kept["rejection"] if each["report"] is not None]
    return kept


def files_of(folder: Path) -> dict[str, int]:
    """Every data file, and when it was written."""
    return {
        str(path.relative_to(folder)): path.stat().st_mtime_ns
        for path in (folder / "tables").rglob("*.parquet")
    }


@pytest.fixture(scope="module")
def db(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store of every sample report."""
    path = tmp_path_factory.mktemp("store") / "store.duckdb"
    ingest(path, SAMPLES)
    return path


@pytest.fixture(scope="module")
def folder(db: Path) -> Path:
    """A lake of that store; tests only read it."""
    path = db.with_name("lake")
    sync(db, path)
    return path


def test_a_lake_reads_as_the_store_it_came_from(db: Path, folder: Path) -> None:
    assert loaded(content(folder)) == loaded(content(db))
    assert sum(map(len, loaded(content(folder)).values())) > 1000


def test_a_store_is_rebuilt_from_a_lake(db: Path, folder: Path, tmp_path: Path) -> None:
    again = tmp_path / "again.duckdb"
    first = lake.restore(folder, again, WAIT)
    second = lake.restore(folder, again, WAIT)

    assert loaded(content(again)) == loaded(content(db))
    assert len(first.written) == len(rows(db, "report")) == second.unchanged
    assert second.written == ()


def test_other_tools_read_the_files_of_a_table(db: Path, folder: Path) -> None:
    glob = str(folder / "tables" / "table=check" / "*" / "*.parquet")
    expected = len(rows(db, "check"))

    assert pl.scan_parquet(glob).select(pl.len()).collect().item() == expected
    assert len(duckdb.read_parquet(glob).fetchall()) == expected
    runs = pl.read_parquet(glob, hive_partitioning=True)["run"].unique().to_list()
    assert sorted(runs) == sorted({row["run"] for row in rows(db, "check")})


def test_only_what_changed_is_written(tmp_path: Path) -> None:
    db, folder = tmp_path / "store.duckdb", tmp_path / "lake"
    ingest(db, write(tmp_path, "a.jsonl", [one_row("a")]))
    sync(db, folder)
    before, marked = files_of(folder), version(folder)

    assert sync(db, folder)[:3] == ((), 1, ())
    assert (files_of(folder), version(folder)) == (before, marked)

    ingest(db, write(tmp_path, "b.jsonl", [one_row("b")]))
    done = sync(db, folder)
    assert (len(done.written), done.unchanged) == (1, 1)
    assert version(folder) != marked
    assert {name: files_of(folder)[name] for name in before} == before


def test_a_report_that_grew_takes_the_place_of_its_shorter_self(tmp_path: Path) -> None:
    db, folder = tmp_path / "store.duckdb", tmp_path / "lake"
    ingest(db, write(tmp_path, "a.jsonl", [one_row("a")]))
    sync(db, folder)
    ingest(db, write(tmp_path, "a.jsonl", [one_row("a"), one_row("b")]))
    done = sync(db, folder)

    assert (len(done.written), len(done.forgotten)) == (1, 1)
    assert [row["item"] for row in rows(folder, "trial")] == ["a", "b"]
    assert loaded(content(folder)) == loaded(content(db))


def test_what_other_machines_wrote_stays(tmp_path: Path) -> None:
    folder = tmp_path / "lake"
    for name in ("a", "b"):
        db = tmp_path / f"{name}.duckdb"
        ingest(db, write(tmp_path, f"{name}.jsonl", [one_row(name)]))
        sync(db, folder)

    assert sorted(row["item"] for row in rows(folder, "trial")) == ["a", "b"]


def test_the_same_report_of_two_machines_is_there_once(tmp_path: Path) -> None:
    folder, path = tmp_path / "lake", write(tmp_path, "a.jsonl", [one_row("a")])
    for name in ("one", "two"):
        ingest(tmp_path / f"{name}.duckdb", path)
        sync(tmp_path / f"{name}.duckdb", folder)

    assert len(rows(folder, "trial")) == 1
    assert len([name for name in files_of(folder) if "table=trial/" in name]) == 1


def test_forgetting_reaches_the_lake_and_its_files(tmp_path: Path) -> None:
    db, folder = tmp_path / "store.duckdb", tmp_path / "lake"
    for name in ("a", "b"):
        ingest(db, write(tmp_path, f"{name}.jsonl", [one_row(name)]))
    sync(db, folder)
    (gone,) = [row["report"] for row in rows(db, "report") if row["path"].endswith("a.jsonl")]
    Writer(db).forget(gone)
    done = sync(db, folder)

    assert done.forgotten == (gone,)
    assert [row["item"] for row in rows(folder, "trial")] == ["b"]
    assert not [name for name in files_of(folder) if gone[:10] in name]


def test_a_forgotten_report_does_not_come_back_from_an_older_store(tmp_path: Path) -> None:
    folder, path = tmp_path / "lake", write(tmp_path, "a.jsonl", [one_row("a")])
    one, two = tmp_path / "one.duckdb", tmp_path / "two.duckdb"
    for db in (one, two):
        ingest(db, path)
        sync(db, folder)
    Writer(one).forget(rows(one, "report")[0]["report"])
    sync(one, folder)
    sync(two, folder)
    assert rows(folder, "trial") == []

    ingest(one, path)
    assert len(sync(one, folder).written) == 1
    assert len(rows(folder, "trial")) == 1


def test_a_lake_forgets_by_itself(tmp_path: Path) -> None:
    db, folder = tmp_path / "store.duckdb", tmp_path / "lake"
    ingest(db, write(tmp_path, "a.jsonl", [one_row("a"), one_row("b")]))
    sync(db, folder)
    report = rows(db, "report")[0]["report"]

    assert (lake.forget_now(folder, report), lake.forget_now(folder, report)) == (2, 0)
    assert rows(folder, "trial") == rows(folder, "report") == []


def test_what_was_said_about_runs_comes_along(tmp_path: Path) -> None:
    db, folder = tmp_path / "store.duckdb", tmp_path / "lake"
    unnamed = {name: value for name, value in one_row("a").items() if name != "model"}
    ingest(db, write(tmp_path, "a.jsonl", [unnamed]), said=Said(subject="swift"))
    sync(db, folder)
    (run,) = rows(folder, "run")
    who = subjects.identity(run)
    assert subjects.read_notes(folder).runs[who].subject == "swift"

    notes = subjects.read_notes(db)
    notes.label(who, {"prompt": "r14"})
    subjects.write_notes(db, notes)
    assert sync(db, folder).written == ()
    assert subjects.read_notes(folder).runs[who].labels == {"prompt": "r14"}

    here = subjects.read_notes(folder)
    here.label(who, {"seen": "yes"})
    subjects.write_notes(folder, here)
    assert subjects.read_notes(folder).runs[who].labels == {"prompt": "r14", "seen": "yes"}
    assert subjects.read_notes(db).runs[who].labels == {"prompt": "r14"}


def test_files_that_no_entry_names_are_not_read(tmp_path: Path) -> None:
    db, folder = tmp_path / "store.duckdb", tmp_path / "lake"
    ingest(db, write(tmp_path, "a.jsonl", [one_row("a")]))
    sync(db, folder)
    (trial,) = (folder / "tables" / "table=trial").rglob("*.parquet")
    for half in (trial.with_name(".half.parquet"), trial.with_name("whole.parquet")):
        shutil.copy(trial, half)

    assert len(rows(folder, "trial")) == 1


def test_an_interrupted_removal_is_finished_by_the_next_sync(tmp_path: Path) -> None:
    db, folder = tmp_path / "store.duckdb", tmp_path / "lake"
    ingest(db, write(tmp_path, "a.jsonl", [one_row("a")]))
    sync(db, folder)
    (entry,) = lake.entries(folder).values()
    at = entry.ingested_at + timedelta(days=1)
    manifest.put(folder, entry.model_copy(update={"forgotten_at": at}))

    assert rows(folder, "trial") == []
    assert files_of(folder)
    sync(db, folder)
    assert files_of(folder) == {}


def test_a_report_that_vanishes_while_it_is_read_is_said(db: Path, tmp_path: Path) -> None:
    folder = tmp_path / "lake"
    sync(db, folder)

    def read_too_late() -> None:
        with open_reader(folder) as reader:
            shutil.rmtree(folder / "tables")
            reader.frame("trial")

    with pytest.raises(LakeChanged, match="try again"):
        read_too_late()


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ({}, r"holds no lake\.json; make a lake with: unaveraged lake sync"),
        ({"lake.json": "cut"}, r"its lake\.json is unreadable"),
        ({"lake.json": "[]"}, r"its lake\.json is unreadable"),
        (
            {"lake.json": '{"format": "unaveraged lake", "schema_version": 1}'},
            "version 1; this tool reads .*: sync to a new folder",
        ),
    ],
)
def test_a_folder_that_is_no_lake_is_named(
    tmp_path: Path, files: dict[str, str], said: str
) -> None:
    folder = tmp_path / "lake"
    folder.mkdir()
    for name, text in files.items():
        (folder / name).write_text(text)

    with pytest.raises(LakeUnreadable, match=said), open_reader(folder):
        pass


def test_an_unreadable_entry_is_named(tmp_path: Path) -> None:
    db, folder = tmp_path / "store.duckdb", tmp_path / "lake"
    ingest(db, write(tmp_path, "a.jsonl", [one_row("a")]))
    sync(db, folder)
    (entry,) = (folder / "manifest").glob("*.json")
    entry.write_text(json.dumps({"report": 1}))

    with pytest.raises(LakeUnreadable, match=rf"manifest/{entry.name} is unreadable"):
        rows(folder, "trial")


def test_a_folder_of_other_things_is_left_alone(db: Path, tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("dear to somebody")

    with pytest.raises(LakeUnreadable, match="choose a new or an empty one"):
        sync(db, tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.tex"]


def test_no_folder_is_no_lake(tmp_path: Path) -> None:
    with pytest.raises(StoreMissing):
        lake.entries(tmp_path / "nowhere")
    with pytest.raises(StoreMissing):
        sync_lake(tmp_path / "no.duckdb", tmp_path / "lake", WAIT, {})
    assert not (tmp_path / "lake").exists()


def test_a_reader_opens_the_files_of_the_runs_asked_for_alone(
    db: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "lake"
    sync(db, folder)
    run = rows(folder, "turn")[0]["run"]
    opened: list[Sequence[str]] = []
    with open_reader(folder) as reader:
        scan = type(reader)._scan

        def seen(self: Any, cursor: Any, table: Any, runs: Any) -> Any:
            opened.append(self._named(table, runs))
            return scan(self, cursor, table, runs)

        monkeypatch.setattr(type(reader), "_scan", seen)
        trial = reader.frame("turn", runs=[run])["trial"][0]
        reader.frame("turn", trials=[trial])

    assert [len(paths) for paths in opened] == [1, 1]
    assert all(f"run={run}/" in paths[0] for paths in opened)


def test_every_table_is_in_the_lake_or_said_not_to_be(folder: Path) -> None:
    there = {path.name.removeprefix("table=") for path in (folder / "tables").iterdir()}

    assert there <= {*TABLES, "run_loaded"}
    assert {*TABLES} - there <= {"file", "run", "flag", "rejection"}
