"""Generates reports of a chosen size: seeded, so that two machines measure the same bytes."""

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import msgspec

MEGABYTE: Final = 1_000_000
_VOCABULARY: Final = """
account agenda agent answer april basket branch budget calendar card catalogue check city
claim client cover customer date delivery desk discount document draft entry event
evidence fact family fare flight form garden guest hotel item journey kettle lamp ledger
letter library loan map market meeting member message night note number offer option order
page parcel party place plan price question reader receipt record refund renewal report
reservation room route sample seat shelf shop signal station step stock store street
summer table ticket title town train traveller value visit voucher week window winter
yellow yes zone
"""
WORDS: Final = tuple(_VOCABULARY.split())
EVENTS: Final = (
    "turn.started",
    "context.built",
    "intention.interpreted",
    "plan.created",
    "capability.invoked",
    "facts.reduced",
    "response.composed",
    "turn.completed",
)
STEPS: Final = 6
MODELS: Final = tuple(f"vendor-{name}/model-{size}" for name in "abcd" for size in (8, 70))
CODES: Final = (
    "ERR_ENVELOPE_HINT_BLINDNESS",
    "ERR_STATE_MACHINE_VIOLATION",
    "ERR_TOOL_DISCOVERY_FAILURE",
    "ERR_DOC_DRIFT_BLINDNESS",
)


def write_evaluation_report(path: Path, size: int, seed: int = 1) -> Path:
    """Write one evaluation report of about ``size`` bytes: multi-turn cases, 4 to 8 KB a turn."""
    chance = random.Random(seed)  # noqa: S311
    scenarios = 40
    head = {
        "schemaVersion": 1,
        "runId": _uuid(chance),
        "suite": _suite(scenarios),
        "fingerprint": _hex(chance, 64),
        "startedAt": "2026-11-02T08:00:00.000Z",
        "status": "completed",
        "finishedAt": "2026-11-02T09:00:00.000Z",
        "target": {"id": f"desk/model-{seed}", "fingerprint": _hex(chance, 32)},
    }
    counted: dict[str, int] = {}
    with path.open("wb") as file:
        file.write(msgspec.json.encode(head)[:-1] + b',"cases":[')
        for number, case in enumerate(_cases(chance, scenarios)):
            counted[case["status"]] = counted.get(case["status"], 0) + 1
            file.write((b"," if number else b"") + msgspec.json.encode(case))
            if file.tell() >= size:
                break
        summary = {"total": sum(counted.values()), **counted}
        tail = {"summary": summary, "assertions": []}
        file.write(b"]," + msgspec.json.encode(tail)[1:])
    return path


def write_trial_rows(path: Path, count: int, seed: int = 1) -> Path:
    """Write trial rows as JSON lines; one in fifty breaks a rule that flags it."""
    with path.open("wb") as file:
        for row in trial_rows(count, seed):
            file.write(msgspec.json.encode(row) + b"\n")
    return path


def trial_rows(count: int, seed: int = 1) -> Iterator[dict[str, Any]]:
    """Yield distinct trial rows of eight models, in the order of their repetitions."""
    chance = random.Random(seed)  # noqa: S311
    scenarios = [f"{chance.choice(WORDS)}-{chance.choice(WORDS)}-{n:03}" for n in range(250)]
    cells = [(scenario, model) for scenario in scenarios for model in MODELS]
    for number in range(count):
        repetition, cell = divmod(number, len(cells))
        scenario, model = cells[cell]
        yield _trial_row(chance, scenario, model, repetition)


def _trial_row(chance: random.Random, scenario: str, model: str, repetition: int) -> dict[str, Any]:
    checks = [_trial_check(chance, place) for place in range(3 + len(scenario) % 4)]
    failed = any(check["status"] == "failed" for check in checks)
    bounds = {"max_turns": 12, "timeout_secs": 300, "token_budget": 50_000}
    if chance.random() < 0.02:
        del bounds["token_budget"]
    return {
        "report_version": 1,
        "name": scenario,
        "tool": "grainmill" if len(scenario) % 2 else "shelfmark",
        "status": "failed" if failed else "passed",
        "checks": checks,
        "bounds": bounds,
        "model": model,
        "repetition": repetition,
    }


def _trial_check(chance: random.Random, place: int) -> dict[str, Any]:
    name = f"{WORDS[place * 7]}-{WORDS[place * 11 + 3]}-holds"
    drawn = chance.random()
    if drawn < 0.9:
        return {"name": name, "status": "passed"}
    blame: dict[str, Any] = {"fault": "agent", "code": chance.choice(CODES)}
    if drawn > 0.97:
        blame = {"fault": "tool"}
    return {"name": name, "status": "failed", **blame, "reason": _text(chance, 60)}


def _suite(scenarios: int) -> dict[str, Any]:
    return {
        "schemaVersion": 1,
        "id": "desk.suite",
        "name": "Desk",
        "scenarios": [
            {
                "id": f"scenario-{number:03}",
                "name": f"Scenario {number}",
                "writePolicy": "read_only",
                "tags": ["desk", WORDS[number]],
                "steps": [
                    {
                        "id": f"step-{step}",
                        "input": {"message": f"step {step}"},
                        "assertions": _demands(),
                    }
                    for step in range(STEPS)
                ],
            }
            for number in range(scenarios)
        ],
    }


def _demands() -> list[dict[str, Any]]:
    message = {"kind": "check", "path": ["response", "message"], "operator": "exists"}
    events = {"kind": "check", "path": ["events"], "operator": "length", "value": 8}
    grounded = {"kind": "custom", "evaluator": "desk.grounded", "parameters": {"minimum": 0.5}}
    return [
        {"id": "answered", **message},
        {
            "id": "complete",
            "kind": "any",
            "assertions": [{"id": "events", **events}, {"id": "grounded", **grounded}],
        },
    ]


def _cases(chance: random.Random, scenarios: int) -> Iterator[dict[str, Any]]:
    repetition = 0
    while True:
        for number in range(scenarios):
            yield _case(chance, f"scenario-{number:03}", repetition)
        repetition += 1


def _case(chance: random.Random, scenario: str, repetition: int) -> dict[str, Any]:
    case_id = _hex(chance, 64)
    turns = [_turn(chance, step) for step in range(chance.randint(3, STEPS))]
    failed = any(turn["status"] == "failed" for turn in turns)
    return {
        "id": case_id,
        "scenarioId": scenario,
        "name": scenario.title(),
        "repetition": repetition,
        "variants": {},
        "threadId": f"{_uuid(chance)}:{case_id}",
        "status": "failed" if failed else "passed",
        "turns": turns,
        "assertions": [],
    }


def _turn(chance: random.Random, step: int) -> dict[str, Any]:
    passed = chance.random() < 0.9
    message = _text(chance, 160)
    return {
        "stepId": f"step-{step}",
        "turnId": f"eval.{_hex(chance, 64)}",
        "input": {"message": _text(chance, 80)},
        "status": "passed" if passed else "failed",
        "observation": _observation(chance, message, chance.randint(3_700, 7_700)),
        "assertions": _results(message, passed=passed),
        "durationMs": chance.randint(200, 9_000),
    }


def _results(message: str, *, passed: bool) -> list[dict[str, Any]]:
    grounded = {
        "id": "grounded",
        "passed": passed,
        "expected": {"evaluator": "desk.grounded", "parameters": {"minimum": 0.5}},
        "evidence": {"score": 0.75 if passed else 0.25},
    }
    events = {"id": "events", "passed": False, "actual": {"present": True, "value": 9}}
    return [
        {"id": "answered", "passed": True, "actual": {"present": True, "value": message}},
        {
            "id": "complete",
            "passed": passed,
            "children": [events | {"expected": 8}, grounded],
        },
    ]


def _observation(chance: random.Random, message: str, size: int) -> dict[str, Any]:
    events: list[dict[str, Any]] = []
    filled = 0
    while filled < size:
        events.append(_event(chance, len(events)))
        filled += 520
    facts = [{"id": _hex(chance, 8), "type": word, "value": 3} for word in WORDS[:4]]
    response = {"status": "completed", "grounded": True, "source": "model", "message": message}
    usage = {"inputTokens": chance.randint(500, 9_000), "outputTokens": chance.randint(20, 900)}
    return {"response": response, "facts": facts, "usage": usage, "events": events}


def _event(chance: random.Random, sequence: int) -> dict[str, Any]:
    return {
        "id": _uuid(chance),
        "type": EVENTS[sequence % len(EVENTS)],
        "version": 1,
        "occurredAt": f"2026-11-02T08:{sequence % 60:02}:00.000Z",
        "sequence": sequence,
        "category": "trace",
        "data": {
            "task": chance.choice(WORDS),
            "provider": "vendor",
            "durationMs": chance.randint(1, 900),
            "proposal": _text(chance, 180),
            "options": [chance.choice(WORDS) for _ in range(6)],
        },
    }


def _text(chance: random.Random, length: int) -> str:
    words = chance.choices(WORDS, k=length // 6)
    return " ".join(words).capitalize() + "."


def _hex(chance: random.Random, digits: int) -> str:
    return f"{chance.getrandbits(digits * 4):0{digits}x}"


def _uuid(chance: random.Random) -> str:
    text = _hex(chance, 32)
    return f"{text[:8]}-{text[8:12]}-{text[12:16]}-{text[16:20]}-{text[20:]}"
