"""What a person says about failing groups is shown and filters, and changes no figure."""

import shutil
from pathlib import Path

import pytest

from dashboard import marks
from dashboard.marks import Place
from ingest import subjects
from ingest.load import load_paths
from tests.dashboard.conftest import ROOT, Opened
from tests.dashboard.reading import links, text
from tests.dashboard.stored import run_of

SWIFT = ROOT / "sample_reports" / "evaluation" / "library-desk.swift-model.json"
GROUP = Place(("library-desk.conversations",), "renewed-once", "")


@pytest.fixture
def db(samples: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(samples, tmp_path / "marked.duckdb"))


def tabs(shown: str) -> str:
    return shown[shown.index("Failed criteria") : shown.index("Suite criteria")]


def test_a_mark_is_put_with_the_form_and_shown(opened: Opened, db: Path) -> None:
    run = run_of(db, SWIFT.name)
    before = tabs(text(opened(db, "failures", run=run)))
    (address, *_) = [
        one for one in links(opened(db, "failures", run=run), "failures") if "marking" in one
    ]
    page = opened(db, "failures", run=run, marking=address.rpartition("marking=")[2])
    page.selectbox(key="mark_kind").set_value("known issue")
    page.text_input(key="mark_text").set_value("LIB-42 <b>")
    next(button for button in page.button if button.label == "Save").click().run()
    shown = text(page)

    assert not page.exception
    assert "known issue: LIB-42 <b>" in shown
    assert "Mark as" not in [box.label for box in page.selectbox]
    assert tabs(shown) == before
    (mark,) = subjects.read_notes(db).marks.values()
    assert (mark.kind, mark.text) == ("known issue", "LIB-42 <b>")


def test_marks_survive_rebuilding_the_store(opened: Opened, db: Path) -> None:
    marks.put(db, GROUP, "flaky by design", "")
    db.unlink()
    load_paths([str(SWIFT)], db)

    assert "flaky by design" in text(opened(db, "failures", criterion="renewed-once"))


def test_a_mark_filters(opened: Opened, db: Path) -> None:
    marks.put(db, GROUP, "fixed in", "2.1")
    run = run_of(db, SWIFT.name)
    marked = text(opened(db, "failures", run=run, mark="fixed in"))
    others = text(opened(db, "failures", run=run, mark=marks.NONE))

    assert "fixed in 2.1" in marked
    assert "renewed-once" in marked
    assert "fixed in 2.1" not in others
    assert "· renewed-once" not in others


def test_one_cause_can_be_marked_alone(db: Path) -> None:
    marks.put(db, GROUP._replace(cause="abc"), "known issue", "")
    notes = subjects.read_notes(db)

    assert GROUP.marks(notes) == []
    assert [mark.kind for mark in GROUP._replace(cause="abc").marks(notes)] == ["known issue"]


def test_a_mark_can_be_taken_away(opened: Opened, db: Path) -> None:
    marks.put(db, GROUP, "known issue", "x")
    marks.remove(db, GROUP.keys)

    assert subjects.read_notes(db).marks == {}
    assert "known issue" not in text(opened(db, "failures", criterion="renewed-once"))


def test_a_mark_that_is_not_there_opens_the_list_all_the_same(opened: Opened, db: Path) -> None:
    page = opened(db, "failures", marking="g-0000000000")

    assert not page.exception
    assert not page.text_input(key="q").value
