"""The tables of two compared sides: the categories with their tests, and the cells that changed."""

from collections.abc import Iterator
from typing import Any, Final, NamedTuple

import polars as pl

from dashboard import grounds, sides, text, wording
from dashboard.errors import InputError
from dashboard.export import about, cells, charts
from dashboard.export.about import Chosen, Selection
from dashboard.export.table import Column, Row, Shown, Table, at_once

CATEGORIES: Final = (
    Column("category", "what the criteria are about"),
    Column("cells", "cells compared that measured it on both sides", "count"),
    Column("base_passed", "trials of the base in which it held", "count"),
    Column("base_trials", "graded trials of the base that measured it", "count"),
    Column("current_passed", "trials of the current side in which it held", "count"),
    Column("current_trials", "graded trials of the current side that measured it", "count"),
    Column("base_rate", "mean over cells of their rate in the base", "share"),
    Column("current_rate", "mean over cells of their rate in the current side", "share"),
    Column("difference", "current_rate - base_rate", "share"),
    Column("again_low", "low end of the interval for these cells run again", "share"),
    Column("again_high", "its high end", "share"),
    Column("items_low", "low end of the interval for other cells like these", "share"),
    Column("items_high", "its high end", "share"),
    Column("test", "the test of the difference"),
    Column("p", "its p", "number"),
    Column("p_holm", "p after Holm's correction for all tests of this table", "number"),
    Column("tests", "tests of this table", "count"),
    Column("both", "cells that always held on both sides", "count"),
    Column("only_base", "cells that always held in the base only", "count"),
    Column("only_current", "cells that always held in the current side only", "count"),
    Column("neither", "cells that never held on either side", "count"),
    Column("unstable", "cells that came out both ways on a side", "count"),
    Column("unmeasured_cells", "cells measured on one side only: left out", "count"),
    Column("detectable", "smallest difference these data could have shown", "share"),
    Column("helps", "what would show the one seen"),
    Column("more_cells", "how many more cells would", "count"),
    Column("more_repetitions", "how many more repetitions would", "count"),
    Column("verdict", "what can be said"),
)
CHANGES: Final = (
    Column("item", "the scenario"),
    Column("variants", "JSON: the variant chosen for each step", "json"),
    Column("kind", "what changed"),
    Column("before", "rate or score of the cell in the base", "number"),
    Column("after", "rate or score of the cell in the current side", "number"),
    Column("before_of", "the trials the one before is over", "count"),
    Column("after_of", "the trials the one after is over", "count"),
    Column("criterion", "the judge's criterion, where that is what moved"),
    Column("newly_failing", "criteria that failed in the current side only"),
    Column("categories", "categories of these"),
    Column("parts", "parts of the item that differ"),
    Column("noise", "whether the change is beyond what the control pair moved"),
)
NOTES: Final = (
    "Only cells that both sides ran on the same item enter; those left out are listed with the "
    "reason.",
    "again_low to again_high answers: would these cells differ so again? items_low to items_high: "
    "what would other cells like these do? Each is a 95% interval.",
    "No difference is called one before its interval clears zero and its test, corrected for the "
    "others, says so.",
)


def _side(side: str) -> Shown:
    return Shown(side, lambda row: f"{row[f'{side}_passed']}/{row[f'{side}_trials']}", right=True)


def _points(value: float | None) -> str:
    return wording.NOTHING if value is None else f"{100 * value:+.1f} pts"


def _between(low: str, high: str) -> Shown:
    def cell(row: Row) -> str:
        if row[low] is None:
            return ""
        return f"{100 * row[low]:+.1f} to {100 * row[high]:+.1f}"

    return Shown("these cells again", cell, right=True)


def _p(row: Row) -> str:
    return wording.NOTHING if row["p_holm"] is None else f"{row['p_holm']:.3f}"


def _square(row: Row) -> str:
    names = ("both", "only_base", "only_current", "neither", "unstable")
    return " / ".join(str(row[name]) for name in names)


def _item(row: Row) -> str:
    return text.shown(row["item"]) + grounds.variants(row["variants"] or "{}")


def _what(row: Row) -> str:
    return row["newly_failing"] or row["parts"] or row["criterion"] or ""


_CATEGORIES_SHOWN: Final = (
    Shown("category", lambda row: wording.category(row["category"])),
    cells.count("cells", "cells"),
    _side("base"),
    _side("current"),
    Shown("difference", lambda row: _points(row["difference"]), right=True),
    _between("again_low", "again_high"),
    Shown("p (Holm)", _p, right=True),
    Shown("both / base / current / neither / unstable", _square, right=True),
    Shown("verdict", lambda row: wording.spoken(row["verdict"])),
)
_CHANGES_SHOWN: Final = (
    Shown("item", _item, quoted=True),
    Shown("change", lambda row: wording.spoken(row["kind"])),
    Shown("before", lambda row: wording.moved(row, "before"), right=True),
    Shown("after", lambda row: wording.moved(row, "after"), right=True),
    Shown("what", _what, quoted=True),
    Shown("noise", lambda row: wording.spoken(row["noise"])),
)


class Pair(NamedTuple):
    """Two sides, compared and described."""

    chosen: Chosen
    found: sides.Compared


def pair(db: Any, selection: Selection) -> Pair:
    """Return two sides compared, with the description that their tables carry.

    Raises:
        InputError: When not two sides are named, or they cannot be compared.
    """
    if len(selection.runs) != 2:
        raise InputError("a comparison is of two: --run BASE --run CURRENT")
    both = sides.chosen(db, selection.runs[0], selection.runs[1], selection.control)
    runs = pl.concat([both.base, both.current]).unique("run", maintain_order=True)
    chosen = about.described(db, runs, selection, runs.clear())
    found = sides.compare(db, both, chosen.rulebook)
    described = chosen.about._replace(
        excluded=(*_left_out(found), *chosen.about.excluded),
        filters=(*_sides(both), *chosen.about.filters[1:]),
    )
    return Pair(chosen._replace(about=described), found)


def _sides(both: sides.Sides) -> Iterator[str]:
    named = [("base", both.base), ("current", both.current)]
    if both.control is not None:
        named += [("control", both.control[0]), ("control again", both.control[1])]
    for name, runs in named:
        yield f"{name}: run {', '.join(runs['run'])}"


def _left_out(found: sides.Compared) -> Iterator[str]:
    headline = found.headline.row(0, named=True)
    if headline["withheld"]:
        yield f"no figure over all cells: {headline['reason']}"
    for row in found.exclusions.to_dicts():
        parts = [f"{name} {', '.join(row[name])}" for name in ("recorded", "authored") if row[name]]
        yield f"item {row['item']}: not the same on both sides ({'; '.join(parts)})"
    for name, words in (
        ("added", "cells in the current side only"),
        ("removed", "cells in the base only"),
        ("unverified", "cells compared without proof that they are the same"),
    ):
        if headline[name]:
            yield f"{headline[name]} {words}"


def says(found: sides.Compared) -> str:
    """Return what was compared in one sentence, counts first."""
    headline = found.headline.row(0, named=True)
    counts = f"{headline['compared']} cells paired, {headline['excluded']} items excluded"
    if headline["withheld"]:
        return f"{counts}. No figure: {headline['reason']}."
    passed = [
        f"{headline[f'{side}_passed']} of {headline[f'{side}_graded']} graded"
        for side in ("base", "current")
    ]
    return f"{counts}; passed on them: base {passed[0]}, current {passed[1]}."


def table(compared: Pair) -> Table:
    """Return the categories of two sides."""
    chosen, found = compared
    rows = chosen.kept(found.categories, "category", chosen.selection.categories)
    exact = rows.select(column.name for column in CATEGORIES)
    return Table(
        name="comparison",
        title="Two sides, category by category",
        says=f"One row is one category, on the same cells of both sides. {says(found)}",
        columns=CATEGORIES,
        shown=_CATEGORIES_SHOWN,
        parts=at_once(exact),
        about=chosen.about,
        notes=(*NOTES, noise(found)),
        by_run=False,
        chart=lambda: charts.comparison(exact, "Two sides, category by category"),
    )


def changes(compared: Pair) -> Table:
    """Return the cells of two sides that changed, worst first as they are compared."""
    chosen, found = compared
    lists = ("newly_failing", "categories", "parts")
    rows = chosen.kept(found.changes, "item", chosen.selection.items).with_columns(
        *(pl.col(name).list.join(", ") for name in lists), pl.col("kind").cast(pl.String)
    )
    return Table(
        name="changes",
        title="What changed between two sides, cell by cell",
        says=f"One row is one change of one cell. {says(found)}",
        columns=CHANGES,
        shown=_CHANGES_SHOWN,
        parts=at_once(rows.select(column.name for column in CHANGES)),
        about=chosen.about,
        notes=(*NOTES[:1], noise(found)),
        by_run=False,
    )


def noise(found: sides.Compared) -> str:
    """Return what is known about the system's own noise."""
    if found.floor is None:
        return "Noise unmeasured: no control pair was given, so no change is known to be beyond it."
    floor = found.floor.row(0, named=True)
    rate, score = (
        wording.NOTHING if floor[name] is None else f"{floor[name]:.3f}"
        for name in ("pass_rate", "judge_score")
    )
    return f"The control pair, which changed nothing, moved by: pass rate {rate}, score {score}."
