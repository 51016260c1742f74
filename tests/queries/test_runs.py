"""What a run holds, counted."""

import polars as pl
from polars.testing import assert_frame_equal

from queries import runs
from tests import builders
from tests.builders import OTHER, RUN, trial_number


def test_an_overview_counts_each_run_beside_what_the_run_is() -> None:
    items = builders.items({"item": "a"}, {"item": "b"}, {"item": "never tried"})
    trials = builders.trials(
        {"trial": trial_number(0), "item": "a", "turns": 2},
        {"trial": trial_number(1), "item": "a", "turns": 1, "outcome": "failed"},
        {"trial": trial_number(2), "item": "a", "variants": '{"s":"x"}', "outcome": "error"},
        {"trial": trial_number(3), "item": "b"},
    )
    checks = builders.checks(
        {"passed": False, "kind": "all"},
        {"position": 1, "parent": 0, "passed": False},
        {"position": 2, "scope": "turn", "turn": 0, "passed": False},
        {"position": 3, "passed": False, "errored": True},
        {"position": 4},
        {"position": 0, "scope": "run", "trial": None, "passed": False},
        {"position": 1, "scope": "run", "trial": None},
        {"position": 2, "scope": "run", "trial": None, "passed": False, "errored": True},
    )
    known = builders.runs({"subject": "m"}, {"run": OTHER}).select("run", "subject", "turns")

    assert_frame_equal(
        runs.overview(known, items, trials, checks).collect(),
        pl.DataFrame(
            {
                "run": [RUN, OTHER],
                "subject": ["m", None],
                "items": [3, 0],
                "items_without_trials": [1, 0],
                "cells": [3, 0],
                "repetitions": [2, 0],
                "trials": [4, 0],
                "turns": [3, 0],
                "measured": [3, 0],
                "passed": [2, 0],
                "criteria_failing": [2, 0],
                "criteria_errored": [1, 0],
                "suite_passed": [1, 0],
                "suite_failed": [1, 0],
                "suite_errored": [1, 0],
            }
        ),
    )


def test_outcomes_are_counted_and_never_folded() -> None:
    outcomes = ("failed", "skipped", "failed", "rate_limited", "passed")
    trials = builders.trials(
        *({"trial": trial_number(n), "outcome": outcome} for n, outcome in enumerate(outcomes))
    )

    assert_frame_equal(
        runs.outcomes(trials).collect(),
        pl.DataFrame(
            {
                "run": [RUN] * 4,
                "outcome": ["failed", "passed", "rate_limited", "skipped"],
                "trials": [2, 1, 1, 1],
            }
        ),
    )
