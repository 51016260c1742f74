"""The trials and checks of many rows as frames, built column by column.

What the rows of one cell and shape share is written once and gathered; only what differs from row
to row goes through lists.
"""

from collections.abc import Iterable, Mapping
from typing import Any, Final

import polars as pl

from ingest.formats.trial_row.runs import Fit
from ingest.frames import column
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
    """Collects rows until they are made into frames."""

    def __init__(self) -> None:
        """Start empty."""
        self.fits: list[Fit] = []
        self.trials: list[int] = []
        self.repetitions: list[int | None] = []
        self.places: list[str] = []
        self.reasons: list[str | None] = []
        self.turns: dict[int, int] = {}
        self.raw: dict[int, str] = {}

    def __len__(self) -> int:
        """Return the number of trials."""
        return len(self.trials)

    def extend(self, other: "Columns") -> None:
        """Take the rows of others below these."""
        start = len(self)
        self.turns.update({start + place: turns for place, turns in other.turns.items()})
        self.raw.update({start + place: text for place, text in other.raw.items()})
        self.fits.extend(other.fits)
        self.trials.extend(other.trials)
        self.repetitions.extend(other.repetitions)
        self.places.extend(other.places)
        self.reasons.extend(other.reasons)

    def frames(self) -> Mapping[type[Row], pl.DataFrame]:
        """Return the trials and their checks."""
        numbers: dict[Fit, int] = {}
        used = [numbers.setdefault(fit, len(numbers)) for fit in self.fits]
        fits, which = list(numbers), pl.Series(used, dtype=pl.Int64)
        found: dict[type[Row], pl.DataFrame] = {Trial: self._trials(fits, which)}
        if self.reasons:
            found[Check] = self._checks(fits, which)
        return found

    def _trials(self, fits: list[Fit], which: pl.Series) -> pl.DataFrame:
        shared = {name: [getattr(fit.shape, of) for fit in fits] for of, name in _SHARED.items()}
        shared["run"] = [fit.run for fit in fits]
        shared["item"] = [fit.item for fit in fits]
        own: dict[str, Iterable[Any]] = {
            "trial": self.trials,
            "repetition": self.repetitions,
            "place": self.places,
            "turns": map(self.turns.get, range(len(self)), [0] * len(self)),
            "raw": map(self.raw.get, range(len(self))) if self.raw else (),
        }
        columns = [column(Trial, name, list(each)) for name, each in own.items()]
        return _gather(_frame(Trial, shared), which).with_columns(
            *(each for each in columns if len(each)), pl.lit("{}").alias("variants")
        )

    def _checks(self, fits: list[Fit], which: pl.Series) -> pl.DataFrame:
        """Return one row a check: each trial's fit unfolded into the checks it has."""
        widths = pl.Series([len(fit.definitions) for fit in fits], dtype=pl.Int64)
        many = widths.gather(which)
        whose = pl.int_range(len(which), eager=True).repeat_by(many).explode(empty_as_null=False)
        first = (many.cum_sum() - many).gather(whose)
        position = pl.int_range(len(whose), eager=True) - first
        starts = (widths.cum_sum() - widths).gather(which)
        return _gather(_shared_checks(fits), starts.gather(whose) + position).with_columns(
            column(Check, "trial", self.trials).gather(whose),
            column(Check, "reason", self.reasons),
            position.alias("position"),
            pl.lit("trial").alias("scope"),
            pl.lit("check").alias("kind"),
            pl.lit(value=False).alias("errored"),
            pl.lit(value=False).alias("negated"),
        )


def _shared_checks(fits: list[Fit]) -> pl.DataFrame:
    checks = [(check, fit) for fit in fits for check in fit.shape.checks]
    names = [check.name for check, _ in checks]
    shared: dict[str, list[Any]] = {
        "run": [fit.run for _, fit in checks],
        "definition": [number for fit in fits for number in fit.definitions],
        "id": names,
        "path": names,
        "criterion": names,
        "passed": [check.passed for check, _ in checks],
        "decisive": [not check.passed for check, _ in checks],
        "fault": [check.fault for check, _ in checks],
        "code": [check.code for check, _ in checks],
        "graded": [fit.shape.graded for _, fit in checks],
        "unfinished": [fit.shape.unfinished for _, fit in checks],
    }
    return _frame(Check, shared)


def _frame(row_type: type[Row], columns: Mapping[str, list[Any]]) -> pl.DataFrame:
    return pl.DataFrame([column(row_type, name, values) for name, values in columns.items()])


def _gather(frame: pl.DataFrame, index: pl.Series) -> pl.DataFrame:
    return frame.select(pl.all().gather(index))
