from typing import Any

import polars as pl
import pytest

from queries import breakdown, categories, intervals, reliability
from tests import builders
from tests.builders import trial_number

BOOK = categories.shipped()
RESPONSE, FACTS = '["response"]', '["facts"]'
CLAIMS, EFFECTS = "operational_claim_integrity", "side_effect_integrity"


@pytest.fixture
def suite() -> dict[str, Any]:
    """Two items: `a` demands both categories, `b` only one; the last trial of `b` errored."""
    definitions = [
        {"definition": 1, "item": "a", "criterion": "says", "target": RESPONSE},
        {"definition": 2, "item": "a", "criterion": "does", "target": FACTS},
        {"definition": 3, "item": "b", "criterion": "says", "target": RESPONSE},
    ]
    results = [
        ("a", "passed", {1: True, 2: True}),
        ("a", "failed", {1: False, 2: True}),
        ("b", "passed", {3: True}),
        ("b", "error", {}),
    ]
    trials, checks = [], []
    for place, (item, outcome, passed) in enumerate(results):
        own = {"trial": trial_number(place)}
        code = "EVALUATION_TIMEOUT" if outcome == "error" else None
        trials.append(own | {"item": item, "outcome": outcome, "error_code": code})
        checks += [
            own
            | {"definition": number, "passed": result, "position": position}
            | {"criterion": definitions[number - 1]["criterion"]}
            for position, (number, result) in enumerate(passed.items())
        ]
    return {
        "runs": builders.runs({}),
        "items": builders.items(
            {"item": "a", "tags": ["en", "smoke"]}, {"item": "b", "tags": ["en"]}
        ),
        "trials": builders.trials(*trials),
        "checks": builders.checks(*checks),
        "definitions": builders.definitions(*definitions),
    }


def counts_of(suite: dict[str, Any]) -> breakdown.Counts:
    return reliability.counts(**suite, rulebook=BOOK)


def rows(frame: pl.LazyFrame, *columns: str) -> list[tuple[Any, ...]]:
    return frame.select(columns).collect().rows()


SHOWN = ("trials", "covered", "failing_trials", "rate", "low", "high")


def test_an_item_has_the_categories_its_criteria_demand(suite: dict[str, Any]) -> None:
    table = reliability.by_item(counts_of(suite)).filter(pl.col("covered") > 0)

    assert rows(table, "category", "item", *SHOWN) == [
        (CLAIMS, "a", 2, 2, 1, 0.5, 0.5, 0.5),
        (CLAIMS, "b", 2, 1, 0, 1.0, 0.5, 1.0),
        (EFFECTS, "a", 2, 2, 0, 1.0, 1.0, 1.0),
    ]


def test_a_stopped_trial_stands_with_its_item(suite: dict[str, Any]) -> None:
    stopped = reliability.by_item(counts_of(suite)).filter(pl.col("stopped_trials") > 0)

    assert rows(stopped, "category", "item", "rate") == [("provider_failure", "b", None)]


def test_a_tag_counts_the_items_that_have_it(suite: dict[str, Any]) -> None:
    table = reliability.by_tag(counts_of(suite), suite["items"]).filter(pl.col("covered") > 0)

    assert rows(table, "category", "tag", *SHOWN[:4]) == [
        (CLAIMS, "en", 4, 3, 1, 2 / 3),
        (CLAIMS, "smoke", 2, 2, 1, 0.5),
        (EFFECTS, "en", 4, 2, 0, 1.0),
        (EFFECTS, "smoke", 2, 2, 0, 1.0),
    ]


def test_the_native_axis_of_an_evaluation_report_is_the_criterion(suite: dict[str, Any]) -> None:
    del suite["items"]
    table = reliability.by_axis(**suite)

    assert rows(table, "axis", "value", "covered", "failing_trials", "rate", "stopped_trials") == [
        ("criterion", "does", 2, 0, 1.0, 0),
        ("criterion", "says", 3, 1, 2 / 3, 0),
        ("error_code", "EVALUATION_TIMEOUT", 0, 0, None, 1),
    ]


def test_the_native_axis_of_a_trial_row_is_the_fault_and_its_code() -> None:
    table = reliability.by_axis(
        builders.runs({"format": "trial-row"}),
        builders.trials({"outcome": "failed"}, {"trial": trial_number(1)}),
        builders.checks({"definition": 1, "passed": False}, {"definition": 2, "position": 1}),
        builders.definitions(
            {"definition": 1, "fault": "agent", "code": "ERR_NEW"}, {"definition": 2}
        ),
    )

    assert rows(table, "axis", "value", "code", "graded", "failing_trials", "rate") == [
        ("fault", "agent", "ERR_NEW", 2, 1, 0.5)
    ]


def test_the_native_axis_of_a_sample_report_is_the_expectation() -> None:
    table = reliability.by_axis(
        builders.runs({"format": "sample-report"}),
        builders.sample_trials({"outcome": "failed"}, {"trial": trial_number(1)}),
        builders.checks({"definition": 1, "passed": False}),
        builders.definitions({"definition": 1, "kind": "expectation", "expectation": "acts"}),
    )

    assert rows(table, "axis", "value", "failing_trials", "rate") == [
        ("expectation", "acts", 1, 0.5)
    ]


def test_one_item_says_nothing_about_other_items(suite: dict[str, Any]) -> None:
    [effects] = (
        reliability.categories(**suite, rulebook=BOOK).filter(category=EFFECTS).collect().to_dicts()
    )

    assert effects["items"] == 1
    assert effects["items_low"] is effects["items_high"] is effects["items_size"] is None
    assert effects["again_low"] == pytest.approx(0.3423802275066532)


def test_ten_items_that_always_passed_say_more_of_themselves_than_of_others() -> None:
    items = [f"item {place}" for place in range(10)]
    trials, checks = [], []
    for place in range(50):
        own = {"trial": trial_number(place)}
        trials.append(own | {"item": items[place % 10]})
        checks.append(own | {"definition": place % 10})
    [row] = (
        reliability.categories(
            builders.runs({}),
            builders.items(*({"item": item} for item in items)),
            builders.trials(*trials),
            builders.checks(*checks),
            builders.definitions(
                *({"definition": n, "item": item, "target": FACTS} for n, item in enumerate(items))
            ),
            BOOK,
        )
        .collect()
        .to_dicts()
    )

    assert row["again_low"] == pytest.approx(0.93, abs=0.005)
    assert row["items_low"] == pytest.approx(0.66, abs=0.005)
    assert row["repetitions_least"] == row["repetitions_most"] == 5
    assert set(intervals.QUESTIONS) == {"again", "items"}


def test_unequal_repetitions_count_by_their_harmonic_mean() -> None:
    trials = [
        {"trial": trial_number(place), "item": "a" if place < 2 else "b"} for place in range(8)
    ]
    checks = [
        {"trial": trial["trial"], "definition": 1 if trial["item"] == "a" else 2}
        for trial in trials
    ]
    definitions = [
        {"definition": 1, "item": "a", "target": FACTS},
        {"definition": 2, "item": "b", "target": FACTS},
    ]
    counts = reliability.counts(
        builders.runs({}),
        builders.items({"item": "a"}, {"item": "b"}),
        builders.trials(*trials),
        builders.checks(*checks),
        builders.definitions(*definitions),
        BOOK,
    )
    [row] = reliability.by_category(counts).collect().to_dicts()

    assert row["again_size"] == pytest.approx(4 / (1 / 2 + 1 / 6))
    assert (row["repetitions_least"], row["repetitions_most"]) == (2, 6)
