"""A trial, its cell, and the part every node of a criterion plays."""

from typing import Any

import polars as pl
import pytest

from queries import cases
from tests import builders
from tests.builders import OTHER, RUN, trial_number


def node(path: str, kind: str = "check", *, passed: bool, **more: object) -> dict[str, Any]:
    return {"path": path, "criterion": path.split("/")[0], "kind": kind, "passed": passed, **more}


def roles(*nodes: dict[str, Any]) -> dict[str, tuple[str, str | None]]:
    """Role and note of every node, given in pre-order."""
    paths = [str(each["path"]) for each in nodes]
    rows = [
        {
            "position": place,
            "parent": paths.index(path.rpartition("/")[0]) if "/" in path else None,
        }
        | each
        for place, (path, each) in enumerate(zip(paths, nodes, strict=True))
    ]
    tree = cases.tree(builders.checks(*rows)).collect()
    assert tree["path"].to_list() == paths
    return {path: (role, note) for path, role, note in tree["path", "role", "note"].iter_rows()}


def test_an_alternative_that_failed_is_context() -> None:
    found = roles(
        node("c", "any", passed=True),
        node("c/a", passed=False),
        node("c/b", passed=True),
    )

    assert found == {
        "c": ("passed", None),
        "c/a": ("context", cases.NOTES["alternative"]),
        "c/b": ("passed", None),
    }


def test_the_way_to_a_decisive_leaf_is_failing() -> None:
    found = roles(
        node("c", "all", passed=False),
        node("c/a", "all", passed=False),
        node("c/a/x", passed=False, decisive=True),
        node("c/a/y", passed=True),
        node("c/b", "any", passed=True),
        node("c/b/x", passed=False),
    )

    assert [role for role, _ in found.values()] == [
        *("failing", "failing", "decisive", "passed", "passed", "context"),
    ]


def test_what_a_not_wants_to_fail_is_context() -> None:
    found = roles(
        node("c", "not", passed=True),
        node("c/a", "all", passed=False, negated=True),
        node("c/a/x", passed=False, negated=True),
        node("c/a/y", passed=True, negated=True),
    )

    assert found == {
        "c": ("passed", None),
        "c/a": ("context", cases.NOTES["wanted"]),
        "c/a/x": ("context", cases.NOTES["aside"]),
        "c/a/y": ("passed", None),
    }


def test_what_made_a_not_fail_held_where_it_should_not() -> None:
    found = roles(
        node("c", "not", passed=False),
        node("c/a", "all", passed=True, negated=True),
        node("c/a/x", passed=True, negated=True, decisive=True),
    )

    assert found == {
        "c": ("failing", None),
        "c/a": ("passed", cases.NOTES["forbidden"]),
        "c/a/x": ("decisive", cases.NOTES["forbidden"]),
    }


def test_in_an_errored_criterion_only_the_broken_leaf_decides() -> None:
    broken = {"errored": True, "error_code": "EVALUATOR_FAILED"}
    found = roles(
        node("c", "any", passed=False, **broken),
        node("c/a", passed=False),
        node("c/b", "custom", passed=False, decisive=True, **broken),
        node("c/c", passed=True),
    )

    assert found == {
        "c": ("errored", cases.NOTES["carries"]),
        "c/a": ("context", cases.NOTES["broken"]),
        "c/b": ("decisive", None),
        "c/c": ("passed", None),
    }


def test_criteria_of_one_trial_do_not_lend_each_other_their_leaves() -> None:
    """Two turns evaluate criteria of the same id; only the second failed."""
    tree = cases.tree(
        builders.checks(
            node("c", "any", passed=True, position=0, turn=0, scope="turn"),
            node("c/a", passed=False, position=1, parent=0, turn=0, scope="turn"),
            node("c", "any", passed=False, position=2, turn=1, scope="turn"),
            node("c/a", passed=False, position=3, parent=2, turn=1, scope="turn", decisive=True),
        )
    ).collect()

    assert tree["role"].to_list() == ["passed", "context", "failing", "decisive"]
    assert tree["depth"].to_list() == [0, 1, 0, 1]


def test_a_row_check_with_a_slash_in_its_name_is_a_root() -> None:
    tree = cases.tree(
        builders.checks({"criterion": "a/b", "path": "a/b", "passed": False, "decisive": True})
    ).collect()

    assert tree.select("depth", "role").rows() == [(0, "decisive")]


@pytest.mark.parametrize("kind", ["all", "any", "not"])
def test_every_node_has_one_of_five_roles(kind: str) -> None:
    found = roles(node("c", kind, passed=False), node("c/a", passed=kind == "not", decisive=True))

    assert {role for role, _ in found.values()} == {"failing", "decisive"}


def test_a_listing_counts_the_criteria_of_each_trial() -> None:
    trials = builders.trials(
        {"outcome": "failed", "duration_ms": 12}, {"trial": trial_number(1), "outcome": "skipped"}
    )
    checks = builders.checks(
        {"passed": False, "kind": "all"},
        {"position": 1, "parent": 0, "passed": False},
        {"position": 2},
        {"position": 3, "passed": False, "errored": True},
    )

    found = cases.listing(trials, builders.items({"name": "Buys a lamp"}), checks)

    columns = ("trial", "item_name", "outcome", "criteria", "failing", "errored", "duration_ms")
    assert found.select(columns).collect().rows() == [
        (f"{RUN}-0", "Buys a lamp", "failed", 3, 1, 1, 12),
        (f"{RUN}-1", "Buys a lamp", "skipped", 0, 0, 0, None),
    ]


def test_siblings_are_the_repetitions_of_one_cell() -> None:
    trials = builders.trials(
        {"trial": trial_number(2), "repetition": 2, "outcome": "failed"},
        {"trial": trial_number(0)},
        {"trial": trial_number(3), "variants": '{"s":"x"}'},
        {"trial": trial_number(4), "item": "other"},
        {"trial": trial_number(0, OTHER), "run": OTHER},
    )

    found = cases.siblings(trials, trial_number(0)).select("trial", "repetition", "outcome")

    assert found.collect().rows() == [(f"{RUN}-0", 0, "passed"), (f"{RUN}-2", 2, "failed")]


def test_a_trial_that_does_not_exist_has_no_siblings() -> None:
    assert cases.siblings(builders.trials({}), 5).collect().is_empty()
    assert isinstance(cases.siblings(builders.trials({}), 5), pl.LazyFrame)
