"""How much repetitions of the same thing differ: per cell, and per category of a run.

One repetition says nothing about noise: what it cannot say is null, with the reason, never zero.
"""

from functools import partial
from typing import Final

import polars as pl

from queries import behaviour, grain, intervals, labels, tally
from queries.breakdown import Counts, share
from queries.cells import CELL, added, by_repetitions
from queries.counting import Table, counted, in_order

OUTAGE_SHARE: Final = 0.8
"""A run of which more than this failed or was not graded is suspect: rather an outage than noise"""
MOST_ATTEMPTS: Final = 32
SUSPECT: Final = "suspect run: more than 80 % failed or ungraded"
ONE_REPETITION: Final = "one repetition: noise unknown"
NOTHING_GRADED: Final = "nothing graded"

_CELL_COLUMNS: Final = (
    *(
        "repetitions",
        "measured",
        "passed",
        "failed",
        "ungraded",
        "pass_rate",
        "pass_low",
        "pass_high",
    ),
    *("pass_variance", "flaky", "pair_disagreement", "stable_so_far", "distinct_behaviours"),
    *("distinct_behaviours_masked", "behaviours", "refused_proposals", "samples_with_discards"),
    *("suspect", "reason"),
)
_CATEGORY_COLUMNS: Final = (
    *("cells", "repetitions_least", "repetitions_most", "graded", "passed"),
    *("always_passed", "never_passed", "mixed", "rerun_error", "smallest_gap"),
    *("pair_disagreement", "disagreement_cells", "item_share", "attempts", "suspect", "reason"),
)
_KEY: Final = ("run", "place")


def cells(trials: Table, checks: Table) -> pl.LazyFrame:
    """Return one row per (run, item, variants).

    ``pass_rate`` is passed of graded, or of all repetitions where the format (sample report) says
    so; ``pass_low`` and ``pass_high`` count the ungraded ones as failed and as passed.
    ``pass_variance`` and ``flaky`` follow from it. ``pair_disagreement`` estimates how often
    two repetitions come out differently. ``stable_so_far`` is the failure rate that graded
    repetitions which all passed still leave possible. ``behaviours`` are told apart by signature,
    or by the results of the criteria and their decisive leaves; ``passed`` and ``trial`` are of the
    first repetition that behaved so.
    """
    passed, measured, repetitions = pl.col("passed"), pl.col("measured"), pl.col("repetitions")
    counting = pl.col("counting") > 0
    whole = pl.when(counting).then(repetitions).otherwise(measured)
    rate = pl.col("pass_rate")
    reason = (
        pl.when(measured == 0)
        .then(pl.lit(NOTHING_GRADED))
        .when("suspect")
        .then(pl.lit(SUSPECT))
        .when(measured == 1)
        .then(pl.lit(ONE_REPETITION))
    )
    return (
        counted(tally.cells, trials)
        .join(suspects(counted(tally.outcomes, trials)), on="run")
        .join(_behaviours(trials, checks), on=list(CELL), how="left")
        .with_columns(
            pl.col("behaviours").fill_null([]),
            pl.col("distinct_behaviours", "distinct_behaviours_masked").fill_null(0),
            failed=measured - passed,
            ungraded=repetitions - measured,
            pass_rate=share(passed, whole),
            pass_low=share(passed, repetitions),
            pass_high=share(passed + repetitions - measured, repetitions),
            stable_so_far=intervals.stable_so_far(passed, measured),
            refused_proposals=pl.when(counting).then("refused"),
            samples_with_discards=pl.when(counting).then("discarded"),
            reason=reason,
        )
        .with_columns(
            pass_variance=rate * (1 - rate),
            flaky=(rate > 0) & (rate < 1),
            pair_disagreement=pl.when(reason.is_null()).then(
                share(2 * passed * pl.col("failed"), measured * (measured - 1))
            ),
        )
        .select(*CELL, *_CELL_COLUMNS)
        .sort(CELL)
    )


def suspects(outcomes: pl.LazyFrame) -> pl.LazyFrame:
    """Return for each run whether so much of it failed or stopped that it looks like an outage."""
    trials = pl.col("trials").sum()
    passed = pl.col("trials").filter(pl.col("outcome") == "passed").sum()
    return outcomes.group_by("run").agg(suspect=trials - passed > trials * OUTAGE_SHARE)


def _behaviours(trials: Table, checks: Table) -> pl.LazyFrame:
    """Return the behaviours of each cell, the commonest first, and how many remain when masked."""
    raw = counted(partial(behaviour.signed, column="signature"), trials)
    masked = counted(partial(behaviour.signed, column="masked_signature"), trials)
    traced = counted(behaviour.traced, checks, trials)
    known = pl.concat([raw, traced], how="diagonal")
    order = ("signature", "facts", "digest0", "digest1", "error_code")
    told = pl.struct(
        count="trials",
        passed=pl.col("first") % 2 == 1,
        trial=grain.trial_name(pl.col("first") // 2),
    )
    distinct = pl.len().cast(pl.Int64)
    same = pl.concat([masked.select(CELL), traced.select(CELL)])
    return (
        known.sort(*CELL, -pl.col("trials"), *order)
        .group_by(CELL, maintain_order=True)
        .agg(distinct.alias("distinct_behaviours"), told.alias("behaviours"))
        .join(same.group_by(CELL).agg(distinct.alias("distinct_behaviours_masked")), on=list(CELL))
    )


def categories(counts: Counts) -> pl.LazyFrame:
    """Return one row per (run, category) with a graded cell; ``counts`` of ``reliability.counts``.

    ``rerun_error`` is the standard error of the mean of the cells' rates if the same items ran
    again, ``smallest_gap`` the difference between two such runs worth a look. ``item_share`` is how
    much of the variance lies between cells rather than repetitions, ICC(1). ``attempts`` lists, for
    each k, the chance that any of k repetitions passes (pass@k) and that all do (pass^k).
    """
    graded, mixed, count = pl.col("graded"), pl.col("mixed"), pl.col("cells")
    several = pl.when(graded > 1)
    sums = (
        by_repetitions(counts.passes, _KEY)
        .group_by(_KEY)
        .agg(
            count.sum(),
            graded.min().alias("repetitions_least"),
            graded.max().alias("repetitions_most"),
            (graded * count).sum().alias("graded"),
            (graded * graded * count).sum().alias("squares"),
            pl.col("passed", "always", "never").sum(),
            added(mixed / graded).alias("within"),
            added(mixed / (graded * graded * (graded - 1))).alias("noise"),
            added(several.then(2 * mixed / (graded * (graded - 1)))).alias("disagreement"),
            several.then(count).sum().alias("disagreement_cells"),
        )
    )
    outcomes = counts.outcomes.group_by("run", "outcome").agg(pl.col("trials").sum())
    least, usable = pl.col("repetitions_least"), ~pl.col("suspect")
    error = pl.when(least > 1).then(pl.col("noise").sqrt() / count)
    names = {place: category for category, place in labels.PLACES.items()}
    return (
        sums.join(suspects(outcomes), on="run")
        .join(_attempts(counts.passes, sums.select(*_KEY, "repetitions_least")), on=list(_KEY))
        .with_columns(
            category=pl.col("place").replace_strict(names, return_dtype=pl.String),
            always_passed="always",
            never_passed="never",
            mixed=count - pl.col("always") - pl.col("never"),
            rerun_error=pl.when(usable).then(error),
            smallest_gap=pl.when(usable).then(intervals.normal_quantile(0.975) * 2**0.5 * error),
            pair_disagreement=pl.when(usable).then(
                share(pl.col("disagreement"), pl.col("disagreement_cells"))
            ),
            item_share=_item_share(),
            reason=pl.when("suspect")
            .then(pl.lit(SUSPECT))
            .when(least == 1)
            .then(pl.lit(ONE_REPETITION)),
        )
        .select("run", "category", *_CATEGORY_COLUMNS)
        .sort("run", "category")
    )


def _item_share() -> pl.Expr:
    """ICC(1) of one-way analysis of variance; null where there is no variance or no repetition."""
    n, total, passed, within = (pl.col(name) for name in ("cells", "graded", "passed", "within"))
    whole = total.cast(pl.Float64)
    between = (passed - within - passed * (passed / whole)) / (n - 1)
    inside = within / (total - n)
    size = (whole - pl.col("squares") / whole) / (n - 1)
    known = (n > 1) & (total > n) & (passed > 0) & (passed < total)
    return pl.when(known).then((between - inside) / (between + (size - 1) * inside))


def _attempts(passes: pl.LazyFrame, least: pl.LazyFrame) -> pl.LazyFrame:
    """Return the chances of k attempts, for each k that every cell can answer.

    Counted without replacement, so unbiased; then the mean over cells.
    """
    result = ["graded", "passed"]
    cells = passes.group_by(*_KEY, *result).agg(cells=pl.len().cast(pl.Int64))
    k, graded, passed = pl.col("k"), pl.col("graded"), pl.col("passed")
    taken = graded - k + 1
    chances = (
        cells.select(result)
        .unique()
        .with_columns(k=pl.int_ranges(1, pl.min_horizontal(graded, MOST_ATTEMPTS) + 1))
        .explode("k")
        .with_columns(
            none=((graded - passed - k + 1).clip(0) / taken).cum_prod().over(result, order_by="k"),
            all=((passed - k + 1).clip(0) / taken).cum_prod().over(result, order_by="k"),
        )
    )
    count = pl.col("cells")
    mean = {
        "any": in_order((1 - pl.col("none")) * count, *result) / count.sum(),
        "all": in_order(pl.col("all") * count, *result) / count.sum(),
    }
    return (
        cells.join(least, on=list(_KEY))
        .join(chances, on=result)
        .filter(k <= pl.col("repetitions_least"))
        .group_by(*_KEY, "k")
        .agg(**mean)
        .sort(*_KEY, "k")
        .group_by(_KEY, maintain_order=True)
        .agg(attempts=pl.struct("k", "any", "all"))
    )
