"""Which failures share a cause, and how they are counted."""

from typing import Any

from queries import evidence
from tests.builders import RUN, trial_number
from tests.queries.unmet import failures


def test_failures_of_one_cause_are_grouped_and_counted_by_trial_and_cell() -> None:
    trials = tuple(
        {"trial": trial_number(n), "variants": variants, "outcome": "failed"}
        for n, variants in enumerate(("{}", "{}", '{"s":"x"}'))
    )
    checks = [
        {
            "trial": trial_number(n),
            "position": position,
            "passed": False,
            "decisive": True,
            "expected": '"desk"',
            "actual": actual,
        }
        for n, position, actual in (
            (0, 0, '"floor"'),
            (0, 1, '"floor"'),
            (1, 0, '"none"'),
            (2, 0, '"floor"'),
        )
    ]
    found = failures(*checks, trials=trials)
    counts = ["trials", "cells", "items", "failures", "actual", "trial"]

    groups = evidence.groups(found).select(counts).sort("failures", descending=True).collect()

    assert groups.rows() == [
        (2, 2, 1, 3, '"floor"', f"{RUN}-0"),
        (1, 1, 1, 1, '"none"', f"{RUN}-1"),
    ]
    assert evidence.criteria(found).select(counts).collect().rows() == [
        (3, 2, 1, 4, '"floor"', f"{RUN}-0")
    ]


def causes(*checks: dict[str, Any]) -> list[str]:
    return failures(*checks).collect()["cause"].to_list()


def test_ids_that_differ_by_run_do_not_part_a_cause() -> None:
    record = '{"id":"%s","name":"desk"}'
    one, other = (
        causes({"passed": False, "decisive": True, "actual": record % uuid})
        for uuid in (
            "7f3f0b4e-8c1d-4f6e-9a52-0c1f2d3e4a5b",
            "0a1b2c3d-4e5f-4a6b-8c7d-9e8f7a6b5c4d",
        )
    )

    assert one == other


def test_a_cause_is_called_the_same_for_ever() -> None:
    """Addresses hold it: no release of a library may change it."""
    assert causes({"passed": False, "decisive": True, "expected": "1", "actual": "2"}) == [
        "5a8c37a18d08"
    ]


def test_what_differs_in_one_leaf_differs_in_cause() -> None:
    base = {"passed": False, "decisive": True, "expected": "1", "actual": "2"}
    variations: list[dict[str, Any]] = [
        {},
        {"actual": "3"},
        {"actual": None},
        {"actual": None, "actual_present": False},
        {"expected": None},
        {"negated": True},
        {"path": "other"},
        {"code": "ERR_NEW"},
        {"fault": "tool"},
        {"kind": "expectation", "label": "a"},
        {"kind": "expectation", "label": "b"},
    ]

    assert len({causes(base | variation)[0] for variation in variations}) == len(variations)
