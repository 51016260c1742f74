"""The variance tables: how much repetitions differ, per cell and per category of a run."""

from typing import Final

import polars as pl

from dashboard import grounds, repeated, text, wording
from dashboard.errors import InputError
from dashboard.export import cells, repeated_charts
from dashboard.export.about import Chosen
from dashboard.export.table import Column, Row, Shown, Table, at_once

_RUN: Final = (
    Column("run", "id of the run"),
    Column("suite", "the set of items, as its report names it"),
    Column("subject", "the model or target under evaluation"),
)
CELLS: Final = (
    *_RUN,
    Column("item", "the scenario"),
    Column("variants", "JSON: the variant chosen for each step", "json"),
    Column("repetitions", "trials of the cell", "count"),
    Column("measured", "of them graded", "count"),
    Column("passed", "of them passed", "count"),
    Column("failed", "of them failed", "count"),
    Column("ungraded", "of them neither passed nor failed", "count"),
    Column(
        "pass_rate",
        "passed / measured; for sample reports passed / repetitions, as they define it",
        "share",
    ),
    Column("pass_variance", "pass_rate x (1 - pass_rate)", "number"),
    Column("flaky", "neither always nor never passed", "flag"),
    Column("pair_disagreement", "how often two repetitions come out differently", "share"),
    Column("stable_so_far", "failure rate that this many passes still leave possible", "share"),
    Column("distinct_behaviours", "different behaviours among the repetitions", "count"),
    Column("distinct_behaviours_masked", "the same with ids and hashes masked", "count"),
    Column("behaviours", "JSON: how many repetitions behaved so, and whether they passed", "json"),
    Column("refused_proposals", "measured trials with a refused proposal", "count"),
    Column("samples_with_discards", "measured trials with a discarded answer", "count"),
    Column("suspect", "so much of the run failed or stopped that it looks like an outage", "flag"),
    Column("reason", "why what is empty is unknown"),
)
CATEGORIES: Final = (
    *_RUN,
    Column("category", "what the criteria are about"),
    Column("cells", "cells that measured the category", "count"),
    Column("repetitions_least", "graded repetitions of the smallest cell", "count"),
    Column("repetitions_most", "graded repetitions of the largest cell", "count"),
    Column("graded", "graded trials that measured it", "count"),
    Column("passed", "of them held", "count"),
    Column("always_passed", "cells that always held", "count"),
    Column("never_passed", "cells that never held", "count"),
    Column("mixed", "cells that came out both ways", "count"),
    Column("rerun_error", "standard error of the rate over reruns of these items", "share"),
    Column("smallest_gap", "smallest difference of two such rates that is beyond it", "share"),
    Column("pair_disagreement", "how often two repetitions come out differently", "share"),
    Column("disagreement_cells", "cells it could be seen in", "count"),
    Column("item_share", "share of the variance that lies between items", "share"),
    Column("attempts", "JSON: chance that any, and that all, of k attempts hold", "json"),
    Column("suspect", "so much of the run failed or stopped that it looks like an outage", "flag"),
    Column("reason", "why what is empty is unknown"),
)
NOTES: Final = (
    "Repetitions measure the subject. One repetition says nothing about noise: what it cannot say "
    "is empty, with the reason, and never zero.",
)


def _item(row: Row) -> str:
    return text.shown(row["item"]) + grounds.variants(row["variants"])


def _behaviours(row: Row) -> str:
    raw, masked = row["distinct_behaviours"], row["distinct_behaviours_masked"]
    return f"{raw}" if raw == masked else f"{raw} ({masked} with ids masked)"


def _repetitions(row: Row) -> str:
    least, most = row["repetitions_least"], row["repetitions_most"]
    return f"{least}" if least == most else f"{least} to {most}"


def _share(title: str, name: str) -> Shown:
    return Shown(title, lambda row: wording.percent(row[name]), right=True)


_CELLS_SHOWN: Final = (
    Shown("item", _item, quoted=True),
    Shown("passed of measured", lambda row: f"{row['passed']}/{row['measured']}", right=True),
    cells.count("ungraded", "ungraded"),
    Shown("flaky", lambda row: "flaky" if row["flaky"] else ""),
    Shown("behaviours", _behaviours, right=True),
    _share("pairs that differ", "pair_disagreement"),
    _share("may still fail", "stable_so_far"),
    cells.plain("why unknown", "reason", quoted=False),
)
_CATEGORIES_SHOWN: Final = (
    Shown("category", lambda row: wording.category(row["category"])),
    Shown("held of graded", lambda row: f"{row['passed']}/{row['graded']}", right=True),
    cells.count("cells", "cells"),
    Shown("repetitions", _repetitions, right=True),
    Shown(
        "always / never / mixed",
        lambda row: f"{row['always_passed']} / {row['never_passed']} / {row['mixed']}",
        right=True,
    ),
    _share("rerun error", "rerun_error"),
    _share("pairs that differ", "pair_disagreement"),
    _share("between items", "item_share"),
    cells.plain("why unknown", "reason", quoted=False),
)


def table(chosen: Chosen) -> Table:
    """Return the cells of the chosen runs and how much their repetitions differ.

    Raises:
        InputError: When categories are asked for.
    """
    if chosen.selection.categories:
        raise InputError("a cell has no category; export variance-categories")
    found = repeated.variance(chosen.db, chosen.runs, chosen.rulebook).cells
    rows = chosen.kept(found, "item", chosen.selection.items).with_columns(_json("behaviours"))
    return Table(
        name="variance",
        title="How much the repetitions of each cell differ",
        says="One row is one cell of one run: an item with one choice of variants.",
        columns=CELLS,
        shown=_CELLS_SHOWN,
        parts=at_once(chosen.named(rows, CELLS)),
        about=chosen.about,
        notes=NOTES,
        chart=lambda: repeated_charts.flakes(chosen.named(rows, CELLS)),
    )


def categories(chosen: Chosen) -> Table:
    """Return the categories of the chosen runs and how much their repetitions differ."""
    found = repeated.variance(chosen.db, chosen.runs, chosen.rulebook).categories
    kept = chosen.kept(found, "category", chosen.selection.categories)
    rows = kept.with_columns(_json("attempts"))
    return Table(
        name="variance-categories",
        title="How much the repetitions of each category differ",
        says="One row is one category of one run.",
        columns=CATEGORIES,
        shown=_CATEGORIES_SHOWN,
        parts=at_once(chosen.named(rows, CATEGORIES)),
        about=chosen.about,
        notes=NOTES,
        chart=lambda: repeated_charts.attempts(chosen.named(kept, CATEGORIES)),
    )


def _json(name: str) -> pl.Expr:
    """Return a list of structures as JSON."""
    each = pl.element().struct.json_encode()
    return pl.format("[{}]", pl.col(name).list.eval(each).list.join(", ")).alias(name)
