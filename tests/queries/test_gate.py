"""What a gate decides: what is missing first, then each threshold, each from its counts."""

from typing import Any

import pytest

from queries import gate
from queries.gate_rulings import Evidence
from queries.policy import CategoryThreshold, Policy, Skip

RUN = {
    "run": "a1",
    "format": "sample-report",
    "suite": "live",
    "status": None,
    "rejected": 0,
    "criteria_errored": 0,
    "suite_passed": 0,
    "suite_failed": 0,
    "suite_errored": 0,
}
REPORT = {**RUN, "format": "evaluation-report", "status": "completed", "suite": "shop"}


def cell(passed: int, trials: int, item: str = "item", **row: Any) -> dict[str, Any]:
    counts = {"planned": trials, "trials": trials, "graded": trials, "passed": passed}
    zero = dict.fromkeys(("waiting", "skipped", "duplicates", "unmeasured", "missing"), 0)
    return {"item": item, "variants": "{}"} | counts | zero | row


def category(failing: int, of: int, name: str = "side_effect_integrity", **row: Any) -> Any:
    return {
        "category": name,
        "graded": of,
        "covered": None,
        "failing_trials": failing,
        "failures_ungraded": 0,
        "stopped_trials": 0,
        "ungraded_relevant": 0,
        "rate": (of - failing) / of if of else None,
        "again_size": float(of),
    } | row


def evidence(*cells: dict[str, Any], **members: Any) -> Evidence:
    empty: dict[str, Any] = dict.fromkeys(("categories", "rates", "votes", "suite_failures"), ())
    return Evidence(**{"run": RUN, "cells": cells} | empty | members)


def told(outcome: gate.Outcome, member: str = "violations") -> list[tuple[str, str, str]]:
    return [(row["scope"], row["rule"], row["detail"]) for row in outcome.to_json()[member]]


def abandonment(count: int, trials: int) -> dict[str, Any]:
    return {"name": "abandonment", "count": count, "trials": trials}


def test_an_empty_policy_refuses_as_the_format_does() -> None:
    seen = evidence(
        cell(2, 3, "wavers"),
        cell(0, 3, "fails"),
        categories=[category(2, 6)],
        rates=[abandonment(1, 6)],
    )

    outcome = gate.decide(Policy(), seen)

    assert outcome.verdict == "fail"
    assert told(outcome) == [
        ("live", "min_deterministic_pass_rate", "0.333 < 1.000"),
        (
            "live",
            "forbid_side_effect_failures",
            "2 samples failed a side-effect integrity assertion",
        ),
        ("live", "max_abandonment_rate", "0.167 > 0.000"),
        ("wavers", "allow_flaky_items", "2/3 samples passed"),
    ]


def test_a_run_that_passed_whole_passes_and_says_what_that_leaves_open() -> None:
    outcome = gate.decide(Policy(), evidence(cell(3, 3), categories=[category(0, 60)]))

    assert outcome.verdict == "pass"
    assert told(outcome) == told(outcome, "undecided") == []
    explained = {row["rule"]: row for row in outcome.to_json()["explained"]}
    assert (
        "with none in 60 the rate can still be 4.9%"
        in (explained["forbid_side_effect_failures"]["detail"])
    )
    assert explained["min_deterministic_pass_rate"]["counts"] == {
        "passed": 3,
        "trials": 3,
        "graded": 3,
    }


@pytest.mark.parametrize(
    ("score", "verdict", "detail"),
    [(3.5, "fail", "3.50 < 4.00"), (4.0, "pass", None), (None, "inconclusive", None)],
)
def test_a_judge_criterion_needs_the_least_mean_score(
    score: float | None, verdict: str, detail: str | None
) -> None:
    votes = [{"criterion": "tone", "mean_score": score, "judged": 4, "failed_votes": 0}]
    outcome = gate.decide(Policy(min_judge_score=4), evidence(cell(3, 3), votes=votes))

    assert outcome.verdict == verdict
    assert told(outcome) == ([("tone", "min_judge_score", detail)] if detail else [])


@pytest.mark.parametrize(
    ("members", "rule", "scope"),
    [
        ({"cells": [cell(2, 2, planned=3, missing=1)]}, "max_missing_trials", "item"),
        ({"cells": []}, "max_missing_trials", "live"),
        ({"cells": [cell(3, 3, duplicates=1)]}, "allow_duplicates", "item"),
        ({"cells": [cell(2, 2, unmeasured=1)]}, "max_unmeasured_trials", "item"),
        ({"cells": [cell(2, 2, skipped=1)]}, "max_unmeasured_trials", "item"),
        ({"run": RUN | {"criteria_errored": 2}}, "allow_errored_criteria", "live"),
        ({"run": RUN | {"suite_errored": 1}}, "allow_errored_criteria", "live"),
        ({"run": RUN | {"rejected": 1}}, "allow_rejected_records", "live"),
        ({"run": REPORT | {"status": "limited"}}, "require_completed", "shop"),
        (
            {"categories": [category(0, 0, ungraded_relevant=2)]},
            "allow_empty_categories",
            "side_effect_integrity",
        ),
        (
            {"suite_failures": [{"criterion": "rate", "errored": False}]}
            | {"run": REPORT | {"suite_failed": 1}},
            "require_suite_criteria",
            "rate",
        ),
    ],
)
def test_missing_evidence_fails_before_any_rate(
    members: dict[str, Any], rule: str, scope: str
) -> None:
    outcome = gate.decide(Policy(), evidence(cell(3, 3))._replace(**members))

    assert outcome.verdict == "fail"
    first = outcome.to_json()["violations"][0]
    assert (first["rule"], first["scope"]) == (rule, scope)


def test_what_a_policy_allows_may_be_missing() -> None:
    seen = evidence(cell(2, 2, planned=3, missing=1, duplicates=1))
    policy = Policy(max_missing_trials=1, allow_duplicates=True)

    assert gate.decide(policy, seen).verdict == "pass"


def test_an_evaluation_report_names_every_cell_that_did_not_always_pass() -> None:
    cells = (cell(3, 3, "good"), cell(0, 3, "bad"), cell(1, 3, "error", graded=1, unmeasured=2))
    outcome = gate.decide(Policy(), evidence(*cells, run=REPORT))

    assert [(row[0], row[2]) for row in told(outcome) if row[1] == "every_trial_passes"] == [
        ("bad", "0/3 trials passed: 3 failed"),
        ("error", "1/3 trials passed: 2 ungraded"),
    ]


def test_a_reviewed_skip_is_an_exclusion_and_no_pass() -> None:
    cells = (cell(3, 3, "good"), cell(0, 3, "refund.a", graded=0, skipped=3))
    policy = Policy(skip=(Skip(item="refund.*", reason="no sandbox"),))
    outcome = gate.decide(policy, evidence(*cells, run=REPORT))

    assert outcome.verdict == "pass"
    assert outcome.exclusions == (
        {"item": "refund.a", "variants": "{}", "trials": 3, "reason": "no sandbox"},
    )
    explained = {row["rule"]: row["counts"] for row in outcome.to_json()["explained"]}
    assert explained["min_deterministic_pass_rate"]["trials"] == 3


def test_a_skip_excludes_only_what_was_skipped() -> None:
    policy = Policy(skip=(Skip(item="*", reason="any"),))
    outcome = gate.decide(policy, evidence(cell(2, 3, "a"), run=REPORT))

    assert (outcome.verdict, outcome.exclusions) == ("fail", ())


@pytest.mark.parametrize(
    ("failing", "of", "verdict"), [(0, 60, "pass"), (3, 60, "inconclusive"), (20, 60, "fail")]
)
def test_a_category_passes_fails_or_cannot_be_decided(failing: int, of: int, verdict: str) -> None:
    policy = Policy(category={"clarification": CategoryThreshold(min_rate=0.9)})
    seen = evidence(cell(3, 3), categories=[category(failing, of, "clarification")])
    outcome = gate.decide(policy, seen)

    assert outcome.verdict == verdict
    counts = next(
        row["counts"]
        for row in outcome.to_json()["explained"]
        if row["rule"] == "category.min_rate"
    )
    assert (counts["held"], counts["of"]) == (of - failing, of)


def test_a_category_with_a_threshold_must_be_measured() -> None:
    policy = Policy(category={"clarification": CategoryThreshold(min_rate=0.5)})

    assert told(gate.decide(policy, evidence(cell(3, 3)))) == [
        ("clarification", "allow_empty_categories", "no trial measured it")
    ]


def test_one_failure_decides_however_much_is_open() -> None:
    votes = [{"criterion": "tone", "mean_score": None, "judged": 4, "failed_votes": 4}]
    seen = evidence(cell(0, 3), votes=votes)

    assert gate.decide(Policy(min_judge_score=3), seen).verdict == "fail"
