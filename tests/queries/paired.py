"""Every figure about two sides, over a drawn store, by the name it has in ``grain.PAIRED``."""

from collections.abc import Callable, Mapping
from typing import Final

import polars as pl

from queries import categories, changes, comparison, noise, pairing, status
from tests import builders
from tests.queries.stores import RUNS, Store

BOOK: Final = categories.shipped()
SIDES: Final = pl.LazyFrame({"run": RUNS[:2], "side": ["base", "current"]})
Figure = Callable[[Store], pl.LazyFrame]


def tables(store: Store) -> pairing.Tables:
    """The tables of the runs that stand on a side, as a caller reads them."""
    chosen = Store(*(table.filter(pl.col("run").is_in(RUNS[:2])) for table in store))
    return pairing.Tables(**{name: getattr(chosen, name) for name in pairing.Tables._fields})


def hand_made(**rows: pl.LazyFrame) -> pairing.Tables:
    """Tables with these rows, the others empty."""
    empty = {name: getattr(builders, name)() for name in pairing.Tables._fields}
    return pairing.Tables(**empty | rows)


def pairs(store: Store) -> pl.LazyFrame:
    return pairing.pairs(tables(store), SIDES)


def floor(store: Store) -> pl.LazyFrame:
    return noise.floor(tables(store), SIDES, pairs(store))


FIGURES: Final[Mapping[str, Figure]] = {
    "pairing.pairs": pairs,
    "pairing.exclusions": lambda store: pairing.exclusions(pairs(store)),
    "changes.changes": lambda store: changes.changes(
        tables(store), SIDES, pairs(store), BOOK, changes.Tolerances(), None
    ),
    "changes.judged": lambda store: changes.judged(tables(store), SIDES),
    "comparison.headline": lambda store: comparison.headline(pairs(store)),
    "comparison.categories": lambda store: comparison.categories(
        tables(store), SIDES, pairs(store), BOOK
    ),
    "comparison.cells": lambda store: comparison.cells(tables(store), SIDES, pairs(store), BOOK),
    "status.of_cells": lambda store: status.of_cells(pairs(store)),
    "noise.floor": floor,
}
