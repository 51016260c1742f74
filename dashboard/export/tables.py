"""The tables that can be exported, made by name."""

import importlib
from pathlib import Path
from typing import Any

from dashboard import unmet
from dashboard.errors import InputError
from dashboard.export import about
from dashboard.export.names import MADE_BY, OF_TWO
from dashboard.export.table import Table


def build(db: Path, name: str, selection: about.Selection, tell: unmet.Tell | None = None) -> Table:
    """Return a table of what is selected; `tell` hears how far a long one is.

    Raises:
        InputError: When nothing or too much is meant, or the table has no such filter.
    """
    module_name, function = MADE_BY[name]
    module: Any = importlib.import_module(f"dashboard.export.{module_name}")
    made: Table
    if selection.channels is not None and name != "routing":
        raise InputError(f"{name} has no channels; they are for routing")
    if name in OF_TWO:
        made = getattr(module, function)(module.pair(db, selection))
    elif selection.control is not None:
        raise InputError(f"{name} has no control pair; it is for {' and '.join(sorted(OF_TWO))}")
    elif name == "failures":
        made = module.table(about.choose(db, selection), tell)
    else:
        made = getattr(module, function)(about.choose(db, selection))
    return made
