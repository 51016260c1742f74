"""Text of reports on its way into files that other programs open and may obey."""

from typing import Final

import polars as pl

from dashboard import markup, text

_ACTS: Final = (
    r"[\x00-\x1f\x7f-\x9f\u{ad}\u{61c}\u{200b}-\u{200f}\u{2028}-\u{202e}\u{2060}-\u{206f}"
    r"\u{feff}\u{fff9}-\u{fffb}]"
)
_RUNS: Final = r"^[=+\-@\t\r\n\u{ff1d}\u{ff0b}\u{ff0d}\u{ff20}]"
"""Beginnings that a spreadsheet takes for a formula, full-width ones among them."""
STARTS: Final = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")  # noqa: RUF001
"""The same for one text."""


def line(value: str) -> str:
    """Return text as one line in which every character that acts unseen is written out."""
    return markup.visible(text.shown(value))


def lines(column: pl.Expr) -> pl.Expr:
    """Return :func:`line` of a column; most text needs nothing and is not touched."""
    return (
        pl.when(column.str.contains(_ACTS))
        .then(column.map_batches(_written_out, return_dtype=pl.String))
        .otherwise(column)
    )


def _written_out(values: pl.Series) -> pl.Series:
    acts = values.str.contains(_ACTS).fill_null(value=False)
    written = [
        line(value) if act else value for value, act in zip(values.to_list(), acts, strict=True)
    ]
    return pl.Series(values.name, written, dtype=pl.String)


def runs(value: str) -> bool:
    """Whether a spreadsheet would take this text for a formula."""
    return value.startswith(STARTS)


def for_spreadsheets(column: pl.Expr) -> pl.Expr:
    """Return a text column as lines, an apostrophe before whatever would be run."""
    shown = lines(column)
    return pl.when(column.str.contains(_RUNS)).then(pl.lit("'") + shown).otherwise(shown)
