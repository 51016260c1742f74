"""Two sides of a store, compared: which runs a person means, and every figure about the two.

A side is a run, or all runs of one suite that evaluated one subject.
"""

from collections.abc import Collection
from pathlib import Path
from typing import Final, NamedTuple

import polars as pl

from dashboard import figures, selection
from dashboard.errors import InputError
from ingest import store
from queries import changes, comparison, noise, pair_tally, pairing
from queries.rules import RuleBook

ONE_SIDE: Final = ("format", "version", "dialect", "suite", "subject", "arm")
"""What the runs of one side must have in common."""
_ITEM: Final = ("run", "item", "position", "digest", "tags")


class Sides(NamedTuple):
    """The runs a comparison is about: those that changed, and a pair of the unchanged system."""

    base: pl.DataFrame
    current: pl.DataFrame
    control: tuple[pl.DataFrame, pl.DataFrame] | None


class Compared(NamedTuple):
    """A comparison's figures; the floor is None without a control pair."""

    sides: Sides
    headline: pl.DataFrame
    exclusions: pl.DataFrame
    changes: pl.DataFrame
    categories: pl.DataFrame
    floor: pl.DataFrame | None


class Paired(NamedTuple):
    """What two sides have in common: what may be said at all, before any figure."""

    headline: pl.DataFrame
    exclusions: pl.DataFrame
    pairs: pl.DataFrame


class Limits(NamedTuple):
    """What is no change, and how much may be left out."""

    tolerances: changes.Tolerances = changes.Tolerances()
    max_excluded_share: float = comparison.MAX_EXCLUDED_SHARE


def chosen(
    db: Path, base: str, current: str, control: Collection[str] | None, suite: str | None = None
) -> Sides:
    """Return the runs that are meant by these names.

    Raises:
        InputError: When a name fits nothing or too much, or the runs cannot be compared.
    """
    runs = figures.known(db)
    if suite is not None:
        runs = runs.filter(pl.col("suite") == suite)
    one, other = (_side(runs, name) for name in (base, current))
    pair = tuple(_side(runs, name) for name in control or ())
    _refuse_unlike(pl.concat([one, other, *pair]))
    return Sides(one, other, (pair[0], pair[1]) if pair else None)


def _side(runs: pl.DataFrame, name: str) -> pl.DataFrame:
    found = selection.side(runs, name)
    for column in ONE_SIDE:
        values = found[column].unique(maintain_order=True)
        if len(values) > 1:
            listed = selection.listed("none" if value is None else str(value) for value in values)
            told = f"{name!r} means {found.height} runs that differ in {column}: {listed}"
            raise InputError(f"{told}; name one run, or say --suite")
    return found


def _refuse_unlike(runs: pl.DataFrame) -> None:
    reason = comparison.obstacle(runs.to_dicts())
    if reason is not None:
        raise InputError(f"these runs cannot be compared: {reason}")


def compare(db: Path, sides: Sides, rulebook: RuleBook, limits: Limits | None = None) -> Compared:
    """Return every figure about two sides, read and computed while the store is open once."""
    told = limits or Limits()
    with store.open_reader(db) as reader:
        floor = None
        if sides.control is not None:
            tables, placed = tables_of(reader, *sides.control)
            floor = noise.floor(tables, placed, pairing.pairs(tables, placed)).collect()
        tables, placed = tables_of(reader, sides.base, sides.current)
        pairs = pairing.pairs(tables, placed).collect().lazy()
        headline = comparison.headline(pairs, told.max_excluded_share)
        rows = comparison.categories(tables, placed, pairs, rulebook)
        known = None if floor is None else floor.lazy()
        changed = changes.changes(tables, placed, pairs, rulebook, told.tolerances, known)
        page = comparison.on_one_page(rows, headline)
        shown = pl.collect_all([headline, pairing.exclusions(pairs), changed, page])
        return Compared(sides, shown[0], shown[1], shown[2], shown[3], floor)


def pair(db: Path, sides: Sides, limits: Limits | None = None) -> Paired:
    """Return which cells of two sides may be compared, which not and why, without their figures."""
    with store.open_reader(db) as reader:
        tables, placed = tables_of(reader, sides.base, sides.current)
        pairs = pairing.pairs(tables, placed).collect()
        ceiling = (limits or Limits()).max_excluded_share
        headline = comparison.headline(pairs.lazy(), ceiling).collect()
        return Paired(headline, pairing.exclusions(pairs.lazy()).collect(), pairs)


def category_cells(db: Path, sides: Sides, pairs: pl.DataFrame, rulebook: RuleBook) -> pl.DataFrame:
    """Return per category the cells that measured it, with their trials and passes."""
    with store.open_reader(db) as reader:
        tables, placed = tables_of(reader, sides.base, sides.current)
        return comparison.cells(tables, placed, pairs.lazy(), rulebook).collect()


def tables_of(
    reader: store.Reader, base: pl.DataFrame, current: pl.DataFrame
) -> tuple[pairing.Tables, pl.LazyFrame]:
    """Return what a comparison is computed from, and which run stands on which side."""
    names = pl.concat([base, current])["run"].unique(maintain_order=True).to_list()
    runs = pl.concat([base, current]).unique("run", maintain_order=True)
    placed = [
        runs.select("run", side=pl.lit(side))
        for side, runs in zip(pair_tally.SIDES, (base, current), strict=True)
    ]
    tables = pairing.Tables(
        runs=runs.lazy(),
        items=reader.frame("item", _ITEM, runs=names).lazy(),
        parts=reader.frame("part", runs=names).lazy(),
        trials=reader.table("trial", runs=names),
        checks=reader.table("check", runs=names),
        definitions=reader.frame("definition", runs=names).lazy(),
        votes=reader.table("vote", runs=names),
    )
    return tables, pl.concat(placed).lazy()
