"""What a reader has made of one report: rows by table, rejections, its own description."""

from collections.abc import Callable, Iterable
from typing import Any, Final, NamedTuple

import msgspec

from ingest.cut import Fault, RecordInvalid, join
from ingest.errors import Rejection, excerpt
from ingest.records import TABLES, Flag, Row, Run

SPILL_ROWS: Final = 200_000
SPILL_BYTES: Final = 32 * 1024 * 1024
FAULTS_NAMED: Final = 8


class Document(NamedTuple):
    """One JSON value of a file: a report, or one of many rows.

    Attributes:
        place: ``line 4`` or ``[3]``; empty when the file holds a single value.
        data: The value as written.
    """

    place: str
    data: bytes | msgspec.Raw


class Source(NamedTuple):
    """One file as its reader sees it."""

    path: str
    report: str
    size: int
    documents: Iterable[Document]


class Batch:
    """Collects what one reader makes of one source.

    Rows leave through ``spill`` when there are many of them, so that memory stays bounded by the
    largest record and not by the report.
    """

    def __init__(
        self, source: Source, format_name: str, spill: Callable[["Batch"], None] | None = None
    ) -> None:
        """Start empty."""
        self.source = source
        self.format = format_name
        self.rows: dict[type[Row], list[Row]] = {table: [] for table in TABLES}
        self.rejections: list[Rejection] = []
        self.dialects: list[str] = []
        self.version: int | None = None
        self.extra: str | None = None
        self.counted: dict[type[Row], int] = dict.fromkeys(TABLES, 0)
        self._spill = spill
        self._rows = 0
        self._bytes = 0

    def add(self, rows: Iterable[Row], size: int = 0) -> None:
        """Take rows; ``size`` is the length of the payloads among them."""
        kept = self.rows
        for row in rows:
            kept[type(row)].append(row)
            self._rows += 1
        self._bytes += size
        if self._spill and (self._rows > SPILL_ROWS or self._bytes > SPILL_BYTES):
            self._spill(self)

    @property
    def dialect(self) -> str | None:
        """The dialects found, as the report's own description."""
        return " + ".join(self.dialects) or None

    @property
    def stored(self) -> bool:
        """Whether anything of the report can be stored: at least one run."""
        return bool(self.rows[Run] or self.counted[Run])

    def take(self) -> dict[type[Row], list[Row]]:
        """Hand over the rows collected so far and start again."""
        taken = self.rows
        self.rows = {table: [] for table in TABLES}
        for table, rows in taken.items():
            self.counted[table] += len(rows)
        self._rows = self._bytes = 0
        return taken

    def flag(
        self, place: str, rule: str, message: str, run: str | None = None, trial: int | None = None
    ) -> None:
        """Note that something was kept although it breaks a rule."""
        self.add([Flag(self.source.report, run, trial, place, rule, message)])

    def reject(self, place: str, rule: str, message: str, remedy: str, data: Any = b"") -> None:
        """Note that something was not loaded."""
        self.rejections.append(
            Rejection(self.source.path, place, rule, message, remedy, excerpt(bytes(data)))
        )

    def reject_record(
        self, place: str, error: RecordInvalid, remedy: str, data: Any, rule: str = ""
    ) -> None:
        """Note that one record was not loaded, with the faults found in it as one message."""
        faults = error.faults
        message = "; ".join(_sentence(fault) for fault in faults[:FAULTS_NAMED])
        if len(faults) > FAULTS_NAMED:
            message += f"; and {len(faults) - FAULTS_NAMED} more"
        where = join(place, faults[0].place) if len(faults) == 1 and "line" not in place else place
        self.reject(where, rule or faults[0].rule, message, remedy, data)


def _sentence(fault: Fault) -> str:
    return f"{fault.place}: {fault.message}" if fault.place else fault.message
