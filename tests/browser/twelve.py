"""Two evaluation reports of twelve scenarios, one subject losing what the other keeps."""

import hashlib
import json
from pathlib import Path
from typing import Any

SCENARIOS = tuple(f"scenario-{number:02d}" for number in range(12))
REPETITIONS = 3
CRITERION = "booked"

_CHECK = {"id": CRITERION, "kind": "check", "path": ["effects", 0], "operator": "equals"}


def write(path: Path, subject: str, failing: int, run: str = "") -> Path:
    """Write the report of a subject that fails the first so many scenarios, every time."""
    cases = [
        _case(subject, scenario, repetition, passed=place >= failing)
        for place, scenario in enumerate(SCENARIOS)
        for repetition in range(REPETITIONS)
    ]
    path.write_text(
        json.dumps(
            {
                "schemaVersion": 1,
                "runId": f"run{run}-of-{subject}",
                "suite": {
                    "schemaVersion": 1,
                    "id": "desk",
                    "name": "Desk",
                    "scenarios": [_scenario(name) for name in SCENARIOS],
                },
                "fingerprint": "f" * 64,
                "startedAt": "2026-11-02T09:00:00.000Z",
                "finishedAt": "2026-11-02T09:10:00.000Z",
                "status": "completed",
                "target": {"id": subject, "fingerprint": subject},
                "cases": cases,
                "summary": _summary(cases),
                "assertions": [],
            }
        ),
        "utf-8",
    )
    return path


def _scenario(name: str) -> dict[str, Any]:
    step = {"id": "ask", "input": {"text": "Book it."}, "assertions": [_CHECK | {"value": "yes"}]}
    return {"id": name, "name": name, "writePolicy": "read_only", "steps": [step]}


def _case(subject: str, scenario: str, repetition: int, *, passed: bool) -> dict[str, Any]:
    name = hashlib.sha256(f"{subject} {scenario} {repetition}".encode()).hexdigest()
    got = "yes" if passed else "no"
    result = {
        "id": CRITERION,
        "passed": passed,
        "actual": {"present": True, "value": got},
        "expected": "yes",
    }
    turn = {
        "stepId": "ask",
        "turnId": f"turn.{name}",
        "input": {"text": "Book it."},
        "observation": {"response": {"message": f"Booked: {got}."}, "effects": [got]},
        "status": "passed" if passed else "failed",
        "durationMs": 12,
        "assertions": [result],
    }
    return {
        "id": name,
        "name": scenario,
        "scenarioId": scenario,
        "repetition": repetition,
        "variants": {},
        "threadId": f"thread:{name}",
        "status": turn["status"],
        "turns": [turn],
        "assertions": [],
    }


def _summary(cases: list[dict[str, Any]]) -> dict[str, int]:
    names = ("pending", "running", "passed", "failed", "error", "skipped", "blocked", "cancelled")
    counts = {name: sum(case["status"] == name for case in cases) for name in names}
    return {"total": len(cases)} | counts
