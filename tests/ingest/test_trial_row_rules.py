"""Every rule of the trial-row contract: what it refuses, what it keeps with a flag."""

from pathlib import Path
from typing import Any, Final

import pytest

from tests.ingest.stores import ingest, row, rows, write

PASSED: Final[dict[str, Any]] = {"name": "c1", "status": "passed"}
AGENT: Final[dict[str, Any]] = {
    "name": "c2",
    "status": "failed",
    "fault": "agent",
    "code": "ERR_DOC_DRIFT_BLINDNESS",
}
TOOL: Final[dict[str, Any]] = {"name": "c3", "status": "failed", "fault": "tool"}
BOUNDS: Final = {"max_turns": 5, "timeout_secs": 60, "token_budget": 7000}
ROW: Final[dict[str, Any]] = {
    "report_version": 1,
    "name": "scenario",
    "tool": "tool",
    "status": "failed",
    "checks": [PASSED, AGENT, TOOL],
    "bounds": BOUNDS,
    "model": "m",
    "repetition": 0,
}
OTHER: Final = ROW | {"repetition": 99}
GONE: Final = object()
ACTION: Final = "ERR_ACTION_FORMAT_VIOLATION"
HALLUCINATION: Final = "ERR_TOOL_EXECUTION_HALLUCINATION"


def changed(**members: Any) -> dict[str, Any]:
    return {name: value for name, value in (ROW | members).items() if value is not GONE}


def without(check: dict[str, Any], name: str) -> dict[str, Any]:
    return {member: value for member, value in check.items() if member != name}


REFUSED: Final = [
    *(("B1", changed(**{name: GONE})) for name in ("name", "tool", "status", "checks", "bounds")),
    ("B1", changed(report_version=GONE)),
    ("B1", changed(report_version="1")),
    ("B1", changed(report_version=1.5)),
    ("B1", changed(report_version=True)),
    ("B1", changed(name=7)),
    ("B1", changed(checks={})),
    ("B1", changed(checks=["c1"])),
    ("B1", changed(bounds=[])),
    ("B1", changed(bounds="none")),
    ("B1", changed(model=1)),
    ("B1", changed(checks=[PASSED | {"status": "skipped"}])),
    ("B1", changed(checks=[without(PASSED, "name")])),
    ("B1", changed(retry_delay_secs="2")),
    ("B2", changed(bounds=None)),
    ("B2", changed(model=None)),
    ("B2", changed(notes=None)),
    ("B2", changed(something_new=None)),
    ("B2", changed(bounds=BOUNDS | {"max_turns": None})),
    ("B2", changed(bounds=BOUNDS | {"inner": [{"x": None}]})),
    ("B2", changed(checks=[PASSED | {"code": None}])),
    ("B2", changed(checks=[PASSED | {"reason": None}])),
    ("B4", changed(checks=[without(TOOL, "fault")])),
    ("B4", changed(checks=[TOOL | {"fault": "user"}])),
    ("B4", changed(status="passed", checks=[PASSED | {"fault": "tool"}])),
    ("B5", changed(checks=[without(AGENT, "code")])),
    ("B5", changed(checks=[TOOL | {"code": "ERR_DOC_DRIFT_BLINDNESS"}])),
    ("B5", changed(status="passed", checks=[PASSED | {"code": "ERR_DOC_DRIFT_BLINDNESS"}])),
    ("B7", changed(status="passed")),
    ("B7", changed(status="passed", checks=[PASSED], bound_reached="max_turns")),
    ("B9", changed(status="invalid_output", checks=[PASSED], bound_reached="max_turns")),
    ("B10", changed(status="rate_limited", retry_delay_secs=3)),
    ("B12", changed(repetition=-1)),
    ("B12", changed(repetition=1.0)),
    ("B12", changed(repetition="1")),
    ("B12", changed(repetition=2**63)),
    ("duplicate-key", OTHER),
]
KEPT: Final = [
    ("B3", changed(status="tired"), "unknown"),
    ("B6", changed(checks=[AGENT | {"code": "ERR_BRAND_NEW"}]), "failed"),
    ("B6", changed(checks=[AGENT | {"code": "whatever"}]), "failed"),
    ("B8", changed(checks=[PASSED]), "failed"),
    ("B9", changed(bound_reached="patience"), "failed"),
    ("B11", changed(status="rate_limited", checks=[]), "rate_limited"),
    ("B11", changed(status="rate_limited", checks=[], retry_delay_secs=1.9), "rate_limited"),
    ("B11", changed(retry_delay_secs=0.5), "failed"),
    ("B12", changed(model=GONE), "failed"),
    ("B12", changed(repetition=GONE), "failed"),
    ("B13", changed(bounds={"max_turns": 5, "timeout_secs": 6}), "failed"),
    ("B13", changed(bounds={}), "failed"),
    ("B14", changed(checks=[PASSED, PASSED, AGENT, TOOL]), "failed"),
    ("B14", changed(checks=[PASSED, AGENT]), "failed"),
    ("B15", changed(status="passed", checks=[]), "passed"),
    ("B16", changed(checks=[AGENT | {"code": HALLUCINATION}, PASSED, TOOL]), "failed"),
    ("B16", changed(model=GONE, repetition=GONE, checks=[AGENT | {"code": ACTION}]), "failed"),
    ("B18", changed(report_version=2), "failed"),
]
PLAIN: Final = [
    changed(),
    changed(extra={"of": "a newer writer"}),
    changed(status="passed", checks=[PASSED, PASSED | {"name": "c2"}, PASSED | {"name": "c3"}]),
    changed(status="rate_limited", checks=[], retry_delay_secs=2),
    changed(model=GONE, repetition=GONE, bounds={}),
    changed(bound_reached="max_turns", checks=[PASSED, PASSED | {"name": "c2"}, TOOL]),
]


@pytest.mark.parametrize(("rule", "document"), REFUSED)
def test_a_row_is_refused_alone_with_its_line_and_rule(
    tmp_path: Path, rule: str, document: dict[str, Any]
) -> None:
    db = tmp_path / "store.duckdb"
    result = ingest(db, write(tmp_path, "rows.jsonl", [OTHER, document, changed(name="third")]))
    assert [(each.place, each.rule) for each in result.rejected] == [("line 2", rule)]
    assert sorted(trial["place"] for trial in rows(db, "trial")) == ["line 1", "line 3"]
    assert row(db, "run")["rejected"] == 1


@pytest.mark.parametrize(("rule", "document", "outcome"), KEPT)
def test_a_row_is_kept_with_a_flag(
    tmp_path: Path, rule: str, document: dict[str, Any], outcome: str
) -> None:
    db = tmp_path / "store.duckdb"
    result = ingest(db, write(tmp_path, "rows.jsonl", [OTHER, document]))
    assert not result.rejected
    (trial,) = rows(db, "trial", place="line 2")
    assert trial["outcome"] == outcome
    flags = rows(db, "flag", place="line 2")
    assert rule in {flag["rule"] for flag in flags}
    assert {flag["trial"] for flag in flags} == {trial["trial"]}
    assert not rows(db, "flag", place="line 1")


@pytest.mark.parametrize("document", PLAIN)
def test_a_row_that_breaks_no_rule_has_no_flag(tmp_path: Path, document: dict[str, Any]) -> None:
    db = tmp_path / "store.duckdb"
    assert not ingest(
        db, write(tmp_path, "rows.jsonl", [document, document | {"name": "b"}])
    ).rejected
    assert not rows(db, "flag")
    assert len(rows(db, "trial")) == 2


def test_rows_of_another_version_are_a_run_of_their_own(tmp_path: Path) -> None:
    db = tmp_path / "store.duckdb"
    ingest(db, write(tmp_path, "rows.jsonl", [ROW, changed(report_version=2)]))
    assert sorted(run["version"] for run in rows(db, "run")) == [1, 2]


def test_a_duplicate_names_both_places(tmp_path: Path) -> None:
    result = ingest(tmp_path / "s.duckdb", write(tmp_path, "rows.jsonl", [ROW, OTHER, ROW]))
    (refused,) = result.rejected
    assert refused.place == "line 3"
    assert "line 1" in refused.message


def test_rows_of_one_shape_are_judged_alike_whatever_came_before(tmp_path: Path) -> None:
    documents = [changed(repetition=n, bounds={"max_turns": n % 2}) for n in range(6)]
    db = tmp_path / "store.duckdb"
    ingest(db, write(tmp_path, "rows.jsonl", documents))
    assert [
        trial["bounds"] for trial in sorted(rows(db, "trial"), key=lambda t: t["repetition"])
    ] == [f'{{"max_turns":{n % 2}}}' for n in range(6)]
    assert len(rows(db, "flag", rule="B13")) == 6
