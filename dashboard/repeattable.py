"""The variance page's tables: categories, cells with a strip of repetitions, open behaviours."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

import polars as pl

from dashboard import wording
from dashboard.decisions import VarianceLink
from dashboard.link import CaseLink, FailuresLink, anchor
from dashboard.traces import variants
from queries.rules import CATEGORIES

Row = Mapping[str, Any]

ROWS: Final = 60
MOST_STEPS: Final = 40
SHOWN: Final = {
    "flaky": "flaky: passes and fails",
    "several": "passes by several ways",
    "stable": "always passes",
    "never": "never passes",
    "unknown": "cannot say",
}
_LETTERS: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


class Category(NamedTuple):
    """How far a rerun would move one category."""

    name: str
    cells: int
    repetitions: str
    always: int
    never: int
    mixed: int
    rerun: str
    gap: str
    differ: str
    between: str
    last: str
    reason: str


class Step(NamedTuple):
    """One repetition: how it ended and which way it went."""

    mark: str
    tone: str
    letter: str
    title: str
    href: str


class Cell(NamedTuple):
    """One cell with its repetitions."""

    anchor: str
    item: str
    variants: str
    href: str
    opened: bool
    passed: int
    measured: int
    ungraded: int
    steps: list[Step]
    more: int
    raw: int
    masked: int
    ways: list[tuple[str, int, bool]]
    differ: str
    still: str
    reason: str


def categories(found: pl.DataFrame) -> list[Category]:
    """Return the category rows in the order people read them."""
    rows = {row["category"]: row for row in found.to_dicts()}
    return [_category(rows[name]) for name in CATEGORIES if name in rows]


def _category(row: Row) -> Category:
    least, most = row["repetitions_least"], row["repetitions_most"]
    attempts = row["attempts"] or []
    last = attempts[-1] if attempts else None
    return Category(
        row["category"],
        row["cells"],
        str(least) if least == most else f"{least} to {most}",
        row["always_passed"],
        row["never_passed"],
        row["mixed"],
        _points(row["rerun_error"]),
        _points(row["smallest_gap"]),
        wording.percent(row["pair_disagreement"]),
        wording.percent(row["item_share"]),
        "" if last is None else _chances(last),
        row["reason"] or "",
    )


def _chances(step: Row) -> str:
    """Return the chance that any of k repetitions passes and that all do, each on one line."""
    words = (wording.percent(step["any"]), wording.percent(step["all"]), f"k = {step['k']}")
    any_, all_, at = (one.replace(" ", "\N{NO-BREAK SPACE}") for one in words)
    return f"{any_}, {all_} at {at}"


def _points(value: float | None) -> str:
    return wording.NOTHING if value is None else f"{100 * value:.1f} pts"


def attempts(found: pl.DataFrame, run: str) -> list[dict[str, Any]]:
    """Return the marks of the chart of attempts; categories of one repetition have no curve."""
    rows = {row["category"]: row for row in found.to_dicts()}
    marks = []
    for name in CATEGORIES:
        steps = rows[name]["attempts"] if name in rows else None
        if not steps or len(steps) < 2:
            continue
        panel = f"{wording.category(name)} · {wording.plural(rows[name]['cells'], 'cell')}"
        href = FailuresLink(run=(run,), category=name).href
        marks += [
            dict(step)
            | {
                "panel": panel,
                "cells": rows[name]["cells"],
                "href": href,
                "last": step is steps[-1],
            }
            for step in steps
        ]
    return marks


def flakes(cells: pl.DataFrame, link: VarianceLink) -> list[dict[str, Any]]:
    """Return the marks of the chart of flakes: cells that look alike are one mark."""
    known = cells.filter(pl.col("pair_disagreement").is_not_null())
    places = known.group_by(rate="pass_rate", differ="pair_disagreement").agg(cells=pl.len())
    return [
        row | {"href": link.but(show=_kind(row), page=1).href}
        for row in places.sort("rate", "differ").to_dicts()
    ]


def _kind(row: Row) -> str:
    if row["differ"] > 0:
        return "flaky"
    return "stable" if row["rate"] >= 1 else "never"


def listed(cells: pl.DataFrame, link: VarianceLink) -> pl.DataFrame:
    """Return the cells an address asks for, the least steady first."""
    found = cells.filter(_wanted(link.show))
    if link.q:
        sought = pl.concat_str("item", "variants", separator=" ").str.to_lowercase()
        found = found.filter(sought.str.contains(link.q.lower(), literal=True))
    order = ["pair_disagreement", "distinct_behaviours_masked", "item", "variants"]
    return found.sort(order, descending=[True, True, False, False], nulls_last=True)


def _wanted(show: str | None) -> pl.Expr:
    rate, alike = pl.col("pass_rate"), pl.col("distinct_behaviours") < 2
    kinds = {
        "flaky": pl.col("flaky"),
        "several": (rate >= 1) & ~alike,
        "stable": rate >= 1,
        "never": (rate <= 0) & (pl.col("measured") > 0),
        "unknown": pl.col("reason").is_not_null(),
    }
    return kinds.get(show or "", pl.lit(value=True))


def rows(cells: pl.DataFrame, trials: pl.DataFrame, link: VarianceLink) -> list[Cell]:
    """Return the cells as they are drawn."""
    own: dict[tuple[str, str], list[Row]] = {}
    for trial in trials.iter_rows(named=True):
        own.setdefault((trial["item"], trial["variants"]), []).append(trial)
    return [
        _cell(row, own.get((row["item"], row["variants"]), []), link) for row in cells.to_dicts()
    ]


def _cell(row: Row, trials: Sequence[Row], link: VarianceLink) -> Cell:
    steps = [_step(place, trial) for place, trial in enumerate(trials[:MOST_STEPS], start=1)]
    first = trials[0]["trial"] if trials else None
    return Cell(
        anchor=anchor("cell", row["item"], row["variants"]),
        item=row["item"],
        variants=variants(row["variants"]),
        href=f"{link.but(cell=first).href}#open",
        opened=link.cell is not None and any(link.cell == trial["trial"] for trial in trials),
        passed=row["passed"],
        measured=row["measured"],
        ungraded=row["ungraded"],
        steps=steps,
        more=len(trials) - len(steps),
        raw=row["distinct_behaviours"],
        masked=row["distinct_behaviours_masked"],
        ways=[
            (letter(place), way["count"], way["passed"])
            for place, way in enumerate(row["behaviours"], start=1)
        ],
        differ=wording.percent(row["pair_disagreement"]),
        still="" if row["stable_so_far"] is None else wording.percent(row["stable_so_far"]),
        reason=row["reason"] or "",
    )


def _step(place: int, trial: Row) -> Step:
    number = place if trial["repetition"] is None else trial["repetition"] + 1
    sign = wording.sign(trial["outcome"])
    way = letter(trial["way"])
    title = f"repetition {number}: {sign.word}{f', behaviour {way}' if way else ''}"
    return Step(sign.mark, sign.tone, way, title, CaseLink(case=trial["trial"]).href)


def letter(place: int | None) -> str:
    """Return the letter of a behaviour, the commonest A; numbers after the alphabet."""
    if place is None:
        return ""
    return _LETTERS[place - 1] if place <= len(_LETTERS) else str(place)
