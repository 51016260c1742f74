"""The one way out: a table in a format, to a file or a stream."""

import importlib
import io
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, Final, Protocol, cast

from dashboard.errors import InputError
from dashboard.export.formats import Format
from dashboard.export.table import Table


class Writer(Protocol):
    """A module that writes one format."""

    def write(self, table: Table, out: BinaryIO) -> None:
        """Write a table to an open file."""


WRITERS: Final[Mapping[Format, str]] = {
    "csv": "delimited",
    "xlsx": "workbook",
    "md": "markdown",
    "html": "page",
    "parquet": "columnar",
    "json": "record",
    "svg": "picture",
    "png": "picture",
}
"""The module of each format, loaded when it is asked for."""


def write(table: Table, form: Format, out: BinaryIO) -> None:
    """Write a table in a format.

    Raises:
        InputError: When the table cannot be had in that format.
    """
    if form not in WRITERS:
        raise InputError(f"{table.name} cannot be had as {form}; there is {', '.join(WRITERS)}")
    module = importlib.import_module(f"dashboard.export.{WRITERS[form]}")
    if form in {"svg", "png"}:
        module.write(table, out, form)
    else:
        cast("Writer", module).write(table, out)


def exported(table: Table, form: Format) -> bytes:
    """Return a table in a format: what a page hands to the browser."""
    out = io.BytesIO()
    write(table, form, out)
    return out.getvalue()


@contextmanager
def replacing(path: Path) -> Iterator[BinaryIO]:
    """Lend a file beside `path` that becomes `path` when all went well, and is gone otherwise.

    Raises:
        InputError: When nothing can be written there.
    """
    fresh = path.with_name(f".{path.name}.part")
    try:
        with fresh.open("wb") as out:
            yield out
        fresh.replace(path)
    except OSError as error:
        raise InputError(f"{path} cannot be written: {error.strerror or error}") from error
    finally:
        fresh.unlink(missing_ok=True)
