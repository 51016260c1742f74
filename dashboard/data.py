"""What pages read: the store of this session, opened, read and closed again for every figure.

No connection is ever held, so that reports can be loaded while the pages are open. Figures are kept
per version of the store: a changed store gives new ones, whatever changed it. Frames never change,
so sessions share them.
"""

import os
from pathlib import Path
from typing import Final, NamedTuple

import polars as pl
import streamlit as st

from dashboard.server import STORE_VARIABLE
from ingest import store, subjects
from ingest.errors import StoreMissing
from queries import categories, reliability, runs

DEFAULT_STORE: Final = "unaveraged.duckdb"
MOST_KEPT: Final = 24

RUN: Final = (
    *("run", "report", "position", "format", "dialect", "version", "suite", "suite_name"),
    *("subject", "subject_fingerprint", "native_run", "arm", "status", "started_at", "finished_at"),
    *("resumed_from", "rejected", "superseded_by"),
)
ITEM: Final = ("run", "item", "tags")
NODE: Final = (
    *("run", "trial", "definition", "position", "parent", "scope", "passed", "errored"),
    *("error_code", "graded", "unfinished"),
)
DEFINITION: Final = (
    *("run", "definition", "position", "leaf", "scope", "item", "criterion", "path"),
    *("target", "evaluator", "expectation", "fault", "code"),
)


class Source(NamedTuple):
    """The store as it is now: its path, and what changes when it changes."""

    path: str
    version: str


class Overview(NamedTuple):
    """The runs of the store with their counts, and their trials by outcome."""

    runs: pl.DataFrame
    outcomes: pl.DataFrame


class Reliability(NamedTuple):
    """The figures of some runs."""

    categories: pl.DataFrame
    rates: pl.DataFrame
    refused: pl.DataFrame
    discards: pl.DataFrame
    tasks: pl.DataFrame
    votes: pl.DataFrame


def source() -> Source:
    """Return the store of this server as it is now.

    Raises:
        StoreMissing: When there is no file.
    """
    path = Path(os.environ.get(STORE_VARIABLE, DEFAULT_STORE))
    if not path.exists():
        raise StoreMissing(path)
    return Source(str(path), store.version(path))


def rulebook() -> categories.RuleBook:
    """Return the category rules in force."""
    return categories.shipped()


def known_runs(at: Source) -> pl.DataFrame:
    """Return all runs, newest first, each with its file and the subject people gave it."""
    path = Path(at.path)
    return subjects.with_notes(_runs(at), subjects.read_notes(path))


@st.cache_resource(max_entries=2, show_spinner=False)
def _runs(at: Source) -> pl.DataFrame:
    with store.open_reader(Path(at.path)) as reader:
        found = reader.frame("run", RUN)
        reports = reader.frame("report", ("report", "path", "ingested_at"))
    newest = ["started_at", "ingested_at", "report", "position"]
    return found.join(reports, on="report", how="left").sort(
        newest, descending=[True, True, False, False], nulls_last=True
    )


@st.cache_resource(max_entries=2, show_spinner=False)
def overview(at: Source) -> Overview:
    """Return the counts of every run."""
    with store.open_reader(Path(at.path)) as reader:
        found = reader.frame("run", ("run",)).lazy()
        items = reader.frame("item", ITEM[:2]).lazy()
        trials, checks = reader.table("trial"), reader.table("check")
        counted, outcomes = pl.collect_all(
            [runs.overview(found, items, trials, checks), runs.outcomes(trials)]
        )
    return Overview(counted, outcomes)


@st.cache_resource(max_entries=MOST_KEPT, show_spinner=False)
def rejections(at: Source) -> pl.DataFrame:
    """Return everything that was not loaded."""
    with store.open_reader(Path(at.path)) as reader:
        return reader.frame("rejection").sort("rule", "path", "place")


@st.cache_resource(max_entries=MOST_KEPT, show_spinner=False)
def figures(at: Source, chosen: tuple[str, ...]) -> Reliability:
    """Return the figures of the chosen runs."""
    rules = rulebook()
    with store.open_reader(Path(at.path)) as reader:
        found = reader.frame("run", RUN, runs=chosen).lazy()
        items = reader.frame("item", ITEM, runs=chosen).lazy()
        definitions = reader.frame("definition", DEFINITION, runs=chosen).lazy()
        trials = reader.table("trial", runs=chosen)
        checks = reader.table("check", runs=chosen)
        frames = pl.collect_all(
            [
                reliability.categories(found, items, trials, checks, definitions, rules),
                reliability.rates(trials),
                reliability.refused(trials),
                reliability.discards(trials, reader.table("discard", runs=chosen)),
                reliability.tasks(trials),
                reliability.votes(reader.table("vote", runs=chosen)),
            ]
        )
    return Reliability(*frames)
