"""The behaviours of one open cell, each held against the commonest."""

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

import polars as pl

from dashboard import difference, repeatbook
from dashboard.data import Source
from dashboard.difference import Pieces
from dashboard.link import CaseLink
from dashboard.repeattable import letter
from dashboard.traces import variants
from ingest.records import trial_number

MOST_WAYS: Final = 26

Row = Mapping[str, Any]


class Way(NamedTuple):
    """One behaviour: who took it, and how it differs from the commonest."""

    letter: str
    repetitions: int
    masked: int
    trials: list[tuple[int, str, str]]
    signature: Pieces | None
    criteria: list[tuple[str, str, str]]


class Open(NamedTuple):
    """An open cell."""

    item: str
    variants: str
    ways: list[Way]
    signed: bool
    silent: int


def opened(at: Source, run: str, name: str | None, cells: pl.DataFrame) -> Open | None:
    """Return the behaviours of the cell that a trial belongs to, null where there is none."""
    trials = _trials(at, run, name, cells)
    if trials is None:
        return None
    known = trials.filter(pl.col("way").is_not_null())
    parts = known.sort("way", "trial_number").partition_by("way", maintain_order=True)
    firsts = [part["trial_number"][0] for part in parts[:MOST_WAYS]]
    verdicts = _verdicts(repeatbook.criteria(at, run, firsts)) if firsts else {}
    common = parts[0].row(0, named=True) if parts else None
    return Open(
        trials["item"][0],
        variants(trials["variants"][0]),
        [_way(part, common, verdicts) for part in parts[:MOST_WAYS]],
        signed=bool(trials["signature"].is_not_null().any()),
        silent=trials.height - known.height,
    )


def _trials(at: Source, run: str, name: str | None, cells: pl.DataFrame) -> pl.DataFrame | None:
    try:
        number = trial_number(name or "")
    except ValueError:
        return None
    wanted = cells.select("item", "variants")
    item = repeatbook.cell_of(at, run, number)
    if item is None:
        return None
    own = wanted.filter(pl.col("item") == item[0], pl.col("variants") == item[1])
    return None if own.is_empty() else repeatbook.shown(at, (run,), own)


def _verdicts(criteria: pl.DataFrame) -> dict[int, dict[str, str]]:
    found: dict[int, dict[str, str]] = {}
    for row in criteria.to_dicts():
        turn = "" if row["turn"] is None else f"turn {row['turn'] + 1} · "
        result = "error" if row["errored"] else "passed" if row["passed"] else "failed"
        found.setdefault(row["trial"], {})[f"{turn}{row['criterion']}"] = result
    return found


def _way(part: pl.DataFrame, common: Row | None, verdicts: Mapping[int, Mapping[str, str]]) -> Way:
    first = part.row(0, named=True)
    signature = None
    if first["signature"] is not None:
        before = first["signature"] if common is None else common["signature"] or ""
        signature = difference.words(before, first["signature"]).actual
    own = verdicts.get(first["trial_number"], {})
    usual = verdicts.get(common["trial_number"], {}) if common else {}
    names = dict.fromkeys([*usual, *own])
    return Way(
        letter(first["way"]),
        part.height,
        first["masked"],
        [
            (
                place if row["repetition"] is None else row["repetition"] + 1,
                row["outcome"],
                CaseLink(case=row["trial"]).href,
            )
            for place, row in enumerate(part.to_dicts(), start=1)
        ],
        signature,
        [
            (name, usual.get(name, ""), own.get(name, ""))
            for name in names
            if usual.get(name) != own.get(name)
        ],
    )
