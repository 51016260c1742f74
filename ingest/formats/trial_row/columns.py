"""The trials and checks of many rows as frames, built column by column.

What rows of one shape, or of one cell, share is written once and gathered; only what differs from
row to row goes through lists.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import polars as pl

from ingest.formats.trial_row.runs import Cell
from ingest.formats.trial_row.shapes import Shape
from ingest.frames import column, numbered, unfold
from ingest.records import Check, Row, Trial

_SHARED: Final = {
    "outcome": "outcome",
    "graded": "graded",
    "status": "native_status",
    "reason": "reason",
    "bound_reached": "bound_reached",
    "unfinished": "unfinished",
    "retry_delay_ms": "retry_delay_ms",
    "bounds": "bounds",
}
"""What trials of one shape share: attribute of the shape, column of the trial."""


class Columns:
    """Collects rows until they are made into frames.

    Attributes:
        forms: How the place of each row is written.
        numbers: What is written there.
        definitions: The definition of each check, row after row; ``reasons`` likewise.
        turns: Number of turns of the rows that have any, by their place here.
        raw: Rows that are kept as written, by their place here.
    """

    def __init__(self) -> None:
        """Start empty."""
        self.forms: list[str] = []
        self.numbers: list[int] = []
        self.shapes: list[Shape] = []
        self.cells: list[Cell] = []
        self.trials: list[int] = []
        self.repetitions: list[int | None] = []
        self.definitions: list[int] = []
        self.reasons: list[str | None] = []
        self.turns: dict[int, int] = {}
        self.raw: dict[int, str] = {}

    def __len__(self) -> int:
        """Return the number of trials."""
        return len(self.trials)

    def add(
        self, form: str, number: int, shape: Shape, cell: Cell, trial: int, repetition: int | None
    ) -> None:
        """Take a trial; its checks go to ``definitions`` and ``reasons``."""
        self.forms.append(form)
        self.numbers.append(number)
        self.shapes.append(shape)
        self.cells.append(cell)
        self.trials.append(trial)
        self.repetitions.append(repetition)

    def extend(self, other: "Columns") -> None:
        """Take the rows of others below these."""
        start = len(self)
        self.turns.update({start + place: turns for place, turns in other.turns.items()})
        self.raw.update({start + place: text for place, text in other.raw.items()})
        for name in _LISTS:
            getattr(self, name).extend(getattr(other, name))

    def frames(self) -> Mapping[type[Row], pl.DataFrame]:
        """Return the trials and their checks."""
        shapes, shape = numbered(self.shapes)
        cells, cell = numbered(self.cells)
        owners = pl.DataFrame(
            {"run": [each.run.run for each in cells], "item": [each.item for each in cells]}
        )
        owner = owners.select(pl.all().gather(cell))
        found: dict[type[Row], pl.DataFrame] = {Trial: self._trials(shapes, shape, owner)}
        if self.reasons:
            found[Check] = self._checks(shapes, shape, owner["run"])
        return found

    def _trials(
        self, shapes: Sequence[Shape], which: pl.Series, owner: pl.DataFrame
    ) -> pl.DataFrame:
        shared = {name: [getattr(each, of) for each in shapes] for of, name in _SHARED.items()}
        own: dict[str, Sequence[Any]] = {"trial": self.trials, "repetition": self.repetitions}
        if self.raw:
            own["raw"] = list(map(self.raw.get, range(len(self))))
        turns = pl.repeat(0, len(self), dtype=pl.Int64, eager=True)
        if self.turns:
            turns = pl.Series([*map(self.turns.get, range(len(self)), turns)], dtype=pl.Int64)
        return (
            _frame(Trial, shared)
            .select(pl.all().gather(which))
            .with_columns(
                *(column(Trial, name, values) for name, values in own.items()),
                *owner.get_columns(),
                self._places(),
                pl.lit("{}").alias("variants"),
                turns.alias("turns"),
            )
        )

    def _places(self) -> pl.Series:
        forms = set(self.forms)
        if len(forms) == 1 and "{}" in (form := forms.pop()):
            return pl.select(pl.format(form, pl.Series(self.numbers)).alias("place"))["place"]
        return pl.Series("place", [*map(str.format, self.forms, self.numbers)], dtype=pl.String)

    def _checks(self, shapes: Sequence[Shape], which: pl.Series, runs: pl.Series) -> pl.DataFrame:
        """Return one row a check: each trial's shape unfolded into the checks it has."""
        whose, position, shared = unfold([len(each.checks) for each in shapes], which)
        checks = _shared_checks(shapes).select(pl.all().gather(shared))
        return checks.with_columns(
            runs.gather(whose),
            pl.col("id").alias("path"),
            pl.col("id").alias("criterion"),
            column(Check, "trial", self.trials).gather(whose),
            column(Check, "definition", self.definitions),
            column(Check, "reason", self.reasons),
            position.alias("position"),
            pl.lit("trial").alias("scope"),
            pl.lit("check").alias("kind"),
            pl.lit(value=False).alias("errored"),
            pl.lit(value=False).alias("negated"),
        )


_LISTS: Final = (
    *("forms", "numbers", "shapes", "cells", "trials", "repetitions", "definitions", "reasons"),
)


def _shared_checks(shapes: Sequence[Shape]) -> pl.DataFrame:
    checks = [(check, shape) for shape in shapes for check in shape.checks]
    shared: dict[str, list[Any]] = {
        "id": [check.name for check, _ in checks],
        "passed": [check.passed for check, _ in checks],
        "decisive": [not check.passed for check, _ in checks],
        "fault": [check.fault for check, _ in checks],
        "code": [check.code for check, _ in checks],
        "graded": [shape.graded for _, shape in checks],
        "unfinished": [shape.unfinished for _, shape in checks],
    }
    return _frame(Check, shared)


def _frame(row_type: type[Row], columns: Mapping[str, list[Any]]) -> pl.DataFrame:
    return pl.DataFrame([column(row_type, name, values) for name, values in columns.items()])
