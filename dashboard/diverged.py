"""First divergences of a store: one cell's payloads are read at a time."""

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
    numbers = cell["trial"].to_list()
    if not (cell["outcome"] == "passed").any():
        return dict.fromkeys(numbers)
    turns = reader.frame("turn", _TURN, trials=numbers).to_dicts()
    checks = reader.frame("check", _CHECK, trials=numbers).to_dicts()
    diverged = divergence.first(cell.to_dicts(), turns, checks)
    return {trial: each and _shape(each) for trial, each in diverged.items()}


def _shape(found: divergence.Divergence) -> dict[str, Any]:
    shape = found.to_json()
    return shape | {name: trial_name(shape[name]) for name in ("trial", "passing")}
