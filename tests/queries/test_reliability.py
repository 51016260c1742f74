"""The category table and the figures beside it, worked out by hand."""

from typing import Any, Final

from queries import categories, reliability
from tests import builders
from tests.builders import RUN, trial_number

FACTS, RESPONSE = 1, 2
DEFINITIONS: Final = (
    {"definition": FACTS, "criterion": "stored", "path": "stored", "target": '["facts"]'},
    {"definition": RESPONSE, "criterion": "said", "path": "said", "target": '["response"]'},
)


Rows = list[dict[str, Any]]


def table(
    trials: Rows,
    checks: Rows,
    *,
    form: str = "evaluation-report",
    definitions: tuple[dict[str, Any], ...] = DEFINITIONS,
    rules: str = "",
) -> dict[str, dict[str, Any]]:
    """Category rows of one run, by category."""
    figure = reliability.categories(
        builders.runs({"format": form}),
        builders.items({"item": "item"}, {"item": "other"}),
        builders.trials(*trials),
        builders.checks(*checks),
        builders.definitions(*definitions),
        categories.read({"mine.toml": rules}),
    )
    return {row["category"]: row for row in figure.collect().to_dicts()}


def test_a_rate_counts_covered_trials_and_the_ungraded_bound_it() -> None:
    trials: Rows = [{"trial": trial_number(n)} for n in range(4)]
    trials[1] |= {"outcome": "failed"}
    trials[3] |= {"outcome": "error", "error_code": "EVALUATION_TIMEOUT"}
    checks: Rows = [
        {"trial": trial_number(0), "definition": FACTS},
        {"trial": trial_number(0), "definition": RESPONSE, "position": 1},
        {"trial": trial_number(1), "definition": FACTS, "passed": False},
        {"trial": trial_number(1), "definition": FACTS, "passed": False, "position": 1, "turn": 1},
        {"trial": trial_number(3), "definition": FACTS, "passed": False, "graded": False},
    ]

    found = table(trials, checks)["side_effect_integrity"]

    expected = {
        "run": RUN,
        "category": "side_effect_integrity",
        "trials": 4,
        "graded": 3,
        "covered": 2,
        "failing_trials": 1,
        "failures": 2,
        "rate": 1 / 2,
        "low": 1 / 3,
        "high": 2 / 3,
        "failure_rate": 1 / 4,
        "ungraded": 1,
        "ungraded_relevant": 1,
        "outcomes": [{"outcome": "error", "trials": 1}],
        "errored_criteria": 0,
        "failures_ungraded": 1,
        "unfinished_trials": 0,
        "unfinished_failures": 0,
        "stopped_trials": 0,
    }
    assert list(found)[: len(expected)] == list(expected)
    assert {name: found[name] for name in expected} == expected


def test_only_ungraded_trials_of_items_that_demand_the_category_bound_it() -> None:
    trials: Rows = [
        {"trial": trial_number(0)},
        {"trial": trial_number(1), "outcome": "blocked", "item": "other"},
    ]

    found = table(trials, [{"definition": FACTS}])["side_effect_integrity"]

    assert (found["ungraded"], found["ungraded_relevant"]) == (1, 0)
    assert (found["low"], found["rate"], found["high"]) == (1.0, 1.0, 1.0)


def test_a_category_demanded_but_never_checked_has_no_rate() -> None:
    found = table([{"trial": trial_number(0)}], [{"definition": FACTS}])

    assert found["operational_claim_integrity"]["covered"] == 0
    assert found["operational_claim_integrity"]["rate"] is None
    assert found["operational_claim_integrity"]["low"] is None
    assert found["side_effect_integrity"]["rate"] == 1.0


def test_what_was_never_graded_lies_anywhere_between_nothing_and_all() -> None:
    found = table([{"outcome": "pending"}], [])["side_effect_integrity"]

    assert (found["rate"], found["low"], found["high"]) == (None, 0.0, 1.0)


def test_an_errored_criterion_is_neither_covered_nor_failing() -> None:
    checks = [{"passed": False, "errored": True, "error_code": "EVALUATOR_FAILED"}]

    found = table([{"outcome": "error", "error_code": "EVALUATOR_FAILED"}], checks)

    assert found["side_effect_integrity"]["covered"] == 0
    assert found["side_effect_integrity"]["errored_criteria"] == 0
    assert found["evaluator_error"]["errored_criteria"] == 1
    assert found["evaluator_error"]["stopped_trials"] == 1
    assert found["evaluator_error"]["rate"] is None


def test_a_failed_child_under_a_passing_criterion_is_no_failure() -> None:
    checks: Rows = [
        {"kind": "any"},
        {"position": 1, "parent": 0, "path": "criterion/a", "passed": False},
    ]

    found = table([{}], checks)["side_effect_integrity"]

    assert (found["failures"], found["rate"]) == (0, 1.0)


def test_a_check_without_definition_is_unmapped() -> None:
    found = table([{"outcome": "failed"}], [{"definition": None, "passed": False}])["unmapped"]

    assert (found["covered"], found["failing_trials"]) == (1, 1)


def test_the_suites_own_criteria_enter_no_category() -> None:
    suite = {"scope": "run", "trial": None, "definition": None, "passed": False, "graded": False}

    assert "unmapped" not in table([{}], [{"definition": FACTS}, suite | {"position": 1}])


def test_a_sample_report_shows_its_five_categories_over_all_graded_trials() -> None:
    trials: Rows = [
        {"trial": trial_number(0), "outcome": "failed"},
        {"trial": trial_number(1)},
        {"trial": trial_number(2), "outcome": "error"},
    ]
    definition = {"definition": 7, "kind": "expectation", "expectation": "commands"}
    checks = [{"definition": 7, "passed": False}]

    found = table(trials, checks, form="sample-report", definitions=(definition,))

    assert {category: row["failing_trials"] for category, row in found.items()} == {
        "clarification": 0,
        "operational_claim_integrity": 0,
        "semantic_interpretation": 0,
        "side_effect_integrity": 1,
        "unmapped": 0,
    }
    failing = found["side_effect_integrity"]
    assert failing["covered"] is None
    assert (failing["rate"], failing["low"], failing["high"]) == (1 / 2, 1 / 3, 2 / 3)
    assert failing["failure_rate"] == 1 / 3


def test_trial_rows_show_six_categories_and_provider_failures_without_a_rate() -> None:
    trials: Rows = [
        {"trial": trial_number(0), "outcome": "failed", "unfinished": True},
        {"trial": trial_number(1), "outcome": "failed"},
        {"trial": trial_number(2), "outcome": "rate_limited"},
        {"trial": trial_number(3), "outcome": "error", "native_status": "http_error"},
        {"trial": trial_number(4), "outcome": "absent"},
    ]
    definition = {"definition": 7, "fault": "tool"}
    checks: Rows = [
        {"trial": trial_number(0), "definition": 7, "passed": False, "unfinished": True},
        {"trial": trial_number(1), "definition": 7, "passed": False},
        {"trial": trial_number(1), "definition": 8, "position": 1},
    ]

    found = table(trials, checks, form="trial-row", definitions=(definition,))

    assert sorted(found) == [
        "abandonment",
        "operational_claim_integrity",
        "provider_failure",
        "semantic_interpretation",
        "side_effect_integrity",
        "tool_fault",
        "unmapped",
    ]
    faults = found["tool_fault"]
    assert (faults["graded"], faults["failing_trials"], faults["rate"]) == (2, 2, 0.0)
    assert (faults["unfinished_trials"], faults["unfinished_failures"]) == (1, 1)
    assert (faults["low"], faults["high"]) == (0.0, 3 / 5)
    stopped = found["provider_failure"]
    assert (stopped["stopped_trials"], stopped["rate"], stopped["low"]) == (2, None, None)
    assert found["unmapped"]["failing_trials"] == 0


def test_a_users_category_of_trial_rows_has_a_rate_of_its_own() -> None:
    rules = '[[rule]]\ncategory = "user_experience"\nfault = "tool"'
    definition = {"definition": 7, "fault": "tool"}

    found = table(
        [{"outcome": "failed"}],
        [{"definition": 7, "passed": False}],
        form="trial-row",
        definitions=(definition,),
        rules=rules,
    )

    assert (found["user_experience"]["failing_trials"], found["user_experience"]["rate"]) == (1, 0)
    assert found["tool_fault"]["failing_trials"] == 0


def test_a_run_without_trials_has_counts_of_zero_and_no_rates() -> None:
    found = table([], [], form="sample-report", definitions=())["clarification"]

    assert (found["trials"], found["graded"], found["outcomes"]) == (0, 0, [])
    assert (found["rate"], found["low"], found["failure_rate"]) == (None, None, None)
