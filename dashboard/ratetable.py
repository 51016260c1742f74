"""The reliability page's tables: per category or figure one row, per run a block of columns."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

import polars as pl

from dashboard import runtable, ticket, wording
from dashboard.figures import Reliability
from dashboard.link import FailuresLink, ReliabilityLink, anchor
from dashboard.parts import Badge
from dashboard.runtable import Run
from queries import intervals
from queries.categories import CATEGORIES, RuleBook

COVERING: Final = "evaluation-report"
"""The format that says which trials checked a category at all."""
_SHORT: Final = {"again": "these items again", "items": "other items like these"}

_UNSEEN: Final = {
    "provider_failure": "stopped no trial",
    "abandonment": "stopped no trial",
    "evaluator_error": "no criterion errored",
}
"""What the absence of a category means that error codes decide, where a format records them."""


class Block(NamedTuple):
    """The columns of one run."""

    run: str
    subject: str | None
    detail: str
    badges: list[Badge]
    href: str
    basis: str
    trials: int
    ungraded: list[tuple[str, int]]
    never_href: str
    open: bool


class Cell(NamedTuple):
    """A category of a run: counts first; why there is no rate where there is none."""

    basis: int | None = None
    passed: int = 0
    failing: int = 0
    failures: int = 0
    ungraded: int = 0
    ungraded_words: str = ""
    rate: float | None = None
    low: float | None = None
    high: float | None = None
    interval: tuple[float, float] | None = None
    why: str = ""
    href: str = ""
    linked: bool = False


class Line(NamedTuple):
    """One row of a table, with a cell a run; null where a run has none."""

    name: str
    href: str
    cells: Sequence[object]


def blocks(runs: Iterable[Run], outcomes: pl.DataFrame) -> list[Block]:
    """Return the head of each run's columns."""
    return [_block(run, outcomes.filter(pl.col("run") == run["run"])) for run in runs]


def _block(run: Run, outcomes: pl.DataFrame) -> Block:
    counts: dict[str, int] = dict(outcomes.select("outcome", "trials").iter_rows())
    graded = {"passed", "failed"}
    return Block(
        run=run["run"],
        subject=run["subject"],
        detail=runtable.caption(run),
        badges=runtable.status(run),
        href=ReliabilityLink(run=(run["run"],)).href,
        basis="covered" if run["format"] == COVERING else "graded",
        trials=sum(counts.values()),
        ungraded=[one for one in wording.in_order(counts) if one[0] not in graded],
        never_href=FailuresLink(run=(run["run"],), tab="never").href,
        open=any(name not in graded for name in counts),
    )


class Question(NamedTuple):
    """A question that intervals answer, with the address that asks it."""

    name: str
    text: str
    href: str
    current: bool


def asked(link: ReliabilityLink) -> str:
    """Return the question an address asks, the first where it asks none that is known."""
    return link.asks if link.asks in intervals.QUESTIONS else next(iter(intervals.QUESTIONS))


def questions(link: ReliabilityLink) -> list[Question]:
    """Return the questions to choose from."""
    own = asked(link)
    return [
        Question(_SHORT[name], text, link.but(asks=name).href, name == own)
        for name, text in intervals.QUESTIONS.items()
    ]


def categories(runs: Sequence[Run], figures: Reliability, asks: str) -> list[Line]:
    """Return the category rows in the order people read them."""
    found = {(row["run"], row["category"]): row for row in figures.categories.iter_rows(named=True)}
    present = {name for _, name in found}
    every = tuple(run["run"] for run in runs)
    return [
        Line(
            name,
            FailuresLink(run=every, category=name).href,
            [_cell(run, name, found.get((run["run"], name)), asks) for run in runs],
        )
        for name in CATEGORIES
        if name in present
    ]


def _cell(run: Run, name: str, row: Mapping[str, Any] | None, asks: str) -> Cell:
    known = run["format"] == COVERING
    if row is None:
        return Cell(
            why=_UNSEEN.get(name, "not checked") if known else "not recorded by this format"
        )
    basis = row["covered"] if known else row["graded"] if _measured(row) else None
    if basis and row["rate"] is not None:
        tab, why = "failed", ""
    else:
        tab, why = _why(row, basis)
    link = FailuresLink(run=(run["run"],), category=name)
    return Cell(
        basis=basis,
        passed=(basis or 0) - row["failing_trials"],
        failing=row["failing_trials"],
        failures=row["failures"],
        ungraded=row["ungraded_relevant"],
        ungraded_words=_words(row),
        rate=row["rate"],
        low=row["low"],
        high=row["high"],
        interval=_interval(row, asks),
        why=why,
        href=link.but(tab=tab).href,
        linked=tab != "failed",
    )


def _interval(row: Mapping[str, Any], asks: str) -> tuple[float, float] | None:
    low, high = row[f"{asks}_low"], row[f"{asks}_high"]
    return None if row["rate"] is None or low is None else (low, high)


def _measured(row: Mapping[str, Any]) -> bool:
    return row["rate"] is not None or row["ungraded_relevant"] > 0


def _why(row: Mapping[str, Any], basis: int | None) -> tuple[str, str]:
    """Say why there is no rate, and which list of the failures page shows it."""
    if row["errored_criteria"]:
        errored = wording.plural(row["errored_criteria"], "criterion", "criteria")
        return "errored", f"{errored} errored"
    if row["stopped_trials"]:
        return "never", f"stopped {wording.plural(row['stopped_trials'], 'trial')}"
    if row["ungraded_relevant"]:
        return "never", f"none graded, {wording.count(row['ungraded_relevant'])} ungraded"
    return "failed", "stopped no trial" if basis is None else "not checked"


def _words(row: Mapping[str, Any]) -> str:
    listed = {one["outcome"]: one["trials"] for one in row["outcomes"]}
    words = ", ".join(f"{n} {wording.sign(name).word}" for name, n in wording.in_order(listed))
    return f"Ungraded in this run: {words}" if words else ""


def markdown(runs: Sequence[Run], lines: Sequence[Line]) -> str:
    """Return the table for a ticket: counts first, no rate without them."""
    title = " · ".join(f"{run['subject'] or 'no subject'}, {runtable.caption(run)}" for run in runs)
    head = ["category", *(_named(run) for run in runs for _ in (0, 1))]
    rows = [[wording.category(line.name), *map(str, _written(line.cells))] for line in lines]
    return ticket.table(title, head, rows)


def _named(run: Run) -> str:
    return ticket.plain(run["subject"] or run["run"])


def _written(cells: Iterable[object]) -> Iterator[str]:
    for cell in cells:
        if not isinstance(cell, Cell) or not cell.basis:
            yield from (wording.NOTHING, cell.why if isinstance(cell, Cell) else "")
            continue
        ungraded = f" +{cell.ungraded}○" if cell.ungraded else ""
        yield f"{cell.passed}/{cell.basis}{ungraded}"
        yield wording.percent(cell.rate)


def basis(runs: Iterable[Run]) -> str:
    """Say what the rates are taken over."""
    formats = {run["format"] == COVERING for run in runs}
    notes = []
    if True in formats:
        notes.append("Covered: graded trials in which a criterion of the category was evaluated.")
    if False in formats:
        notes.append(
            "Graded: this format records a category only where something failed, so its rates are "
            "over all graded trials."
        )
    return " ".join(notes)


class RuleLine(NamedTuple):
    """One rule as people read it."""

    anchor: str
    name: str
    when: list[tuple[str, str]]
    category: str


def rules(book: RuleBook) -> list[RuleLine]:
    """Return the rules in the order they are tried."""
    return [
        RuleLine(
            anchor("rule", placed.name),
            placed.name,
            list(placed.rule.wanted().items()),
            placed.rule.category,
        )
        for placed in book
    ]
