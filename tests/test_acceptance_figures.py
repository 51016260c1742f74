"""Figures of the acceptance reports, against reference figures computed by another program.

The reports lie beside the repository and are not part of it; without them these tests skip.
"""

from collections import Counter
from collections.abc import Mapping
from typing import Any, Final

import pytest

from tests.acceptance import DATA, EVALUATIONS, ROWS, SAMPLES, Figures, load, of

pytestmark = pytest.mark.skipif(not DATA.is_dir(), reason=f"no acceptance data at {DATA}")


@pytest.fixture(scope="module")
def figures(tmp_path_factory: pytest.TempPathFactory) -> Figures:
    return load(tmp_path_factory.mktemp("acceptance") / "store.duckdb")


@pytest.mark.parametrize("name", EVALUATIONS)
def test_runs_of_evaluation_reports(figures: Figures, name: str) -> None:
    expected = EVALUATIONS[name]
    run = figures.run_of("evaluation_report", name)

    assert {
        "run_id": run["native_run"],
        "suite": run["suite"],
        "status": run["status"],
        "target": {"id": run["subject"], "fingerprint": run["subject_fingerprint"]},
        "resumed_from": run["resumed_from"],
        "cases": run["trials"],
        "by_status": {row["outcome"]: row["trials"] for row in of(figures.outcomes, run["run"])},
        "graded": run["measured"],
        "cells": run["cells"],
        "turns": run["turns"],
        "failing_roots": run["criteria_failing"],
        "errored_roots": run["criteria_errored"],
    }.items() <= expected.items()
    assert run["items_without_trials"] == len(expected["scenarios_without_cases"])


@pytest.mark.parametrize("name", EVALUATIONS)
def test_suite_criteria_of_evaluation_reports(figures: Figures, name: str) -> None:
    run = figures.run_of("evaluation_report", name)
    unmet = {
        row["criterion"]: f"error:{row['error_code']}" if row["errored"] else "failed"
        for row in of(figures.suite, run["run"])
    }
    results = EVALUATIONS[name]["suite_assertions"]

    assert unmet == {name: result for name, result in results.items() if result != "passed"}
    assert run["suite_passed"] == list(results.values()).count("passed")
    assert run["suite_failed"] == list(results.values()).count("failed")
    assert run["suite_errored"] == len(results) - run["suite_passed"] - run["suite_failed"]


SCOPES: Final = {
    "trial": "case",
    "turn": "turn",
    "turn-criterion": "turn-assertion",
    "trial-criterion": "case-assertion",
}


@pytest.mark.parametrize("name", EVALUATIONS)
def test_error_codes_of_evaluation_reports(figures: Figures, name: str) -> None:
    run = figures.run_of("evaluation_report", name)["run"]
    ids = dict(figures.tables["trial"].select("trial", "native_id").iter_rows())
    found = [
        {
            "case": ids[row["trial_number"]],
            "status": row["outcome"],
            "scope": SCOPES[row["error_scope"]],
            "code": row["error_code"],
        }
        for row in of(figures.listing, run)
        if row["error_code"] is not None
    ]

    assert found == EVALUATIONS[name]["errors"]


@pytest.mark.parametrize("name", EVALUATIONS)
def test_failures_of_evaluation_reports(figures: Figures, name: str) -> None:
    run = figures.run_of("evaluation_report", name)["run"]
    ids = dict(figures.tables["trial"].select("trial", "native_id").iter_rows())
    found = [
        {
            "case": ids[row["trial_number"]],
            "scenario": row["item"],
            "repetition": row["repetition"],
            "scope": "case" if row["scope"] == "trial" else row["scope"],
            "turn": row["turn"],
            "step": row["step"],
            "root": row["criterion"],
            "errored": row["errored"],
            "decisive": sorted(
                [[leaf["path"], leaf["negated"], leaf["error_code"]] for leaf in row["decisive"]],
                key=str,
            ),
        }
        for row in of(figures.failures, run)
    ]
    unplaced = {"turn": None, "step": None}
    wanted = [
        unplaced | row | {"decisive": sorted(row["decisive"], key=str)}
        for row in EVALUATIONS[name]["failures"]
    ]

    assert found == wanted


@pytest.mark.parametrize("name", EVALUATIONS)
def test_a_category_of_an_evaluation_report_adds_up(figures: Figures, name: str) -> None:
    """No reference says a category; what must hold whatever the rules are does."""
    run = figures.run_of("evaluation_report", name)
    rows = of(figures.categories, run["run"])

    failing = sum(row["failures"] + row["failures_ungraded"] for row in rows)
    assert failing == run["criteria_failing"]
    assert sum(row["errored_criteria"] for row in rows) == run["criteria_errored"]
    for row in rows:
        assert row["failing_trials"] <= row["covered"] <= row["graded"] == run["measured"]


@pytest.mark.parametrize("name", SAMPLES)
def test_runs_of_sample_reports(figures: Figures, name: str) -> None:
    expected = SAMPLES[name]
    run = figures.run_of("sample_report", name)

    assert {
        "suite": run["suite"],
        "items": run["items"],
        "samples": run["trials"],
        "measured": run["measured"],
        "passed": run["passed"],
        "pass_rate": run["passed"] / run["trials"],
    }.items() <= expected.items()


@pytest.mark.parametrize("name", SAMPLES)
def test_categories_of_sample_reports(figures: Figures, name: str) -> None:
    run = figures.run_of("sample_report", name)
    found = {
        row["category"]: {
            "samples": row["trials"],
            "failing_samples": row["failing_trials"],
            "failures": row["failures"],
            "failure_rate": row["failure_rate"],
        }
        for row in of(figures.categories, run["run"])
    }

    assert found == SAMPLES[name]["categories"]
    for row in of(figures.categories, run["run"]):
        assert row["rate"] == (run["measured"] - row["failing_trials"]) / run["measured"]


@pytest.mark.parametrize("name", SAMPLES)
def test_rates_of_sample_reports(figures: Figures, name: str) -> None:
    expected = SAMPLES[name]
    run = figures.run_of("sample_report", name)
    rates = {f"{row['name']}_rate": row["rate"] for row in of(figures.rates, run["run"])}
    (refused,) = of(figures.refused, run["run"])
    (discards,) = of(figures.discards, run["run"])
    codes = [[code["code"], code["answers"]] for code in discards["codes"]]
    tasks = {row["task"]: [row["passed"], row["scored"]] for row in of(figures.tasks, run["run"])}

    assert rates.items() <= expected.items()
    assert refused["count"] == expected["refused_proposals"]
    assert refused["measured"] == discards["measured"] == expected["measured"]
    assert discards["count"] == expected["samples_with_discards"]
    assert codes == expected["discard_codes"]
    assert tasks == expected["tasks"]


@pytest.mark.parametrize("name", SAMPLES)
def test_judges_of_sample_reports(figures: Figures, name: str) -> None:
    run = figures.run_of("sample_report", name)["run"]
    measures = ("mean_score", "min_score", "max_score", "mean_vote_spread", "failed_votes")
    found = [
        {"criterion": row["criterion"], "samples_judged": row["judged"]}
        | {measure: row[measure] for measure in measures}
        for row in of(figures.votes, run)
    ]

    assert found == SAMPLES[name]["judge"]


def by_tool_and_model(row: Mapping[str, Any]) -> tuple[str, str]:
    return (row["tool"], row["model"] or "\uffff")


@pytest.mark.parametrize("name", ROWS)
def test_outcomes_of_trial_rows(figures: Figures, name: str) -> None:
    found = [
        {
            "tool": run["suite"],
            "model": run["subject"],
            "outcomes": {row["outcome"]: row["trials"] for row in of(figures.outcomes, run["run"])},
        }
        for run in figures.runs_of(DATA / "trial_row" / name).to_dicts()
    ]

    assert sorted(found, key=by_tool_and_model) == sorted(ROWS[name]["runs"], key=by_tool_and_model)
    assert sum(sum(row["outcomes"].values()) for row in found) == ROWS[name]["rows"]


@pytest.mark.parametrize("name", ROWS)
def test_faults_of_trial_rows(figures: Figures, name: str) -> None:
    checks: Counter[tuple[Any, ...]] = Counter()
    trials: dict[tuple[Any, ...], set[str]] = {}
    for run in figures.runs_of(DATA / "trial_row" / name).to_dicts():
        for row in of(figures.failures, run["run"]):
            key = (run["suite"], run["subject"], row["fault"], row["code"], row["unfinished"])
            checks[key] += 1
            trials.setdefault(key, set()).add(row["trial"])
    wanted = {
        (row["tool"], row["model"], row["fault"], row["code"], row["unfinished"]): (
            row["trials"],
            row["checks"],
        )
        for row in ROWS[name]["faults"]
    }

    assert {key: (len(trials[key]), n) for key, n in checks.items()} == wanted


@pytest.mark.parametrize("name", ROWS)
def test_checks_of_trial_rows_that_never_failed(figures: Figures, name: str) -> None:
    seen, failed = set(), set()
    items = dict(figures.tables["trial"].select("trial", "item").iter_rows())
    for run in figures.runs_of(DATA / "trial_row" / name).to_dicts():
        for check in of(figures.tables["check"], run["run"]):
            key = (run["suite"], items[check["trial"]], check["criterion"])
            seen.add(key)
            failed |= set() if check["passed"] else {key}

    assert sorted(map(list, seen - failed)) == ROWS[name]["never_failing"]
