"""Markdown that reads well on GitHub: text of reports is code, and pings and links nobody."""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import BinaryIO, Final

from dashboard.export import harmless, readable
from dashboard.export.table import Shown, Source, Table

_SPECIAL: Final = re.compile(r"([\\`*\[|~$]|(?<!\w)_|_(?!\w))")
_LINKED: Final = re.compile(r"@|#(?=\d)|(?<=\w):(?=//)|(?<=www)\.")
_UNLINKED: Final = {"@": "@&#8203;", "#": "#&#8203;", ":": "&#58;", ".": "&#46;"}


def write(table: Table, out: BinaryIO) -> None:
    """Write a table as Markdown."""
    out.write(("\n".join(lines(table)) + "\n").encode())


def lines(table: Table) -> Iterator[str]:
    """Yield the lines of a table: its rows run by run, its notes folded."""
    yield from (f"## {escaped(table.title)}", "", escaped(table.says), "")
    found = readable.rows(table)
    for group in found.groups:
        if group.source:
            yield from (source(group.source), "")
        yield from (*grid(table.shown, group.rows), "")
    if not found.groups:
        yield from ("No row.", "")
    if found.more:
        yield from (found.more, "")
    yield from folded("Where this comes from and how to read it", readable.headings(table))


def source(run: Source) -> str:
    """Return the line above the rows of a run."""
    parts = [run.suite or "no suite", run.subject or "no subject", run.status, run.started_at]
    return " · ".join(code(part) for part in parts if part) + f" (run {code(run.run)})"


def grid(shown: Sequence[Shown], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    """Yield a table, what is quoted as code."""
    yield _row(escaped(one.title) for one in shown)
    yield _row("---:" if one.right else "---" for one in shown)
    for cells in rows:
        yield _row(
            code(cell) if one.quoted else escaped(cell)
            for one, cell in zip(shown, cells, strict=True)
        )


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def folded(title: str, sections: Iterable[tuple[str, Sequence[str]]]) -> Iterator[str]:
    """Yield sections of notes that open on a click."""
    yield from (f"<details><summary>{escaped(title)}</summary>", "")
    for heading, notes in sections:
        yield from (f"**{escaped(heading)}**", "")
        yield from (f"- {escaped(line)}" for line in notes)
        yield ""
    yield "</details>"


def code(text: str) -> str:
    """Return text as a code span of one line, also inside a table; empty text stays empty."""
    line = harmless.line(text).replace("|", "\\|")
    if not line.strip():
        return ""
    longest = max((len(run) for run in re.findall("`+", line)), default=0)
    fence = "`" * (longest + 1)
    padding = " " if line.startswith("`") or line.endswith("`") else ""
    return f"{fence}{padding}{line}{padding}{fence}"


def escaped(text: str) -> str:
    """Return text of which Markdown and GitHub make nothing but itself."""
    line = harmless.line(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    line = _SPECIAL.sub(r"\\\1", line)
    return _LINKED.sub(lambda match: _UNLINKED[match.group()], line)
