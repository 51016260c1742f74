"""One case, sample or row that is no JSON: it alone is refused, and its neighbours are kept."""

import json
from pathlib import Path
from typing import Any, Final

import pytest

from ingest.salvage import salvage
from tests.ingest.stores import ingest, row, rows, write
from tests.ingest.test_evaluation_report import CASE, REPORT
from tests.ingest.test_trial_row import CONTRACT

HOLE: Final = "a hole"


def report(**members: Any) -> bytes:
    """Return a report of three cases, the second one with these members."""
    cases = [CASE | {"id": f"case-{n}", "repetition": n} for n in range(3)]
    cases[1] |= members
    return json.dumps(REPORT | {"cases": cases}, indent=1).encode()


def broken(text: bytes) -> bytes:
    return report(name=HOLE).replace(b'"a hole"', text)


@pytest.mark.parametrize(
    ("text", "rule", "place"),
    [
        (b"NaN", "not-a-number", "cases[1].name"),
        (b'"x", "variants": {"a": [1, {"b": -Infinity}]}', "not-a-number", "cases[1].variants"),
        (b"undefined", "invalid-json", "cases[1].name"),
        (b"None", "invalid-json", "cases[1].name"),
        (b"'x'", "invalid-json", "cases[1].name"),
        (b'"a\x00b"', "invalid-json", "cases[1].name"),
        (b'"a\\xb"', "invalid-json", "cases[1].name"),
        (b'"x",', "invalid-json", "cases[1]"),
        (b"0123", "invalid-json", "cases[1].name"),
        (b"[" * 100_000 + b"]" * 100_000, "too-deep", "cases[1]"),
    ],
)
def test_one_broken_case_is_refused_alone(
    tmp_path: Path, text: bytes, rule: str, place: str
) -> None:
    db = tmp_path / "store.duckdb"
    result = ingest(db, write(tmp_path, "a.json", broken(text)))
    (refused,) = result.rejected
    assert (refused.rule, refused.place.startswith(place)) == (rule, True), refused
    assert "the rest of the file was loaded" in refused.remedy
    assert refused.excerpt.startswith("{")
    assert {each["repetition"] for each in rows(db, "trial")} == {0, 2}
    assert row(db, "run")["rejected"] == 1
    assert row(db, "rejection")["place"] == refused.place


@pytest.mark.parametrize(
    "text",
    [
        b'"a 5" disk"',
        b'"a 5"", "x": "',
        b'"a 5',
        b'a 5"',
        b'"x", "y": {',
        b'"x", "y": [',
        b'"x"}',
        b'"x"} {"y": 1',
        b'"x", {"y": 1}',
    ],
)
def test_a_case_without_a_certain_end_refuses_the_report(tmp_path: Path, text: bytes) -> None:
    db = tmp_path / "store.duckdb"
    result = ingest(db, write(tmp_path, "a.json", broken(text)))
    (refused,) = result.rejected
    assert refused.rule in ("invalid-json", "truncated")
    assert rows(db, "trial") == []


def test_several_broken_cases_are_refused_each_with_its_path(tmp_path: Path) -> None:
    data = report().replace(b'"repetition": 0', b'"repetition": NaN')
    data = data.replace(b'"repetition": 2', b'"repetition": Infinity')
    result = ingest(tmp_path / "store.duckdb", write(tmp_path, "a.json", data))
    assert [each.place for each in result.rejected] == [
        "cases[0].repetition",
        "cases[2].repetition",
    ]


def test_what_is_broken_outside_of_the_cases_refuses_the_report(tmp_path: Path) -> None:
    data = report().replace(b'"runId": "', b'"extra": NaN, "runId": "')
    (refused,) = ingest(tmp_path / "store.duckdb", write(tmp_path, "a.json", data)).rejected
    assert (refused.rule, refused.place) == ("not-a-number", "")
    assert refused.message.startswith("extra: NaN")


SAMPLES: Final = {
    "suite": "s",
    "items": [
        {"id": name, "tags": [f"tag {name}"], "samples": [{"sample": n} for n in (1, 2)]}
        for name in ("a", "b", "c")
    ],
}


def test_one_broken_sample_is_refused_alone(tmp_path: Path) -> None:
    data = json.dumps(SAMPLES).encode().replace(b'{"sample": 2}', b'{"sample": NaN}', 2)
    data = data.replace(b'{"sample": NaN}', b'{"sample": 2}', 1)
    db = tmp_path / "store.duckdb"
    (refused,) = ingest(db, write(tmp_path, "a.json", data)).rejected
    assert (refused.rule, refused.place) == ("not-a-number", "items[1].samples[1].sample")
    assert len(rows(db, "trial")) == 5


def test_an_item_that_is_broken_itself_is_refused_with_its_samples(tmp_path: Path) -> None:
    data = json.dumps(SAMPLES).encode().replace(b'"tag b"', b"tag", 1)
    data = data.replace(b'{"sample": 1}', b'{"sample": NaN}')
    db = tmp_path / "store.duckdb"
    refused = ingest(db, write(tmp_path, "a.json", data)).rejected
    assert [each.place for each in refused] == [
        "items[0].samples[0].sample",
        "items[1].tags[0]",
        "items[2].samples[0].sample",
    ]
    assert len(rows(db, "trial")) == 2


def test_one_broken_row_of_an_array_is_refused_alone(tmp_path: Path) -> None:
    many = json.dumps([CONTRACT | {"repetition": n} for n in range(3)]).encode()
    data = many.replace(b'"repetition": 1', b'"repetition": NaN')
    db = tmp_path / "store.duckdb"
    (refused,) = ingest(db, write(tmp_path, "a.json", data)).rejected
    assert (refused.rule, refused.place) == ("not-a-number", "[1].repetition")
    assert len(rows(db, "trial")) == 2


def test_half_characters_beside_a_broken_case_are_replaced(tmp_path: Path) -> None:
    data = broken(b"NaN").replace(b"facts", b"\\ud83d")
    db = tmp_path / "store.duckdb"
    (refused,) = ingest(db, write(tmp_path, "a.json", data)).rejected
    assert refused.rule == "not-a-number"
    assert len(rows(db, "trial")) == 2
    assert "lone-surrogate" in {each["rule"] for each in rows(db, "flag")}


def test_text_that_is_json_has_nothing_to_salvage() -> None:
    assert salvage(report()) is None
