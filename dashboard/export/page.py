"""HTML: one file that opens offline and asks for nothing."""

from typing import BinaryIO

from dashboard import markup
from dashboard.export import readable
from dashboard.export.table import Table


def write(table: Table, out: BinaryIO) -> None:
    """Write a table as a page of its own."""
    html = markup.render("export", title=table.title, tool=table.about.tool, **drawn(table))
    out.write(html.encode())


def drawn(table: Table) -> dict[str, object]:
    """Return what the template of a table draws."""
    found = readable.rows(table)
    return {
        "says": table.says,
        "shown": table.shown,
        "groups": found.groups,
        "more": found.more,
        "sections": table.sections(),
    }
