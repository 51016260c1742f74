"""Cells as people read them: a rate never without its counts, nothing never as zero."""

from collections.abc import Callable

from dashboard import wording
from dashboard.export.table import Row, Shown


def plain(title: str, name: str, *, right: bool = False, quoted: bool = True) -> Shown:
    """Return a column that shows a value as it is."""
    return Shown(title, lambda row: written(row[name]), right, quoted)


def count(title: str, name: str, beside: str = "", what: str = "") -> Shown:
    """Return a column of a count, a second one in brackets where it is not zero."""

    def cell(row: Row) -> str:
        if row[name] is None:
            return wording.NOTHING
        return f"{row[name]} ({row[beside]} {what})" if beside and row[beside] else f"{row[name]}"

    return Shown(title, cell, right=True)


def rate(title: str, held: str, of: str, share: str, why: Callable[[Row], str]) -> Shown:
    """Return a column of a rate after the two counts it is of, or why there is none."""

    def cell(row: Row) -> str:
        if row[share] is None:
            return why(row)
        return f"{row[held]}/{row[of]} = {wording.percent(row[share])}"

    return Shown(title, cell, right=True)


def span(title: str, low: str, high: str) -> Shown:
    """Return a column of an interval; nothing where it is one point or unknown."""

    def cell(row: Row) -> str:
        if row[low] is None or row[low] == row[high]:
            return ""
        return wording.span(row[low], row[high])

    return Shown(title, cell, right=True)


def score(title: str, name: str) -> Shown:
    """Return a column of a number with at most two decimals."""

    def cell(row: Row) -> str:
        value = row[name]
        return wording.NOTHING if value is None else f"{value:.2f}".removesuffix(".00")

    return Shown(title, cell, right=True)


def written(value: object) -> str:
    """Return a value as text, a dash for nothing."""
    if value is None:
        return wording.NOTHING
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)
