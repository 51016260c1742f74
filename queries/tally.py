"""The counts behind every figure: one pass over trials, checks or votes, Int64 counts per key.

Written once against narwhals' lazy API, so that the same function runs on a Polars LazyFrame, as
SQL inside DuckDB, or on a cluster. Only integers are summed here; whoever divides does it once, at
the end.
"""

import narwhals as nw
from narwhals.typing import IntoLazyFrameT

from queries.counting import count, count_where, flag, flagged, is_root, total_where, totals


def outcomes(trials: IntoLazyFrameT) -> IntoLazyFrameT:
    """Trials per (run, outcome)."""
    grouped = nw.from_native(trials).group_by("run", "outcome")
    return grouped.agg(count().alias("trials")).to_native()


def outcomes_by_item(trials: IntoLazyFrameT) -> IntoLazyFrameT:
    """Trials per (run, item, outcome)."""
    grouped = nw.from_native(trials).group_by("run", "item", "outcome")
    return grouped.agg(count().alias("trials")).to_native()


def cells(trials: IntoLazyFrameT) -> IntoLazyFrameT:
    """Per (run, item, variants): repetitions, measured, passed, and what a format counts of them.

    ``counting`` says how many trials recorded those counts.
    """
    measured = nw.col("graded")
    flags = {
        "measured": measured,
        "passed": nw.col("outcome") == "passed",
        "counting": ~nw.col("cards_created").is_null(),
        "refused": measured & (nw.col("acts_refused") > 0),
        "discarded": measured & (nw.col("discards") > 0),
    }
    key = ("run", "item", "variants")
    frame = nw.from_native(trials).select(*key, *flagged(flags))
    return frame.group_by(*key).agg(count().alias("repetitions"), *totals(*flags)).to_native()


def progress(trials: IntoLazyFrameT) -> IntoLazyFrameT:
    """Per run: cells, repetitions of the largest cell, trials, graded, passed, turns."""
    frame = nw.from_native(trials).with_columns(
        flag(nw.col("graded")).alias("graded"),
        flag(nw.col("outcome") == "passed").alias("passed"),
        nw.col("turns").cast(nw.Int64),
    )
    cells = frame.group_by("run", "item", "variants").agg(
        count().alias("trials"), *totals("graded", "passed", "turns")
    )
    return (
        cells.group_by("run")
        .agg(
            count().alias("cells"),
            nw.col("trials").max().alias("repetitions"),
            *totals("trials", "graded", "passed", "turns"),
        )
        .to_native()
    )


def ungraded(trials: IntoLazyFrameT) -> IntoLazyFrameT:
    """Ungraded trials per (run, item)."""
    frame = nw.from_native(trials).filter(~nw.col("graded"))
    return frame.group_by("run", "item").agg(count().alias("ungraded")).to_native()


def stops(trials: IntoLazyFrameT) -> IntoLazyFrameT:
    """Ungraded or coded trials per (run, item, outcome, native_status, error_code)."""
    frame = nw.from_native(trials).filter(~nw.col("graded") | ~nw.col("error_code").is_null())
    keys = ("run", "item", "outcome", "native_status", "error_code")
    return frame.group_by(*keys).agg(count().alias("trials")).to_native()


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
    roots = nw.from_native(checks).filter(nw.col("parent").is_null()).select("run", *flagged(flags))
    return roots.group_by("run").agg(*totals(*flags)).to_native()


def criteria_by_trial(checks: IntoLazyFrameT) -> IntoLazyFrameT:
    """Per trial: criteria evaluated, failing and errored."""
    errored = nw.col("errored")
    flags = {"failing": ~errored & ~nw.col("passed"), "errored": errored}
    roots = nw.from_native(checks).filter(is_root()).select("trial", *flagged(flags))
    counts = (count().alias("criteria"), *totals(*flags))
    return roots.group_by("trial").agg(*counts).to_native()


def verdicts(
    checks: IntoLazyFrameT, trials: IntoLazyFrameT, places: IntoLazyFrameT, rest: int
) -> IntoLazyFrameT:
    """Per (run, place, item, variants): trials covered and failing, criteria failing.

    Errored criteria stay out.

    Args:
        checks: Rows of the table ``check``.
        trials: Rows of the table ``trial``.
        places: ``place``, a number, of each ``definition``.
        rest: Place of criteria whose definition has none.
    """
    failure = nw.when(~nw.col("passed")).then(nw.lit(1)).alias("failure")
    per_trial = (
        nw.from_native(checks)
        .filter(is_root() & ~nw.col("errored"))
        .select("trial", "definition", failure)
        .join(nw.from_native(places).select("definition", "place"), on="definition", how="left")
        .with_columns(nw.col("place").fill_null(rest))
        .group_by("trial", "place")
        .agg(nw.col("failure").count().cast(nw.Int64).alias("failing"))
    )
    cells = ("run", "item", "variants")
    graded, failing = nw.col("graded"), nw.col("failing") > 0
    cut_short = graded & nw.col("unfinished")
    seen = {
        "covered": graded,
        "failing_trials": graded & failing,
        "unfinished_trials": cut_short & failing,
    }
    sums = {
        "failures": graded,
        "failures_ungraded": ~graded,
        "unfinished_failures": cut_short,
    }
    where = nw.from_native(trials).select("trial", *cells, "graded", "unfinished")
    return (
        per_trial.join(where, on="trial")
        .group_by("run", "place", "item", "variants")
        .agg(
            *(count_where(condition).alias(name) for name, condition in seen.items()),
            *(total_where("failing", condition).alias(name) for name, condition in sums.items()),
        )
        .to_native()
    )


def errored(checks: IntoLazyFrameT, trials: IntoLazyFrameT) -> IntoLazyFrameT:
    """Errored criteria per (run, item, error_code)."""
    items = nw.from_native(trials).select("trial", "run", "item")
    return (
        nw.from_native(checks)
        .filter(is_root() & nw.col("errored"))
        .select("trial", "error_code")
        .join(items, on="trial")
        .group_by("run", "item", "error_code")
        .agg(count().alias("errored_criteria"))
        .to_native()
    )


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
    counts = (count().alias("trials"), *totals(*flags))
    return frame.select("run", *flagged(flags)).group_by("run").agg(*counts).to_native()


def task(trials: IntoLazyFrameT, name: str) -> IntoLazyFrameT:
    """Per run: measured trials that this task scored, and that passed it."""
    column = nw.col(f"task_{name}")
    frame = nw.from_native(trials).filter(~nw.col("cards_created").is_null())
    flags = {
        "passed": nw.col("graded") & column,
        "scored": nw.col("graded") & ~column.is_null(),
    }
    return frame.select("run", *flagged(flags)).group_by("run").agg(*totals(*flags)).to_native()


def discard_codes(discards: IntoLazyFrameT, trials: IntoLazyFrameT) -> IntoLazyFrameT:
    """Discarded answers of measured trials per (run, code)."""
    measured = nw.from_native(trials).filter(nw.col("graded")).select("trial")
    frame = nw.from_native(discards).join(measured, on="trial", how="semi")
    return frame.group_by("run", "code").agg(count().alias("answers")).to_native()
