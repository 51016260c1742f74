"""What was planned of a cell, in the way each format says it."""

from typing import Any

import polars as pl
import pytest

from queries import gate_counts
from tests import builders
from tests.builders import OTHER, RUN, trial_number


def found(*, runs: list[Any], items: list[Any], trials: list[Any]) -> list[dict[str, Any]]:
    numbered = [
        {"trial": trial_number(place, row.get("run", RUN))} | row
        for place, row in enumerate(trials)
    ]
    cells = gate_counts.cells(
        builders.runs(*runs), builders.items(*items), builders.trials(*numbered)
    )
    return cells.collect().to_dicts()


@pytest.mark.parametrize(
    ("outcome", "column"),
    [
        ("pending", "missing"),
        ("running", "missing"),
        ("absent", "missing"),
        ("skipped", "skipped"),
        ("error", "unmeasured"),
        ("rate_limited", "unmeasured"),
        ("failed", "graded"),
    ],
)
def test_a_listed_trial_is_planned_however_it_ended(outcome: str, column: str) -> None:
    row = found(runs=[{}], items=[{}], trials=[{"outcome": outcome}])[0]

    assert (row["planned"], row["trials"], row[column]) == (1, 1, 1)
    others = {"missing", "skipped", "unmeasured", "graded", "duplicates"} - {column}
    assert {row[name] for name in others} == {0}


def test_a_sample_report_plans_as_many_samples_as_it_was_configured_for() -> None:
    config = '{"execution":{"samples_per_item":3}}'
    rows = found(
        runs=[{"format": "sample-report", "config": config}],
        items=[{"item": "a"}, {"item": "b"}],
        trials=[{"item": "a"}, {"item": "a", "repetition": 1}],
    )

    assert [(row["item"], row["planned"], row["missing"]) for row in rows] == [
        ("a", 3, 1),
        ("b", 3, 3),
    ]


def test_a_sample_report_without_that_plans_what_it_has() -> None:
    rows = found(runs=[{"format": "sample-report"}], items=[{}], trials=[{}])

    assert (rows[0]["planned"], rows[0]["missing"]) == (1, 0)


def test_trial_rows_plan_every_scenario_of_the_file_for_every_model() -> None:
    rows = found(
        runs=[
            {"run": run, "format": "trial-row", "subject": run, "dialect": "contract"}
            for run in (RUN, OTHER)
        ],
        items=[{"item": "a"}, {"item": "b"}, {"run": OTHER, "item": "a"}],
        trials=[
            {"item": "a"},
            {"item": "b", "repetition": 1},
            {"run": OTHER, "item": "a"},
        ],
    )

    assert [(row["run"], row["item"], row["planned"], row["missing"]) for row in rows] == [
        (RUN, "a", 2, 1),
        (RUN, "b", 2, 1),
        (OTHER, "a", 2, 1),
        (OTHER, "b", 2, 2),
    ]


def test_rows_without_a_model_have_no_grid() -> None:
    rows = found(
        runs=[{"format": "trial-row", "subject": None}],
        items=[{"item": "a"}],
        trials=[{"item": "a", "repetition": None}],
    )

    assert (rows[0]["planned"], rows[0]["missing"]) == (1, 0)


def test_a_repetition_that_occurs_twice_is_a_duplicate_and_stands_for_one() -> None:
    config = '{"execution":{"samples_per_item":2}}'
    row = found(
        runs=[{"format": "sample-report", "config": config}],
        items=[{}],
        trials=[{"repetition": 0}, {"repetition": 0}],
    )[0]

    assert (row["duplicates"], row["missing"]) == (1, 1)


def test_rows_without_a_repetition_are_no_duplicates() -> None:
    row = found(runs=[{}], items=[{}], trials=[{"repetition": None}, {"repetition": None}])[0]

    assert (row["trials"], row["duplicates"]) == (2, 0)


def test_counts_are_wide_integers() -> None:
    cells = gate_counts.cells(builders.runs({}), builders.items({}), builders.trials({}))
    numbers = cells.collect().drop("run", "item", "variants")

    assert set(numbers.schema.values()) == {pl.Int64()}
