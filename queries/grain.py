"""The key of every figure: the columns it never crosses.

A figure has exactly one row per key, its key columns come first, and its rows are sorted by them
(or by the fixed order a vocabulary declares). What is not in the key is counted, never averaged.
"""

from collections.abc import Mapping
from typing import Final

import polars as pl

KEYS: Final[Mapping[str, tuple[str, ...]]] = {
    "categories.assign": ("run", "definition"),
    "runs.overview": ("run",),
    "runs.outcomes": ("run", "outcome"),
    "reliability.categories": ("run", "category"),
    "reliability.by_item": ("run", "category", "item"),
    "reliability.by_tag": ("run", "category", "tag"),
    "reliability.by_axis": ("run", "axis", "value", "code"),
    "reliability.rates": ("run", "name"),
    "reliability.votes": ("run", "criterion"),
    "reliability.refused": ("run",),
    "reliability.discards": ("run",),
    "reliability.tasks": ("run", "task"),
    "variance.cells": ("run", "item", "variants"),
    "variance.categories": ("run", "category"),
    "votes.criteria": ("run", "criterion"),
    "votes.items": ("run", "criterion", "item"),
    "judged.distribution": ("run", "criterion", "measure", "value"),
    "judged.of_items": ("run", "item", "trial_number"),
    "marks.trials": ("run", "item", "variants", "trial"),
    "marks.in_category": ("trial",),
    "ways.ways": ("run", "item", "variants", "trial_number"),
    "history.definitions": ("run",),
    "evidence.failures": ("run", "trial_number", "position"),
    "evidence.decisive": ("run", "trial", "criterion_position", "position"),
    "evidence.suite": ("run", "position"),
    "evidence.criteria": ("run", "category", "criterion", "errored", "fault", "code"),
    "evidence.groups": ("run", "category", "criterion", "errored", "fault", "code", "cause"),
    "entries.entries": (
        *("run", "item", "variants", "scope", "turn", "criterion", "cause", "errored"),
    ),
    "grid.grid": ("run", "item", "variants"),
    "gate_counts.cells": ("run", "item", "variants"),
    "cases.listing": ("run", "trial_number"),
    "cases.siblings": ("run", "trial_number"),
    "cases.tree": ("run", "trial", "position"),
}

PAIRED: Final[Mapping[str, tuple[str, ...]]] = {
    "pairing.pairs": ("item", "variants"),
    "pairing.exclusions": ("item",),
    "changes.changes": ("item", "variants", "kind", "criterion"),
    "changes.judged": ("item", "variants", "criterion"),
    "comparison.headline": (),
    "comparison.categories": ("category",),
    "comparison.cells": ("category", "item", "variants"),
    "status.of_cells": ("item", "variants"),
    "noise.floor": (),
}
"""Keys of the figures about two sides: each is of one comparison, the sides are its input."""

OVER_TIME: Final[Mapping[str, tuple[str, ...]]] = {
    "history.ordered": ("run",),
    "history.strips": ("item", "variants", "run"),
    "history.listed": ("item", "variants"),
}
"""Keys of the figures about the runs of a suite: what is new in one depends on those before it."""

ROUTED: Final[Mapping[str, tuple[str, ...]]] = {
    "routing.faults": ("version", "dialect", "suite", "trial_number", "criterion"),
    "routing.tickets": ("version", "dialect", "suite", "item", "criterion"),
    "routing.cut_short": ("version", "dialect", "suite", "fault", "code"),
    "routing.channels": ("version", "dialect", "code", "channel"),
    "routing.never_failing": ("version", "dialect", "suite", "item", "criterion"),
    "routing.coverage": ("version", "dialect", "suite", "item", "model"),
    "routing.ablation": ("version", "dialect", "suite", "item", "model"),
}
"""Keys of the figures about a battery: tools are merged, report versions and dialects never."""

ORDINAL_MASK: Final = (1 << 22) - 1


def trial_name(trial: pl.Expr | None = None) -> pl.Expr:
    """Name of a trial for people and addresses: its run and its place in it.

    Agrees with ``ingest.records.trial_name``, on frames with the columns ``run`` and ``trial`` (or
    the expression given for it).
    """
    number = pl.col("trial") if trial is None else trial
    ordinal = (number & ORDINAL_MASK).cast(pl.String)
    return pl.concat_str("run", pl.lit("-"), ordinal)
