"""Who has to act on what a battery of trial rows found, and what it never covered.

A tool's fault becomes a ticket for that tool. An agent's fault on enough models is work on the
channel that misled them; on fewer it is recorded. Report versions and dialects are never merged;
tools are, where the same code says the same thing.
"""

from datetime import datetime
from typing import Final

import polars as pl

from queries import grain, routing_tally
from queries.channels import Channels
from queries.counting import Table, counted

SECTION: Final = ("version", "dialect")
ACTION_FORMAT: Final = "ERR_ACTION_FORMAT_VIOLATION"
"""Fault of an answer of no valid form: the one that a trial cut short really has."""
FEW_RUNS: Final = 3
"""Below this many graded trials an arm says nothing."""
EXAMPLES: Final = 5

_SCENARIO: Final = (*SECTION, "suite", "item")


def faults(runs: pl.LazyFrame, trials: Table, checks: Table) -> pl.LazyFrame:
    """Return one row per failed check of trial rows, with its tool, model and scenario.

    ``counts`` is false where a trial that was cut short cannot tell.
    """
    rows = _rows(runs)
    failed = counted(routing_tally.failed, checks, trials)
    tells = ~pl.col("unfinished") | (pl.col("code") == ACTION_FORMAT).fill_null(value=False)
    return (
        rows.join(failed, on="run")
        .select(
            *(*_SCENARIO, "model", "run", "criterion", "fault", "code", "unfinished", "reason"),
            counts=tells,
            trial=grain.trial_name(),
            trial_number="trial",
        )
        .sort(*SECTION, "suite", "trial_number", "criterion")
    )


def tickets(faults: pl.LazyFrame) -> pl.LazyFrame:
    """Return one row per check that a tool has to mend: a tool's fault in a finished trial."""
    key = [*_SCENARIO, "criterion"]
    own = faults.filter((pl.col("fault") == "tool") & pl.col("counts"))
    return own.group_by(key).agg(*_sizes(), _distinct("model", "models"), *_evidence()).sort(key)


def cut_short(faults: pl.LazyFrame) -> pl.LazyFrame:
    """Return the faults of trials that were cut short, per (tool, fault, code): nobody's work."""
    key = [*SECTION, "suite", "fault", "code"]
    return faults.filter(~pl.col("counts")).group_by(key).agg(*_sizes()).sort(key, nulls_last=True)


def channels(faults: pl.LazyFrame, config: Channels | None) -> pl.LazyFrame:
    """Return one row per (code, channel) of an agent's faults: on how many models, and whose work.

    Args:
        faults: Rows of :func:`faults`.
        config: Channel of each scenario, and the configured models; None: not said.

    Returns:
        One row per key; ``route`` is channel, recorded or not_routed, ``reason`` says why.
    """
    known = config or Channels()
    key = [*SECTION, "code", "channel"]
    channel = pl.col("item").map_batches(
        lambda names: pl.Series([known.of(name) for name in names], dtype=pl.String),
        return_dtype=pl.String,
    )
    own = faults.filter((pl.col("fault") == "agent") & pl.col("counts")).with_columns(
        channel=channel
    )
    by_model = (
        own.group_by(*key, "model")
        .agg(*_sizes())
        .sort(*key, "model", nulls_last=True)
        .group_by(key, maintain_order=True)
        .agg(pl.struct("model", "trials", "checks").alias("by_model"))
    )
    return (
        own.group_by(key)
        .agg(
            *_sizes(),
            _distinct("model", "models"),
            pl.col("item").unique().sort().alias("scenarios"),
        )
        .join(by_model, on=key, nulls_equal=True)
        .with_columns(needed=pl.lit(known.needed(), pl.Int64))
        .with_columns(route=_route(), reason=_reason(mapped=bool(known.channel)))
        .select(
            *key, "trials", "checks", "models", "by_model", "scenarios", "needed", "route", "reason"
        )
        .sort(key, nulls_last=True)
    )


def _route() -> pl.Expr:
    enough = pl.col("models").list.len() >= pl.col("needed")
    return (
        pl.when(pl.col("channel").is_null())
        .then(pl.lit("not_routed"))
        .when(enough)
        .then(pl.lit("channel"))
        .otherwise(pl.lit("recorded"))
    )


def _reason(*, mapped: bool) -> pl.Expr:
    models = pl.col("models").list.len()
    unmapped = pl.lit("no channel map")
    if mapped:
        unmapped = pl.format("no channel for {}", pl.col("scenarios").list.join(", "))
    told = pl.format("on {} models, {} needed", models, "needed")
    return pl.when(pl.col("channel").is_null()).then(unmapped).otherwise(told)


def never_failing(runs: pl.LazyFrame, definitions: pl.LazyFrame, checks: Table) -> pl.LazyFrame:
    """Return one row per declared check that failed in no trial: an always green check is no proof.

    Replay reports name only what failed, so they say nothing of it.
    """
    key = [*_SCENARIO, "criterion"]
    rows = _rows(runs).filter(pl.col("dialect") != "replay-report")
    seen = counted(routing_tally.evaluated, checks)
    return (
        definitions.select("run", "definition", "item", "criterion")
        .join(rows, on="run")
        .join(seen, on="definition")
        .group_by(key)
        .agg(pl.col("trials", "failed").sum())
        .filter(pl.col("failed") == 0)
        .drop("failed")
        .sort(key)
    )


def coverage(
    runs: pl.LazyFrame, trials: Table, config: Channels | None, now: datetime
) -> pl.LazyFrame:
    """Return one row per scenario and model of the grid: how often it ran, and how long ago.

    The grid is every scenario and every model that the tool's rows name, and the configured models.

    Args:
        runs: Runs with ``seen_at``: when a run happened, as far as anything says so.
        trials: Rows of the table ``trial``.
        config: The configured models and the age allowed.
        now: What age is counted from.

    Returns:
        ``version, dialect, suite, item, model, trials, graded, last_seen, age_days, state``;
        ``state`` is covered, stale, undated or, where nothing was graded, hole.
    """
    known = config or Channels()
    cell = ["item", "model"]
    tool = [*SECTION, "suite"]
    rows = _rows(runs, "seen_at").filter(pl.col("model").is_not_null())
    ran = rows.join(counted(routing_tally.scenarios, trials), on="run")
    graded = pl.col("graded") > 0
    seen = ran.group_by(*tool, *cell).agg(
        pl.col("trials", "graded").sum(), last_seen=pl.col("seen_at").filter(graded).max()
    )
    configured = (
        rows.select(tool)
        .unique()
        .join(pl.LazyFrame({"model": known.models}, {"model": pl.String}), how="cross")
    )
    models = pl.concat([rows.select(*tool, "model"), configured]).unique()
    grid = ran.select(*tool, "item").unique().join(models, on=tool, nulls_equal=True)
    age = (pl.lit(now) - pl.col("last_seen")).dt.total_days()
    return (
        grid.join(seen, on=[*tool, *cell], how="left", nulls_equal=True)
        .with_columns(pl.col("trials", "graded").fill_null(0), age_days=age)
        .with_columns(state=_state(known.max_age_days))
        .select(*tool, *cell, "trials", "graded", "last_seen", "age_days", "state")
        .sort(*tool, *cell)
    )


def _state(max_age_days: int) -> pl.Expr:
    return (
        pl.when(pl.col("graded") == 0)
        .then(pl.lit("hole"))
        .when(pl.col("age_days").is_null())
        .then(pl.lit("undated"))
        .when(pl.col("age_days") > max_age_days)
        .then(pl.lit("stale"))
        .otherwise(pl.lit("covered"))
    )


def ablation(runs: pl.LazyFrame, trials: Table) -> pl.LazyFrame:
    """Return full minus ablated per scenario and model that ran in either arm.

    Returns:
        ``version, dialect, suite, item, model``, passed and graded trials of both arms, ``delta``
        and ``reason``: with fewer than three graded trials in an arm the difference is undefined.
    """
    key = [*_SCENARIO, "model"]
    arms = ("full", "ablated")
    ran = (
        _rows(runs, "arm")
        .filter(pl.col("arm").is_in(arms))
        .join(counted(routing_tally.scenarios, trials), on="run")
    )
    counts = ran.group_by(key).agg(
        pl.col(name).filter(pl.col("arm") == arm).sum().alias(f"{arm}_{name}")
        for arm in arms
        for name in ("passed", "graded")
    )
    full, ablated = (pl.col(f"{arm}_passed") / pl.col(f"{arm}_graded") for arm in arms)
    enough = pl.all_horizontal(pl.col(f"{arm}_graded") >= FEW_RUNS for arm in arms)
    few = pl.format(
        "{} and {} graded trials, " + str(FEW_RUNS) + " needed in each arm",
        "full_graded",
        "ablated_graded",
    )
    return counts.with_columns(
        delta=pl.when(enough).then(full - ablated), reason=pl.when(~enough).then(few)
    ).sort(key)


def _rows(runs: pl.LazyFrame, *columns: str) -> pl.LazyFrame:
    """Return the runs of trial rows, by the names this format has for things."""
    own = runs.filter(pl.col("format") == "trial-row")
    return own.select("run", *SECTION, "suite", *columns, model="subject")


def _sizes() -> tuple[pl.Expr, pl.Expr]:
    """Count trials, which say how large a thing is, and checks."""
    return (
        pl.col("trial_number").n_unique().cast(pl.Int64).alias("trials"),
        pl.len().cast(pl.Int64).alias("checks"),
    )


def _distinct(column: str, name: str) -> pl.Expr:
    return pl.col(column).drop_nulls().unique().sort().alias(name)


def _evidence() -> tuple[pl.Expr, pl.Expr]:
    reasons = pl.col("reason").drop_nulls().unique().sort().head(EXAMPLES).alias("reasons")
    by_place = pl.col("trial").sort_by("run", "trial_number").unique(maintain_order=True)
    return reasons, by_place.head(EXAMPLES).alias("examples")
