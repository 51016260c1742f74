"""What can be exported; known without loading what makes it."""

from collections.abc import Mapping
from typing import Final

MADE_BY: Final[Mapping[str, tuple[str, str]]] = {
    "reliability": ("reliability", "table"),
    "reliability-items": ("reliability", "items"),
    "reliability-tags": ("reliability", "tags"),
    "reliability-axis": ("reliability", "axis"),
    "failures": ("failures", "table"),
    "grid": ("grid", "table"),
    "trials": ("time", "trials"),
    "history": ("time", "history"),
    "history-cells": ("time", "history_cells"),
    "variance": ("variance", "table"),
    "variance-categories": ("variance", "categories"),
    "votes": ("votes", "table"),
    "votes-items": ("votes", "items"),
    "comparison": ("comparison", "table"),
    "changes": ("comparison", "changes"),
    "routing": ("routing", "table"),
}
"""The module and function of each table."""
TABLES: Final[tuple[str, ...]] = tuple(MADE_BY)
OF_TWO: Final = frozenset({"comparison", "changes"})
"""Tables of two sides: the first run is the base, the second the current one."""
REPORT: Final = "report"
