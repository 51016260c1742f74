"""What a gate says beside a baseline: cells that got worse, categories whose test says so."""

from typing import Any

import pytest

from queries import gate
from queries.gate_rulings import Against
from queries.policy import Policy
from tests.queries.test_gate import cell, evidence, told


def against(**members: Any) -> Against:
    headline = {
        "withheld": False,
        "reason": None,
        "compared": 9,
        "excluded": 0,
        "added": 0,
        "removed": 0,
    }
    return Against(**{"headline": headline, "changes": [], "categories": []} | members)


def worse(noise: str) -> dict[str, Any]:
    return {
        "item": "item",
        "variants": "{}",
        "kind": "deterministic_regression",
        "before": 1.0,
        "after": 0.5,
        "newly_failing": ["acts"],
        "noise": noise,
    }


@pytest.mark.parametrize(
    ("noise", "policy", "verdict"),
    [
        ("exceeds_noise", Policy(), "fail"),
        ("within_noise", Policy(), "pass"),
        ("unmeasured", Policy(), "fail"),
        ("unmeasured", Policy(unmeasured_noise="inconclusive"), "inconclusive"),
        ("exceeds_noise", Policy(max_regressions=1), "pass"),
    ],
)
def test_a_regression_counts_when_it_is_not_known_to_be_noise(
    noise: str, policy: Policy, verdict: str
) -> None:
    seen = evidence(cell(3, 3), against=against(changes=[worse(noise)]))

    assert gate.decide(policy, seen).verdict == verdict


def test_a_regression_names_what_newly_fails() -> None:
    seen = evidence(cell(3, 3), against=against(changes=[worse("exceeds_noise")]))

    assert told(gate.decide(Policy(), seen)) == [
        (
            *("item", "max_regressions"),
            "1.000 → 0.500, more than the control pair moved; newly failing: acts",
        )
    ]


def compared(p: float | None, difference: float, low: float) -> dict[str, Any]:
    return {
        "category": "clarification",
        "cells": 9,
        "difference": difference,
        "again_low": low,
        "again_high": low + 0.2,
        "p": p,
        "p_holm": p,
        "tests": 1,
        "test": p and "CMH",
        "base_passed": 9,
        "base_trials": 9,
        "current_passed": 9,
        "current_trials": 9,
    }


@pytest.mark.parametrize(
    ("row", "margin", "verdict"),
    [
        (compared(0.01, -0.2, -0.3), None, "fail"),
        (compared(0.01, 0.2, 0.1), None, "pass"),
        (compared(0.2, -0.2, -0.3), None, "pass"),
        (compared(0.2, -0.2, -0.3), 0.1, "inconclusive"),
        (compared(None, 0.0, -0.05), 0.1, "pass"),
        (compared(0.01, -0.05, -0.08), 0.1, "pass"),
    ],
)
def test_a_category_regresses_when_its_test_says_so(
    row: dict[str, Any], margin: float | None, verdict: str
) -> None:
    seen = evidence(cell(3, 3), against=against(categories=[row]))

    assert gate.decide(Policy(regression_margin=margin), seen).verdict == verdict


def test_too_few_pairs_say_nothing_about_regressions() -> None:
    withheld = {"withheld": True, "reason": "too few"} | dict.fromkeys(
        ("compared", "excluded", "added", "removed"), 1
    )
    seen = evidence(cell(3, 3), against=against(headline=withheld, changes=[worse("unmeasured")]))
    outcome = gate.decide(Policy(), seen)

    assert outcome.verdict == "inconclusive"
    assert told(outcome, "undecided") == [("live", "max_excluded_share", "too few")]
