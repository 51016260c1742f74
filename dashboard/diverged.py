"""First divergences of a store: one cell's payloads are read at a time."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import polars as pl

from ingest import store
from ingest.records import trial_name
from queries import divergence

_CELL: Final = ("run", "item", "variants")
_TRIAL: Final = (*_CELL, "trial", "repetition", "outcome")
_TURN: Final = ("trial", "turn", "step", "status", "error_code", "input", "observation")
_CHECK: Final = ("trial", "turn", "scope", "criterion", "parent", "passed", "errored")


def of(db: Path, failures: pl.DataFrame) -> dict[int, dict[str, Any] | None]:
    """Return by trial where the failing trials of these failures left the way of a passing one.

    Null where no repetition of the cell passed.
    """
    found: dict[int, dict[str, Any] | None] = {}
    wanted = failures.select(_CELL).unique()
    with store.open_reader(db) as reader:
        trials = reader.frame("trial", _TRIAL, runs=wanted["run"].unique().to_list())
        for cell in trials.join(wanted, on=_CELL, how="semi").partition_by(_CELL):
            found |= of_cell(reader, cell)
    return found


def of_cell(reader: store.Reader, cell: pl.DataFrame) -> dict[int, dict[str, Any] | None]:
    """Return the same for the trials of one cell; payloads are read when a repetition passed."""
    return of_cells(reader, [cell])


def of_cells(
    reader: store.Reader, cells: Sequence[pl.DataFrame]
) -> dict[int, dict[str, Any] | None]:
    """Return the same for the trials of some cells of one run, read together."""
    compared = [cell for cell in cells if (cell["outcome"] == "passed").any()]
    found: dict[int, dict[str, Any] | None] = {
        trial: None for cell in cells for trial in cell["trial"]
    }
    numbers = [trial for cell in compared for trial in cell["trial"]]
    if not compared:
        return found
    runs = compared[0]["run"].unique().to_list()
    turns = reader.frame("turn", _TURN, runs=runs, trials=numbers)
    checks = reader.frame("check", _CHECK, runs=runs, trials=numbers)
    for cell in compared:
        own = pl.col("trial").is_in(cell["trial"].to_list())
        rows = (cell.to_dicts(), turns.filter(own).to_dicts(), checks.filter(own).to_dicts())
        diverged = divergence.first(*rows)
        found |= {trial: each and _shape(each) for trial, each in diverged.items()}
    return found


def _shape(found: divergence.Divergence) -> dict[str, Any]:
    shape = found.to_json()
    return shape | {name: trial_name(shape[name]) for name in ("trial", "passing")}
