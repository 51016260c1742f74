"""What every exported table carries, whatever its format."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, Literal, NamedTuple

import polars as pl

Kind = Literal["text", "count", "share", "number", "flag", "json"]
Row = Mapping[str, Any]
Parts = Callable[[], Iterator[pl.DataFrame]]
Record = dict[str, Any]

NEVER_ADDED: Final = (
    "Rows are never added up: categories, suites, subjects and report versions are not the same "
    "thing, so there is no total row and no mean over rows."
)


class Column(NamedTuple):
    """One column of the rows, exact: for the formats that programs read."""

    name: str
    meaning: str
    kind: Kind = "text"


class Shown(NamedTuple):
    """One column as people read it: counts and a rounded rate in one cell.

    Attributes:
        title: What stands above it.
        cell: What stands in it; text of a report is made harmless by the format.
        right: It lines up on the right.
        quoted: It holds names or values of a report, which no format may take for markup.
    """

    title: str
    cell: Callable[[Row], str]
    right: bool = False
    quoted: bool = False


class Source(NamedTuple):
    """One run that a table is of."""

    run: str
    suite: str | None
    subject: str | None
    status: str | None
    started_at: str | None
    file: str
    sha256: str

    def line(self) -> str:
        """Return the run as one line of notes."""
        parts = (
            self.suite or "no suite",
            self.subject or "no subject",
            self.status,
            self.started_at,
            f"file {self.file}",
            f"sha256 {self.sha256}",
        )
        return f"{self.run}: " + " · ".join(part for part in parts if part)


class RuleLine(NamedTuple):
    """One category rule in force."""

    category: str
    name: str
    when: str

    def line(self) -> str:
        """Return the rule as one line of notes."""
        return f"{self.category} ← {self.when} (rule: {self.name})"


class About(NamedTuple):
    """Where a table comes from, and what is not in it."""

    runs: tuple[Source, ...]
    filters: tuple[str, ...]
    excluded: tuple[str, ...]
    rules: tuple[RuleLine, ...]
    tool: str


class Table(NamedTuple):
    """A table with all that it carries.

    Attributes:
        name: What it is called on the command line.
        title: What it is called by people.
        says: What one row is.
        columns: The exact columns, in order.
        shown: The readable columns; those of `runs` head the rows of each run instead.
        parts: Gives the rows, in order, a part at a time, as often as it is called.
        about: Where it comes from.
        notes: How it is read: which interval answers which question, and what is never done.
        by_run: Readable forms show the rows of each run under a heading of their own.
        chart: Gives its chart as Vega-Lite, where it has one.
    """

    name: str
    title: str
    says: str
    columns: tuple[Column, ...]
    shown: tuple[Shown, ...]
    parts: Parts
    about: About
    notes: tuple[str, ...] = ()
    by_run: bool = True
    chart: Callable[[], Record] | None = None

    def frame(self, most: int | None = None) -> pl.DataFrame:
        """Return the rows in one frame, the first `most` of them."""
        gathered: list[pl.DataFrame] = []
        height = 0
        for part in self.parts():
            gathered.append(part)
            height += part.height
            if most is not None and height > most:
                break
        return pl.concat(gathered) if gathered else pl.DataFrame()

    def sections(self) -> list[tuple[str, list[str]]]:
        """Return all notes, heading by heading, as every format carries them."""
        about = self.about
        every = [
            ("What it is", [self.says]),
            ("Runs", [source.line() for source in about.runs]),
            ("Filter", list(about.filters) or ["none"]),
            ("Columns", [f"{column.name}: {column.meaning}" for column in self.columns]),
            ("How to read it", [*self.notes, NEVER_ADDED]),
            ("Not in these figures", list(about.excluded) or ["nothing was left out"]),
            ("Category rules in force, the first that fits", [rule.line() for rule in about.rules]),
            ("Made by", [about.tool]),
        ]
        return [(heading, lines) for heading, lines in every if lines]

    def record(self) -> Record:
        """Return the description as JSON."""
        return {
            "table": self.name,
            "title": self.title,
            "says": self.says,
            "tool": self.about.tool,
            "runs": [source._asdict() for source in self.about.runs],
            "filters": list(self.about.filters),
            "excluded": list(self.about.excluded),
            "notes": [*self.notes, NEVER_ADDED],
            "rules": [rule._asdict() for rule in self.about.rules],
            "columns": [column._asdict() for column in self.columns],
        }


def at_once(frame: pl.DataFrame) -> Parts:
    """Return the parts of a table that is small enough to be one."""
    return lambda: iter((frame,))
