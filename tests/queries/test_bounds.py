"""What holds for every category table: exact counts, sound bounds, no children counted."""

import polars as pl
from hypothesis import given, settings
from hypothesis import strategies as st
from polars.testing import assert_frame_equal

from queries import categories, reliability
from tests import builders
from tests.builders import trial_number
from tests.queries.figures import reliability_categories
from tests.queries.stores import Store, stores


def test_many_trials_are_counted_and_divided_exactly() -> None:
    """70,000 trials, of which every fourth fails: their squares need more than 32 bits."""
    many = 70_000
    numbers = pl.int_range(trial_number(0), trial_number(0) + many, eager=True)
    one = builders.trials({}).drop("trial").collect()
    trials = pl.concat([one] * many).with_columns(numbers.alias("trial"))
    check = builders.checks({}).drop("trial", "passed").collect()
    checks = pl.concat([check] * many).with_columns(
        numbers.alias("trial"), passed=pl.int_range(many) % 4 != 0
    )

    figure = reliability.categories(
        builders.runs({}),
        builders.items({}),
        trials.lazy(),
        checks.lazy(),
        builders.definitions({"target": '["facts"]'}),
        categories.shipped(),
    ).collect()

    (row,) = figure.filter(pl.col("category") == "side_effect_integrity").to_dicts()
    assert (row["covered"], row["failing_trials"], row["rate"]) == (many, many // 4, 0.75)
    counts = [name for name, dtype in figure.schema.items() if dtype.is_integer()]
    assert {figure.schema[name] for name in counts} == {pl.Int64}
    squared = figure.select(pl.col("covered") * pl.col("covered") * 4)["covered"].max()
    assert squared == 4 * many * many


@settings(max_examples=15, deadline=None)
@given(store=stores())
def test_rates_lie_within_their_bounds_and_counts_add_up(store: Store) -> None:
    figure = reliability_categories(store).collect()
    criteria = store.checks.filter(pl.col("parent").is_null(), pl.col("scope") != "run").collect()

    for row in figure.to_dicts():
        assert row["graded"] + row["ungraded"] == row["trials"]
        assert sum(outcome["trials"] for outcome in row["outcomes"]) == row["ungraded"]
        if row["rate"] is not None:
            assert 0 <= row["low"] <= row["rate"] <= row["high"] <= 1
    failing = criteria.filter(~pl.col("passed"), ~pl.col("errored")).height
    both = figure.select(pl.col("failures") + pl.col("failures_ungraded")).sum().item()
    assert both == failing
    assert figure["errored_criteria"].sum() == criteria["errored"].sum()


@settings(max_examples=10, deadline=None)
@given(store=stores(), passed=st.booleans())
def test_children_of_criteria_change_no_category(store: Store, passed: bool) -> None:  # noqa: FBT001
    roots = store.checks.filter(pl.col("parent").is_null())
    children = roots.with_columns(
        parent="position", position=pl.col("position") + 1000, passed=pl.lit(passed)
    )
    with_children = store._replace(checks=pl.concat([roots, children]))

    assert_frame_equal(
        reliability_categories(with_children).collect(),
        reliability_categories(store._replace(checks=roots)).collect(),
    )
