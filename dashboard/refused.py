"""What was not loaded, grouped by the rule that refused it."""

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any, Final, NamedTuple

import polars as pl

ROWS: Final = 200


class Group(NamedTuple):
    """Things that one rule refused for one reason that one remedy mends."""

    anchor: str
    rule: str
    remedy: str
    size: int
    rows: Sequence[Mapping[str, Any]]
    more: str


def groups(rejections: pl.DataFrame) -> list[Group]:
    """Return rejections by rule and remedy, in the order of the frame."""
    ordered = rejections.sort("rule", "remedy", "path", "place", maintain_order=True)
    return [
        Group(f"rule-{place}", rule, remedy, len(rows), rows, "")
        for place, ((rule, remedy), found) in enumerate(
            groupby(ordered.iter_rows(named=True), lambda row: (row["rule"], row["remedy"]))
        )
        if (rows := list(found))
    ]
