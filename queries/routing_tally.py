"""The counts behind routing: failed checks of trial rows, and how often each ran."""

import narwhals as nw
from narwhals.typing import IntoLazyFrameT

from queries.counting import count, flag, is_root, totals


def failed(checks: IntoLazyFrameT, trials: IntoLazyFrameT) -> IntoLazyFrameT:
    """The checks that failed with somebody's fault, one a row, with their scenario."""
    placed = nw.from_native(trials).select("trial", "item")
    columns = ("run", "trial", "criterion", "fault", "code", "unfinished", "reason")
    return (
        nw.from_native(checks)
        .filter(is_root() & ~nw.col("passed") & ~nw.col("fault").is_null())
        .select(*columns)
        .join(placed, on="trial")
        .to_native()
    )


def evaluated(checks: IntoLazyFrameT) -> IntoLazyFrameT:
    """Per definition: trials that evaluated it, and that failed it."""
    return (
        nw.from_native(checks)
        .filter(is_root())
        .select("definition", flag(~nw.col("passed")).alias("failed"))
        .group_by("definition")
        .agg(count().alias("trials"), *totals("failed"))
        .to_native()
    )


def scenarios(trials: IntoLazyFrameT) -> IntoLazyFrameT:
    """Per (run, scenario): trials, graded and passed."""
    return (
        nw.from_native(trials)
        .select(
            *("run", "item"),
            flag(nw.col("graded")).alias("graded"),
            flag(nw.col("outcome") == "passed").alias("passed"),
        )
        .group_by("run", "item")
        .agg(count().alias("trials"), *totals("graded", "passed"))
        .to_native()
    )
