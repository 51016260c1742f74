"""Every member of a trial row has its column, in each dialect: no two values are equal."""

import json
from pathlib import Path
from typing import Any, Final

import pytest

from ingest.naming import run_id
from ingest.records import key
from tests.ingest.stores import filled, ingest, row, rows, write

CONTRACT: Final[dict[str, Any]] = {
    "report_version": 1,
    "name": "scenario",
    "tool": "tool",
    "status": "failed",
    "checks": [
        {"name": "c1", "status": "passed"},
        {
            "name": "c2",
            "status": "failed",
            "fault": "agent",
            "code": "ERR_DOC_DRIFT_BLINDNESS",
            "reason": "r2",
        },
        {"name": "c3", "status": "failed", "fault": "tool", "reason": "r3"},
    ],
    "bounds": {"max_turns": 5, "timeout_secs": 60, "token_budget": 7000},
    "model": "vendor/model:free",
    "repetition": 6,
    "bound_reached": "max_turns",
    "retry_delay_secs": 2.5,
    "notes": "a note",
    "fixture_root": "a root",
}
LIVE: Final[dict[str, Any]] = {
    "kind": "trial",
    "report_version": 1,
    "scenario": "scenario",
    "tool": "tool",
    "status": "failed",
    "replay": [
        {"command": "do it", "stdout": "out", "stderr": "err", "exit_code": 3, "executed": True},
        "a bare word",
    ],
    "checks": [
        {"name": "c1", "passed": True},
        {"name": "c2", "passed": False, "code": "ERR_ENVELOPE_HINT_BLINDNESS", "reason": "r2"},
        {"name": "c3", "passed": False, "reason": "r3"},
    ],
    "bounds": {"turn_cap": 5, "command_timeout_ms": 6000, "token_budget_chars": 7000},
    "reached_bound": "turn_cap",
    "rate_limit_delay_ms": 2750,
    "model": "vendor/model",
    "repetition": 8,
    "arm": "ablated",
    "sandbox": {"home": True},
    "token_estimate": 412,
}
REPLAY: Final[dict[str, Any]] = {
    "name": "scenario",
    "passed": False,
    "failures": [
        {"check": "c1", "taxonomy_code": None, "reason": "r1"},
        {"check": "c2", "taxonomy_code": "ERR_ENVELOPE_HINT_BLINDNESS", "reason": "r2"},
    ],
    "model": "vendor/model",
}


def load(folder: Path, *documents: dict[str, Any]) -> Path:
    db = folder / "store.duckdb"
    result = ingest(db, write(folder, "rows.jsonl", documents))
    assert not result.rejected
    return db


def run_of(db: Path, *identity: str | None) -> str:
    return run_id(str(row(db, "report")["report"]), "trial-row", *identity)


CHECK: Final = {
    "scope": "trial",
    "kind": "check",
    "errored": False,
    "negated": False,
    "graded": True,
    "unfinished": True,
}


def check(run: str, position: int, **more: Any) -> dict[str, Any]:
    name = f"c{position + 1}" if "id" not in more else more["id"]
    return (
        CHECK
        | {
            "run": run,
            "trial": key(run, 0),
            "definition": key(run, position),
            "position": position,
            "criterion": name,
            "path": name,
            "id": name,
            "passed": "reason" not in more,
            "decisive": "reason" in more,
        }
        | more
    )


def test_a_contract_row(tmp_path: Path) -> None:
    db = load(tmp_path, CONTRACT)
    run = run_of(db, "contract", "1", "tool", "vendor/model:free", None)
    assert filled(row(db, "run")) == {
        "run": run,
        "report": row(db, "report")["report"],
        "position": 0,
        "format": "trial-row",
        "dialect": "contract",
        "version": 1,
        "suite": "tool",
        "subject": "vendor/model:free",
        "settled": 1,
        "turns": 0,
        "begun": 1,
        "rejected": 0,
        "config": '[{"max_turns":5,"timeout_secs":60,"token_budget":7000}]',
    }
    assert filled(row(db, "trial")) == {
        "run": run,
        "trial": key(run, 0),
        "item": "scenario",
        "variants": "{}",
        "repetition": 6,
        "outcome": "failed",
        "graded": True,
        "native_status": "failed",
        "bound_reached": "max_turns",
        "unfinished": True,
        "retry_delay_ms": 2500,
        "turns": 0,
        "bounds": '{"max_turns":5,"timeout_secs":60,"token_budget":7000}',
        "place": "",
        "raw": json.dumps(CONTRACT),
    }
    assert [filled(found) for found in sorted(rows(db, "check"), key=lambda r: r["position"])] == [
        check(run, 0),
        check(run, 1, fault="agent", code="ERR_DOC_DRIFT_BLINDNESS", reason="r2"),
        check(run, 2, fault="tool", reason="r3"),
    ]
    assert filled(row(db, "item")) == {
        "run": run,
        "item": "scenario",
        "position": 0,
        "tags": [],
        "steps": [],
    }
    assert filled(row(db, "definition", criterion="c2")) == {
        "run": run,
        "definition": key(run, 1),
        "position": 0,
        "leaf": True,
        "scope": "trial",
        "item": "scenario",
        "criterion": "c2",
        "path": "c2",
        "kind": "check",
        "fault": "agent",
        "code": "ERR_DOC_DRIFT_BLINDNESS",
    }
    assert not rows(db, "flag")


def test_a_live_runner_row(tmp_path: Path) -> None:
    db = load(tmp_path, LIVE)
    run = run_of(db, "live-runner", "1", "tool", "vendor/model", "ablated")
    assert filled(row(db, "run")) == {
        "run": run,
        "report": row(db, "report")["report"],
        "position": 0,
        "format": "trial-row",
        "dialect": "live-runner",
        "version": 1,
        "suite": "tool",
        "subject": "vendor/model",
        "arm": "ablated",
        "settled": 1,
        "turns": 2,
        "begun": 1,
        "rejected": 0,
        "config": '[{"max_turns":5,"command_timeout_ms":6000,"token_budget":7000}]',
    }
    assert filled(row(db, "trial")) == {
        "run": run,
        "trial": key(run, 0),
        "item": "scenario",
        "variants": "{}",
        "repetition": 8,
        "outcome": "failed",
        "graded": True,
        "native_status": "failed",
        "bound_reached": "max_turns",
        "unfinished": True,
        "retry_delay_ms": 2750,
        "turns": 2,
        "bounds": '{"max_turns":5,"command_timeout_ms":6000,"token_budget":7000}',
        "place": "",
        "raw": json.dumps(LIVE),
    }
    assert [filled(found) for found in sorted(rows(db, "check"), key=lambda r: r["position"])] == [
        check(run, 0),
        check(run, 1, fault="agent", code="ERR_ENVELOPE_HINT_BLINDNESS", reason="r2"),
        check(run, 2, fault="tool", reason="r3"),
    ]
    entry = json.dumps(LIVE["replay"][0])
    plain = {"run": run, "trial": key(run, 0), "observed": True}
    assert [filled(found) for found in sorted(rows(db, "turn"), key=lambda r: r["turn"])] == [
        plain | {"turn": 0, "bytes": len(entry), "input": '"do it"', "observation": entry},
        plain | {"turn": 1, "bytes": 13, "observation": '"a bare word"'},
    ]


def test_a_replay_report_row(tmp_path: Path) -> None:
    db = load(tmp_path, REPLAY)
    run = run_of(db, "replay-report", None, None, "vendor/model", None)
    assert filled(row(db, "run")) == {
        "run": run,
        "report": row(db, "report")["report"],
        "position": 0,
        "format": "trial-row",
        "dialect": "replay-report",
        "subject": "vendor/model",
        "settled": 1,
        "turns": 0,
        "begun": 1,
        "rejected": 0,
    }
    plain = {"unfinished": False}
    assert [filled(found) for found in sorted(rows(db, "check"), key=lambda r: r["position"])] == [
        check(run, 0, fault="tool", reason="r1", **plain),
        check(run, 1, fault="agent", code="ERR_ENVELOPE_HINT_BLINDNESS", reason="r2", **plain),
    ]


def test_dialects_of_one_file_are_labelled_and_never_merged(tmp_path: Path) -> None:
    db = load(tmp_path, CONTRACT, LIVE, REPLAY)
    assert row(db, "report")["dialect"] == "contract + live-runner + replay-report"
    assert sorted(found["dialect"] for found in rows(db, "run")) == [
        "contract",
        "live-runner",
        "replay-report",
    ]


def test_an_absent_cell_is_a_trial_of_the_tool_of_its_scenario(tmp_path: Path) -> None:
    absent = {"kind": "absent", "scenario": "scenario", "model": "vendor/model", "repetition": 9}
    db = load(tmp_path, absent, LIVE | {"arm": None})
    found = row(db, "trial", repetition=9)
    assert (found["outcome"], found["graded"], found["native_status"]) == (
        "absent",
        False,
        "absent",
    )
    assert [run["suite"] for run in rows(db, "run")] == ["tool"]


INVALID: Final = {
    "report_version": 1,
    "name": "scenario",
    "tool": "tool",
    "status": "invalid_output",
    "checks": [],
    "bounds": {"max_turns": 5, "timeout_secs": 60, "token_budget": 7000},
    "model": "m",
    "repetition": 0,
}
ACTION: Final = "ERR_ACTION_FORMAT_VIOLATION"
CARRIED: Final = {"name": "form", "status": "failed", "fault": "agent", "code": ACTION}


@pytest.mark.parametrize(
    ("document", "ids"),
    [
        pytest.param(INVALID, ["invalid_output"], id="implied by the status"),
        pytest.param(INVALID | {"checks": [CARRIED]}, ["form"], id="carried by a check"),
        pytest.param(
            {key: LIVE[key] for key in ("report_version", "scenario", "tool", "model", "bounds")}
            | {"status": "invalid_output", "checks": [], "fault_code": ACTION},
            ["invalid_output"],
            id="written at the row",
        ),
    ],
)
def test_an_invalid_output_is_exactly_one_fault_of_the_agent(
    tmp_path: Path, document: dict[str, Any], ids: list[str]
) -> None:
    db = load(tmp_path, document)
    found = rows(db, "check", code=ACTION)
    assert [each["id"] for each in found] == ids
    assert {each["fault"] for each in found} == {"agent"}
    trial = row(db, "trial")
    assert (trial["outcome"], trial["graded"], trial["unfinished"]) == ("failed", True, True)
    assert trial["reason"] == "invalid_output"
