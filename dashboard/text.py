"""What a terminal or a pipe shows: tables, JSON, and text from reports made harmless.

Everything a report holds is somebody else's text. On a terminal an escape sequence would be obeyed
and a bidirectional mark would reorder a line, so both are written out instead.
"""

import json
import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple

import click

from dashboard.wording import NOTHING, file_name

NO_RUN: Final = "The store holds no run yet; add some with: unaveraged ingest PATH…"
CELL: Final = 96
WIDEST: Final = 100_000
NARROWEST: Final = 12
_GAP: Final = "  "

# Control characters, line and paragraph separators, bidirectional marks, lone surrogates.
_UNSAFE: Final = re.compile(
    "[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]"
)
_NAMED: Final = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}


class Column(NamedTuple):
    """One column of a table.

    Attributes:
        title: What stands above it.
        right: Its cells line up on the right, and never break.
        whole: Its cells are names of a vocabulary, which a narrow terminal breaks last.
    """

    title: str
    right: bool = False
    whole: bool = False


def _written_out(match: re.Match[str]) -> str:
    character = match.group()
    point = ord(character)
    return _NAMED.get(character) or (f"\\x{point:02x}" if point < 0x100 else f"\\u{point:04x}")


def shown(value: object, limit: int | None = None) -> str:
    """Return a value as one harmless line, a dash for nothing, cut at `limit` characters."""
    if value is None:
        return NOTHING
    line = _UNSAFE.sub(_written_out, str(value))
    return line if limit is None or len(line) <= limit else line[: limit - 1] + "…"


def counted(counts: Mapping[str, int]) -> str:
    """Return counts by name as text, those of zero left out."""
    return ", ".join(f"{number} {shown(name)}" for name, number in counts.items() if number)


def subject(run: Mapping[str, Any]) -> str:
    """Return what a run evaluated, with its arm where a subject ran in several."""
    named = run["subject"] or "no subject"
    return f"{named} ({run['arm']})" if run["arm"] else named


def plural(number: int, noun: str) -> str:
    """Return a number with its noun, in digits that a program can read."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def heading(run: Mapping[str, Any]) -> str:
    """Return the line that says which run the tables under it are of."""
    incomplete = f"incomplete, {run['rejected']} not loaded" if run.get("rejected") else None
    file = file_name(run["path"])
    parts = [run["suite"], subject(run), run["status"], incomplete, run["dialect"], file]
    named = " · ".join(shown(part) for part in parts if part is not None)
    return f"{named}  ({run['run']})"


def by_run(rows: Iterable[Mapping[str, Any]]) -> dict[str, list[Mapping[str, Any]]]:
    """Return rows by their run, each list in the order of the rows."""
    grouped: dict[str, list[Mapping[str, Any]]] = {}
    for row in rows:
        grouped.setdefault(row["run"], []).append(row)
    return grouped


def say(line: str = "") -> None:
    """Print one line; characters the terminal cannot show are written out."""
    _write(line + "\n")


def note(line: str) -> None:
    """Print one line to standard error, where a pipe does not see it."""
    click.echo(line, err=True)


def say_json(value: object) -> None:
    """Print JSON in UTF-8, a record a line, so that large answers can be searched and compared."""
    click.echo(json_text(value).encode())


def json_text(value: object) -> str:
    """Return JSON with full precision, in which no character acts on a terminal."""
    if isinstance(value, Mapping):
        members = (f"{json_line(key)}: {json_text(value[key])}" for key in value)
        return "{\n" + ",\n".join(members) + "\n}" if value else "{}"
    if isinstance(value, list) and value:
        return "[\n" + ",\n".join(map(json_line, value)) + "\n]"
    return json_line(value)


def json_line(value: object) -> str:
    """Return JSON on one line, in which no character acts on a terminal."""
    return _safe(json.dumps(value, ensure_ascii=False, allow_nan=False))


def indented(value: object) -> str:
    """Return JSON for reading, in which no character acts on a terminal."""
    return _safe(json.dumps(value, ensure_ascii=False, allow_nan=False, indent=1), keep="\n")


def _safe(written: str, keep: str = "") -> str:
    """Return JSON with what acts on a terminal as escapes."""
    return _UNSAFE.sub(
        lambda found: found[0] if found[0] in keep else f"\\u{ord(found[0]):04x}", written
    )


def say_table(columns: Sequence[Column], rows: Iterable[Sequence[str]]) -> None:
    """Print a table: ruled and fitted on a terminal, plain aligned text in a pipe.

    Cells are taken as they are: text from a report goes through `shown` first.
    """
    lines = [tuple(row) for row in rows]
    if sys.stdout.isatty():
        _say_ruled(columns, lines)
    else:
        _say_aligned(columns, lines)


def _say_aligned(columns: Sequence[Column], rows: Sequence[Sequence[str]]) -> None:
    from rich.cells import cell_len

    titles = [column.title for column in columns]
    widths = [max(map(cell_len, cells)) for cells in zip(titles, *rows, strict=True)]
    for row in [titles, *rows]:
        cells = []
        for column, width, cell in zip(columns, widths, row, strict=True):
            padding = " " * (width - cell_len(cell))
            cells.append(padding + cell if column.right else cell + padding)
        say(_GAP.join(cells).rstrip())


def _say_ruled(columns: Sequence[Column], rows: Sequence[Sequence[str]]) -> None:
    from rich import box
    from rich.cells import cell_len
    from rich.console import Console, ConsoleDimensions
    from rich.measure import Measurement
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, collapse_padding=True, header_style="bold")
    titles = [column.title for column in columns]
    for column, cells in zip(columns, zip(titles, *rows, strict=True), strict=True):
        width = max(map(cell_len, cells))
        unbroken = column.right or column.whole
        table.add_column(
            Text(column.title),
            justify="right" if column.right else "left",
            overflow="fold",
            no_wrap=unbroken,
            min_width=width if unbroken else min(width, NARROWEST),
        )
    for row in rows:
        table.add_row(*map(Text, row))
    console = Console(markup=False, highlight=False, emoji=False)
    # A table that does not fit is wrapped by the terminal: nothing of it is cut off.
    needed = Measurement.get(console, console.options.update(max_width=WIDEST), table).minimum
    console.size = ConsoleDimensions(max(console.width, needed), console.height)
    console.print(table)


def _write(text: str) -> None:
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    click.echo(text.encode(encoding, "backslashreplace").decode(encoding), nl=False)
