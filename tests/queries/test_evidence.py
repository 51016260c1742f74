"""Failing criteria, and what explains them."""

import polars as pl
from hypothesis import given, settings
from polars.testing import assert_frame_equal

from queries import evidence
from tests import builders
from tests.builders import RUN, trial_number
from tests.queries.figures import failures as failures_of
from tests.queries.stores import Store, stores
from tests.queries.unmet import failures, leaf


def test_a_failure_says_where_what_and_why() -> None:
    found = failures(
        {"scope": "turn", "turn": 1, "kind": "all", "label": "stored", "passed": False},
        leaf("criterion/a", 1, expected='"desk"', actual='"floor"', turn=1),
        leaf("criterion/b", 2, passed=True, decisive=False),
        trials=({"variants": '{"s":"x"}', "repetition": 2, "outcome": "failed"},),
    ).collect()

    (row,) = found.to_dicts()
    cause = row.pop("cause")
    assert len(cause) == 12
    assert row == {
        "run": RUN,
        "item": "item",
        "variants": '{"s":"x"}',
        "repetition": 2,
        "trial": f"{RUN}-0",
        "scope": "turn",
        "turn": 1,
        "step": "confirm",
        "criterion": "criterion",
        "errored": False,
        "category": "side_effect_integrity",
        "rule": "A facts",
        "decisive": [{"path": "criterion/a", "negated": False, "error_code": None}],
        "fault": None,
        "code": None,
        "expected": '"desk"',
        "actual": '"floor"',
        "reason": None,
        "label": "stored",
        "kind": "all",
        "operator": None,
        "target": None,
        "evaluator": None,
        "unfinished": False,
        "definition": 1,
        "position": 0,
        "outcome": "failed",
        "error_code": None,
        "tags": ["smoke"],
        "trial_number": trial_number(0),
    }


def test_several_decisive_leaves_keep_their_order_and_share_no_value() -> None:
    (row,) = (
        failures(
            {"passed": False, "kind": "all"},
            leaf("criterion/b", 2, expected="1", actual="2"),
            leaf("criterion/a", 1, expected="1", actual="3", negated=True),
        )
        .collect()
        .to_dicts()
    )

    assert [(each["path"], each["negated"]) for each in row["decisive"]] == [
        ("criterion/a", True),
        ("criterion/b", False),
    ]
    assert (row["expected"], row["actual"]) == (None, None)


def test_leaves_belong_to_the_criterion_they_stand_under() -> None:
    found = failures(
        {"criterion": "first", "passed": False, "decisive": True, "actual": "1"},
        {"criterion": "passing", "position": 1},
        {"criterion": "second", "position": 2, "passed": False, "kind": "all"},
        leaf("second/a", 3, criterion="second", parent=2, actual="2"),
    ).collect()

    assert found["criterion"].to_list() == ["first", "second"]
    assert found["actual"].to_list() == ["1", "2"]


def test_passing_criteria_with_failed_children_and_the_suites_own_are_no_failures() -> None:
    found = failures(
        {"kind": "any"},
        {"position": 1, "parent": 0, "passed": False},
        {"position": 0, "scope": "run", "trial": None, "passed": False, "decisive": True},
    )

    assert found.collect().is_empty()


def test_an_errored_criterion_is_sorted_by_its_code() -> None:
    errored = {"passed": False, "errored": True, "error_code": "EVALUATOR_FAILED"}

    (row,) = (
        failures(errored | {"kind": "any"}, leaf("criterion/a", 1) | errored).collect().to_dicts()
    )

    assert (row["errored"], row["category"], row["rule"]) == (
        True,
        "evaluator_error",
        "A evaluator broke",
    )
    assert row["decisive"] == [
        {"path": "criterion/a", "negated": False, "error_code": "EVALUATOR_FAILED"}
    ]
    assert row["outcome"] == "passed"


def test_a_fault_of_a_trial_row_keeps_its_native_axis() -> None:
    check = {"passed": False, "decisive": True, "fault": "agent", "code": "ERR_NEW"}

    (row,) = (
        failures(
            check | {"reason": "prose", "unfinished": True},
            definition={"fault": "agent", "code": "ERR_NEW"},
            form="trial-row",
        )
        .collect()
        .to_dicts()
    )

    assert (row["fault"], row["code"], row["reason"]) == ("agent", "ERR_NEW", "prose")
    assert (row["category"], row["rule"], row["unfinished"]) == ("unmapped", None, True)


def test_a_suite_criterion_that_failed_is_told_apart() -> None:
    suite = {"scope": "run", "trial": None, "definition": None, "graded": False}
    checks = builders.checks(
        suite | {"criterion": "rate", "passed": False, "kind": "all"},
        suite | {"position": 1, "parent": 0, "path": "rate/a", "passed": False, "decisive": True},
        suite | {"position": 2, "criterion": "fine"},
        suite
        | {"position": 3, "criterion": "evaluation.suite", "passed": False, "errored": True}
        | {"error_code": "EVALUATION_TIMEOUT", "decisive": True},
        {"passed": False, "decisive": True},
    )

    found = evidence.suite(checks).select("position", "criterion", "errored", "error_code")

    assert found.collect().rows() == [
        (0, "rate", False, None),
        (3, "evaluation.suite", True, "EVALUATION_TIMEOUT"),
    ]


def test_decisive_leaves_name_their_criterion() -> None:
    checks = builders.checks(
        {"passed": False, "kind": "all"},
        leaf("criterion/a", 1, operator="equals", target='["facts"]', expected="1", actual="2"),
        {"position": 2, "criterion": "other", "passed": False, "decisive": True},
    )
    columns = ("criterion_position", "position", "criterion", "path", "operator", "actual")

    assert evidence.decisive(checks).select(columns).collect().rows() == [
        (0, 1, "criterion", "criterion/a", "equals", "2"),
        (2, 2, "other", "other", None, None),
    ]


@settings(max_examples=15, deadline=None)
@given(store=stores())
def test_every_unmet_criterion_is_listed_once_with_its_leaves(store: Store) -> None:
    found = failures_of(store).collect()
    roots = store.checks.filter(
        pl.col("parent").is_null(),
        pl.col("scope") != "run",
        ~pl.col("passed") | pl.col("errored"),
    ).sort("run", "trial", "position")

    assert_frame_equal(
        found.select("run", "criterion", "errored", trial="trial_number"),
        roots.select("run", "criterion", "errored", "trial").collect(),
    )
    groups = evidence.groups(failures_of(store)).collect()
    assert groups["failures"].sum() == found.height
