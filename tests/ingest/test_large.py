"""Large files: read once, given back piece by piece, and stored like small ones."""

import io
from pathlib import Path
from typing import Any, Final

import msgspec
import pytest

from ingest.cut import RAW_OBJECT
from ingest.files import Unreadable, read
from ingest.large import file_buffer, give_back, is_lines, offset, without
from ingest.store import TableName
from tests.ingest.stores import ingest, rows, write
from tests.ingest.test_evaluation_report import CASE, REPORT

TABLES: Final[tuple[TableName, ...]] = (
    "run",
    "item",
    "definition",
    "trial",
    "turn",
    "check",
    "flag",
)


def stored(db: Path) -> dict[str, list[Any]]:
    return {table: sorted(map(str, rows(db, table))) for table in TABLES}


@pytest.mark.parametrize("indent", [None, 2])
def test_a_large_report_is_stored_like_a_small_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, indent: int | None
) -> None:
    cases = [CASE | {"id": f"{n}", "repetition": n} for n in range(60)]
    report = REPORT | {"cases": cases, "summary": {"total": 60, "failed": 60}, "later": [1]}
    text = msgspec.json.encode(report)
    path = write(tmp_path, "report.json", text if indent is None else msgspec.json.format(text))
    ingest(tmp_path / "small.duckdb", path)
    monkeypatch.setattr("ingest.files.LARGE", 4096)
    monkeypatch.setattr("ingest.batch.SPILL_ROWS", 25)
    monkeypatch.setattr("ingest.formats.evaluation_report.GIVE_BACK", 8192)
    assert read(str(path)).view is not None
    ingest(tmp_path / "large.duckdb", path)
    assert stored(tmp_path / "large.duckdb") == stored(tmp_path / "small.duckdb")
    assert len(rows(tmp_path / "large.duckdb", "trial")) == 60


def test_a_file_that_changes_under_our_hands_is_read_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write(tmp_path, "report.json", b'{"a": "' + b"x" * 10_000 + b'"}')
    monkeypatch.setattr("ingest.files.LARGE", 4096)
    monkeypatch.setattr("ingest.files.file_buffer", lambda *_: (4097, memoryview(b"x" * 5000)))
    with pytest.raises(Unreadable, match="changed while it was read"):
        read(str(path))


def test_what_was_announced_is_not_exceeded(tmp_path: Path) -> None:
    path = write(tmp_path, "file", b"0123456789" * 10)
    seen = io.BytesIO()
    with path.open("rb") as file:
        size, view = file_buffer(file, file.read(30), seen.write)
    assert size == len(view) == 100
    assert seen.getvalue() == bytes(view) == b"0123456789" * 10


def test_only_whole_pages_between_two_places_are_given_back(tmp_path: Path) -> None:
    path = write(tmp_path, "file", b"x" * 50_000)
    with path.open("rb") as file:
        _, view = file_buffer(file, file.read(10), len)
    give_back(view[3:], 100, 40_000)
    kept = bytes(view)
    assert kept[:103] == b"x" * 103
    assert kept[40_003:] == b"x" * (50_000 - 40_003)
    assert b"\0" in kept
    give_back(b"plain bytes stay", 0, 16)


def test_values_are_replaced_where_they_stand() -> None:
    data = memoryview(b' {"a": [1, 2], "b": [1, 2], "c": [1, 2]} ')
    members = RAW_OBJECT.decode(data)
    assert offset(members["b"], data) == 20
    shorter = without(data, [members["c"], members["a"]], b"[]")
    assert shorter == b' {"a": [], "b": [1, 2], "c": []} '


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        (b'{"a": 1}\n{"a": 2}', True),
        (b'\xef\xbb\xbf {"a": 1}\r\n{"a"', True),
        (b'{"a": 1}\n \n', False),
        (b'{"a":\n1}', False),
        (b"[1]\n[2]", False),
    ],
)
def test_lines_are_told_from_one_value(text: bytes, *, lines: bool) -> None:
    assert is_lines(text) is lines
