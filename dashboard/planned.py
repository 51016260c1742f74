"""Planned trials over a store: what was meant to run, and what became of every repetition."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final, NamedTuple

import polars as pl

from ingest import store
from queries import gate_counts, grain, marks

CELL: Final = ("run", "item", "variants")
COUNTS: Final = (
    *("planned", "trials", "passed", "graded", "unmeasured", "skipped", "waiting", "missing"),
    "duplicates",
)
PLANS: Final = {
    "evaluation-report": "as the report lists its trials",
    "sample-report": "as many samples an item as the report was configured for",
    "trial-row": "inferred: every scenario for every model, as often as the most repeated",
}
"""Where the plan of each format comes from."""


class Planned(NamedTuple):
    """What was planned of some runs and what came out.

    Attributes:
        runs: ``run, plan`` and the counts, a row for each run in the order that was asked for.
        cells: ``run, item, variants`` and the counts.
        trials: ``run, item, variants, trial, repetition, outcome`` of every recorded trial.
    """

    runs: pl.DataFrame
    cells: pl.DataFrame
    trials: pl.DataFrame


def read(db: Path, chosen: pl.DataFrame, known: pl.DataFrame) -> Planned:
    """Return what was planned of the chosen runs; ``known`` are all runs of the store."""
    names = chosen["run"].to_list()
    found = cells(db, known, names)
    with store.open_reader(db) as reader:
        trials = marks.trials(
            reader.table("trial", runs=names), found.select("item", "variants").unique().lazy()
        ).collect()
    plan = pl.col("format").replace_strict(PLANS, return_dtype=pl.String)
    runs = chosen.select("run", plan=plan).join(sums(found), on="run", how="left")
    named = trials.with_columns(trial=grain.trial_name())
    return Planned(
        runs.with_columns(pl.col(COUNTS).fill_null(0)),
        found.select(*CELL, *COUNTS),
        named.select(*CELL, "trial", "repetition", "outcome"),
    )


def cells(db: Path, known: pl.DataFrame, names: Sequence[str]) -> pl.DataFrame:
    """Return the cells of these runs, with those items of them that no trial was selected for.

    The plan of trial rows is inferred from all runs of their file, so all of them are read.
    """
    own = pl.col("run").is_in(list(names))
    whole = known.filter(pl.col("report").is_in(known.filter(own)["report"].implode()))
    told = whole["run"].to_list()
    with store.open_reader(db) as reader:
        configs = reader.frame("run", ("run", "config"), runs=told)
        items = reader.frame("item", ("run", "item"), runs=told)
        trials = reader.table("trial", runs=told)
        runs = whole.join(configs, on="run").lazy()
        found = gate_counts.cells(runs, items.lazy(), trials).collect()
    empty = items.join(found, on=["run", "item"], how="anti").with_columns(variants=pl.lit("{}"))
    every = pl.concat([found, empty], how="diagonal").with_columns(pl.col(COUNTS).fill_null(0))
    return every.filter(own).sort(CELL)


def sums(cells: pl.DataFrame) -> pl.DataFrame:
    """Return the counts of each run: ``run`` and what its cells add up to."""
    return cells.group_by("run").agg(pl.col(COUNTS).sum())
