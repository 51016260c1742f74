"""Every figure of the package, over a drawn store, by the name it has in ``grain.KEYS``."""

from collections.abc import Callable, Mapping
from typing import Final

import polars as pl

from queries import (
    breakdown,
    cases,
    categories,
    entries,
    evidence,
    gate_counts,
    grid,
    history,
    judged,
    marks,
    reliability,
    runs,
    variance,
    votes,
    ways,
)
from tests.builders import trial_number
from tests.queries.stores import RUNS, Store

BOOK: Final = categories.shipped()
Figure = Callable[[Store], pl.LazyFrame]


def failures(store: Store) -> pl.LazyFrame:
    return evidence.failures(
        store.runs,
        store.items,
        store.trials,
        store.turns,
        store.checks,
        store.definitions,
        BOOK,
    )


def reliability_categories(store: Store) -> pl.LazyFrame:
    return reliability.categories(
        store.runs, store.items, store.trials, store.checks, store.definitions, BOOK
    )


def counts(store: Store) -> breakdown.Counts:
    return reliability.counts(
        store.runs, store.items, store.trials, store.checks, store.definitions, BOOK
    )


def shown(store: Store) -> pl.LazyFrame:
    """All cells of a store."""
    return store.trials.select("item", "variants").unique()


def in_category(store: Store) -> pl.LazyFrame:
    assigned = categories.assign(store.definitions, store.items, store.runs, BOOK)
    category = "side_effect_integrity"
    return marks.in_category(store.checks, store.trials, shown(store), assigned, category)


FIGURES: Final[Mapping[str, Figure]] = {
    "categories.assign": lambda store: categories.assign(
        store.definitions, store.items, store.runs, BOOK
    ),
    "runs.overview": lambda store: runs.overview(
        store.runs, store.items, store.trials, store.checks
    ),
    "runs.outcomes": lambda store: runs.outcomes(store.trials),
    "reliability.categories": reliability_categories,
    "reliability.by_item": lambda store: reliability.by_item(counts(store)),
    "reliability.by_tag": lambda store: reliability.by_tag(counts(store), store.items),
    "reliability.by_axis": lambda store: reliability.by_axis(
        store.runs, store.trials, store.checks, store.definitions
    ),
    "variance.cells": lambda store: variance.cells(store.trials, store.checks),
    "variance.categories": lambda store: variance.categories(counts(store)),
    "votes.criteria": lambda store: votes.criteria(store.votes, store.trials),
    "votes.items": lambda store: votes.items(store.votes, store.trials),
    "judged.distribution": lambda store: judged.distribution(store.votes),
    "judged.of_items": lambda store: judged.of_items(
        store.votes, store.trials, store.trials.select("item").unique(), "tone", 3
    ),
    "marks.trials": lambda store: marks.trials(store.trials, shown(store)),
    "marks.in_category": in_category,
    "ways.ways": lambda store: ways.ways(store.trials, store.checks, shown(store)),
    "history.definitions": lambda store: history.definitions(
        store.runs.select("run", pl.lit(None, pl.String).alias("suite_digest")),
        store.items,
        store.parts,
    ),
    "reliability.rates": lambda store: reliability.rates(store.trials),
    "reliability.votes": lambda store: reliability.votes(store.votes),
    "reliability.refused": lambda store: reliability.refused(store.trials),
    "reliability.discards": lambda store: reliability.discards(store.trials, store.discards),
    "reliability.tasks": lambda store: reliability.tasks(store.trials),
    "evidence.failures": failures,
    "evidence.decisive": lambda store: evidence.decisive(store.checks),
    "evidence.suite": lambda store: evidence.suite(store.checks),
    "evidence.criteria": lambda store: evidence.criteria(failures(store)),
    "evidence.groups": lambda store: evidence.groups(failures(store)),
    "gate_counts.cells": lambda store: gate_counts.cells(store.runs, store.items, store.trials),
    "entries.entries": lambda store: entries.entries(failures(store), store.trials),
    "grid.grid": lambda store: grid.grid(store.items, store.trials),
    "cases.listing": lambda store: cases.listing(store.trials, store.items, store.checks),
    "cases.siblings": lambda store: cases.siblings(store.trials, trial_number(0, RUNS[0])),
    "cases.tree": lambda store: cases.tree(store.checks),
}
