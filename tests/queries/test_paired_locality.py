"""A row about two sides depends on its own cell or category of these sides, on nothing else."""

from typing import Final

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from polars.testing import assert_frame_equal

from queries import categories as rules
from queries import grain
from tests.queries.paired import BOOK, FIGURES
from tests.queries.stores import FORMATS, ITEMS, RUNS, Store, stores

BY_ITEM: Final = [name for name, key in grain.PAIRED.items() if "item" in key]
ONE_FORMAT: Final = st.sampled_from(FORMATS).flatmap(stores)


@pytest.mark.parametrize("name", BY_ITEM)
@settings(max_examples=12, deadline=None)
@given(store=ONE_FORMAT)
def test_a_row_depends_on_its_own_item_only(name: str, store: Store) -> None:
    key = grain.PAIRED[name]
    whole = FIGURES[name](store).collect()
    parts = [FIGURES[name](store.where(item=item)).collect() for item in ITEMS]

    assert_frame_equal(pl.concat(parts).sort(key), whole.sort(key))


@settings(max_examples=12, deadline=None)
@given(store=ONE_FORMAT)
def test_a_category_depends_on_its_own_criteria_only(store: Store) -> None:
    known = rules.assign(store.definitions, store.items, store.runs, BOOK).collect()
    for row in FIGURES["comparison.categories"](store).collect().to_dicts():
        own = known.filter(category=row["category"])["definition"].implode()
        kept = store._replace(checks=store.checks.filter(pl.col("definition").is_in(own)))
        alone = FIGURES["comparison.categories"](kept).filter(category=row["category"]).collect()

        assert alone.to_dicts() == [row]


@pytest.mark.parametrize("name", FIGURES)
@settings(max_examples=10, deadline=None)
@given(store=ONE_FORMAT, seed=st.integers(0, 1000))
def test_the_order_of_rows_changes_nothing(name: str, store: Store, seed: int) -> None:
    def shuffled(table: pl.LazyFrame) -> pl.LazyFrame:
        return table.collect().sample(fraction=1, shuffle=True, seed=seed).lazy()

    assert_frame_equal(FIGURES[name](store.map(shuffled)).collect(), FIGURES[name](store).collect())


@pytest.mark.parametrize("name", FIGURES)
@settings(max_examples=10, deadline=None)
@given(store=ONE_FORMAT)
def test_a_figure_has_one_row_per_key_and_names_the_key_first(name: str, store: Store) -> None:
    key = grain.PAIRED[name]
    figure = FIGURES[name](store).collect()

    assert figure.columns[: len(key)] == list(key) or name == "changes.changes"
    assert figure.height == (figure.select(key).unique().height if key else 1)


@pytest.mark.parametrize("name", FIGURES)
@settings(max_examples=10, deadline=None)
@given(store=stores())
def test_a_run_on_neither_side_changes_nothing(name: str, store: Store) -> None:
    without = store.map(lambda table: table.filter(pl.col("run") != RUNS[2]))

    assert_frame_equal(FIGURES[name](without).collect(), FIGURES[name](store).collect())


@settings(max_examples=10, deadline=None)
@given(store=stores("sample-report"))
def test_votes_change_no_rate(store: Store) -> None:
    silent = store._replace(votes=store.votes.clear())
    for name in ("pairing.pairs", "comparison.headline", "comparison.categories"):
        assert_frame_equal(FIGURES[name](silent).collect(), FIGURES[name](store).collect())


def test_every_key_has_its_figure() -> None:
    assert set(FIGURES) == set(grain.PAIRED)
