"""What a reader has made of one report: rows by table, rejections, its own description."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

import msgspec
import polars as pl

from ingest.errors import Rejection, excerpt
from ingest.faults import Fault, RecordInvalid, join
from ingest.parcel import Columns, Parcel
from ingest.records import Flag, Row, Run, Trial

SPILL_ROWS: Final = 50_000
SPILL_BYTES: Final = 16 * 1024 * 1024
FAULTS_NAMED: Final = 8

Value = bytes | memoryview | msgspec.Raw


class Document(NamedTuple):
    """One JSON value of a file: a report, or one of many rows.

    Attributes:
        place: ``line 4`` or ``[3]``; empty when the file holds a single value.
        data: The value as written.
        members: Its members, unread, where they are known already.
    """

    place: str
    data: Value
    members: Mapping[str, msgspec.Raw] | None = None


class Chunk(NamedTuple):
    """Consecutive JSON values of a file.

    Attributes:
        form: How their places are written: ``line {}``, ``[{}]``, or empty for the only value.
        numbers: The number of each in the file.
        values: The values as written.
        members: The members of the only value.
    """

    form: str
    numbers: Sequence[int]
    values: Sequence[Value]
    members: Mapping[str, msgspec.Raw] | None = None

    def documents(self) -> Iterator[Document]:
        """Yield them one by one."""
        for number, value in zip(self.numbers, self.values, strict=True):
            yield Document(self.form.format(number), value, self.members)


class Source(NamedTuple):
    """One file as its reader sees it."""

    path: str
    report: str
    size: int
    chunks: Iterable[Chunk]

    @property
    def documents(self) -> Iterator[Document]:
        """The values of the file, one by one."""
        for chunk in self.chunks:
            yield from chunk.documents()


class FileState(NamedTuple):
    """A file as it was when a report was read from it.

    Attributes:
        path: Absolute.
        report: The report it held.
        bytes: Its length on disk.
        changed: Inode and times of change.
        read_at: When it was read, in nanoseconds.
    """

    path: str
    report: str
    bytes: int
    changed: str
    read_at: int


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
        self.rejections: list[Rejection] = []
        self.dialects: list[str] = []
        self.version: int | None = None
        self.extra: str | None = None
        self.runs = 0
        self.trials = 0
        self.file: FileState | None = None
        self.replaces: str | None = None
        self._parcel = Parcel()
        self._spill = spill

    def add(self, rows: Iterable[Row], size: int = 0) -> None:
        """Take rows; ``size`` is the length of the payloads among them."""
        parcel = self._parcel
        kept = parcel.rows
        for row in rows:
            kind = type(row)
            kept[kind].append(row)
            parcel.count += 1
            if kind is Trial:
                self.trials += 1
            elif kind is Run:
                self.runs += 1
        self._grown(size)

    def add_frame(self, row_type: type[Row], frame: pl.DataFrame, size: int = 0) -> None:
        """Take rows that are a frame already."""
        self._parcel.frames[row_type].append(frame)
        self._parcel.count += len(frame)
        if row_type is Trial:
            self.trials += len(frame)
        self._grown(size)

    def add_columns(self, columns: Columns, size: int) -> None:
        """Take trials and what belongs to them as columns."""
        if len(columns):
            self._parcel.put(columns)
            self._parcel.count += len(columns)
            self.trials += len(columns.trials)
        self._grown(size)

    @property
    def dialect(self) -> str | None:
        """The dialects found, as the report's own description."""
        return " + ".join(self.dialects) or None

    @property
    def stored(self) -> bool:
        """Whether anything of the report can be stored: at least one run."""
        return self.runs > 0

    def take(self) -> Parcel:
        """Hand over the rows collected so far and start again."""
        taken, self._parcel = self._parcel, Parcel()
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

    def _grown(self, size: int) -> None:
        parcel = self._parcel
        parcel.bytes += size
        if self._spill and (parcel.count > SPILL_ROWS or parcel.bytes > SPILL_BYTES):
            self._spill(self)


def _sentence(fault: Fault) -> str:
    return f"{fault.place}: {fault.message}" if fault.place else fault.message
