"""A row about a battery depends on its own report version and dialect, and on its own tool."""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Final

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from polars.testing import assert_frame_equal

from queries import grain, routing
from queries.channels import Channels
from tests.queries.stores import RUNS, Store, stores

CONFIG: Final = Channels(models=("m1", "m9"), channel={"one": "envelope"})
TOLD: Final = pl.LazyFrame(
    {
        "run": RUNS,
        "dialect": ["contract", "contract", "live-runner"],
        "suite": ["wai", "dont", "wai"],
        "subject": ["m1", "m2", None],
        "arm": [None, "full", "ablated"],
        "version": [1, 1, 1],
        "seen_at": [datetime(2026, 11, 1), None, datetime(2026, 11, 20)],  # noqa: DTZ001
    }
)
NOW: Final = datetime(2026, 11, 30)  # noqa: DTZ001


def faults(store: Store) -> pl.LazyFrame:
    return routing.faults(store.runs, store.trials, store.checks)


FIGURES: Final[Mapping[str, Callable[[Store], pl.LazyFrame]]] = {
    "routing.faults": faults,
    "routing.tickets": lambda store: routing.tickets(faults(store)),
    "routing.cut_short": lambda store: routing.cut_short(faults(store)),
    "routing.channels": lambda store: routing.channels(faults(store), CONFIG),
    "routing.never_failing": lambda store: routing.never_failing(
        store.runs, store.definitions, store.checks
    ),
    "routing.coverage": lambda store: routing.coverage(store.runs, store.trials, CONFIG, NOW),
    "routing.ablation": lambda store: routing.ablation(store.runs, store.trials),
}


@st.composite
def batteries(draw: st.DrawFn) -> Store:
    store = draw(stores("trial-row"))
    told = store.runs.drop("dialect", "suite", "subject", "arm", "version").join(TOLD, on="run")
    return store._replace(runs=told)


@pytest.mark.parametrize("name", FIGURES)
@settings(max_examples=10, deadline=None)
@given(store=batteries())
def test_a_row_depends_on_its_own_section_only(name: str, store: Store) -> None:
    cut = [column for column in ("dialect", "suite") if column in grain.ROUTED[name]]
    whole = FIGURES[name](store).collect()
    values = TOLD.select(cut).unique().collect().rows(named=True)
    parts = []
    for value in values:
        runs = store.runs.filter(pl.col(column) == wanted for column, wanted in value.items())
        parts.append(FIGURES[name](store._replace(runs=runs)).collect())
    key = grain.ROUTED[name]

    assert_frame_equal(
        pl.concat(parts).sort(key, nulls_last=True), whole.sort(key, nulls_last=True)
    )


@pytest.mark.parametrize("name", FIGURES)
@settings(max_examples=10, deadline=None)
@given(store=batteries(), seed=st.integers(0, 1000))
def test_the_order_of_rows_changes_nothing(name: str, store: Store, seed: int) -> None:
    def shuffled(table: pl.LazyFrame) -> pl.LazyFrame:
        return table.collect().sample(fraction=1, shuffle=True, seed=seed).lazy()

    assert_frame_equal(
        FIGURES[name](store.map(shuffled)).collect(),
        FIGURES[name](store).collect(),
    )


@pytest.mark.parametrize("name", FIGURES)
@settings(max_examples=10, deadline=None)
@given(store=batteries())
def test_a_figure_has_one_row_per_key(name: str, store: Store) -> None:
    figure = FIGURES[name](store).collect()

    assert figure.select(grain.ROUTED[name]).is_duplicated().sum() == 0


def test_every_key_has_its_figure() -> None:
    assert set(FIGURES) == set(grain.ROUTED)
