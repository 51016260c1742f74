"""Counts are the same wherever they are made, and never wrap."""

from collections.abc import Callable, Mapping
from typing import Any, Final

import duckdb
import polars as pl
import pytest
from hypothesis import given, settings
from polars.testing import assert_frame_equal

from queries import behaviour, opinions, tally
from tests.queries.stores import Store, stores

# Any: a tally takes whatever lazy frame narwhals knows and gives back one of the same kind.
Tables = Mapping[str, Any]

TALLIES: Final[Mapping[str, Callable[[Tables], Any]]] = {
    "outcomes": lambda t: tally.outcomes(t["trials"]),
    "progress": lambda t: tally.progress(t["trials"]),
    "ungraded": lambda t: tally.ungraded(t["trials"]),
    "stops": lambda t: tally.stops(t["trials"]),
    "outcomes_by_item": lambda t: tally.outcomes_by_item(t["trials"]),
    "cells": lambda t: tally.cells(t["trials"]),
    "signed": lambda t: behaviour.signed(t["trials"], "signature"),
    "traced": lambda t: behaviour.traced(t["checks"], t["trials"]),
    "by_item": lambda t: opinions.by_item(t["votes"], t["trials"], threshold=3),
    "criteria": lambda t: tally.criteria(t["checks"]),
    "criteria_by_trial": lambda t: tally.criteria_by_trial(t["checks"]),
    "verdicts": lambda t: tally.verdicts(t["checks"], t["trials"], t["places"], rest=7),
    "errored": lambda t: tally.errored(t["checks"], t["trials"]),
    "counters": lambda t: tally.counters(t["trials"]),
    "task": lambda t: tally.task(t["trials"], "route"),
    "discard_codes": lambda t: tally.discard_codes(t["discards"], t["trials"]),
    "judgements": lambda t: opinions.judgements(t["votes"]),
    "scores": lambda t: opinions.scores(opinions.judgements(t["votes"])),
}


def tables_of(store: Store) -> dict[str, pl.LazyFrame]:
    places = store.definitions.filter(pl.col("position") == 0, pl.col("item") == "one").select(
        "definition", place=pl.lit(3, pl.Int64)
    )
    return {**store._asdict(), "places": places}


@pytest.mark.parametrize("name", TALLIES)
@settings(max_examples=5, deadline=None)
@given(store=stores())
def test_duckdb_counts_as_polars_does(name: str, store: Store) -> None:
    tables = tables_of(store)
    with duckdb.connect() as connection:
        relations = {}
        for table, frame in tables.items():
            connection.register(table, frame.collect().to_arrow())
            relations[table] = connection.table(table)
        pushed_down = pl.DataFrame(TALLIES[name](relations))
    here = TALLIES[name](tables).collect()

    assert_frame_equal(here, pushed_down, check_row_order=False)


@pytest.mark.parametrize("name", TALLIES)
@settings(max_examples=2, deadline=None)
@given(store=stores())
def test_every_count_is_a_64_bit_integer(name: str, store: Store) -> None:
    schema = TALLIES[name](tables_of(store)).collect_schema()
    numbers = {column: dtype for column, dtype in schema.items() if dtype.is_numeric()}

    assert numbers
    assert set(numbers.values()) == {pl.Int64}


def test_counts_of_many_trials_multiply_without_wrapping() -> None:
    """4 * n * n of an unsigned 32-bit count is already wrong at this many."""
    many = 70_000
    trials = pl.LazyFrame({"run": ["r"] * many, "outcome": ["passed"] * many})

    counted = tally.outcomes(trials).select(square=4 * pl.col("trials") * pl.col("trials"))

    assert counted.collect().item() == 4 * many * many
