"""A row of a history depends on its own cell and on its own line of runs, on nothing else."""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Final

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from polars.testing import assert_frame_equal

from queries import grain, history, tally
from queries.counting import counted
from tests.queries.stores import ITEMS, RUNS, Store, stores

LINE: Final = ("suite", "subject", "arm")
SUBJECTS: Final = ("one", "two", None)


@st.composite
def pasts(draw: st.DrawFn) -> Store:
    """Runs of one or two subjects on as many days, some with another definition or version."""
    store = draw(stores())
    told = pl.LazyFrame(
        {
            "run": RUNS,
            "subject": [draw(st.sampled_from(SUBJECTS)) for _ in RUNS],
            "arm": [draw(st.sampled_from((None, "full"))) for _ in RUNS],
            "version": [draw(st.sampled_from((1, 2))) for _ in RUNS],
            "definition": [draw(st.sampled_from(("a", "b", None))) for _ in RUNS],
            "subject_fingerprint": [draw(st.sampled_from(("x", "y"))) for _ in RUNS],
            "started_at": [f"2026-11-{day:02d}T08:00" for day in (2, 1, 3)],
            "path": ["report.json"] * 3,
            "ingested_at": [datetime(2026, 11, 30)] * 3,  # noqa: DTZ001
        },
        schema_overrides={"subject": pl.String, "arm": pl.String, "definition": pl.String},
    )
    kept = store.runs.drop(set(told.collect_schema()) - {"run"}, strict=False)
    return store._replace(runs=kept.join(told, on="run"))


def ordered(store: Store) -> pl.LazyFrame:
    return history.ordered(store.runs)


def strips(store: Store) -> pl.LazyFrame:
    cells = counted(tally.cells, store.trials).rename({"repetitions": "trials"})
    return history.strips(cells, ordered(store))


FIGURES: Final[Mapping[str, Callable[[Store], pl.LazyFrame]]] = {
    "history.ordered": ordered,
    "history.strips": strips,
    "history.listed": lambda store: history.listed(strips(store)),
}


@settings(max_examples=15, deadline=None)
@given(store=pasts())
def test_a_cell_of_a_history_depends_on_its_own_item_only(store: Store) -> None:
    for name in ("history.strips", "history.listed"):
        key = grain.OVER_TIME[name]
        parts = [FIGURES[name](store.where(item=item)).collect() for item in ITEMS]

        assert_frame_equal(pl.concat(parts).sort(key), FIGURES[name](store).collect().sort(key))


@pytest.mark.parametrize("name", ["history.ordered", "history.strips"])
@settings(max_examples=15, deadline=None)
@given(store=pasts())
def test_a_run_is_read_on_from_runs_of_its_own_line_only(name: str, store: Store) -> None:
    whole = FIGURES[name](store).drop("order").collect()
    lines = store.runs.select(LINE).unique().collect().rows(named=True)
    parts = []
    for line in lines:
        own = store.runs.filter(pl.col(column).eq_missing(value) for column, value in line.items())
        parts.append(FIGURES[name](store._replace(runs=own)).drop("order").collect())
    key = grain.OVER_TIME[name]

    assert_frame_equal(pl.concat(parts).sort(key), whole.sort(key))


@settings(max_examples=15, deadline=None)
@given(store=pasts())
def test_a_later_run_changes_no_earlier_one(store: Store) -> None:
    """What is said of a run is said for good: the history only grows."""
    last = ordered(store).collect()["run"][-1]
    before = store.map(lambda table: table.filter(pl.col("run") != last))

    assert_frame_equal(
        strips(before).collect(), strips(store).filter(pl.col("run") != last).collect()
    )


@pytest.mark.parametrize("name", FIGURES)
@settings(max_examples=10, deadline=None)
@given(store=pasts(), seed=st.integers(0, 1000))
def test_the_order_of_rows_changes_nothing(name: str, store: Store, seed: int) -> None:
    def shuffled(table: pl.LazyFrame) -> pl.LazyFrame:
        return table.collect().sample(fraction=1, shuffle=True, seed=seed).lazy()

    assert_frame_equal(FIGURES[name](store.map(shuffled)).collect(), FIGURES[name](store).collect())


@pytest.mark.parametrize("name", FIGURES)
@settings(max_examples=10, deadline=None)
@given(store=pasts())
def test_a_figure_has_one_row_per_key(name: str, store: Store) -> None:
    figure = FIGURES[name](store).collect()

    assert figure.select(grain.OVER_TIME[name]).is_duplicated().sum() == 0


def test_every_key_has_its_figure() -> None:
    assert set(FIGURES) == set(grain.OVER_TIME)
