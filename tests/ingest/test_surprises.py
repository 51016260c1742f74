"""What surprises a reader of evaluation reports: what is in the file, and what is said of it."""

import itertools
from typing import Any, Final, NamedTuple

import pytest

from tests.ingest.figures import Said, agree, said
from tests.ingest.stores import Row

COUNTER: Final = itertools.count()
LEAVES: Final = ["a", "b"]
BROKE: Final = "EVALUATOR_FAILED"


def demand(kind: str = "check", name: str = "k", **members: Any) -> Row:
    found: Row = {"id": name, "kind": kind}
    if kind == "check":
        found |= {"path": ["response", "message"], "operator": "exists"}
    return found | members


def leaf(name: str, *, passed: bool, **members: Any) -> Row:
    return {"id": name, "passed": passed, "actual": {"present": True, "value": 1}} | members


def tree(name: str, *children: Row, passed: bool, **members: Any) -> Row:
    return {"id": name, "passed": passed, "children": list(children)} | members


EITHER: Final = demand("any", assertions=[demand(name=each) for each in LEAVES])
NOT: Final = demand("not", assertion=demand(name="a"))
TWICE: Final = demand("not", assertion=demand("not", "a", assertion=demand(name="b")))


def turn(*results: Row, **members: Any) -> Row:
    found = {
        "stepId": "s",
        "turnId": "t",
        "input": {},
        "status": "passed",
        "observation": {},
        "assertions": list(results),
        "durationMs": 5,
    }
    return {name: value for name, value in (found | members).items() if value is not None}


def case(*turns: Row, status: str = "passed", **members: Any) -> Row:
    return {
        "id": "c",
        "scenarioId": "one",
        "name": "One",
        "repetition": 0,
        "variants": {},
        "threadId": "run:c",
        "status": status,
        "turns": list(turns),
        "assertions": [],
    } | members


def report(
    *cases: Row,
    demands: list[Row] | None = None,
    whole: list[Row] | None = None,
    suite: Row | None = None,
    **members: Any,
) -> Row:
    scenario = {
        "id": "one",
        "name": "One",
        "writePolicy": "read_only",
        "assertions": whole or [],
        "steps": [{"id": "s", "input": {}, "assertions": demands or []}],
    }
    statuses = [each["status"] for each in cases]
    return {
        "schemaVersion": 1,
        "runId": f"run-{next(COUNTER)}",
        "suite": {"schemaVersion": 1, "id": "suite", "name": "Suite", "scenarios": [scenario]}
        | (suite or {}),
        "fingerprint": "f",
        "startedAt": "2026-01-02T00:00:00.000Z",
        "status": "completed",
        "finishedAt": "2026-01-02T00:01:00.000Z",
        "target": {"id": "agent", "fingerprint": "v1"},
        "cases": list(cases),
        "summary": {"total": len(cases)} | {name: statuses.count(name) for name in statuses},
        "assertions": [],
    } | members


def without(document: Row, name: str) -> Row:
    return {each: value for each, value in document.items() if each != name}


SUITE_DEMAND: Final = {"assertions": [demand("custom", "whole", evaluator="e", parameters={})]}
BARE: Final = {"id": "two", "name": "Two", "writePolicy": "read_only", "steps": []}
CANCELLED: Final = "EVALUATION_CANCELLED"
EARLY: Final = "EVALUATION_EARLY_COMPLETION"
MARKUP: Final = {"": "<script>\u202e\x00😀", "deep": [[[[[[[[[[1]]]]]]]]]]}


class Surprise(NamedTuple):
    """One surprise: its number in the contract, what is in the file, and what is said of it."""

    number: int
    what: str
    document: Row
    said: list[tuple[str, Row, Row | int]]


TABLE: Final = [
    Surprise(
        1,
        "completed is no verdict",
        report(case(turn(leaf("k", passed=False), status="failed"), status="failed")),
        [("run", {}, {"status": "completed"}), ("overview", {}, {"measured": 1, "passed": 0})],
    ),
    Surprise(
        2,
        "the suite fails while all cases pass",
        report(case(turn()), suite=SUITE_DEMAND, assertions=[leaf("whole", passed=False)]),
        [("overview", {}, {"passed": 1, "suite_failed": 1, "suite_passed": 0})],
    ),
    Surprise(
        2,
        "the suite passes while a case fails",
        report(
            case(turn(leaf("k", passed=False), status="failed"), status="failed"),
            suite=SUITE_DEMAND,
            assertions=[leaf("whole", passed=True)],
        ),
        [("overview", {}, {"passed": 0, "suite_failed": 0, "suite_passed": 1})],
    ),
    Surprise(
        3,
        "any passes with a failed child",
        report(
            case(turn(tree("k", leaf("a", passed=False), leaf("b", passed=True), passed=True))),
            demands=[EITHER],
        ),
        [
            ("check", {"path": "k/a"}, {"passed": False, "decisive": False}),
            ("overview", {}, {"criteria_failing": 0}),
            ("category", {"category": "operational_claim_integrity"}, {"failing_trials": 0}),
        ],
    ),
    Surprise(
        3,
        "not passes with a failed child",
        report(case(turn(tree("k", leaf("a", passed=False), passed=True))), demands=[NOT]),
        [
            ("check", {"path": "k/a"}, {"negated": True, "decisive": False}),
            ("overview", {}, {"criteria_failing": 0}),
        ],
    ),
    Surprise(
        3,
        "a double negation that fails is explained by its failed leaf",
        report(
            case(
                turn(
                    tree("k", tree("a", leaf("b", passed=False), passed=True), passed=False),
                    status="failed",
                ),
                status="failed",
            ),
            demands=[TWICE],
        ),
        [
            ("check", {"path": "k/a/b"}, {"negated": False, "decisive": True}),
            ("overview", {}, {"criteria_failing": 1}),
        ],
    ),
    Surprise(
        4,
        "any with a passed child errs because a sibling broke",
        report(
            case(
                turn(
                    tree(
                        "k",
                        leaf("a", passed=True),
                        {"id": "b", "passed": False, "errorCode": BROKE},
                        passed=False,
                        errorCode=BROKE,
                    ),
                    status="error",
                ),
                status="error",
            ),
            demands=[EITHER],
        ),
        [
            ("check", {"path": "k"}, {"errored": True, "error_code": BROKE}),
            ("check", {"path": "k/b"}, {"decisive": True}),
            ("check", {"path": "k/a"}, {"decisive": False}),
            ("overview", {}, {"criteria_failing": 0, "criteria_errored": 1}),
        ],
    ),
    Surprise(
        5,
        "the code of an error case is at its turn",
        report(
            case(
                turn(status="error", errorCode="EVALUATION_TIMEOUT", observation=None),
                status="error",
            )
        ),
        [
            ("trial", {}, {"error_code": "EVALUATION_TIMEOUT", "error_scope": "turn"}),
            ("category", {"category": "provider_failure"}, {"stopped_trials": 1}),
        ],
    ),
    Surprise(
        5,
        "the code of an error turn is at its criterion",
        report(
            case(
                turn({"id": "k", "passed": False, "errorCode": BROKE}, status="error"),
                status="error",
            )
        ),
        [
            ("trial", {}, {"error_code": BROKE, "error_scope": "turn-criterion", "graded": False}),
            ("turn", {}, {"status": "error", "error_code": None, "observed": True}),
        ],
    ),
    Surprise(
        6,
        "cancelled at the turn",
        report(
            case(
                turn(status="cancelled", errorCode=CANCELLED, observation=None),
                status="cancelled",
            ),
            status="cancelled",
        ),
        [("trial", {}, {"outcome": "cancelled", "error_scope": "turn", "graded": False})],
    ),
    Surprise(
        6,
        "cancelled at the case though every turn passed",
        report(case(turn(), status="cancelled", errorCode=CANCELLED), status="cancelled"),
        [
            ("trial", {}, {"outcome": "cancelled", "error_scope": "trial", "graded": False}),
            ("turn", {}, {"status": "passed"}),
        ],
    ),
    Surprise(
        7,
        "cleanup failed after everything passed",
        report(
            case(
                turn(leaf("k", passed=True)),
                status="error",
                errorCode="EVALUATION_CLEANUP_FAILED",
            ),
            demands=[demand()],
        ),
        [
            ("trial", {}, {"outcome": "error", "error_code": "EVALUATION_CLEANUP_FAILED"}),
            ("check", {}, {"passed": True, "graded": False}),
            ("overview", {}, {"measured": 0, "criteria_failing": 0}),
        ],
    ),
    Surprise(
        8,
        "blocked before it started",
        report(case(status="blocked", errorCode="EXTERNAL_WRITES_NOT_AUTHORIZED")),
        [("trial", {}, {"outcome": "blocked", "turns": 0, "graded": False})],
    ),
    Surprise(
        8,
        "blocked with complete and passed evidence",
        report(
            case(turn(leaf("k", passed=True)), status="blocked", errorCode="TURN_RESUME_UNSAFE")
        ),
        [
            ("trial", {}, {"outcome": "blocked", "turns": 1, "error_code": "TURN_RESUME_UNSAFE"}),
            ("overview", {}, {"trials": 1, "measured": 0}),
        ],
    ),
    Surprise(
        9,
        "skipped by its definition, without turns",
        report(case(status="skipped", skipReason="not today")),
        [("trial", {}, {"outcome": "skipped", "turns": 0, "reason": "not today"})],
    ),
    Surprise(
        9,
        "skipped by the adapter, with turns",
        report(case(turn(), status="skipped", skipReason="enough")),
        [("trial", {}, {"outcome": "skipped", "turns": 1, "graded": False})],
    ),
    Surprise(
        9,
        "failed with a skip reason and a code",
        report(case(turn(status="failed"), status="failed", skipReason="enough", errorCode=EARLY)),
        [("trial", {}, {"outcome": "failed", "reason": "enough", "error_code": EARLY})],
    ),
    Surprise(
        10,
        "passed without a single criterion",
        report(case(turn())),
        [
            ("overview", {}, {"passed": 1, "criteria_failing": 0}),
            ("category", {"category": "operational_claim_integrity"}, 0),
        ],
    ),
    Surprise(
        11,
        "a turn without observation",
        report(
            case(
                turn(observation=None, status="error", errorCode="EVALUATION_TRANSPORT_FAILED"),
                status="error",
            ),
            demands=[demand()],
        ),
        [
            ("turn", {}, {"observed": False, "observation": None}),
            ("check", {}, 0),
        ],
    ),
    Surprise(
        12,
        "criteria that were defined and not evaluated",
        report(
            case(turn(status="error", errorCode="X", observation=None), status="error"),
            whole=[demand()],
        ),
        [
            ("definition", {"scope": "trial"}, {"criterion": "k"}),
            ("check", {}, 0),
            ("category", {"category": "operational_claim_integrity"}, {"covered": 0, "rate": None}),
        ],
    ),
    Surprise(
        13,
        "a scenario that was not selected",
        report(
            case(turn()),
            suite={
                "scenarios": [
                    {"id": "one", "name": "One", "steps": [{"id": "s", "input": {}}]},
                    BARE,
                ]
            },
        ),
        [("overview", {}, {"items": 2, "items_without_trials": 1, "trials": 1})],
    ),
    Surprise(
        14,
        "a retained case keeps the thread of the run before",
        report(case(turn(), threadId="earlier:c"), resumedFrom="earlier"),
        [
            ("trial", {}, {"thread": "earlier:c"}),
            ("run", {}, {"resumed_from": "earlier", "superseded_by": None}),
        ],
    ),
    Surprise(
        15,
        "members in another order",
        dict(reversed(report(dict(reversed(case(turn(leaf("k", passed=True))).items()))).items())),
        [("overview", {}, {"passed": 1}), ("check", {}, {"passed": True}), ("flag", {}, 0)],
    ),
    Surprise(
        16,
        "null is a value, expected and found",
        report(
            case(
                turn(
                    leaf("k", passed=True, actual={"present": True, "value": None})
                    | {"expected": None}
                )
            )
        ),
        [("check", {}, {"actual": "null", "expected": "null", "actual_present": True})],
    ),
    Surprise(
        16,
        "nothing found is no null",
        report(
            case(
                turn(leaf("k", passed=False, actual={"present": False}), status="failed"),
                status="failed",
            )
        ),
        [("check", {}, {"actual": None, "expected": None, "actual_present": False})],
    ),
    Surprise(
        17,
        "equal on paper and failed",
        report(
            case(
                turn(
                    leaf("k", passed=False, actual={"present": True, "value": 0}, expected=0),
                    status="failed",
                ),
                status="failed",
            )
        ),
        [("check", {}, {"actual": "0", "expected": "0", "passed": False, "decisive": True})],
    ),
    Surprise(
        18,
        "an empty skip reason",
        report(case(status="skipped", skipReason="")),
        [
            ("trial", {}, {"reason": "", "outcome": "skipped"}),
            ("flag", {}, {"rule": "empty-skip-reason", "place": "cases[0].skipReason"}),
        ],
    ),
    Surprise(
        18,
        "an empty error code",
        report(case(status="error", errorCode="")),
        [
            ("trial", {}, {"error_code": "", "error_scope": "trial"}),
            ("flag", {}, {"rule": "empty-error-code"}),
        ],
    ),
    Surprise(
        18,
        "a further member of the target",
        report(case(turn()), target={"id": "agent", "fingerprint": "v1", "region": "north"}),
        [
            (
                "report",
                {},
                {"extra": '{"target":{"id": "agent", "fingerprint": "v1", "region": "north"}}'},
            )
        ],
    ),
    Surprise(
        19,
        "a running snapshot",
        without(
            report(case(status="pending"), case(status="blocked", repetition=1), status="running"),
            "finishedAt",
        ),
        [
            ("run", {}, {"status": "running", "settled": 1, "begun": 1}),
            ("trial", {"repetition": 0}, {"outcome": "pending", "graded": False}),
            ("overview", {}, {"measured": 0, "trials": 2}),
        ],
    ),
    Surprise(
        20,
        "markup, marks that reorder, NUL and empty keys in an observation",
        report(case(turn(observation=MARKUP))),
        [("turn", {}, {"observed": True}), ("flag", {}, 0), ("rejection", {}, 0)],
    ),
    Surprise(
        21,
        "a code nobody knows",
        report(
            case(turn(status="error", errorCode="SHOP_CLOSED", observation=None), status="error")
        ),
        [
            ("trial", {}, {"error_code": "SHOP_CLOSED"}),
            ("category", {"category": "unmapped"}, {"stopped_trials": 1}),
        ],
    ),
    Surprise(
        22,
        "a cancelled run in which nothing is cancelled",
        report(case(turn()), status="cancelled"),
        [("run", {}, {"status": "cancelled"}), ("overview", {}, {"passed": 1, "measured": 1})],
    ),
    Surprise(
        22,
        "a limited run with more failures than its limit",
        report(
            *(case(turn(), status="failed", repetition=n) for n in range(3)),
            case(status="pending", repetition=3),
            status="limited",
        ),
        [("overview", {}, {"trials": 4, "measured": 3, "passed": 0}), ("run", {}, {"settled": 3})],
    ),
    Surprise(
        23,
        "criteria of the suite on a run that was cut short",
        report(
            case(status="pending"),
            suite=SUITE_DEMAND,
            status="limited",
            assertions=[leaf("whole", passed=False)],
        ),
        [
            ("overview", {}, {"suite_failed": 1, "measured": 0, "criteria_failing": 0}),
            ("check", {}, {"scope": "run", "trial": None, "graded": False}),
        ],
    ),
]


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Said]:
    folder = tmp_path_factory.mktemp("surprises")
    return said(folder, {f"{place}.json": each.document for place, each in enumerate(TABLE)})


@pytest.mark.parametrize(
    "place",
    [pytest.param(place, id=f"{each.number} {each.what}") for place, each in enumerate(TABLE)],
)
def test_what_is_said_of_it(found: dict[str, Said], place: int) -> None:
    for table, where, wanted in TABLE[place].said:
        agree(found[f"{place}.json"], table, where, wanted)


def test_every_surprise_has_its_row() -> None:
    assert {each.number for each in TABLE} == set(range(1, 24))
