"""What is recorded about a whole trial beside its criteria: bounds, counters, votes, behaviour."""

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

import polars as pl

from dashboard import jsontree, wording
from dashboard.casebook import Case

_COUNTERS: Final = {
    "acts_proposed": "acts proposed",
    "acts_refused": "acts refused",
    "commands_journaled": "commands journaled",
    "cards_created": "cards created",
    "provider_failures": "provider failures",
    "abandoned": "abandoned",
}
_TASKS: Final = ("segment", "route", "locate", "extract")

Trial = Mapping[str, Any]


class Table(NamedTuple):
    """A small table of texts."""

    columns: list[str]
    rows: list[list[str]]


class Block(NamedTuple):
    """One titled part: facts, a table, or a text as it was written."""

    title: str
    note: str = ""
    facts: list[tuple[str, str]] | None = None
    table: Table | None = None
    text: str = ""


def blocks(found: Case, trial: Trial) -> list[Block]:
    """Return the parts that this trial has something for."""
    made = [
        _bounds(trial),
        _counters(trial),
        _tasks(trial),
        _discards(found.discards),
        _votes(found.votes),
        _signature(trial),
        _fingerprint(found.parts),
    ]
    return [block for block in made if block is not None]


def _bounds(trial: Trial) -> Block | None:
    if trial["bounds"] is None:
        return None
    bounds = jsontree.parse(trial["bounds"])
    facts = (
        [(wording.spoken(name), jsontree.flat(value)) for name, value in bounds.pairs]
        if isinstance(bounds, jsontree.Members)
        else []
    )
    if trial["retry_delay_ms"] is not None:
        facts.append(("waited after a rate limit", wording.duration(trial["retry_delay_ms"])))
    return Block("Bounds", "" if facts else "This trial had none.", facts)


def _counters(trial: Trial) -> Block | None:
    facts = [
        (
            title,
            {True: "yes", False: "no"}.get(value, str(value))
            if name == "abandoned"
            else str(value),
        )
        for name, title in _COUNTERS.items()
        if (value := trial[name]) is not None
    ]
    return Block("Counters", facts=facts) if facts else None


def _tasks(trial: Trial) -> Block | None:
    if trial["cards_created"] is None:
        return None
    words = {True: "✓ passed", False: "✗ failed", None: "– decides nothing here"}  # noqa: RUF001
    return Block("Tasks", facts=[(task, words[trial[f"task_{task}"]]) for task in _TASKS])


def _discards(discards: pl.DataFrame) -> Block | None:
    if discards.is_empty():
        return None
    rows = [
        [str(place), row["code"]]
        for place, row in enumerate(discards.iter_rows(named=True), start=1)
    ]
    return Block(
        "Discarded answers", "In the order they were discarded.", table=Table(["#", "code"], rows)
    )


def _votes(votes: pl.DataFrame) -> Block | None:
    if votes.is_empty():
        return None
    rows = [
        [
            wording.spoken(row["criterion"]),
            wording.NOTHING if row["vote"] is None else str(row["vote"]),
            "no verdict" if row["score"] is None else f"{row['score']} of 5",
            row["reason"] or row["error"] or "",
        ]
        for row in votes.iter_rows(named=True)
    ]
    note = "Opinions about this answer. They measure the judge and enter no outcome and no rate."
    return Block(
        "Votes of the judge",
        note,
        table=Table(["judge criterion", "vote", "score", "reason"], rows),
    )


def _signature(trial: Trial) -> Block | None:
    if trial["signature"] is None:
        return None
    return Block("Behaviour", "What the run did, as its report writes it.", text=trial["signature"])


def _fingerprint(parts: pl.DataFrame) -> Block | None:
    if parts.is_empty():
        return None
    rows = [[row["part"], row["provenance"], row["digest"]] for row in parts.iter_rows(named=True)]
    return Block("Fingerprint of the item", table=Table(["part", "provenance", "digest"], rows))
