"""Rows to frames: one Polars frame a table, columns typed after the row types."""

import typing
from collections.abc import Iterable, Sequence
from typing import Any, Literal, get_args, get_origin

import polars as pl

from ingest.records import Row

_TYPES: dict[object, pl.DataType] = {
    str: pl.String(),
    int: pl.Int64(),
    bool: pl.Boolean(),
    list: pl.List(pl.String()),
}
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


def column(row_type: type[Row], name: str, values: Sequence[Any]) -> pl.Series:
    """Return one column of a table."""
    return pl.Series(name, values, dtype=schema(row_type)[name])


def together(frames: Iterable[pl.DataFrame]) -> pl.DataFrame:
    """Return frames of one table below each other; a column that one lacks is empty there."""
    return pl.concat(frames, how="diagonal")


def _plain(hint: Any) -> object:
    """Return ``str`` for ``str | None`` and for a vocabulary of words."""
    origin, parts = get_origin(hint), get_args(hint)
    if origin is Literal:
        return str
    if origin is list or not parts:
        return origin or hint
    return _plain(parts[0])
