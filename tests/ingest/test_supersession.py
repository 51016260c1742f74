"""Snapshots and resumed reports replace each other, in whatever order they are loaded."""

import random
from itertools import permutations
from pathlib import Path
from typing import Any, Final

import pytest

from tests.ingest.stores import DATA, ingest, needs_data, rows, write
from tests.ingest.test_evaluation_report import CASE, REPORT

PENDING: Final = {
    "id": "other",
    "scenarioId": "item-1",
    "repetition": 5,
    "status": "pending",
    "turns": [],
}


def snapshot(status: str, *cases: dict[str, Any], run: str = "r", **more: Any) -> dict[str, Any]:
    finished = {} if status == "running" else {"finishedAt": "2026-01-02T03:04:06Z"}
    left = {name: REPORT[name] for name in REPORT if name not in ("finishedAt", "resumedFrom")}
    counted = {"total": len(cases)}
    for case in cases:
        counted[case["status"]] = counted.get(case["status"], 0) + 1
    changed = {"runId": run, "status": status, "cases": list(cases), "summary": counted}
    return left | changed | finished | more


def current(db: Path) -> list[tuple[str, int]]:
    return [
        (found["native_run"], found["settled"])
        for found in rows(db, "run")
        if found["superseded_by"] is None
    ]


RUNNING: Final = CASE | {"status": "running", "turns": []}
SNAPSHOTS: Final = [
    snapshot("running", CASE | {"status": "pending", "turns": [], "assertions": []}, PENDING),
    snapshot("running", RUNNING, PENDING),
    snapshot("running", CASE, PENDING),
    snapshot("limited", CASE, PENDING),
]


@pytest.mark.parametrize("order", list(permutations(range(4))))
def test_the_finished_snapshot_wins_in_any_order(tmp_path: Path, order: tuple[int, ...]) -> None:
    db = tmp_path / "store.duckdb"
    for place in order:
        ingest(db, write(tmp_path, f"{place}.json", SNAPSHOTS[place]))
    runs = {found["status"]: found for found in rows(db, "run") if found["superseded_by"] is None}
    assert list(runs) == ["limited"]
    winner = runs["limited"]["run"]
    assert [found["superseded_by"] for found in rows(db, "run")].count(winner) == 3


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_the_snapshot_that_got_further_wins(tmp_path: Path, order: tuple[int, ...]) -> None:
    db = tmp_path / "store.duckdb"
    ingest(db, *(write(tmp_path, f"{place}.json", SNAPSHOTS[place]) for place in order))
    assert current(db) == [("r", 1)]


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_each_report_of_a_resumed_chain_replaces_the_one_before(
    tmp_path: Path, order: tuple[int, ...]
) -> None:
    chain = [
        snapshot("cancelled", CASE, PENDING, run="a", startedAt="2026-01-01T00:00:00Z"),
        snapshot(
            "limited", CASE, PENDING, run="b", resumedFrom="a", startedAt="2026-01-02T00:00:00Z"
        ),
        snapshot("completed", CASE, run="c", resumedFrom="b", startedAt="2026-01-03T00:00:00Z"),
    ]
    db = tmp_path / "store.duckdb"
    for place in order:
        ingest(db, write(tmp_path, f"{place}.json", chain[place]))
    assert [run for run, _ in current(db)] == ["c"]
    heirs = {found["native_run"]: found["superseded_by"] for found in rows(db, "run")}
    ids = {found["native_run"]: found["run"] for found in rows(db, "run")}
    assert heirs == {"a": ids["b"], "b": ids["c"], "c": None}


def test_a_report_that_resumes_itself_stays(tmp_path: Path) -> None:
    db = tmp_path / "store.duckdb"
    ingest(db, write(tmp_path, "a.json", snapshot("completed", CASE, resumedFrom="r")))
    assert current(db) == [("r", 1)]


def test_reports_that_resume_each_other_leave_one(tmp_path: Path) -> None:
    db = tmp_path / "store.duckdb"
    pair = (("a", "b", "01"), ("b", "a", "02"))
    for run, other, day in pair:
        at = f"2026-01-{day}T00:00:00Z"
        report = snapshot("completed", CASE, run=run, resumedFrom=other, startedAt=at)
        ingest(db, write(tmp_path, f"{run}.json", report))
    assert len(current(db)) >= 1


@needs_data
@pytest.mark.parametrize("seed", [1, 2])
def test_26_snapshots_are_one_run(tmp_path: Path, seed: int) -> None:
    paths = sorted((DATA / "evaluation_report" / "running-sequence").glob("*.json"))
    assert len(paths) == 26
    random.Random(seed).shuffle(paths)  # noqa: S311
    db = tmp_path / "store.duckdb"
    for path in paths:
        ingest(db, path)
    (found,) = [run for run in rows(db, "run") if run["superseded_by"] is None]
    assert found["status"] == "completed"
