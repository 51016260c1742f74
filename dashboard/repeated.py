"""Repetitions and votes over a store: how much the subject varies, and how much its judges."""

from pathlib import Path
from typing import NamedTuple

import polars as pl

from dashboard import figures, kept
from ingest import store
from queries import reliability as reliability_query
from queries import variance as variance_query
from queries import votes as votes_query
from queries.rules import RuleBook


class Variance(NamedTuple):
    """How much repetitions differ, per cell and per category of a run."""

    cells: pl.DataFrame
    categories: pl.DataFrame


class Votes(NamedTuple):
    """What judges said, per criterion of a run and per item of it."""

    criteria: pl.DataFrame
    items: pl.DataFrame


def variance(db: Path, runs: pl.DataFrame, rulebook: RuleBook) -> Variance:
    """Return how much the repetitions of these runs differ."""
    return Variance(cells(db, runs), categories(db, runs, rulebook))


def cells(db: Path, runs: pl.DataFrame) -> pl.DataFrame:
    """Return how much the repetitions of each cell of these runs differ."""

    def compute(missing: pl.DataFrame) -> list[pl.DataFrame]:
        names = missing["run"].to_list()
        with store.open_reader(db) as reader:
            trials, checks = reader.table("trial", runs=names), reader.table("check", runs=names)
            return [variance_query.cells(trials, checks).collect()]

    (figure,) = kept.figures(db, runs, "cells", compute)
    return figure


def categories(db: Path, runs: pl.DataFrame, rulebook: RuleBook) -> pl.DataFrame:
    """Return how much the repetitions of these runs differ, by category."""

    def compute(missing: pl.DataFrame) -> list[pl.DataFrame]:
        names = missing["run"].to_list()
        with store.open_reader(db) as reader:
            trials, checks = reader.table("trial", runs=names), reader.table("check", runs=names)
            items = reader.frame("item", figures.ITEM, runs=names).lazy()
            definitions = reader.frame("definition", runs=names).lazy()
            told = (missing.lazy(), items, trials, checks, definitions, rulebook)
            return [variance_query.categories(reliability_query.counts(*told)).collect()]

    (figure,) = kept.figures(db, runs, "variance", compute, rulebook)
    return figure


def votes(db: Path, runs: pl.DataFrame, threshold: int) -> Votes:
    """Return what the judges of these runs said."""

    def compute(missing: pl.DataFrame) -> list[pl.DataFrame]:
        names = missing["run"].to_list()
        with store.open_reader(db) as reader:
            trials = reader.table("trial", runs=names)
            vote = reader.table("vote", runs=names)
            figured = (
                votes_query.criteria(vote, trials, threshold),
                votes_query.items(vote, trials, threshold),
            )
            return pl.collect_all(figured)

    return Votes(*kept.figures(db, runs, "votes", compute, threshold))
