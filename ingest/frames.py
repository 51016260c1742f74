"""Rows to frames: one Polars frame a table, columns typed after the row types."""

import typing
from collections.abc import Hashable, Iterable, Sequence
from typing import Any, Literal, NamedTuple, TypeVar, get_args, get_origin

import polars as pl

from ingest.records import Row

_TYPES: dict[object, pl.DataType] = {
    str: pl.String(),
    int: pl.Int64(),
    bool: pl.Boolean(),
    list: pl.List(pl.String()),
}
Key = TypeVar("Key", bound=Hashable)
_schemas: dict[type[Row], dict[str, pl.DataType]] = {}


def schema(row_type: type[Row]) -> dict[str, pl.DataType]:
    """Return the columns of a table with their types."""
    if row_type not in _schemas:
        hints = typing.get_type_hints(row_type)
        _schemas[row_type] = {name: _TYPES[_plain(hints[name])] for name in row_type._fields}
    return _schemas[row_type]


def frame_of(row_type: type[Row], rows: Sequence[Row]) -> pl.DataFrame:
    """Return rows of one type as a frame; columns that hold nothing are left out."""
    columns = zip(*rows, strict=True)
    wanted = schema(row_type)
    return pl.DataFrame(
        [
            pl.Series(name, values, dtype=dtype)
            for (name, dtype), values in zip(wanted.items(), columns, strict=True)
            if values.count(None) < len(values)
        ]
    )


def texts(row_type: type[Row], name: str, values: Sequence[bytes | None]) -> pl.Series:
    """Return one column of a table whose values are UTF-8 already."""
    return pl.Series(name, values, dtype=pl.Binary).cast(schema(row_type)[name])


def column(row_type: type[Row], name: str, values: Sequence[Any]) -> pl.Series:
    """Return one column of a table."""
    return pl.Series(name, values, dtype=schema(row_type)[name])


def together(frames: Iterable[pl.DataFrame]) -> pl.DataFrame:
    """Return frames of one table below each other; a column that one lacks is empty there."""
    return pl.concat(frames, how="diagonal")


def numbered(values: Sequence[Key]) -> tuple[list[Key], pl.Series]:
    """Return the distinct values, and for each value its place among them."""
    numbers: dict[Key, int] = {}
    used = [numbers.setdefault(each, len(numbers)) for each in values]
    return list(numbers), pl.Series(used, dtype=pl.Int64)


class Unfolded(NamedTuple):
    """Things that have several parts each, as one row a part.

    Attributes:
        whose: The thing a row is a part of.
        part: Which part of it.
        shared: The same part in a table of all parts of all kinds of things.
    """

    whose: pl.Series
    part: pl.Series
    shared: pl.Series


def unfold(widths: Sequence[int], kinds: pl.Series) -> Unfolded:
    """Return a row for each part of things of some kinds; a kind has ``widths`` parts."""
    wide = pl.Series(widths, dtype=pl.Int64)
    many = wide.gather(kinds)
    whose = pl.int_range(len(kinds), eager=True).repeat_by(many).explode(empty_as_null=False)
    part = pl.int_range(len(whose), eager=True) - (many.cum_sum() - many).gather(whose)
    starts = (wide.cum_sum() - wide).gather(kinds)
    return Unfolded(whose, part, starts.gather(whose) + part)


def _plain(hint: Any) -> object:
    """Return ``str`` for ``str | None`` and for a vocabulary of words."""
    origin, parts = get_origin(hint), get_args(hint)
    if origin is Literal:
        return str
    if origin is list or not parts:
        return origin or hint
    return _plain(parts[0])
