"""The counts behind every figure: one pass over trials, checks or votes, Int64 counts per key.

Written once against narwhals' lazy API, so that the same function runs on a Polars LazyFrame, as
SQL inside DuckDB, or on a cluster. Only integers are summed here; whoever divides does it once, at
the end.
"""

from collections.abc import Mapping
from typing import Final

import narwhals as nw
from narwhals.typing import IntoLazyFrameT

UNMAPPED: Final = "unmapped"


def _count() -> nw.Expr:
    return nw.len().cast(nw.Int64)


def _int(condition: nw.Expr) -> nw.Expr:
    """One where the condition holds, zero where it fails or is unknown."""
    return nw.when(condition).then(nw.lit(1)).otherwise(nw.lit(0)).cast(nw.Int64)


def _flags(conditions: Mapping[str, nw.Expr]) -> list[nw.Expr]:
    return [_int(condition).alias(name) for name, condition in conditions.items()]


def _totals(*columns: str) -> list[nw.Expr]:
    return [nw.col(column).sum().cast(nw.Int64) for column in columns]


def _criteria() -> nw.Expr:
    """Roots of turn and trial scope."""
    return nw.col("parent").is_null() & (nw.col("scope") != "run")


def outcomes(trials: IntoLazyFrameT) -> IntoLazyFrameT:
    """Trials per (run, outcome)."""
    grouped = nw.from_native(trials).group_by("run", "outcome")
    return grouped.agg(_count().alias("trials")).to_native()


def progress(trials: IntoLazyFrameT) -> IntoLazyFrameT:
    """Per run: cells, repetitions of the largest cell, trials, graded, passed, turns."""
    frame = nw.from_native(trials).with_columns(
        _int(nw.col("graded")).alias("graded"),
        _int(nw.col("outcome") == "passed").alias("passed"),
        nw.col("turns").cast(nw.Int64),
    )
    cells = frame.group_by("run", "item", "variants").agg(
        _count().alias("trials"), *_totals("graded", "passed", "turns")
    )
    return (
        cells.group_by("run")
        .agg(
            _count().alias("cells"),
            nw.col("trials").max().alias("repetitions"),
            *_totals("trials", "graded", "passed", "turns"),
        )
        .to_native()
    )


def ungraded(trials: IntoLazyFrameT) -> IntoLazyFrameT:
    """Ungraded trials per (run, item)."""
    frame = nw.from_native(trials).filter(~nw.col("graded"))
    return frame.group_by("run", "item").agg(_count().alias("ungraded")).to_native()


def stops(trials: IntoLazyFrameT) -> IntoLazyFrameT:
    """Ungraded or coded trials per (run, item, outcome, native_status, error_code)."""
    frame = nw.from_native(trials).filter(~nw.col("graded") | ~nw.col("error_code").is_null())
    keys = ("run", "item", "outcome", "native_status", "error_code")
    return frame.group_by(*keys).agg(_count().alias("trials")).to_native()


def criteria(checks: IntoLazyFrameT) -> IntoLazyFrameT:
    """Per run: criteria that failed and that errored, and the suite's own criteria by result."""
    suite, errored, passed = nw.col("scope") == "run", nw.col("errored"), nw.col("passed")
    flags = {
        "criteria_failing": ~suite & ~errored & ~passed,
        "criteria_errored": ~suite & errored,
        "suite_passed": suite & ~errored & passed,
        "suite_failed": suite & ~errored & ~passed,
        "suite_errored": suite & errored,
    }
    roots = nw.from_native(checks).filter(nw.col("parent").is_null()).select("run", *_flags(flags))
    return roots.group_by("run").agg(*_totals(*flags)).to_native()


def criteria_by_trial(checks: IntoLazyFrameT) -> IntoLazyFrameT:
    """Per trial: criteria evaluated, failing and errored."""
    errored = nw.col("errored")
    flags = {"failing": ~errored & ~nw.col("passed"), "errored": errored}
    roots = nw.from_native(checks).filter(_criteria()).select("trial", *_flags(flags))
    counts = (_count().alias("criteria"), *_totals(*flags))
    return roots.group_by("trial").agg(*counts).to_native()


def verdicts(checks: IntoLazyFrameT, categories: IntoLazyFrameT) -> IntoLazyFrameT:
    """Per (run, category): trials covered and failing, criteria failing; errored criteria stay out.

    Args:
        checks: Rows of the table ``check``.
        categories: Category of each ``definition``; a criterion without one is unmapped.
    """
    graded, failing = nw.col("graded"), ~nw.col("passed")
    flags = {
        "covered": graded,
        "failures": failing & graded,
        "failures_ungraded": failing & ~graded,
        "unfinished_failures": failing & graded & nw.col("unfinished"),
    }
    named = nw.from_native(categories).select("definition", "category")
    roots = (
        nw.from_native(checks)
        .filter(_criteria() & ~nw.col("errored"))
        .select("run", "trial", "definition", *_flags(flags))
        .join(named, on="definition", how="left")
        .with_columns(nw.col("category").fill_null(UNMAPPED))
    )
    sums = ("failures", "failures_ungraded", "unfinished_failures")
    per_trial = roots.group_by("run", "category", "trial").agg(
        nw.col("covered").max(), *_totals(*sums)
    )
    failing_trials = {
        "failing_trials": nw.col("failures") > 0,
        "unfinished_trials": nw.col("unfinished_failures") > 0,
    }
    return (
        per_trial.with_columns(*_flags(failing_trials))
        .group_by("run", "category")
        .agg(*_totals("covered", *failing_trials, *sums))
        .to_native()
    )


def errored(checks: IntoLazyFrameT) -> IntoLazyFrameT:
    """Errored criteria per (run, trial, error_code)."""
    frame = nw.from_native(checks).filter(_criteria() & nw.col("errored"))
    counted = frame.group_by("run", "trial", "error_code").agg(_count().alias("errored_criteria"))
    return counted.to_native()


def counters(trials: IntoLazyFrameT) -> IntoLazyFrameT:
    """Per run of a format that counts them: trials with a card, a refusal, a discard and so on."""
    frame = nw.from_native(trials).filter(~nw.col("cards_created").is_null())
    measured = nw.col("graded")
    flags = {
        "measured": measured,
        "clarification": nw.col("cards_created") > 0,
        "abandonment": nw.col("abandoned"),
        "provider_failure": nw.col("provider_failures") > 0,
        "refused": measured & (nw.col("acts_refused") > 0),
        "discarded": measured & (nw.col("discards") > 0),
    }
    counts = (_count().alias("trials"), *_totals(*flags))
    return frame.select("run", *_flags(flags)).group_by("run").agg(*counts).to_native()


def task(trials: IntoLazyFrameT, name: str) -> IntoLazyFrameT:
    """Per run: measured trials that this task scored, and that passed it."""
    column = nw.col(f"task_{name}")
    frame = nw.from_native(trials).filter(~nw.col("cards_created").is_null())
    flags = {
        "passed": nw.col("graded") & column,
        "scored": nw.col("graded") & ~column.is_null(),
    }
    return frame.select("run", *_flags(flags)).group_by("run").agg(*_totals(*flags)).to_native()


def discard_codes(discards: IntoLazyFrameT, trials: IntoLazyFrameT) -> IntoLazyFrameT:
    """Discarded answers of measured trials per (run, code)."""
    measured = nw.from_native(trials).filter(nw.col("graded")).select("trial")
    frame = nw.from_native(discards).join(measured, on="trial", how="semi")
    return frame.group_by("run", "code").agg(_count().alias("answers")).to_native()


def judgements(votes: IntoLazyFrameT) -> IntoLazyFrameT:
    """Per (run, trial, criterion): votes, votes without a verdict, majority, spread of the scores.

    The majority is the score most votes gave, the lower one on a tie; null when no vote has one.
    """
    key = ("run", "trial", "criterion")
    frame = nw.from_native(votes).with_columns(nw.col("score").cast(nw.Int64))
    counted = frame.group_by(*key, "score").agg(
        _count().alias("given"), nw.col("vote").count().cast(nw.Int64).alias("votes")
    )
    scored = counted.filter(~nw.col("score").is_null()).with_columns(
        nw.col("given").max().over(*key).alias("most")
    )
    majority = (
        scored.filter(nw.col("given") == nw.col("most"))
        .group_by(*key)
        .agg(nw.col("score").min().alias("majority"))
    )
    unscored = nw.when(nw.col("score").is_null()).then(nw.col("votes")).otherwise(nw.lit(0))
    return (
        counted.with_columns(unscored.cast(nw.Int64).alias("failed_votes"))
        .group_by(*key)
        .agg(
            *_totals("votes", "failed_votes"),
            (nw.col("score").max() - nw.col("score").min()).fill_null(0).alias("spread"),
        )
        .join(majority, on=list(key), how="left")
        .to_native()
    )


def scores(judged: IntoLazyFrameT) -> IntoLazyFrameT:
    """Sums of :func:`judgements` per (run, criterion)."""
    majority = nw.col("majority")
    return (
        nw.from_native(judged)
        .group_by("run", "criterion")
        .agg(
            _count().alias("judged"),
            majority.count().cast(nw.Int64).alias("scored"),
            *_totals("votes", "failed_votes", "spread", "majority"),
            majority.min().alias("min_score"),
            majority.max().alias("max_score"),
        )
        .to_native()
    )
