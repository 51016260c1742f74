"""Loading: twice is once, in any order, with what people say kept beside the store."""

import json
import random
import re
from pathlib import Path
from typing import Final

import pytest

from ingest.load import Event, Said, load_paths
from ingest.store import Writer, open_reader, version
from ingest.subjects import notes_path, read_notes, with_notes, write_notes
from tests.ingest.stores import SAMPLES, content, counts, ingest, row, rows, write
from tests.ingest.test_evaluation_report import REPORT
from tests.ingest.test_sample_report import REPORT as SAMPLE_REPORT
from tests.ingest.test_trial_row import CONTRACT

FILES: Final = sorted(path for path in SAMPLES.rglob("*.json*") if path.is_file())


def test_loading_twice_changes_nothing(tmp_path: Path) -> None:
    db = tmp_path / "store.duckdb"
    first = ingest(db, *FILES)
    before = content(db)
    second = ingest(db, *FILES)
    assert len(first.loaded) == len(FILES)
    assert not second.loaded
    assert [each.path for each in second.unchanged] == [str(path) for path in FILES]
    assert content(db) == before


def test_what_the_loader_reports_is_what_the_store_holds(tmp_path: Path) -> None:
    db = tmp_path / "store.duckdb"
    result = ingest(db, *FILES)
    held = counts(db)
    assert len(result.loaded) == held["report"]
    assert sum(each.runs for each in result.loaded) == held["run"]
    assert sum(each.trials for each in result.loaded) == held["trial"]
    assert len(result.rejected) == held["rejection"] == sum(e.rejected for e in result.loaded)


@pytest.mark.parametrize("seed", [1, 2])
def test_the_order_of_files_does_not_matter(tmp_path: Path, seed: int) -> None:
    straight, mixed = tmp_path / "a.duckdb", tmp_path / "b.duckdb"
    ingest(straight, *FILES)
    shuffled = list(FILES)
    random.Random(seed).shuffle(shuffled)  # noqa: S311
    for path in shuffled:
        ingest(mixed, path)
    assert content(mixed) == content(straight)


def test_the_same_content_under_another_name_is_unchanged(tmp_path: Path) -> None:
    db = tmp_path / "store.duckdb"
    one, two = (write(tmp_path, name, REPORT) for name in ("one.json", "two.json"))
    result = ingest(db, one, two)
    assert [each.path for each in result.loaded] == [str(one)]
    assert [(each.path, each.stored_as) for each in result.unchanged] == [(str(two), str(one))]


def test_every_file_is_told_once(tmp_path: Path) -> None:
    events: list[Event] = []
    paths = [
        write(tmp_path, "a.json", REPORT),
        write(tmp_path, "b.json", REPORT),
        write(tmp_path, "c.json", b"no json"),
    ]
    load_paths([str(path) for path in paths], tmp_path / "s.duckdb", on_event=events.append)
    assert [(Path(event.path).name, event.state) for event in events] == [
        ("a.json", "loaded"),
        ("b.json", "unchanged"),
        ("c.json", "rejected"),
    ]


def test_a_rejection_is_told_again_while_it_holds(tmp_path: Path) -> None:
    db = tmp_path / "store.duckdb"
    document = write(tmp_path, "rows.jsonl", [CONTRACT, CONTRACT])
    first = ingest(db, document)
    second = ingest(db, document)
    assert first.rejected == second.rejected
    assert [each.rule for each in first.rejected] == ["duplicate-key"]
    assert len(rows(db, "rejection")) == 1


def test_a_mended_file_loses_its_rejection(tmp_path: Path) -> None:
    db = tmp_path / "store.duckdb"
    path = write(tmp_path, "report.json", b'{"cases": [')
    assert [each.rule for each in ingest(db, path).rejected] == ["truncated"]
    write(tmp_path, "report.json", REPORT)
    assert not ingest(db, path).rejected
    assert not rows(db, "rejection")


def test_a_forgotten_report_leaves_nothing_behind(tmp_path: Path) -> None:
    db = tmp_path / "store.duckdb"
    kept = write(tmp_path, "report.json", REPORT)
    ingest(db, kept)
    before = content(db)
    gone = write(tmp_path, "rows.jsonl", [CONTRACT, CONTRACT])
    loaded = ingest(db, gone).loaded[0]
    assert Writer(db).forget(loaded.report) == 1
    assert content(db) == before


def test_the_version_changes_with_the_content(tmp_path: Path) -> None:
    db = tmp_path / "store.duckdb"
    ingest(db, write(tmp_path, "a.json", REPORT))
    before = version(db)
    ingest(db, write(tmp_path, "b.json", SAMPLE_REPORT))
    assert version(db) != before


def test_only_asked_columns_and_rows_are_read(tmp_path: Path) -> None:
    db = tmp_path / "store.duckdb"
    ingest(db, *FILES)
    run = rows(db, "run")[0]["run"]
    with open_reader(db) as reader:
        assert reader.frame("trial", ["trial"], runs=[run]).columns == ["trial"]
        assert reader.frame("trial", runs=[]).is_empty()
        with pytest.raises(KeyError, match="no column 'nope'"):
            reader.frame("trial", ["nope"])
        with pytest.raises(KeyError, match="no table"):
            reader.frame("nope")  # type: ignore[arg-type]


def test_a_subject_is_said_once_and_survives_the_store(tmp_path: Path) -> None:
    db = tmp_path / "store.duckdb"
    path = write(tmp_path, "2026-x3-model-9.json", SAMPLE_REPORT)
    pattern = re.compile(r"x3-(.+)\.json")
    ingest(db, path, said=Said(subject_from=pattern, labels={"team": "blue"}))
    run = str(row(db, "run")["run"])
    note = read_notes(db).runs[run]
    assert (note.subject, note.subject_source, note.labels) == (
        "model-9",
        "file name",
        {"team": "blue"},
    )
    db.unlink()
    ingest(db, path)
    with open_reader(db) as reader:
        found = with_notes(reader.frame("run"), read_notes(db)).to_dicts()[0]
    assert (found["subject"], found["subject_source"]) == ("model-9", "file name")
    assert json.loads(found["labels"]) == {"team": "blue"}
    assert notes_path(db).name == "store.duckdb.notes.json"


def test_a_report_that_names_its_subject_keeps_it(tmp_path: Path) -> None:
    db = tmp_path / "store.duckdb"
    ingest(db, write(tmp_path, "report.json", REPORT), said=Said(subject="other"))
    assert not read_notes(db).runs


def test_a_label_given_by_hand_outlives_a_file_name(tmp_path: Path) -> None:
    db = tmp_path / "store.duckdb"
    path = write(tmp_path, "x3-model-9.json", SAMPLE_REPORT)
    pattern = re.compile(r"x3-(.+)\.json")
    ingest(db, path, said=Said(subject="by option"))
    notes = read_notes(db)
    run = next(iter(notes.runs))
    notes.name_subject(run, "by hand", "label")
    write_notes(db, notes)
    ingest(db, path, said=Said(subject_from=pattern))
    assert read_notes(db).runs[run].subject == "by hand"
