"""Cells beside cells: per side passed of graded, and a mark for each repetition, holes too."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple

import polars as pl

from dashboard import wording
from dashboard.link import anchor, case_href
from dashboard.traces import variants
from ingest.records import trial_name

Row = Mapping[str, Any]
Cell = tuple[str, str]

MOST_MARKS: Final = 24
COVERING: Final = "evaluation-report"
HOLE: Final = "·"


class Mark(NamedTuple):
    """One repetition: how it ended, and where it can be read; a hole has no address."""

    mark: str
    tone: str
    title: str
    href: str | None


class Marks(NamedTuple):
    """The repetitions of a cell on one side."""

    passed: int
    graded: int
    ungraded: int
    marks: list[Mark]
    more: int
    first: str | None
    """The name of its first trial, which names the cell in an address."""


class Strip(NamedTuple):
    """One cell of every side."""

    anchor: str
    item: str
    variants: str
    sides: list[Marks]


class InCategory(NamedTuple):
    """What a category's criteria came to, by trial; and whether silence means they held."""

    by_trial: Mapping[int, Row]
    silent_held: bool


def strips(
    cells: Iterable[Row],
    sides: Sequence[Sequence[str]],
    trials: pl.DataFrame,
    category: InCategory | None = None,
    expected: Mapping[tuple[str, str, str], int] | None = None,
) -> list[Strip]:
    """Return a strip for each cell, with a group of marks for each side.

    Args:
        cells: ``item, variants``.
        sides: The runs of each side.
        trials: Rows of ``marks.trials`` of these cells.
        category: Where marks are of one category, what its criteria came to.
        expected: Trials that were planned, by run, item and variants; without it, as many as the
            side with the most has.
    """
    by_cell: dict[tuple[str, str, str], list[Row]] = {}
    for row in trials.iter_rows(named=True):
        by_cell.setdefault((row["run"], row["item"], row["variants"]), []).append(row)
    drawn = []
    for cell in cells:
        item, chosen = cell["item"], cell["variants"]
        own = [
            [row for run in runs for row in by_cell.get((run, item, chosen), ())] for runs in sides
        ]
        most = max(map(_planned, own), default=0)
        planned = [
            most if expected is None else sum(expected.get((run, item, chosen), 0) for run in runs)
            for runs in sides
        ]
        drawn.append(
            Strip(
                anchor("cell", item, chosen),
                item,
                variants(chosen),
                [
                    _marks(rows, number if len(runs) == 1 else 0, category)
                    for rows, runs, number in zip(own, sides, planned, strict=True)
                ],
            )
        )
    return drawn


def _planned(rows: Sequence[Row]) -> int:
    numbers = [row["repetition"] for row in rows if row["repetition"] is not None]
    return max(max(numbers, default=-1) + 1, len(rows) if not numbers else 0)


def _marks(rows: Sequence[Row], planned: int, category: InCategory | None) -> Marks:
    made: list[Mark] = []
    graded = passed = 0
    expected = 0
    for row in rows:
        number = row["repetition"]
        while planned and number is not None and expected < number:
            expected += 1
            made.append(hole(expected))
        expected = expected + 1 if number is None else number + 1
        outcome, position = _outcome(row, category)
        graded += outcome in {"passed", "failed"}
        passed += outcome == "passed"
        # A cell of many repetitions shows the first; the others are only counted.
        if len(made) < MOST_MARKS:
            made.append(_mark(row, outcome, position, expected))
        else:
            made.append(hole(expected))
    while planned and expected < planned:
        expected += 1
        made.append(hole(expected))
    first = trial_name(rows[0]["trial"]) if rows else None
    shown = made[:MOST_MARKS]
    return Marks(passed, graded, len(rows) - graded, shown, len(made) - len(shown), first)


def hole(number: int) -> Mark:
    """Return the mark of a repetition that nobody recorded."""
    return Mark(HOLE, "hole", f"repetition {number}: no trial", None)


def _outcome(row: Row, category: InCategory | None) -> tuple[str | None, int | None]:
    """Return how a trial ended, over all or in a category; null where it did not measure that."""
    if category is None or not row["graded"]:
        return row["outcome"], None
    found = category.by_trial.get(row["trial"])
    if found is None:
        return ("passed" if category.silent_held else None), None
    return ("failed", found["position"]) if found["failing"] else ("passed", None)


def _mark(row: Row, outcome: str | None, position: int | None, number: int) -> Mark:
    href = case_href(trial_name(row["trial"]))
    if position is not None:
        href = f"{href}#c{position}"
    title = f"repetition {number}: "
    if outcome is None:
        return Mark("◌", "ctx", f"{title}does not measure this", href)
    sign = wording.sign(outcome)
    return Mark(sign.mark, sign.tone, f"{title}{sign.word}", href)
