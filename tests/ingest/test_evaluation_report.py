"""Every member of an evaluation report has its column: no two values of the report are equal."""

import json
from pathlib import Path
from typing import Any, Final

import pytest

from ingest.naming import run_id
from ingest.records import key
from tests.ingest.stores import ingest, row, rows, write

CHECK: Final = {
    "id": "k1",
    "label": "definition label",
    "kind": "check",
    "path": ["facts", 3],
    "operator": "gte",
    "value": {"v": [1.0]},
}
CUSTOM: Final = {"id": "k2", "kind": "custom", "evaluator": "ev", "parameters": {"p": 1}}
SUITE: Final[dict[str, Any]] = {
    "schemaVersion": 1,
    "id": "suite-id",
    "name": "suite name",
    "metadata": {"m": 1},
    "assertions": [{"id": "k6", "kind": "custom", "evaluator": "ev6", "parameters": {"p": 6}}],
    "scenarios": [
        {
            "id": "item-1",
            "name": "item name",
            "writePolicy": "external",
            "description": "item text",
            "tags": ["t1", "t2"],
            "metadata": {"m": 2},
            "skipReason": "item skip",
            "assertions": [{"id": "k4", "kind": "not", "assertion": CHECK | {"id": "k5"}}],
            "steps": [
                {
                    "id": "s1",
                    "input": {"say": "unused"},
                    "assertions": [{"id": "k3", "kind": "any", "assertions": [CHECK, CUSTOM]}],
                    "variants": [{"id": "v1", "input": {"say": "hi"}}],
                }
            ],
        },
        {"id": "item-2", "name": "never run", "writePolicy": "read_only", "steps": []},
    ],
}
LEAF: Final = {
    "id": "k1",
    "label": "result label",
    "passed": False,
    "actual": {"present": True, "value": {"a": 1.50}},
    "expected": {"v": [1.0]},
}
EVIDENCE: Final = {
    "id": "k2",
    "passed": False,
    "expected": {"evaluator": "ev", "parameters": {"p": 1}},
    "evidence": {"score": 7},
}
CASE: Final[dict[str, Any]] = {
    "id": "case-id",
    "scenarioId": "item-1",
    "name": "case name",
    "repetition": 4,
    "variants": {"s1": "v1"},
    "threadId": "thread",
    "status": "failed",
    "turns": [
        {
            "stepId": "s1",
            "turnId": "turn-id",
            "input": {"say": "hi"},
            "status": "failed",
            "observation": {"facts": [0, 0, 0, 1.50]},
            "assertions": [{"id": "k3", "passed": False, "children": [LEAF, EVIDENCE]}],
            "durationMs": 321,
            "checkpoint": {"c": 1},
        }
    ],
    "assertions": [
        {"id": "k4", "passed": True, "children": [LEAF | {"id": "k5", "label": "inner"}]},
    ],
    "errorCode": "CODE",
    "skipReason": "case skip",
}
REPORT: Final[dict[str, Any]] = {
    "schemaVersion": 1,
    "runId": "native-run",
    "suite": SUITE,
    "fingerprint": "report-fingerprint",
    "startedAt": "2026-01-02T03:04:05.678Z",
    "status": "completed",
    "finishedAt": "2026-01-02T03:04:06.789Z",
    "resumedFrom": "earlier-run",
    "target": {"id": "target-id", "fingerprint": "target-fingerprint"},
    "cases": [CASE],
    "summary": {"total": 1, "failed": 1},
    "assertions": [
        {
            "id": "k6",
            "passed": False,
            "expected": {"evaluator": "ev6", "parameters": {"p": 6}},
            "evidence": {"cases": 9},
        }
    ],
}


@pytest.fixture(scope="module")
def db(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("report")
    db = folder / "store.duckdb"
    result = ingest(db, write(folder, "report.json", REPORT))
    assert not result.rejected
    return db


@pytest.fixture(scope="module")
def run(db: Path) -> str:
    return run_id(str(row(db, "report")["report"]), "evaluation-report", "0")


def test_the_report_is_described(db: Path) -> None:
    found = row(db, "report")
    assert found.pop("ingested_at") is not None
    assert len(found.pop("report")) == 64
    assert found.pop("bytes") == len(json.dumps(REPORT))
    assert found.pop("path").endswith("/report.json")
    assert found == {
        "format": "evaluation-report",
        "dialect": None,
        "version": 1,
        "extra": None,
    }


def test_the_run_holds_the_envelope(db: Path, run: str) -> None:
    found = row(db, "run")
    assert json.loads(found.pop("definition")) == SUITE
    assert len(found.pop("suite_digest")) == 64
    assert found == {
        "run": run,
        "report": row(db, "report")["report"],
        "position": 0,
        "format": "evaluation-report",
        "dialect": None,
        "version": 1,
        "suite": "suite-id",
        "suite_name": "suite name",
        "subject": "target-id",
        "subject_fingerprint": "target-fingerprint",
        "native_run": "native-run",
        "arm": None,
        "status": "completed",
        "started_at": "2026-01-02T03:04:05.678Z",
        "finished_at": "2026-01-02T03:04:06.789Z",
        "resumed_from": "earlier-run",
        "settled": 1,
        "turns": 1,
        "begun": 1,
        "rejected": 0,
        "fingerprint": "report-fingerprint",
        "config": None,
        "superseded_by": None,
    }


def test_every_scenario_is_an_item_also_one_that_never_ran(db: Path, run: str) -> None:
    first, second = rows(db, "item")
    assert len({first.pop("digest"), second.pop("digest")}) == 2
    assert first == {
        "run": run,
        "item": "item-1",
        "position": 0,
        "name": "item name",
        "description": "item text",
        "tags": ["t1", "t2"],
        "write_policy": "external",
        "skip_reason": "item skip",
        "steps": ["s1"],
        "metadata": '{"m":2}',
    }
    assert second == {
        "run": run,
        "item": "item-2",
        "position": 1,
        "name": "never run",
        "description": None,
        "tags": [],
        "write_policy": "read_only",
        "skip_reason": None,
        "steps": [],
        "metadata": None,
    }


def test_the_trial_holds_the_case(db: Path, run: str) -> None:
    found = row(db, "trial")
    assert {column: value for column, value in found.items() if value is not None} == {
        "run": run,
        "trial": key(run, 0),
        "item": "item-1",
        "variants": '{"s1":"v1"}',
        "repetition": 4,
        "native_id": "case-id",
        "thread": "thread",
        "outcome": "failed",
        "graded": True,
        "native_status": "failed",
        "error_code": "CODE",
        "error_scope": "trial",
        "reason": "case skip",
        "unfinished": False,
        "duration_ms": 321,
        "turns": 1,
        "place": "cases[0]",
    }


def test_the_turn_keeps_its_payloads_as_written(db: Path, run: str) -> None:
    assert row(db, "turn") == {
        "run": run,
        "trial": key(run, 0),
        "turn": 0,
        "step": "s1",
        "native_id": "turn-id",
        "status": "failed",
        "error_code": None,
        "duration_ms": 321,
        "observed": True,
        "input": '{"say": "hi"}',
        "observation": '{"facts": [0, 0, 0, 1.5]}',
        "checkpoint": '{"c": 1}',
        "bytes": len('{"say": "hi"}{"facts": [0, 0, 0, 1.5]}{"c": 1}'),
    }


def test_each_demand_has_its_definition(db: Path, run: str) -> None:
    told = ("definition", "position", "leaf", "scope", "item", "step", "criterion", "path")
    found = {row["path"]: row for row in rows(db, "definition")}
    assert {tuple(each[column] for column in told) for each in found.values()} == {
        (key(run, 0), 0, True, "run", None, None, "k6", "k6"),
        (key(run, 1), 0, False, "trial", "item-1", None, "k4", "k4"),
        (key(run, 1), 1, True, "trial", "item-1", None, "k4", "k4/k5"),
        (key(run, 2), 0, False, "turn", "item-1", "s1", "k3", "k3"),
        (key(run, 2), 1, True, "turn", "item-1", "s1", "k3", "k3/k1"),
        (key(run, 2), 2, True, "turn", "item-1", "s1", "k3", "k3/k2"),
    }
    held = ("label", "kind", "operator", "target", "evaluator", "value")
    assert {path: tuple(each[column] for column in held) for path, each in found.items()} == {
        "k6": (None, "custom", None, None, "ev6", '{"p":6}'),
        "k4": (None, "not", None, None, None, None),
        "k4/k5": ("definition label", "check", "gte", '["facts",3]', None, '{"v":[1.0]}'),
        "k3": (None, "any", None, None, None, None),
        "k3/k1": ("definition label", "check", "gte", '["facts",3]', None, '{"v":[1.0]}'),
        "k3/k2": (None, "custom", None, None, "ev", '{"p":1}'),
    }
    unused = {"expectation", "fault", "code"}
    assert all(each[column] is None for each in found.values() for column in unused)


LEAF_COLUMNS: Final = {
    "label": "result label",
    "kind": "check",
    "operator": "gte",
    "target": '["facts",3]',
    "actual_present": True,
    "actual": '{"a": 1.5}',
    "expected": '{"v": [1.0]}',
}


@pytest.mark.parametrize(
    ("path", "wanted"),
    [
        ("k3", {"definition": 2, "position": 0, "kind": "any"}),
        (
            "k3/k1",
            {"definition": 2, "position": 1, "parent": 0, "decisive": True, **LEAF_COLUMNS},
        ),
        (
            "k3/k2",
            {
                "definition": 2,
                "position": 2,
                "parent": 0,
                "decisive": True,
                "kind": "custom",
                "evaluator": "ev",
                "expected": '{"evaluator": "ev", "parameters": {"p": 1}}',
                "evidence": '{"score": 7}',
            },
        ),
        ("k4", {"definition": 1, "position": 3, "kind": "not", "passed": True}),
        (
            "k4/k5",
            {"definition": 1, "position": 4, "parent": 3, "negated": True, **LEAF_COLUMNS}
            | {"label": "inner"},
        ),
    ],
)
def test_each_result_is_joined_with_its_definition(
    db: Path, run: str, path: str, wanted: dict[str, Any]
) -> None:
    turn = path.startswith("k3")
    plain = {
        "run": run,
        "trial": key(run, 0),
        "scope": "turn" if turn else "trial",
        "criterion": path[:2],
        "path": path,
        "id": path[-2:],
        "passed": False,
        "errored": False,
        "decisive": False,
        "negated": False,
        "graded": True,
        "unfinished": False,
    } | ({"turn": 0} if turn else {})
    found = row(db, "check", path=path)
    number = key(run, wanted["definition"])
    assert {column: value for column, value in found.items() if value is not None} == (
        plain | wanted | {"definition": number}
    )


def test_criteria_of_the_suite_belong_to_no_trial(db: Path, run: str) -> None:
    found = row(db, "check", scope="run")
    assert {column: value for column, value in found.items() if value is not None} == {
        "run": run,
        "definition": key(run, 0),
        "position": 0,
        "scope": "run",
        "criterion": "k6",
        "path": "k6",
        "id": "k6",
        "kind": "custom",
        "evaluator": "ev6",
        "passed": False,
        "errored": False,
        "decisive": True,
        "negated": False,
        "graded": False,
        "unfinished": False,
        "expected": '{"evaluator": "ev6", "parameters": {"p": 6}}',
        "evidence": '{"cases": 9}',
    }


def test_lengths_count_characters_and_not_bytes(tmp_path: Path) -> None:
    turn = CASE["turns"][0] | {"input": {"say": "hé €"}, "checkpoint": None}
    text = json.dumps(REPORT | {"cases": [CASE | {"turns": [turn]}]}, ensure_ascii=False)
    path = tmp_path / "report.json"
    path.write_text(text, "utf-8")
    ingest(tmp_path / "s.duckdb", path)
    stored = row(tmp_path / "s.duckdb", "turn")
    assert stored["input"] == '{"say": "hé €"}'
    assert stored["bytes"] == sum(
        len(stored[name]) for name in ("input", "observation", "checkpoint") if stored[name]
    )


@pytest.mark.parametrize(
    ("was", "broken", "rule"),
    [
        (b'"id":"k2","passed":false', b'"id":"k2","passed":true,"passed":false', "repeated-member"),
        (b'"score":7', b'"score":"\xff"', "encoding"),
    ],
)
def test_what_repeats_below_criteria_is_refused_each_time(
    tmp_path: Path, was: bytes, broken: bytes, rule: str
) -> None:
    cases = [CASE | {"id": f"{n}", "repetition": n} for n in range(4)]
    text = json.dumps(REPORT | {"cases": cases}, separators=(",", ":")).encode()
    head, first, *rest = text.split(was)
    path = tmp_path / "report.json"
    path.write_bytes(head + broken + first + was + rest[0] + broken + was.join(rest[1:]))
    refused = ingest(tmp_path / "s.duckdb", path).rejected
    assert [(each.rule, each.place.split(".")[0]) for each in refused] == [
        (rule, "cases[0]"),
        (rule, "cases[2]"),
    ]
    assert [each["repetition"] for each in rows(tmp_path / "s.duckdb", "trial")] == [1, 3]
