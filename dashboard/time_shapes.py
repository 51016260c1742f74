"""The JSON shapes of planned trials and of a suite's history: keys stay, more may be added."""

from typing import Any, Final

from dashboard.figures import Reliability
from dashboard.overtime import History
from dashboard.planned import CELL, Planned
from dashboard.shapes import Record, payload, reliability
from queries.history import listed

_RUN: Final = (
    *("run", "order", "seen_at", "subject", "arm", "segment", "breaks", "suspect"),
    *("trials", "graded", "passed"),
)
_STAND: Final = ("run", "passed", "measured", "trials", "state", "changed")


def trials(found: Planned) -> Record:
    """Return the shape of `trials --json`."""
    own: dict[tuple[Any, ...], list[Record]] = {}
    for row in found.trials.to_dicts():
        own.setdefault(tuple(row.pop(name) for name in CELL), []).append(row)
    return {
        "runs": found.runs.to_dicts(),
        "cells": [
            row
            | {
                "variants": payload(row["variants"]),
                "repetitions": own.get(tuple(row[name] for name in CELL), []),
            }
            for row in found.cells.to_dicts()
        ],
    }


def history(suite: str, found: History, rates: Reliability) -> Record:
    """Return the shape of `history --json`; the cells that changed most often first."""
    order = {run: place for place, run in enumerate(found.runs["run"])}
    own: dict[tuple[str, str], list[Record]] = {}
    for row in found.strips.to_dicts():
        stand = {name: row[name] for name in _STAND}
        own.setdefault((row["item"], row["variants"]), []).append(stand)
    return {
        "suite": suite,
        "older": found.older,
        "runs": found.runs.select(_RUN).to_dicts(),
        "categories": sorted(reliability(rates)["categories"], key=lambda row: order[row["run"]]),
        "cells": [
            {
                "item": row["item"],
                "variants": payload(row["variants"]),
                "changes": row["changes"],
                "runs": own[row["item"], row["variants"]],
            }
            for row in listed(found.strips.lazy()).collect().to_dicts()
        ],
    }
