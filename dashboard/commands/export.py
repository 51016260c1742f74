"""`unaveraged export`: a table, with all that it needs to be understood, in the form asked for."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

import click

from dashboard.commands import options
from dashboard.errors import InputError
from dashboard.export.formats import BINARY, FORMATS, SUFFIXES, Format
from dashboard.export.names import REPORT, TABLES

if TYPE_CHECKING:
    from dashboard.export.about import Selection


@click.command
@click.argument("table", type=click.Choice((*TABLES, REPORT)))
@click.option(
    "--format",
    "form",
    type=click.Choice(FORMATS),
    help="Without it: what the name of the file says, else md.",
)
@click.option("--out", type=options.FILE, metavar="FILE", help="Where to; without it, the output.")
@options.run_names
@options.categories
@options.items
@options.control
@options.rule_files
@options.channels
@options.counted
def export(
    *,
    table: str,
    form: Format | None,
    out: Path | None,
    runs: tuple[str, ...],
    categories: tuple[str, ...],
    items: tuple[str, ...],
    control: tuple[str, str] | None,
    rule_files: tuple[Path, ...],
    channels: Path | None,
    db: Path,
) -> None:
    """Write a table as a file that explains itself.

    comparison and changes are of two runs, the base first. report is all of it in one page, of one
    run or of two (html, or pdf where Chromium is found).
    """
    from dashboard.export import about, write

    wanted = form or _said_by(table, out)
    selection = about.Selection(runs, categories, items, rule_files, control, channels)
    if out is not None:
        with write.replacing(out) as file:
            _write(db, table, wanted, selection, file)
        return
    if wanted in BINARY and sys.stdout.isatty():
        raise InputError(f"{wanted} is not for a terminal; name a file with --out")
    _write(db, table, wanted, selection, sys.stdout.buffer)


def _said_by(table: str, out: Path | None) -> Format:
    usual: Format = "html" if table == REPORT else "md"
    return usual if out is None else SUFFIXES.get(out.suffix.lower(), usual)


def _write(db: Path, table: str, form: Format, selection: "Selection", out: BinaryIO) -> None:
    from dashboard.export import report, tables, write
    from dashboard.meter import Meter

    if table == REPORT:
        report.write(db, selection, form, out)
        return
    with Meter("rows") as meter:
        write.write(tables.build(db, table, selection, meter), form, out)
