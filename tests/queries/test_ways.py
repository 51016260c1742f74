"""Behaviours numbered trial by trial are those that are counted per cell."""

import polars as pl
from hypothesis import given, settings

from queries import judged, opinions, variance, ways
from tests.queries.stores import Store, stores


@settings(max_examples=25, deadline=None)
@given(store=stores())
def test_as_many_behaviours_as_are_counted(store: Store) -> None:
    cells = variance.cells(store.trials, store.checks).collect()
    shown = cells.select("item", "variants").unique().lazy()
    found = ways.ways(store.trials, store.checks, shown).collect()
    numbered = found.group_by("run", "item", "variants").agg(
        raw=pl.col("way").max().fill_null(0),
        masked=pl.col("masked").max().fill_null(0),
        first=(pl.col("way") == 1).sum().cast(pl.Int64),
    )
    both = cells.join(numbered, on=["run", "item", "variants"])

    assert both.height == cells.height
    for row in both.to_dicts():
        assert row["raw"] == row["distinct_behaviours"]
        assert row["masked"] == row["distinct_behaviours_masked"]
        assert [row["first"]] == [one["count"] for one in row["behaviours"][:1]] or not row["raw"]


@settings(max_examples=25, deadline=None)
@given(store=stores("sample-report"))
def test_a_distribution_counts_every_judged_trial(store: Store) -> None:
    spread = judged.distribution(store.votes).collect()
    every = opinions.judgements(store.votes).collect()
    majorities = spread.filter(pl.col("measure") == "majority")

    assert majorities["trials"].sum() == every.height
    assert (
        majorities.filter(pl.col("value").is_null())["trials"].sum()
        == every.filter(pl.col("majority").is_null()).height
    )
