"""Which cells of two sides may be compared: paired by item and variants, then by fingerprint.

A side is a set of runs of one suite; usually one. What an item consists of is told by the parts of
its fingerprint (sample reports), by the digest of its definition (evaluation reports), or by the
checks it declares and the bounds it ran under (trial rows). A part that both sides recorded and
that differs keeps its item out of the comparison, unless both sides declare it derived.
"""

import json
from typing import Final, NamedTuple

import polars as pl

from queries import pair_tally
from queries.counting import Table, counted

PARTS: Final = ("setup", "turn", "expect", "judge", "definition", "checks", "bounds")
IMPLIED: Final = "invalid_output"
"""Check that stands for an answer of no valid form; no scenario declares it."""

_CELL: Final = ["item", "variants"]
_LISTS: Final = ("recorded", "authored", "derived")
_COUNTS: Final = tuple(
    f"{side}_{name}" for side in pair_tally.SIDES for name in ("trials", "graded", "passed")
)


class Tables(NamedTuple):
    """Rows of the store a comparison is computed from, of the runs of both sides."""

    runs: pl.LazyFrame
    items: pl.LazyFrame
    parts: pl.LazyFrame
    trials: Table
    checks: Table
    definitions: pl.LazyFrame
    votes: Table


def pairs(tables: Tables, sides: pl.LazyFrame) -> pl.LazyFrame:
    """Return one row per cell of either side: whether it is compared, and its counts.

    Args:
        tables: Rows of the store.
        sides: ``run, side``: which runs are the base and which the current.

    Returns:
        ``item, variants, state, unverified, recorded, authored, derived``, counts and rates of both
        sides, ``position``. ``state`` is compared, excluded, added or removed. ``before`` and
        ``after`` are passed / all trials for sample reports, as their format has it, and passed /
        graded for the others; null when nothing was measured.
    """
    inventory = _inventory(tables, sides)
    listed = inventory.filter("keeps_empty").select("item", variants=pl.lit("{}"))
    counts = counted(pair_tally.cells, tables.trials, sides)
    return (
        counts.join(listed, on=_CELL, how="full", coalesce=True)
        .join(inventory, on="item", how="left")
        .join(_differences(tables, sides), on="item", how="left")
        .with_columns(
            pl.col(_COUNTS).fill_null(0),
            pl.col(_LISTS).fill_null([]),
            pl.col("unknown", "all_trials").fill_null(value=False),
        )
        .with_columns(state=_state())
        .with_columns(
            unverified=pl.col("unknown") & pl.col("state").is_in(["compared", "excluded"]),
            before=_rate("base"),
            after=_rate("current"),
        )
        .select(
            *_CELL,
            *("state", "unverified", *_LISTS, *_COUNTS, "before", "after", "all_trials"),
            position=_position(),
        )
        .sort("position", *_CELL)
    )


def exclusions(pairs: pl.LazyFrame) -> pl.LazyFrame:
    """Return one row per item that both sides have and that is not compared, with the parts."""
    return (
        pairs.filter(pl.col("state") == "excluded")
        .group_by("item")
        .agg(pl.col("position", "recorded", "authored").first(), cells=pl.len().cast(pl.Int64))
        .sort("position", "item")
        .select("item", "cells", "recorded", "authored")
    )


def _inventory(tables: Tables, sides: pl.LazyFrame) -> pl.LazyFrame:
    """Per item: its places, and whether a side knows nothing of what it consists of."""
    known = _parts(tables).select("run", "item", known=True).unique()
    # A sample report lists every item it was to run; a suite may define items nobody selected.
    lists = pl.col("format") == "sample-report"
    placed = (
        tables.items.select("run", "item", "position")
        .join(sides, on="run")
        .join(tables.runs.select("run", "format"), on="run")
        .join(known, on=["run", "item"], how="left")
    )
    own = {side: pl.col("side") == side for side in pair_tally.SIDES}
    return placed.group_by("item").agg(
        *(pl.col("position").filter(own[side]).min().alias(f"{side}_place") for side in own),
        *((own[side] & lists).any().alias(f"{side}_lists") for side in own),
        keeps_empty=lists.any(),
        all_trials=lists.all(),
        unknown=pl.col("known").is_null().any(),
    )


def _there(side: str) -> pl.Expr:
    empty = (pl.col("variants") == "{}") & pl.col(f"{side}_lists").fill_null(value=False)
    return (pl.col(f"{side}_trials") > 0) | empty


def _state() -> pl.Expr:
    broken = (pl.col("recorded").list.len() > 0) | (pl.col("authored").list.len() > 0)
    return (
        pl.when(~_there("base"))
        .then(pl.lit("added"))
        .when(~_there("current"))
        .then(pl.lit("removed"))
        .when(broken)
        .then(pl.lit("excluded"))
        .otherwise(pl.lit("compared"))
    )


def _rate(side: str) -> pl.Expr:
    passed, trials, graded = (pl.col(f"{side}_{name}") for name in ("passed", "trials", "graded"))
    whole = pl.when(pl.col("all_trials")).then(trials).otherwise(graded)
    return pl.when(whole > 0).then(passed / whole)


def _position() -> pl.Expr:
    """In the order of the current side, then what only the base has."""
    current, base = (pl.col(f"{side}_place").cast(pl.Int64) for side in ("current", "base"))
    removed = pl.col("state") == "removed"
    return pl.when(removed).then(base.fill_null(0) + (1 << 32)).otherwise(current.fill_null(0))


def _differences(tables: Tables, sides: pl.LazyFrame) -> pl.LazyFrame:
    """Per item: the parts both sides recorded and that differ, by what they were declared to be."""
    own = {side: pl.col("side") == side for side in pair_tally.SIDES}
    order = {part: place for place, part in enumerate(PARTS)}
    place = pl.col("part").replace_strict(order, default=len(PARTS), return_dtype=pl.Int64)
    provenance = pl.col("provenance")
    differing = (
        _parts(tables)
        .join(sides, on="run")
        .group_by("item", "part")
        .agg(
            *(own[side].any().alias(side) for side in own),
            unequal=pl.col("digest").n_unique() > 1,
            recorded=(provenance == "recorded").any(),
            derived=(provenance == "derived").all(),
        )
        .filter(pl.col("base") & pl.col("current") & pl.col("unequal"))
        .sort("item", place, "part")
    )
    recorded, derived = pl.col("recorded"), pl.col("derived")
    part = pl.col("part")
    return differing.group_by("item", maintain_order=True).agg(
        part.filter(recorded).alias("recorded"),
        part.filter(~recorded & ~derived).alias("authored"),
        part.filter(~recorded & derived).alias("derived"),
    )


def _parts(tables: Tables) -> pl.LazyFrame:
    """Return ``run, item, part, digest, provenance`` of every format."""
    runs = tables.runs
    authored = pl.lit("authored").alias("provenance")
    of_reports = runs.filter(pl.col("format") == "evaluation-report").select("run")
    # A replay report names the checks that failed, so which it declares is unknown.
    of_rows = runs.filter(
        (pl.col("format") == "trial-row") & (pl.col("dialect") != "replay-report")
    ).select("run")
    defined = (
        tables.items.join(of_reports, on="run", how="semi")
        .filter(pl.col("digest").is_not_null())
        .select("run", "item", pl.lit("definition").alias("part"), "digest", authored)
    )
    declared = (
        tables.definitions.filter(pl.col("criterion") != IMPLIED)
        .join(of_rows, on="run", how="semi")
        .group_by("run", "item")
        .agg(pl.col("criterion").unique().sort().str.join("\n").alias("digest"))
        .select("run", "item", pl.lit("checks").alias("part"), "digest", authored)
    )
    bounded = (
        counted(pair_tally.bounds, tables.trials)
        .join(of_rows, on="run", how="semi")
        .select(
            *("run", "item", pl.lit("bounds").alias("part")),
            pl.col("bounds").map_batches(_canonical, return_dtype=pl.String).alias("digest"),
            authored,
        )
    )
    told = tables.parts.select("run", "item", "part", "digest", "provenance")
    return pl.concat([told, defined, declared, bounded])


def _canonical(texts: pl.Series) -> pl.Series:
    """Write JSON objects in one way, whatever order their members were written in."""
    written = [json.dumps(json.loads(text), sort_keys=True) for text in texts]
    return pl.Series(texts.name, written, dtype=pl.String)
