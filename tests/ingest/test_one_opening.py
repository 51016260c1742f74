"""A store that is asked for often is opened once, and closed at the end."""

from pathlib import Path
from typing import Any, Final

import pytest

from ingest import store
from ingest.errors import StoreBusy
from ingest.store.connection import connect
from tests.ingest.stores import ingest, write
from tests.ingest.test_evaluation_report import REPORT

CONNECT: Final = "ingest.store.reader.connect"


@pytest.fixture
def db(tmp_path: Path) -> Path:
    path = tmp_path / "store.duckdb"
    ingest(path, write(tmp_path, "one.json", REPORT))
    return path


def test_a_store_is_opened_once_within(db: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    times: list[Path] = []

    def counted(path: Path, wait: float, *, read_only: bool) -> Any:
        times.append(path)
        return connect(path, wait, read_only=read_only)

    monkeypatch.setattr(CONNECT, counted)

    with store.one_opening():
        for _ in range(3):
            with store.open_reader(db) as reader:
                assert reader.frame("run").height == 1
    assert times == [db]
    with store.open_reader(db):
        pass
    assert times == [db, db]


def test_it_is_closed_at_the_end_also_after_a_failure(db: Path) -> None:
    report = REPORT["runId"]
    with pytest.raises(ZeroDivisionError), store.one_opening(), store.open_reader(db):
        raise ZeroDivisionError(report)

    writer = store.Writer(db, wait=0.2)
    assert writer.forget(*writer.known.reports) > 0


def test_a_store_that_cannot_be_had_is_asked_for_again(
    db: Path, monkeypatch: pytest.MonkeyPatch
) -> None:

    def busy(path: Path, *_: object, **__: object) -> None:
        raise StoreBusy(path, "somebody", 0.1)

    with store.one_opening():
        monkeypatch.setattr(CONNECT, busy)
        with pytest.raises(StoreBusy), store.open_reader(db):
            pass
        monkeypatch.setattr(CONNECT, connect)
        with store.open_reader(db) as reader:
            assert reader.frame("run").height == 1
