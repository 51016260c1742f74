"""The JSON shapes of figures beyond one run's rates: keys stay, more may be added."""

from collections.abc import Sequence
from typing import Any, Final

import polars as pl

from dashboard.battery import Routed
from dashboard.gating import Gated, verdict
from dashboard.repeated import Variance, Votes
from dashboard.shapes import Record, payload
from dashboard.sides import Compared

_HEADLINE: Final = (
    *("withheld", "reason", "baseline", "current", "delta"),
    *("base_passed", "base_graded", "base_trials"),
    *("current_passed", "current_graded", "current_trials"),
)
_SIDE: Final = ("run", "suite", "subject", "path")


def compare(found: Compared) -> Record:
    """Return the shape of `compare --json`."""
    headline = found.headline.row(0, named=True)
    counts = ("compared", "added", "removed", "excluded_share", "unverified")
    control = found.sides.control
    return {
        "base": _runs(found.sides.base),
        "current": _runs(found.sides.current),
        "control": None if control is None else [_runs(side) for side in control],
        "headline": {name: headline[name] for name in _HEADLINE},
        **{name: headline[name] for name in counts},
        "excluded": found.exclusions.to_dicts(),
        "changes": [_change(row) for row in found.changes.to_dicts()],
        "categories": found.categories.to_dicts(),
        "noise_floor": None if found.floor is None else found.floor.row(0, named=True),
    }


def gate(gated: Sequence[Gated]) -> Record:
    """Return the shape of `gate --json`: of one run, or of all with their names beside."""
    shapes = [(each.run["run"], each.outcome.to_json()) for each in gated]
    lists = ("violations", "undecided", "exclusions", "explained")
    return {
        "verdict": verdict(gated),
        **{
            name: [_excluded(row) | {"run": run} for run, shape in shapes for row in shape[name]]
            for name in lists
        },
        "runs": [{"run": run, "verdict": shape["verdict"]} for run, shape in shapes],
    }


def routing(found: Routed) -> Record:
    """Return the shape of `routing --json`."""
    ways: dict[str, list[Record]] = {"channel": [], "recorded": [], "not_routed": []}
    for row in found.channels.to_dicts():
        ways[row["route"]].append(row)
    return {
        "tickets": _tickets(found.tickets),
        **ways,
        "unfinished": _named(found.cut_short),
        "never_failing": _named(found.never_failing),
        "coverage": [_dated(row) for row in _named(found.coverage)],
        "ablation": _named(found.ablation),
    }


def variance(found: Variance) -> Record:
    """Return the shape of `variance --json`."""
    cells = [row | {"variants": payload(row["variants"])} for row in found.cells.to_dicts()]
    return {"cells": cells, "categories": found.categories.to_dicts()}


def votes(found: Votes) -> Record:
    """Return the shape of `votes --json`."""
    return {"criteria": found.criteria.to_dicts(), "items": found.items.to_dicts()}


def _runs(side: pl.DataFrame) -> list[Record]:
    return side.select(_SIDE).to_dicts()


def _change(row: Record) -> Record:
    """Leave out what a kind of change does not have."""
    kept = {name: value for name, value in row.items() if value is not None or name == "noise"}
    return kept | {"variants": payload(row["variants"])}


def _excluded(row: Record) -> Record:
    return row | {"variants": payload(row["variants"])} if "variants" in row else row


def _named(frame: pl.DataFrame) -> list[Record]:
    """Call a suite and an item what this format calls them."""
    return frame.rename({"suite": "tool", "item": "scenario"}, strict=False).to_dicts()


def _dated(row: Record) -> Record:
    seen = row["last_seen"]
    return row | {"last_seen": None if seen is None else seen.date().isoformat()}


def _tickets(frame: pl.DataFrame) -> list[Record]:
    """Put the checks of one tool under it."""
    tools: dict[tuple[Any, ...], Record] = {}
    section = ("version", "dialect", "tool")
    for row in _named(frame):
        key = tuple(row.pop(name) for name in section)
        tool = tools.setdefault(
            key, dict(zip(section, key, strict=True)) | {"failures": 0, "checks": []}
        )
        tool["failures"] += row.pop("checks")
        tool["checks"].append(row | {"check": row.pop("criterion")})
    return list(tools.values())
