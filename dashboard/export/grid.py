"""The grid: every planned cell with the outcome of each repetition, holes and ungraded visible."""

from typing import Final

import polars as pl

from dashboard import grounds, text, wording
from dashboard.errors import InputError
from dashboard.export import cells
from dashboard.export.about import Chosen
from dashboard.export.table import Column, Row, Shown, Table, at_once
from ingest import store
from queries import grid as grid_query

NAME: Final = "grid"
COLUMNS: Final = (
    Column("run", "id of the run"),
    Column("suite", "the set of items, as its report names it"),
    Column("subject", "the model or target under evaluation"),
    Column("item", "the scenario"),
    Column("name", "what the report calls it"),
    Column("variants", "JSON: the variant chosen for each step; empty where no trial ran", "json"),
    Column("repetitions", "trials of the cell", "count"),
    Column("passed", "of them passed", "count"),
    Column("failed", "of them failed", "count"),
    Column("ungraded", "of them neither passed nor failed", "count"),
    Column("missing", "repetitions before the last that no trial has", "count"),
    Column("results", "outcomes in the order of the repetitions"),
)
NOTES: Final = (
    "A cell is one item with one choice of variants. An item without a trial was planned and never "
    "ran.",
)
_MARKS: Final = " · ".join(f"{sign.mark} {sign.word}" for sign in wording.SIGNS.values())
SAYS: Final = f"One row is one cell of one run, with a mark for each repetition: {_MARKS}."
_ITEM: Final = ("run", "item", "name", "tags")
_TRIAL: Final = ("run", "trial", "item", "variants", "repetition", "outcome", "graded")


def _item(row: Row) -> str:
    return text.shown(row["item"]) + (grounds.variants(row["variants"]) if row["variants"] else "")


def _marks(row: Row) -> str:
    marks = [wording.sign(outcome).mark for outcome in row["results"].split()]
    return " ".join(marks) or "no trial"


def _passed(row: Row) -> str:
    return f"{row['passed']}/{row['passed'] + row['failed']}"


SHOWN: Final = (
    Shown("item", _item, quoted=True),
    Shown("repetitions", _marks),
    Shown("passed of graded", _passed, right=True),
    cells.count("ungraded", "ungraded"),
    cells.count("missing", "missing"),
)


def table(chosen: Chosen) -> Table:
    """Return the grid of the chosen runs.

    Raises:
        InputError: When no item of these runs is called that, or categories are asked for.
    """
    if chosen.selection.categories:
        raise InputError("a cell has no category; export the grid without --category")
    with store.open_reader(chosen.db) as reader:
        items = reader.frame("item", _ITEM, runs=chosen.ids).lazy()
        trials = reader.frame("trial", _TRIAL, runs=chosen.ids).lazy()
    found = grid_query.grid(items, trials).collect()
    found = chosen.kept(found, "item", chosen.selection.items)
    found = found.with_columns(results=pl.col("results").list.join(" "))
    return Table(
        name=NAME,
        title="Every cell and how its repetitions ended",
        says=SAYS,
        columns=COLUMNS,
        shown=SHOWN,
        parts=at_once(chosen.named(found, COLUMNS)),
        about=chosen.about,
        notes=NOTES,
    )
