"""Small reports, written by hand, for what no sample report shows."""

import json
from pathlib import Path
from typing import Any

Row = dict[str, Any]


def check(name: str, *, status: str = "passed", **members: object) -> Row:
    return {"name": name, "status": status, "reason": "as it should be"} | members


def row(name: str = "scenario", **members: object) -> Row:
    """A trial row that passed."""
    return {
        "report_version": 1,
        "name": name,
        "tool": "tool",
        "status": "passed",
        "model": "model",
        "repetition": 0,
        "checks": [check("ready")],
        "bounds": {"max_turns": 10, "timeout_secs": 90, "token_budget": 16000},
    } | members


def failing(name: str = "scenario", *, check_members: Row | None = None, **members: object) -> Row:
    """A trial row whose one check blames the agent."""
    blamed = check(
        "ready",
        status="failed",
        fault="agent",
        code="ERR_STATE_MACHINE_VIOLATION",
        reason="closed the door first",
    )
    return row(name, status="failed", checks=[blamed | (check_members or {})]) | members


def write(path: Path, *rows: Row) -> Path:
    """Write rows as JSON lines."""
    path.write_text("".join(f"{json.dumps(each)}\n" for each in rows), "utf-8")
    return path


def sample_report(**members: object) -> Row:
    """A sample report of one item with one sample that passed."""
    sample = {"sample": 1, "failures": [], "signature": "did it", "judge": []}
    return {
        "suite": "loans",
        "generated_at": "2026-11-02T09:30:00.000000000Z",
        "config": {
            "execution": {
                "samples_per_item": 1,
                "stop_after_failures": None,
                "sample_concurrency": 1,
                "max_observed_events": None,
                "record_answers": False,
            },
            "judging": {"votes_per_sample": 1, "judge_every_sample": False},
            "selection": {"include_tags": [], "exclude_tags": [], "items": []},
        },
        "items": [{"id": "renew", "name": "Renew a loan", "samples": [sample]}],
    } | members
