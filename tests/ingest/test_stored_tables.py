"""Counting where the data lies gives what counting frames gives."""

from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final

import polars as pl
import pytest
from polars.testing import assert_frame_equal

from benchmarks.generate import Size, generate
from ingest.store import Reader, TableName, open_reader
from queries import behaviour, categories, labels, opinions, reliability, tally, variance, votes
from queries.counting import Table, counted

TALLIES: Final[dict[str, tuple[Any, Sequence[TableName]]]] = {
    "outcomes": (tally.outcomes, ["trial"]),
    "outcomes_by_item": (tally.outcomes_by_item, ["trial"]),
    "cells": (tally.cells, ["trial"]),
    "progress": (tally.progress, ["trial"]),
    "ungraded": (tally.ungraded, ["trial"]),
    "stops": (tally.stops, ["trial"]),
    "criteria": (tally.criteria, ["check"]),
    "criteria_by_trial": (tally.criteria_by_trial, ["check"]),
    "errored": (tally.errored, ["check", "trial"]),
    "counters": (tally.counters, ["trial"]),
    "task": (partial(tally.task, name="route"), ["trial"]),
    "discard_codes": (tally.discard_codes, ["discard", "trial"]),
    "signed": (partial(behaviour.signed, column="signature"), ["trial"]),
    "traced": (behaviour.traced, ["check", "trial"]),
    "judgements": (opinions.judgements, ["vote"]),
    "scores": (lambda table: opinions.scores(opinions.judgements(table)), ["vote"]),
    "by_item": (partial(opinions.by_item, threshold=3), ["vote", "trial"]),
}


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Reader]:
    path: Path = tmp_path_factory.mktemp("store") / "store.duckdb"
    generate(path, Size(runs=5, items=6, repetitions=7))
    with open_reader(path) as opened:
        yield opened


def frames(reader: Reader, tables: Sequence[TableName]) -> list[pl.LazyFrame]:
    return [reader.frame(table).lazy() for table in tables]


@pytest.mark.parametrize("name", TALLIES)
def test_the_database_counts_what_polars_counts(reader: Reader, name: str) -> None:
    reduce, tables = TALLIES[name]

    there = counted(reduce, *(reader.table(table) for table in tables)).collect()
    here = counted(reduce, *frames(reader, tables)).collect()

    assert_frame_equal(there, here, check_row_order=False)


def test_a_frame_can_stand_beside_a_stored_table(reader: Reader) -> None:
    runs, items, definitions = frames(reader, ["run", "item", "definition"])
    places = labels.of_categories(runs, items, definitions, categories.shipped()).places
    trials, checks = frames(reader, ["trial", "check"])
    verdicts = partial(tally.verdicts, rest=-1)

    there = counted(verdicts, reader.table("check"), reader.table("trial"), places)
    here = counted(verdicts, checks, trials, places)

    assert_frame_equal(there.collect(), here.collect(), check_row_order=False)


def test_figures_from_the_store_are_the_figures_of_its_frames_to_the_last_bit(
    reader: Reader,
) -> None:
    runs, items, definitions = frames(reader, ["run", "item", "definition"])
    book = categories.shipped()

    def figures(trials: Table, checks: Table, judged: Table) -> list[pl.DataFrame]:
        counts = reliability.counts(runs, items, trials, checks, definitions, book)
        return pl.collect_all(
            [
                reliability.by_category(counts),
                reliability.by_item(counts),
                reliability.by_tag(counts, items),
                reliability.by_axis(runs, trials, checks, definitions),
                variance.cells(trials, checks),
                variance.categories(counts),
                votes.criteria(judged, trials),
                votes.items(judged, trials),
            ]
        )

    there = figures(reader.table("trial"), reader.table("check"), reader.table("vote"))
    here = figures(*frames(reader, ["trial", "check", "vote"]))

    for stored, framed in zip(there, here, strict=True):
        assert_frame_equal(stored, framed, check_exact=True)


def test_only_the_runs_asked_for_are_counted(reader: Reader) -> None:
    chosen = str(reader.frame("run", ("run",))["run"][1])

    found = counted(tally.outcomes, reader.table("trial", runs=[chosen])).collect()

    assert set(found["run"]) == {chosen}
    assert counted(tally.outcomes, reader.table("trial", runs=[])).collect().is_empty()


@pytest.mark.parametrize("table", ["report", "nonsense"])
def test_a_table_without_runs_is_refused(reader: Reader, table: TableName) -> None:
    with pytest.raises(KeyError, match=table):
        reader.table(table)
