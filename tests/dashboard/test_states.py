"""A store that is not there, empty, busy, old or no store at all: each has a page that helps."""

import subprocess
import sys
from pathlib import Path

import duckdb
import pytest

from ingest.load import load_paths
from ingest.store import Writer
from tests.dashboard.conftest import ROOT, Opened
from tests.dashboard.reading import text

PAGES = ["overview", "reliability", "compare", "variance", "judges", "failures", "case"]
PAGES += ["trials", "history", "routing"]


@pytest.mark.parametrize("name", PAGES)
def test_without_a_store_a_page_says_how_to_make_one(
    opened: Opened, tmp_path: Path, name: str
) -> None:
    page = opened(tmp_path / "none.duckdb", name)

    assert not page.exception
    assert "There is no store yet" in text(page)
    assert "unaveraged ingest PATH… --db" in text(page)


@pytest.mark.parametrize("name", PAGES)
def test_an_empty_store_says_how_to_fill_it(opened: Opened, tmp_path: Path, name: str) -> None:
    Writer(tmp_path / "empty.duckdb")
    page = opened(tmp_path / "empty.duckdb", name)

    assert not page.exception
    assert "The store holds no run yet" in text(page)


def test_nothing_refused_is_said(opened: Opened, tmp_path: Path) -> None:
    Writer(tmp_path / "empty.duckdb")

    assert "Nothing was refused" in text(opened(tmp_path / "empty.duckdb", "rejections"))


def test_a_busy_store_names_its_holder_and_can_be_tried_again(
    opened: Opened, tmp_path: Path
) -> None:
    db = tmp_path / "busy.duckdb"
    load_paths([str(ROOT / "sample_reports" / "evaluation" / "lost-items.limited.json")], db)
    holder = (
        "import duckdb, sys; held = duckdb.connect(sys.argv[1]); print('held', flush=True); input()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", holder, str(db)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as writer:
        assert writer.stdout is not None
        assert writer.stdout.readline() == "held\n"
        page = opened(db)
        assert "The store is being written" in text(page)
        assert str(writer.pid) in text(page)
        writer.communicate("\n")
    page.button[0].click().run()

    assert not page.exception
    assert "lost-items.limited.json" in text(page)


def test_a_store_of_another_version_says_how_to_rebuild_it(opened: Opened, tmp_path: Path) -> None:
    db = tmp_path / "old.duckdb"
    Writer(db)
    with duckdb.connect(str(db)) as connection:
        connection.execute("UPDATE meta SET schema_version = 0").fetchall()

    page = opened(db)

    assert not page.exception
    assert "made by another version" in text(page)
    assert "unaveraged ingest" in text(page)


def test_a_file_that_is_no_store_says_so(opened: Opened, tmp_path: Path) -> None:
    (tmp_path / "text.duckdb").write_text("hello")

    page = opened(tmp_path / "text.duckdb")

    assert not page.exception
    assert "cannot be read as a store" in text(page)


def test_a_page_holds_no_connection(opened: Opened, tmp_path: Path) -> None:
    db = tmp_path / "open.duckdb"
    reports = ROOT / "sample_reports" / "evaluation"
    load_paths([str(reports / "lost-items.limited.json")], db)
    page = opened(db)
    assert "lost-items.resumed.json" not in text(page)

    loaded = load_paths([str(reports / "lost-items.resumed.json")], db)
    page.run()

    assert len(loaded.loaded) == 1
    assert "lost-items.resumed.json" in text(page)
