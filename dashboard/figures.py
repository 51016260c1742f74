"""Figures of a store: read the columns a figure needs, close the store, compute.

The commands, the pages and any program get a figure through this module, so they cannot differ. No
store stays open longer than a read: somebody else may want to write to it.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Final, NamedTuple

import polars as pl

from dashboard import kept, selection
from dashboard.errors import InputError
from dashboard.unmet import EVIDENCE
from ingest import store, subjects
from queries import evidence as evidence_query
from queries import reliability as reliability_query
from queries import rules as rulebooks
from queries import runs as runs_query

RUN: Final = (
    *("run", "report", "position", "format", "dialect", "version", "suite", "suite_name"),
    *("subject", "subject_fingerprint", "native_run", "arm", "status", "started_at", "finished_at"),
    *("resumed_from", "rejected", "superseded_by"),
)
ITEM: Final = ("run", "item", "tags")
TRIAL: Final = (
    *("run", "trial", "item", "variants", "repetition", "outcome", "graded", "native_status"),
    *(
        "error_code",
        "unfinished",
        "turns",
        "provider_failures",
        "cards_created",
        "acts_refused",
        "abandoned",
    ),
    *("discards", "task_segment", "task_route", "task_locate", "task_extract"),
)
VERDICT: Final = (
    *("run", "trial", "definition", "position", "parent", "scope", "passed", "errored"),
    *("error_code", "graded", "unfinished"),
)


class Runs(NamedTuple):
    """Runs with their counts, the trials of each outcome, and the suite's own unmet criteria."""

    overview: pl.DataFrame
    outcomes: pl.DataFrame
    suite_failures: pl.DataFrame


class Reliability(NamedTuple):
    """The category rows of some runs, and what stands beside them, each at its own key."""

    categories: pl.DataFrame
    rates: pl.DataFrame
    votes: pl.DataFrame
    refused_proposals: pl.DataFrame
    discarded_answers: pl.DataFrame
    tasks: pl.DataFrame


def described(db: Path) -> pl.DataFrame:
    """Return every run with its file, by file and place in it, without what people said."""
    with store.open_reader(db) as reader:
        run = reader.frame("run", RUN)
        report = reader.frame("report", ("report", "path", "bytes", "ingested_at"))
    return run.join(report, on="report", how="left").sort("path", "position", "run")


def known(db: Path) -> pl.DataFrame:
    """Return every run with its file, effective subject and labels, by file and place in it."""
    return subjects.with_notes(described(db), subjects.read_notes(db))


def chosen(db: Path, names: Sequence[str] | None) -> pl.DataFrame:
    """Return the runs that are meant by these names; without any, those that none replaces.

    Raises:
        InputError: When a name fits no run or more than one.
    """
    runs = known(db)
    wanted = selection.several(runs, names)
    return runs.filter(pl.col("run").is_in(wanted))


def reports(db: Path) -> pl.DataFrame:
    """Return the files the store holds reports of."""
    with store.open_reader(db) as reader:
        return reader.frame("report").sort("path", "report")


def item_ids(db: Path, runs: Sequence[str]) -> frozenset[str]:
    """Return the items of these runs."""
    with store.open_reader(db) as reader:
        return frozenset(reader.frame("item", ("item",), runs=runs)["item"])


def runs(db: Path) -> Runs:
    """Return every run with its counts, superseded ones among them."""
    listed = known(db)

    def compute(missing: pl.DataFrame) -> list[pl.DataFrame]:
        ids = missing["run"].to_list()
        with store.open_reader(db) as reader:
            item = reader.frame("item", ITEM, runs=ids).lazy()
            trial, verdict = reader.table("trial", runs=ids), reader.table("check", runs=ids)
            suite = reader.frame("check", EVIDENCE, runs=ids, where={"scope": "run"}).lazy()
            return pl.collect_all(
                [
                    runs_query.overview(missing.select("run").lazy(), item, trial, verdict),
                    runs_query.outcomes(trial),
                    evidence_query.suite(suite),
                ]
            )

    counted, outcomes, unmet = kept.figures(db, listed, "runs", compute)
    overview = listed.join(counted, on="run", how="left")
    return Runs(overview.sort("path", "position", "run"), outcomes, unmet)


def rules(paths: Sequence[Path] | None) -> rulebooks.RuleBook:
    """Return the category rules in force: a person's own files, then the shipped ones.

    Raises:
        InputError: When a file cannot be read or is no table of rules.
    """
    try:
        return rulebooks.read({str(path): path.read_text("utf-8") for path in paths or ()})
    except (OSError, UnicodeDecodeError, rulebooks.RulesError) as error:
        raise InputError(f"these category rules cannot be used: {error}") from error


def reliability(db: Path, runs: pl.DataFrame, rulebook: rulebooks.RuleBook) -> Reliability:
    """Return how often each category of these runs fails, and the figures beside it."""

    def compute(missing: pl.DataFrame) -> list[pl.DataFrame]:
        ids = missing["run"].to_list()
        with store.open_reader(db) as reader:
            item = reader.frame("item", ITEM, runs=ids).lazy()
            definition = reader.frame("definition", runs=ids).lazy()
            trial = reader.table("trial", runs=ids)
            verdict = reader.table("check", runs=ids)
            told = (missing.lazy(), item, trial, verdict, definition, rulebook)
            figures = (
                reliability_query.categories(*told),
                reliability_query.rates(trial),
                reliability_query.votes(reader.table("vote", runs=ids)),
                reliability_query.refused(trial),
                reliability_query.discards(trial, reader.table("discard", runs=ids)),
                reliability_query.tasks(trial),
            )
            return pl.collect_all(figures)

    return Reliability(*kept.figures(db, runs, "reliability", compute, rulebook))


def breakdown(db: Path, runs: pl.DataFrame, rulebook: rulebooks.RuleBook, by: str) -> pl.DataFrame:
    """Return the category table of these runs again, for each ``by``: item, tag or axis.

    The axis is the format's own words: criterion, fault and code, expectation, error code.
    """

    def compute(missing: pl.DataFrame) -> list[pl.DataFrame]:
        ids, found = missing["run"].to_list(), missing.lazy()
        with store.open_reader(db) as reader:
            item = reader.frame("item", ITEM, runs=ids).lazy()
            definition = reader.frame("definition", runs=ids).lazy()
            trial = reader.table("trial", runs=ids)
            verdict = reader.table("check", runs=ids)
            if by == "axis":
                return [reliability_query.by_axis(found, trial, verdict, definition).collect()]
            counts = reliability_query.counts(found, item, trial, verdict, definition, rulebook)
            if by == "tag":
                return [reliability_query.by_tag(counts, item).collect()]
            return [reliability_query.by_item(counts).collect()]

    (figure,) = kept.figures(db, runs, f"by-{by}", compute, rulebook)
    return figure
