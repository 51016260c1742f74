"""The failures table: every criterion that failed or errored, with what decided it."""

from collections.abc import Iterator
from typing import Final

import polars as pl

from dashboard import grounds, shapes, text, unmet, wording
from dashboard.export import cells
from dashboard.export.about import Chosen
from dashboard.export.table import Column, Row, Shown, Table

NAME: Final = "failures"
COLUMNS: Final = (
    Column("run", "id of the run"),
    Column("suite", "the set of items, as its report names it"),
    Column("subject", "the model or target under evaluation"),
    Column("trial", "id of the trial: unaveraged show reads it"),
    Column("item", "the scenario"),
    Column("variants", "JSON: the variant chosen for each step", "json"),
    Column("repetition", "which repetition of the cell, counted from 0", "count"),
    Column("outcome", "how the whole trial ended"),
    Column("scope", "turn, or trial for a criterion over all of it"),
    Column("turn", "place of the turn, counted from 0", "count"),
    Column("step", "the step the turn belongs to"),
    Column("criterion", "id of the criterion"),
    Column("label", "what the report calls it"),
    Column("errored", "its evaluator broke: neither passed nor failed", "flag"),
    Column("category", "what the criterion is about"),
    Column("rule", "the category rule that says so; empty where none fits"),
    Column("decisive", "JSON: the leaves that explain the outcome", "json"),
    Column("fault", "whose fault, where the report says it"),
    Column("code", "the code of the failure, where the report has one"),
    Column("expected", "JSON: what the one deciding leaf expected", "json"),
    Column("actual", "JSON: what it found; empty where nothing was there", "json"),
    Column("reason", "what the report says about it"),
    Column("error_code", "code of a broken evaluator"),
    Column("unfinished", "the trial was cut short: what was looked for may only be late", "flag"),
    Column("cause", "equal where the evidence is equal, ids masked"),
    Column("mark", "what a person said of this failure: it changes no figure"),
    Column("mark_text", "and in which words"),
)
EVIDENCE: Final = 240
"""Characters of evidence in a readable row; the exact columns have all of it."""
NOTES: Final = (
    "A failed branch under an any that holds is context and no row; a criterion is listed once, "
    "with the leaves that decided it.",
    "Errored criteria are listed and are no failures: mend the evaluator first.",
)


def _item(row: Row) -> str:
    return text.shown(row["item"]) + grounds.variants(row["variants"])


def _criterion(row: Row) -> str:
    return str(row["criterion"]) + (" (errored)" if row["errored"] else "")


def _evidence(row: Row) -> str:
    return grounds.evidence({**row, "decisive": shapes.payload(row["decisive"])}, EVIDENCE)


SHOWN: Final = (
    Shown("trial", lambda row: row["trial"], quoted=True),
    Shown("item", _item, quoted=True),
    cells.plain("rep", "repetition", right=True, quoted=False),
    Shown("step", lambda row: row["step"] or "", quoted=True),
    Shown("criterion", _criterion, quoted=True),
    Shown("category", lambda row: wording.category(row["category"])),
    Shown("evidence", _evidence, quoted=True),
)


def table(chosen: Chosen, tell: unmet.Tell | None = None) -> Table:
    """Return the failures of the chosen runs."""

    def parts() -> Iterator[pl.DataFrame]:
        found = unmet.in_parts(
            chosen.db,
            chosen.runs,
            chosen.rulebook,
            categories=chosen.selection.categories,
            items=chosen.selection.items,
            tell=tell,
        )
        for number, part in enumerate(found):
            if part.height or number == 0:
                yield _exact(part, chosen)

    return Table(
        name=NAME,
        title="Criteria that failed or errored",
        says="One row is one criterion of one trial that failed or errored.",
        columns=COLUMNS,
        shown=SHOWN,
        parts=parts,
        about=chosen.about,
        notes=NOTES,
    )


def _exact(found: pl.DataFrame, chosen: Chosen) -> pl.DataFrame:
    leaf = pl.element().struct.json_encode()
    leaves = pl.col("decisive").list.eval(leaf).list.join(", ")
    return chosen.named(found.with_columns(decisive=pl.format("[{}]", leaves)), COLUMNS)
