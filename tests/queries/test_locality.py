"""A row of a figure depends on the rows of its own key, and on nothing else."""

from collections.abc import Callable
from typing import Final

import polars as pl
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from polars.testing import assert_frame_equal

from ingest.records import trial_name
from queries import grain
from tests.builders import RUN, trial_number
from tests.queries.figures import FIGURES, reliability_categories
from tests.queries.stores import Store, stores

FINER: Final = {
    "categories.assign": ("definitions", ("run", "definition")),
    "runs.outcomes": ("trials", ("run", "outcome")),
    "reliability.by_item": ("items", ("run", "item")),
    "votes.criteria": ("votes", ("run", "criterion")),
    "votes.items": ("votes", ("run", "criterion")),
    "judged.distribution": ("votes", ("run", "criterion")),
    "judged.of_items": ("trials", ("trial",)),
    "marks.trials": ("trials", ("trial",)),
    "marks.in_category": ("trials", ("trial",)),
    "ways.ways": ("trials", ("run", "item", "variants")),
    "reliability.votes": ("votes", ("run", "criterion")),
    "evidence.failures": ("checks", ("trial",)),
    "evidence.decisive": ("checks", ("trial",)),
    "cases.listing": ("trials", ("trial",)),
    "cases.tree": ("checks", ("trial",)),
}
"""Figures whose tables can be cut finer than by run: by which columns of which table."""


def assert_local(
    store: Store,
    query: Callable[[Store], pl.LazyFrame],
    key: tuple[str, ...],
    *,
    table: str = "runs",
    by: tuple[str, ...] = ("run",),
) -> None:
    """The figure over everything is the figures over each part, put together."""
    whole = query(store).collect()
    values = getattr(store, table).select(by).unique().collect().rows(named=True)
    parts = [query(store.where(**value)).collect() for value in values]

    assert_frame_equal(pl.concat([whole.clear(), *parts]).sort(key), whole.sort(key))


@pytest.mark.parametrize("name", FIGURES)
@settings(max_examples=6, deadline=None)
@given(store=stores())
def test_a_row_depends_on_its_own_run_only(name: str, store: Store) -> None:
    assert_local(store, FIGURES[name], grain.KEYS[name])


@pytest.mark.parametrize("name", FINER)
@settings(max_examples=6, deadline=None)
@given(store=stores())
def test_a_row_depends_on_its_own_key_only(name: str, store: Store) -> None:
    table, by = FINER[name]
    assert_local(store, FIGURES[name], grain.KEYS[name], table=table, by=by)


@pytest.mark.xfail(strict=True, reason="the figure takes a mean over the other runs")
@settings(max_examples=50, deadline=None, phases=[Phase.generate])
@given(store=stores())
def test_a_figure_that_looks_at_other_runs_is_caught(store: Store) -> None:
    def against_the_mean(store: Store) -> pl.LazyFrame:
        figure = reliability_categories(store)
        return figure.with_columns(pl.col("failing_trials") - pl.col("failing_trials").mean())

    assert_local(store, against_the_mean, grain.KEYS["reliability.categories"])


@pytest.mark.parametrize("name", FIGURES)
@settings(max_examples=4, deadline=None)
@given(store=stores(), seed=st.integers(0, 1000))
def test_the_order_of_rows_changes_nothing(name: str, store: Store, seed: int) -> None:
    def shuffled(table: pl.LazyFrame) -> pl.LazyFrame:
        return table.collect().sample(fraction=1, shuffle=True, seed=seed).lazy()

    query = FIGURES[name]

    assert_frame_equal(query(store.map(shuffled)).collect(), query(store).collect())


@pytest.mark.parametrize("name", FIGURES)
@settings(max_examples=3, deadline=None)
@given(store=stores())
def test_a_figure_has_one_row_per_key_and_names_the_key_first(name: str, store: Store) -> None:
    key = grain.KEYS[name]
    figure = FIGURES[name](store).collect()

    assert figure.select(key).is_duplicated().sum() == 0
    assert set(key) <= set(figure.columns)
    assert figure.columns[0] == key[0]


def test_every_key_has_its_figure() -> None:
    assert set(FIGURES) == set(grain.KEYS)


def test_a_trial_is_called_as_the_loader_calls_it() -> None:
    number = trial_number(123456)
    frame = pl.DataFrame({"run": [RUN], "trial": [number]}).select(grain.trial_name())

    assert frame.item() == trial_name(number)
