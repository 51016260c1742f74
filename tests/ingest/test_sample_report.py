"""Every member of a sample report has its column: no two values of the report are equal."""

import json
from pathlib import Path
from typing import Any, Final

import pytest

from ingest.naming import run_id
from ingest.records import key
from tests.ingest.stores import filled, ingest, row, rows, write

SAMPLE: Final[dict[str, Any]] = {
    "sample": 3,
    "failures": [
        {"expectation": "commands", "expected": "e1", "actual": "a1", "subject": "s1"},
        {"expectation": "brand_new", "expected": "e2", "actual": "a2"},
    ],
    "signature": "saved 0123456789abcdef01 twice",
    "judge": [
        {
            "criterion": "tone",
            "votes": [
                {"vote": 1, "verdict": {"score": 4, "reason": "kind"}},
                {"vote": 2, "error": "no answer"},
            ],
        },
        {"criterion": "novelty", "votes": []},
    ],
    "provider_failures": 11,
    "cards_created": 12,
    "acts_proposed": 13,
    "acts_refused": 14,
    "commands_journaled": 15,
    "abandoned": True,
    "discarded_answers": ["d1", "d2", "d1"],
    "answer": "the <answer>",
    "tasks": {"segment": True, "route": False, "locate": None, "extract": True},
}
CONFIG: Final = {"execution": {"samples_per_item": 3, "record_answers": True}}
REPORT: Final[dict[str, Any]] = {
    "suite": "suite-name",
    "generated_at": "2026-01-02T03:04:05.678901234Z",
    "config": CONFIG,
    "items": [
        {
            "id": "item.1",
            "name": "item name",
            "tags": ["t1", "t2"],
            "fingerprint": {
                "parts": [
                    {"part": "setup", "digest": "d" * 64, "provenance": "recorded"},
                    {"part": "turn", "digest": "e" * 64},
                ]
            },
            "samples": [SAMPLE, {"sample": 4, "signature": "s4", "harness_error": "no room"}],
        },
        {"id": "item.2", "name": "no samples", "samples": []},
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
    return run_id(str(row(db, "report")["report"]), "sample-report", "0")


def test_the_run_holds_the_envelope(db: Path, run: str) -> None:
    found = filled(row(db, "run"))
    assert json.loads(found.pop("config")) == CONFIG
    assert found == {
        "run": run,
        "report": row(db, "report")["report"],
        "position": 0,
        "format": "sample-report",
        "suite": "suite-name",
        "started_at": "2026-01-02T03:04:05.678901234Z",
        "settled": 2,
        "turns": 1,
        "begun": 2,
        "rejected": 0,
    }


def test_every_item_is_there_also_one_without_samples(db: Path, run: str) -> None:
    plain = {"run": run, "steps": []}
    assert [filled(found) for found in rows(db, "item")] == [
        plain | {"item": "item.1", "position": 0, "name": "item name", "tags": ["t1", "t2"]},
        plain | {"item": "item.2", "position": 1, "name": "no samples", "tags": []},
    ]


def test_fingerprint_parts_are_kept_with_their_provenance(db: Path, run: str) -> None:
    told = ("part", "digest", "provenance")
    assert [tuple(found[column] for column in told) for found in rows(db, "part")] == [
        ("setup", "d" * 64, "recorded"),
        ("turn", "e" * 64, "authored"),
    ]
    assert {(found["run"], found["item"]) for found in rows(db, "part")} == {(run, "item.1")}


def test_the_trial_holds_the_sample(db: Path, run: str) -> None:
    assert filled(row(db, "trial", repetition=2)) == {
        "run": run,
        "trial": key(run, 0),
        "item": "item.1",
        "variants": "{}",
        "repetition": 2,
        "outcome": "failed",
        "graded": True,
        "unfinished": False,
        "turns": 1,
        "signature": "saved 0123456789abcdef01 twice",
        "masked_signature": "saved <id> twice",
        "provider_failures": 11,
        "cards_created": 12,
        "acts_proposed": 13,
        "acts_refused": 14,
        "commands_journaled": 15,
        "abandoned": True,
        "discards": 3,
        "task_segment": True,
        "task_route": False,
        "task_extract": True,
        "place": "items[0].samples[0]",
    }


def test_what_a_sample_omits_is_the_default_and_a_harness_error_is_no_grade(
    db: Path, run: str
) -> None:
    assert filled(row(db, "trial", repetition=3)) == {
        "run": run,
        "trial": key(run, 1),
        "item": "item.1",
        "variants": "{}",
        "repetition": 3,
        "outcome": "error",
        "graded": False,
        "reason": "no room",
        "unfinished": False,
        "turns": 0,
        "signature": "s4",
        "masked_signature": "s4",
        "provider_failures": 0,
        "cards_created": 0,
        "acts_proposed": 0,
        "acts_refused": 0,
        "commands_journaled": 0,
        "abandoned": False,
        "discards": 0,
        "place": "items[0].samples[1]",
    }


@pytest.mark.parametrize(
    ("position", "wanted"),
    [
        (0, {"path": "commands", "label": "s1", "actual": '"a1"', "expected": '"e1"'}),
        (1, {"path": "brand_new", "actual": '"a2"', "expected": '"e2"'}),
    ],
)
def test_a_failure_is_a_check_that_failed(
    db: Path, run: str, position: int, wanted: dict[str, str]
) -> None:
    name = wanted["path"]
    assert filled(row(db, "check", position=position)) == wanted | {
        "run": run,
        "trial": key(run, 0),
        "definition": key(run, position),
        "position": position,
        "scope": "trial",
        "criterion": name,
        "id": name,
        "kind": "expectation",
        "passed": False,
        "errored": False,
        "decisive": True,
        "negated": False,
        "graded": True,
        "unfinished": False,
        "actual_present": True,
    }
    assert filled(row(db, "definition", definition=key(run, position))) == {
        "run": run,
        "definition": key(run, position),
        "position": 0,
        "leaf": True,
        "scope": "trial",
        "item": "item.1",
        "criterion": name,
        "path": name,
        "kind": "expectation",
        "expectation": name,
    }


def test_a_vote_without_a_verdict_and_a_criterion_without_votes_stay_visible(
    db: Path, run: str
) -> None:
    trial = {"run": run, "trial": key(run, 0)}
    tone = trial | {"criterion": "tone", "position": 0}
    assert [filled(found) for found in rows(db, "vote")] == [
        trial | {"criterion": "novelty", "position": 1},
        tone | {"vote": 1, "score": 4, "reason": "kind"},
        tone | {"vote": 2, "error": "no answer"},
    ]


def test_discarded_answers_keep_order_and_repeats(db: Path, run: str) -> None:
    told = ("trial", "position", "code")
    assert [tuple(found[column] for column in told) for found in rows(db, "discard")] == [
        (key(run, 0), 0, "d1"),
        (key(run, 0), 1, "d2"),
        (key(run, 0), 2, "d1"),
    ]


def test_the_recorded_answer_is_the_only_turn(db: Path, run: str) -> None:
    assert filled(row(db, "turn")) == {
        "run": run,
        "trial": key(run, 0),
        "turn": 0,
        "observed": True,
        "bytes": len('"the <answer>"'),
        "observation": '"the <answer>"',
    }
