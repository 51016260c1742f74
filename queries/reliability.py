"""How often each category fails, per run: counts, the rate, and the bounds ungraded trials leave.

Rates that are no category, judges' votes and refused or discarded answers stand beside the
categories, each in a figure of its own; no vote can enter a category's rate, since no vote is among
its inputs.
"""

from typing import Final

import polars as pl

from queries import categories as rules
from queries import tally

RATES: Final = ("clarification", "abandonment", "provider_failure")
TASKS: Final = ("segment", "route", "locate", "extract")
JUDGE_CRITERIA: Final = (
    "language_quality",
    "answer_completeness",
    "tone",
    "operational_claim_integrity",
)

_COUNTS: Final = (
    "failing_trials",
    "failures",
    "failures_ungraded",
    "unfinished_trials",
    "unfinished_failures",
    "errored_criteria",
    "stopped_trials",
)
_CATEGORY_COLUMNS: Final = (
    *("run", "category", "trials", "graded", "covered", "failing_trials", "failures"),
    *("rate", "low", "high", "failure_rate"),
    *("ungraded", "ungraded_relevant", "outcomes", "errored_criteria", "failures_ungraded"),
    *("unfinished_trials", "unfinished_failures", "stopped_trials"),
)


def categories(
    runs: pl.LazyFrame,
    items: pl.LazyFrame,
    trials: pl.LazyFrame,
    checks: pl.LazyFrame,
    definitions: pl.LazyFrame,
    rulebook: rules.RuleBook,
) -> pl.LazyFrame:
    """Return one row per (run, category): who was measured, who failed, the rate and its bounds.

    The denominator is the graded trials that evaluated a criterion of the category, where the
    format says which those are (``covered``), else all graded trials. ``low`` and ``high`` count
    the ungraded trials that could have been measured as failed or as passed. A category nobody
    measured has no rate.
    """
    assigned = rules.assign(definitions, items, runs, rulebook)
    demanded = assigned.join(definitions.filter(pl.col("position") == 0), on="definition")
    key = ["run", "category"]
    counts = (
        _rows(runs, assigned)
        .join(tally.verdicts(checks, assigned), on=key, how="full", coalesce=True)
        .join(_errored(trials, checks, items, runs, rulebook), on=key, how="full", coalesce=True)
        .join(_stopped(trials, items, runs, rulebook), on=key, how="full", coalesce=True)
        .join(_open(demanded, trials), on=key, how="left")
        .join(runs.select("run", "format"), on="run")
        .join(_totals(trials), on="run", how="left")
    )
    return _rates(counts).select(_CATEGORY_COLUMNS).sort(key)


def _rows(runs: pl.LazyFrame, assigned: pl.LazyFrame) -> pl.LazyFrame:
    """Return the categories a run has whatever came out; ``measured`` where a rate makes sense."""
    fixed = pl.LazyFrame(
        [
            (form, category, measured)
            for table, measured in ((rules.RECORDED, True), (rules.STOPPED, False))
            for form, names in table.items()
            for category in names
        ],
        schema={"format": pl.String, "category": pl.String, "measured": pl.Boolean},
        orient="row",
    )
    always = runs.select("run", "format").join(fixed, on="format")
    demanded = assigned.select("run", "category", measured=True)
    return (
        pl.concat([always.select("run", "category", "measured"), demanded])
        .group_by("run", "category")
        .agg(pl.col("measured").any())
    )


def _errored(
    trials: pl.LazyFrame,
    checks: pl.LazyFrame,
    items: pl.LazyFrame,
    runs: pl.LazyFrame,
    rulebook: rules.RuleBook,
) -> pl.LazyFrame:
    """Count errored criteria per (run, category of their code)."""
    none = pl.lit(None, dtype=pl.String)
    rows = tally.errored(checks).join(trials.select("trial", "item"), on="trial", how="left")
    named = rules.codes(rows.with_columns(outcome=none, native_status=none), items, runs, rulebook)
    return named.group_by("run", "category").agg(pl.col("errored_criteria").sum())


def _stopped(
    trials: pl.LazyFrame, items: pl.LazyFrame, runs: pl.LazyFrame, rulebook: rules.RuleBook
) -> pl.LazyFrame:
    """Count trials per (run, category of the code or outcome they stopped with)."""
    named = rules.codes(tally.stops(trials), items, runs, rulebook)
    return (
        named.filter(pl.col("category").is_not_null())
        .group_by("run", "category")
        .agg(pl.col("trials").sum().alias("stopped_trials"))
    )


def _open(demanded: pl.LazyFrame, trials: pl.LazyFrame) -> pl.LazyFrame:
    """Count ungraded trials per (run, category) of items that demand something of the category."""
    return (
        demanded.select("run", "category", "item")
        .unique()
        .join(tally.ungraded(trials), on=["run", "item"])
        .group_by("run", "category")
        .agg(pl.col("ungraded").sum().alias("demanding"))
    )


def _totals(trials: pl.LazyFrame) -> pl.LazyFrame:
    """Return trials, graded and the outcomes of the ungraded per run."""
    ungraded = pl.col("outcome").is_in(["passed", "failed"]).not_()
    outcome = pl.struct("outcome", "trials")
    return (
        tally.outcomes(trials)
        .group_by("run")
        .agg(
            pl.col("trials").sum(),
            pl.col("trials").filter(~ungraded).sum().alias("graded"),
            outcome.filter(ungraded).sort_by(pl.col("outcome").filter(ungraded)).alias("outcomes"),
        )
    )


def _rates(counts: pl.LazyFrame) -> pl.LazyFrame:
    """Fill absent counts with zero and divide, once."""
    known = pl.col("format") == "evaluation-report"
    zeros = pl.col("trials", "graded", "covered", "demanding", *_COUNTS).fill_null(0)
    measured = pl.col("measured").fill_null(value=False)
    denominator = pl.when(known).then("covered").when(measured).then("graded")
    missing = pl.when(known).then("demanding").when(measured).then("ungraded").otherwise(0)
    passing = pl.col("denominator") - pl.col("failing_trials")
    every = pl.col("denominator") + pl.col("ungraded_relevant")
    return (
        counts.with_columns(zeros, pl.col("outcomes").fill_null([]))
        .with_columns(ungraded=pl.col("trials") - pl.col("graded"))
        .with_columns(
            denominator=denominator,
            ungraded_relevant=missing,
            covered=pl.when(known).then("covered"),
        )
        .with_columns(
            rate=_share(passing, pl.col("denominator")),
            low=_share(passing, every),
            high=_share(passing + pl.col("ungraded_relevant"), every),
            failure_rate=_share(pl.col("failing_trials"), pl.col("trials")),
        )
    )


def _share(part: pl.Expr, whole: pl.Expr) -> pl.Expr:
    """Divide two counts; nothing of nothing is unknown."""
    return pl.when(whole > 0).then(part / whole)


def _place(column: str, order: tuple[str, ...]) -> pl.Expr:
    """Return where a word stands in a fixed order; unknown words last."""
    places = {word: place for place, word in enumerate(order)}
    return pl.col(column).replace_strict(places, default=len(order), return_dtype=pl.Int64)


def rates(trials: pl.LazyFrame) -> pl.LazyFrame:
    """Return how many trials asked back, were abandoned or met a provider failure, per (run, name).

    Over all trials, of formats that count them.
    """
    return (
        tally.counters(trials)
        .unpivot(RATES, index=["run", "trials"], variable_name="name", value_name="count")
        .select("run", "name", "count", "trials", rate=_share(pl.col("count"), pl.col("trials")))
        .sort("run", _place("name", RATES))
    )


def votes(votes: pl.LazyFrame) -> pl.LazyFrame:
    """Return the judges' scores per (run, criterion), from the majority of each trial's votes."""
    judged, scored = pl.col("judged"), pl.col("scored")
    return (
        tally.scores(tally.judgements(votes))
        .sort("run", _place("criterion", JUDGE_CRITERIA), "criterion")
        .select(
            "run",
            "criterion",
            "judged",
            "votes",
            "failed_votes",
            "scored",
            mean_score=_share(pl.col("majority"), scored),
            min_score="min_score",
            max_score="max_score",
            mean_vote_spread=_share(pl.col("spread"), judged),
        )
    )


def refused(trials: pl.LazyFrame) -> pl.LazyFrame:
    """Return measured trials with a refused proposal, per run."""
    return tally.counters(trials).select("run", "measured", count="refused").sort("run")


def discards(trials: pl.LazyFrame, discards: pl.LazyFrame) -> pl.LazyFrame:
    """Return measured trials with a discarded answer per run, and how often each code occurs."""
    codes = (
        tally.discard_codes(discards, trials)
        .sort("run", -pl.col("answers"), "code")
        .group_by("run", maintain_order=True)
        .agg(pl.struct("code", "answers").alias("codes"))
    )
    return (
        tally.counters(trials)
        .join(codes, on="run", how="left")
        .select("run", "measured", pl.col("codes").fill_null([]), count="discarded")
        .sort("run")
    )


def tasks(trials: pl.LazyFrame) -> pl.LazyFrame:
    """Return measured trials that passed each task, of those it scored, per (run, task)."""
    parts = [
        tally.task(trials, name).select("run", pl.lit(name).alias("task"), "passed", "scored")
        for name in TASKS
    ]
    return pl.concat(parts).sort("run", _place("task", TASKS))
