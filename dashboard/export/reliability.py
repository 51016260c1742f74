"""The reliability table: per run and category, how often it held and what could not be said."""

from typing import Final, NamedTuple

import polars as pl

from dashboard import figures, wording
from dashboard.errors import InputError
from dashboard.export import cells, charts
from dashboard.export.about import Chosen
from dashboard.export.table import Column, Row, Shown, Table, at_once
from queries import intervals

NAME: Final = "reliability"
TITLE: Final = "Reliability by category"
BY_ITEM: Final = "Reliability by category and item"
BY_TAG: Final = "Reliability by category and tag"
BY_AXIS: Final = "Reliability by the words of the format itself"
_RUN: Final = (
    Column("run", "id of the run"),
    Column("suite", "the set of items, as its report names it"),
    Column("subject", "the model or target under evaluation"),
)
_CATEGORY: Final = Column(
    "category", "what the criteria are about; the rule that says so is listed below"
)
_MEASURES: Final = (
    Column(
        "held",
        "trials of the denominator in which no criterion of the category failed",
        "count",
    ),
    Column("denominator", "the trials the rate is over: see basis", "count"),
    Column(
        "basis",
        "covered: graded trials that evaluated a criterion of the category; graded: all graded "
        "trials, where a format records a category only when something failed",
    ),
    Column(
        "rate", "held / denominator; empty where nothing was measured, which is not zero", "share"
    ),
    Column("low", "the rate, had every relevant ungraded trial failed", "share"),
    Column("high", "the rate, had every relevant ungraded trial held", "share"),
    Column("again_low", "low end of the interval for these items run again", "share"),
    Column("again_high", "its high end", "share"),
    Column("again_size", "the number of independent trials it reckons with", "number"),
    Column("items_low", "low end of the interval for other items like these", "share"),
    Column("items_high", "its high end", "share"),
    Column("items_size", "the number of independent trials it reckons with", "number"),
    Column("items", "items that measured the category", "count"),
    Column("cells", "cells of them: an item with one choice of variants", "count"),
    Column("failing_trials", "graded trials with a failing criterion of the category", "count"),
    Column("failures", "failing criteria of the category in graded trials", "count"),
    Column("failures_ungraded", "failing criteria in ungraded trials: in no rate", "count"),
    Column("trials", "all trials of the run", "count"),
    Column("graded", "trials that passed or failed", "count"),
    Column("ungraded", "trials that neither passed nor failed", "count"),
    Column("ungraded_relevant", "those of them that could have checked the category", "count"),
    Column("failure_rate", "failing_trials / trials: over all trials, ungraded ones too", "share"),
    Column(
        "errored_criteria", "criteria whose evaluator broke: neither passed nor failed", "count"
    ),
    Column("stopped_trials", "trials that stopped with an error of the category", "count"),
    Column("unfinished_trials", "failing trials that were cut short", "count"),
    Column("unfinished_failures", "failing criteria in trials that were cut short", "count"),
)
COLUMNS: Final = (*_RUN, _CATEGORY, *_MEASURES)
NOTES: Final = (
    *(
        f"{name}_low to {name}_high is a {intervals.LEVEL:.0%} interval that answers: {question}"
        for name, question in intervals.QUESTIONS.items()
    ),
    "low to high is no confidence interval: it is where the rate would lie if the ungraded "
    "trials had been graded.",
    "A dash stands for nothing measured. Not checked says that no criterion looked at the "
    "category.",
)


class Breakdown(NamedTuple):
    """What a table is called, and what a row of it is."""

    name: str
    title: str
    each: str


def _why(row: Row) -> str:
    if row["errored_criteria"]:
        return "errored"
    if row["stopped_trials"] or not row["graded"] or row["ungraded_relevant"]:
        return wording.NOTHING
    return "not checked" if row["basis"] == "covered" else wording.NOTHING


def _category(row: Row) -> str:
    return wording.category(row["category"])


SHOWN: Final = (
    Shown("category", _category),
    cells.rate("held", "held", "denominator", "rate", _why),
    cells.span("these items again", "again_low", "again_high"),
    cells.span("items like these", "items_low", "items_high"),
    cells.span("ungraded could make it", "low", "high"),
    cells.count("failing trials", "failing_trials", "unfinished_trials", "cut short"),
    cells.count("failures", "failures", "failures_ungraded", "more in ungraded"),
    cells.count("ungraded", "ungraded_relevant"),
    cells.count("errored", "errored_criteria"),
    cells.count("stopped", "stopped_trials"),
)


def table(chosen: Chosen) -> Table:
    """Return the reliability table of the chosen runs."""
    found = figures.reliability(chosen.db, chosen.runs, chosen.rulebook).categories
    kept = chosen.kept(found, "category", chosen.selection.categories)
    rows = _exact(kept, chosen, COLUMNS)
    return _described(chosen, rows, Breakdown(NAME, TITLE, "category"))._replace(
        chart=lambda: charts.reliability(rows, TITLE)
    )


def items(chosen: Chosen) -> Table:
    """Return the table again for each item."""
    found = figures.breakdown(chosen.db, chosen.runs, chosen.rulebook, "item")
    kept = chosen.kept(found, "category", chosen.selection.categories)
    rows = chosen.kept(kept, "item", chosen.selection.items)
    places = (_CATEGORY, Column("item", "the scenario"))
    return _broken_down(chosen, rows, Breakdown("reliability-items", BY_ITEM, "item"), places)


def tags(chosen: Chosen) -> Table:
    """Return the table again for each tag, over the items that have it."""
    found = figures.breakdown(chosen.db, chosen.runs, chosen.rulebook, "tag")
    rows = chosen.kept(found, "category", chosen.selection.categories)
    places = (_CATEGORY, Column("tag", "a tag; an item may have several"))
    return _broken_down(chosen, rows, Breakdown("reliability-tags", BY_TAG, "tag"), places)


def axis(chosen: Chosen) -> Table:
    """Return the table by the format's own words.

    Raises:
        InputError: When categories are asked for.
    """
    if chosen.selection.categories:
        raise InputError("these are a format's own words, which have no category")
    rows = figures.breakdown(chosen.db, chosen.runs, chosen.rulebook, "axis")
    places = (
        Column("axis", "what the format counts failures by"),
        Column("value", "its word for what failed"),
        Column("code", "with it, the code of a trial row's fault"),
    )
    return _broken_down(chosen, rows, Breakdown("reliability-axis", BY_AXIS, "word"), places)


def _broken_down(
    chosen: Chosen, found: pl.DataFrame, named: Breakdown, places: tuple[Column, ...]
) -> Table:
    columns = (*_RUN, *places, *_MEASURES)
    shown = tuple(map(_place, places))
    made = _described(chosen, _exact(found, chosen, columns), named)
    return made._replace(columns=columns, shown=(*shown, *SHOWN[1:]))


def _place(column: Column) -> Shown:
    if column.name == "category":
        return SHOWN[0]
    return Shown(column.name, lambda row: row[column.name] or "", quoted=True)


def _described(chosen: Chosen, rows: pl.DataFrame, named: Breakdown) -> Table:
    each = "category" if named.each == "category" else f"category and {named.each}"
    says = f"One row is one {named.each if named.each == 'word' else each} of one run."
    return Table(
        name=named.name,
        title=named.title,
        says=says,
        columns=COLUMNS,
        shown=SHOWN,
        parts=at_once(rows),
        about=chosen.about,
        notes=NOTES,
    )


def _exact(found: pl.DataFrame, chosen: Chosen, columns: tuple[Column, ...]) -> pl.DataFrame:
    known = pl.col("covered").is_not_null()
    measured = pl.col("rate").is_not_null()
    denominator = pl.when(known).then("covered").when(measured).then("graded")
    rows = found.with_columns(
        basis=pl.when(known).then(pl.lit("covered")).otherwise(pl.lit("graded")),
        denominator=denominator,
        held=pl.when(measured).then(denominator - pl.col("failing_trials")),
    )
    return chosen.named(rows, columns)
