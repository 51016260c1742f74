"""Tables of planned trials, and of the runs of suites in order."""

from typing import Final

import polars as pl

from dashboard import figures, grounds, overtime, planned, text, wording
from dashboard.errors import InputError
from dashboard.export import cells, repeated_charts
from dashboard.export.about import Chosen
from dashboard.export.table import Column, Row, Shown, Table, at_once
from queries.rules import CATEGORIES

_RUN: Final = (
    Column("run", "id of the run"),
    Column("suite", "the set of items, as its report names it"),
    Column("subject", "the model or target under evaluation"),
)
_CELL: Final = (
    Column("item", "the scenario"),
    Column("variants", "JSON: the variant chosen for each step", "json"),
)
TRIALS: Final = (
    *_RUN,
    *_CELL,
    Column("plan", "where the number of planned trials comes from"),
    Column("planned", "trials that were to run", "count"),
    Column("trials", "trials that are recorded", "count"),
    Column("graded", "of them passed or failed", "count"),
    Column("passed", "of them passed", "count"),
    Column("unmeasured", "of them errored, blocked or stopped", "count"),
    Column("skipped", "of them skipped", "count"),
    Column("missing", "planned trials that never ran", "count"),
    Column("waiting", "of them recorded as pending, running or absent", "count"),
    Column("duplicates", "trials that record a repetition again", "count"),
    Column("results", "outcomes in the order of the repetitions"),
)
_PLACE: Final = (
    Column("order", "place of the run among these, by when it ran", "count"),
    Column("seen_at", "when it ran: as its report says, else its file's name, else when loaded"),
    Column("segment", "runs of one suite, subject and segment may be read as one line", "count"),
    Column("breaks", "why it may not be read on from the run before it"),
    Column("suspect", "so much of the run failed or stopped that it looks like an outage", "flag"),
)
HISTORY: Final = (
    *_RUN,
    *_PLACE,
    Column("category", "what the criteria are about"),
    Column("held", "trials in which no criterion of the category failed", "count"),
    Column("denominator", "the trials the rate is over", "count"),
    Column("rate", "held / denominator; empty where nothing was measured", "share"),
    Column("again_low", "low end of the interval for these items run again", "share"),
    Column("again_high", "its high end", "share"),
)
CELLS: Final = (
    *_RUN,
    *_PLACE[:2],
    *_CELL,
    Column("trials", "trials of the cell", "count"),
    Column("measured", "of them graded", "count"),
    Column("passed", "of them passed", "count"),
    Column("state", "passed, failed, mixed or ungraded"),
    Column("changed", "its rate moved since the last graded run of the same line", "flag"),
)
_TIME: Final = (
    "Runs of another subject, arm, suite definition, report version or fingerprint are not read as "
    "one line; breaks says where one ends.",
)


def _item(row: Row) -> str:
    return text.shown(row["item"]) + grounds.variants(row["variants"])


def _when(row: Row) -> str:
    return wording.moment(row["seen_at"])


def _passed(row: Row, of: str) -> str:
    return f"{row['passed']}/{row[of]}"


_TRIALS_SHOWN: Final = (
    Shown("item", _item, quoted=True),
    cells.count("planned", "planned"),
    cells.count("recorded", "trials"),
    Shown("passed of graded", lambda row: _passed(row, "graded"), right=True),
    cells.count("errored or stopped", "unmeasured"),
    cells.count("skipped", "skipped"),
    cells.count("never ran", "missing", "waiting", "recorded as waiting"),
    cells.count("twice", "duplicates"),
)
_HISTORY_SHOWN: Final = (
    Shown("when", _when),
    Shown("subject", lambda row: text.shown(row["subject"] or "no subject"), quoted=True),
    Shown("category", lambda row: wording.category(row["category"])),
    cells.rate("held", "held", "denominator", "rate", lambda _: wording.NOTHING),
    cells.span("95 %, these items again", "again_low", "again_high"),
    Shown("suspect", lambda row: "suspect" if row["suspect"] else ""),
    Shown("breaks with the run before", lambda row: row["breaks"] or ""),
)
_CELLS_SHOWN: Final = (
    Shown("item", _item, quoted=True),
    Shown("when", _when),
    Shown("subject", lambda row: text.shown(row["subject"] or "no subject"), quoted=True),
    Shown("passed of graded", lambda row: _passed(row, "measured"), right=True),
    Shown("changed", lambda row: "changed" if row["changed"] else ""),
)


def trials(chosen: Chosen) -> Table:
    """Return the planned trials of the chosen runs, cell by cell.

    Raises:
        InputError: When categories are asked for.
    """
    if chosen.selection.categories:
        raise InputError("a cell has no category; export trials without --category")
    found = planned.read(chosen.db, chosen.runs, figures.known(chosen.db))
    ended = found.trials.group_by(planned.CELL, maintain_order=True).agg(
        results=pl.col("outcome").str.join(" ")
    )
    rows = found.cells.join(found.runs.select("run", "plan"), on="run").join(
        ended, on=list(planned.CELL), how="left"
    )
    return Table(
        name="trials",
        title="Which planned trials were recorded, and how each ended",
        says="One row is one cell of one run: an item with one choice of variants.",
        columns=TRIALS,
        shown=_TRIALS_SHOWN,
        parts=at_once(
            chosen.named(
                chosen.kept(rows, "item", chosen.selection.items).sort(planned.CELL), TRIALS
            )
        ),
        about=chosen.about,
        notes=("Planned is told by the report, or inferred from its other models: see plan.",),
    )


def history(chosen: Chosen) -> Table:
    """Return the categories of the chosen runs, run by run.

    Raises:
        InputError: When items are asked for.
    """
    if chosen.selection.items:
        raise InputError("a category of a run has no item; see history-cells")
    placed = _placed(overtime.read(chosen.db, chosen.runs, most=None))
    basis = pl.coalesce("covered", "graded")
    found = figures.reliability(chosen.db, chosen.runs, chosen.rulebook).categories
    order = {name: place for place, name in enumerate(CATEGORIES)}
    kept = chosen.kept(
        found.filter(pl.col("rate").is_not_null()), "category", chosen.selection.categories
    )
    rows = (
        kept.drop("suite", "subject", strict=False)
        .with_columns(denominator=basis, held=basis - pl.col("failing_trials"))
        .join(placed, on="run")
        .sort("order", pl.col("category").replace_strict(order, return_dtype=pl.Int64))
    )
    return Table(
        name="history",
        title="The categories of each run, in the order of the runs",
        says="One row is one category of one run.",
        columns=HISTORY,
        shown=_HISTORY_SHOWN,
        parts=at_once(rows.select(column.name for column in HISTORY)),
        about=chosen.about,
        notes=_TIME,
        by_run=False,
        chart=lambda: repeated_charts.history(rows),
    )


def history_cells(chosen: Chosen) -> Table:
    """Return how each cell stood in each of the chosen runs; suspect runs are set aside.

    Raises:
        InputError: When categories are asked for.
    """
    if chosen.selection.categories:
        raise InputError("a cell has no category; see history")
    found = overtime.read(chosen.db, chosen.runs, most=None)
    kept = chosen.kept(found.strips, "item", chosen.selection.items)
    rows = (
        kept.drop("order").join(_placed(found), on="run").sort("suite", "item", "variants", "order")
    )
    return Table(
        name="history-cells",
        title="How each cell stood in each run",
        says="One row is one cell in one run.",
        columns=CELLS,
        shown=_CELLS_SHOWN,
        parts=at_once(rows.select(column.name for column in CELLS)),
        about=chosen.about,
        notes=(*_TIME, "Runs of which more than 80 % failed or was not graded are set aside."),
        by_run=False,
    )


def _placed(found: overtime.History) -> pl.DataFrame:
    """Return the runs with their place in time and the line they belong to."""
    arm = pl.format("{} ({})", pl.col("subject").fill_null("no subject"), "arm")
    named = pl.when(pl.col("arm").is_not_null()).then(arm).otherwise("subject")
    return found.runs.select(
        *("run", "suite", "order", "seen_at", "segment", "suspect"),
        subject=named,
        breaks=pl.when(pl.col("breaks").list.len() > 0).then(pl.col("breaks").list.join("; ")),
        line=pl.concat_str(
            pl.col("suite").fill_null(""), named.fill_null(""), "segment", separator=" · "
        ),
    )
