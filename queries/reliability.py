"""How often each category fails, per run: counts, the rate, and the bounds ungraded trials leave.

Rates that are no category, judges' votes and refused or discarded answers stand beside the
categories, each in a figure of its own; no vote can enter a category's rate, since no vote is among
its inputs.
"""

from functools import partial
from typing import Final

import polars as pl

from queries import breakdown, labels, opinions, tally
from queries import categories as rules
from queries.breakdown import Counts, share
from queries.counting import Table, counted

RATES: Final = ("clarification", "abandonment", "provider_failure")
TASKS: Final = ("segment", "route", "locate", "extract")
JUDGE_CRITERIA: Final = (
    "language_quality",
    "answer_completeness",
    "tone",
    "operational_claim_integrity",
)


def counts(
    runs: pl.LazyFrame,
    items: pl.LazyFrame,
    trials: Table,
    checks: Table,
    definitions: pl.LazyFrame,
    rulebook: rules.RuleBook,
) -> Counts:
    """Count once what :func:`by_category`, :func:`by_item` and :func:`by_tag` show."""
    return breakdown.count(
        runs,
        trials,
        checks,
        labels.of_categories(runs, items, definitions, rulebook),
        labels.always(runs),
        labels.category_stops(runs, items, trials, checks, rulebook),
    )


def categories(
    runs: pl.LazyFrame,
    items: pl.LazyFrame,
    trials: Table,
    checks: Table,
    definitions: pl.LazyFrame,
    rulebook: rules.RuleBook,
) -> pl.LazyFrame:
    """Return one row per (run, category): who was measured, who failed, the rate and its limits.

    The denominator is the graded trials that evaluated a criterion of the category, where the
    format says which those are (``covered``), else all graded trials. ``low`` and ``high`` count
    the ungraded trials that could have been measured as failed or as passed. A category nobody
    measured has no rate. ``again_low`` to ``again_high`` answers whether these items would give
    this rate again, ``items_low`` to ``items_high`` what other items like these would give:
    ``intervals.QUESTIONS``.
    """
    return by_category(counts(runs, items, trials, checks, definitions, rulebook))


def by_category(counts: Counts) -> pl.LazyFrame:
    """Return :func:`categories` from what was counted."""
    return _named(breakdown.table(counts), "run")


def by_item(counts: Counts) -> pl.LazyFrame:
    """Return the table of :func:`categories` for each item: one row per (run, category, item)."""
    return _named(breakdown.table(counts, ("item",)), "run", "item")


def by_tag(counts: Counts, items: pl.LazyFrame) -> pl.LazyFrame:
    """Return the table for each tag, over the items that have it: per (run, category, tag)."""
    tags = items.select("run", "item", tag="tags").explode("tag").drop_nulls("tag")
    return _named(
        breakdown.table(counts, ("tag",), lambda frame: frame.join(tags, on=["run", "item"])),
        "run",
        "tag",
    )


def by_axis(
    runs: pl.LazyFrame, trials: Table, checks: Table, definitions: pl.LazyFrame
) -> pl.LazyFrame:
    """Return the table by the format's own words: one row per (run, axis, value, code).

    The axis is criterion (evaluation reports), fault, with its code (trial rows), or expectation
    (sample reports); error_code counts, for all of them, trials that stopped and criteria that
    errored.
    """
    stops = labels.code_stops(trials, checks)
    places, words = labels.native(runs, definitions, stops)
    codes = words.filter(pl.col("axis") == "error_code").select("place", error_code="value")
    never = pl.LazyFrame(
        schema={"run": pl.String, "place": pl.Int64, "measured": pl.Boolean},
    )
    counted_stops = stops.join(codes, on="error_code").drop("error_code")
    counts = breakdown.count(runs, trials, checks, places, never, counted_stops)
    key = ("run", "axis", "value", "code")
    return (
        breakdown.table(counts)
        .join(words, on="place")
        .select(*key, *breakdown.COLUMNS)
        .sort(key, nulls_last=False)
    )


def _named(table: pl.LazyFrame, *group: str) -> pl.LazyFrame:
    """Put the category's name after the run, and sort."""
    names = {place: category for category, place in labels.PLACES.items()}
    category = pl.col("place").replace_strict(names, return_dtype=pl.String)
    key = (group[0], "category", *group[1:])
    return table.with_columns(category=category).select(*key, *breakdown.COLUMNS).sort(key)


def place_in(column: str, order: tuple[str, ...]) -> pl.Expr:
    """Return where a word stands in a fixed order; unknown words last."""
    places = {word: place for place, word in enumerate(order)}
    return pl.col(column).replace_strict(places, default=len(order), return_dtype=pl.Int64)


def rates(trials: Table) -> pl.LazyFrame:
    """Return how many trials asked back, were abandoned or met a provider failure, per (run, name).

    Over all trials, of formats that count them.
    """
    return (
        counted(tally.counters, trials)
        .unpivot(RATES, index=["run", "trials"], variable_name="name", value_name="count")
        .select("run", "name", "count", "trials", rate=share(pl.col("count"), pl.col("trials")))
        .sort("run", place_in("name", RATES))
    )


def votes(votes: Table) -> pl.LazyFrame:
    """Return the judges' scores per (run, criterion), from the majority of each trial's votes."""
    judged, scored = pl.col("judged"), pl.col("scored")
    return (
        counted(lambda table: opinions.scores(opinions.judgements(table)), votes)
        .sort("run", place_in("criterion", JUDGE_CRITERIA), "criterion")
        .select(
            "run",
            "criterion",
            "judged",
            "votes",
            "failed_votes",
            "scored",
            mean_score=share(pl.col("majority"), scored),
            min_score="min_score",
            max_score="max_score",
            mean_vote_spread=share(pl.col("spread"), judged),
        )
    )


def refused(trials: Table) -> pl.LazyFrame:
    """Return measured trials with a refused proposal, per run."""
    return counted(tally.counters, trials).select("run", "measured", count="refused").sort("run")


def discards(trials: Table, discards: Table) -> pl.LazyFrame:
    """Return measured trials with a discarded answer per run, and how often each code occurs."""
    codes = (
        counted(tally.discard_codes, discards, trials)
        .sort("run", -pl.col("answers"), "code")
        .group_by("run", maintain_order=True)
        .agg(pl.struct("code", "answers").alias("codes"))
    )
    return (
        counted(tally.counters, trials)
        .join(codes, on="run", how="left")
        .select("run", "measured", pl.col("codes").fill_null([]), count="discarded")
        .sort("run")
    )


def tasks(trials: Table) -> pl.LazyFrame:
    """Return measured trials that passed each task, of those it scored, per (run, task)."""
    parts = [
        counted(partial(tally.task, name=name), trials).select(
            "run", pl.lit(name).alias("task"), "passed", "scored"
        )
        for name in TASKS
    ]
    return pl.concat(parts).sort("run", place_in("task", TASKS))
