"""The runs of a suite in order: where one may be read on to the next, and where not."""

from typing import Final

import polars as pl

from queries.changes import CLOSE

IDENTITY: Final = {
    "version": "another report version",
    "dialect": "another dialect",
    "definition": "another suite definition",
    "subject_fingerprint": "another fingerprint of the subject",
}
"""What must be the same for two runs to be read as one line, and what to say where it is not."""
_LINE: Final = ["suite", "subject", "arm"]
_DATE: Final = r"(\d{4}-\d{2}-\d{2})"


def definitions(runs: pl.LazyFrame, items: pl.LazyFrame, parts: pl.LazyFrame) -> pl.LazyFrame:
    """Return what each run's suite consists of, as one number: ``run, definition``.

    The digest of the suite where the report records one, else of its items and of those parts of
    them that are not derived; null where a report tells neither.
    """
    told = parts.filter(pl.col("provenance") != "derived").with_columns(
        pl.concat_str("item", "part", "digest", separator="\n").hash().alias("piece")
    )
    own = items.filter(pl.col("digest").is_not_null()).with_columns(
        pl.concat_str("item", "digest", separator="\n").hash().alias("piece")
    )
    pieces = pl.concat([told.select("run", "piece"), own.select("run", "piece")])
    known = pieces.group_by("run").agg(pl.col("piece").sort().alias("pieces"))
    told = runs.join(known, on="run", how="left").select(
        "run",
        definition=pl.coalesce("suite_digest", pl.col("pieces").hash().cast(pl.String)).pipe(
            lambda digest: pl.when(
                pl.col("suite_digest").is_not_null() | pl.col("pieces").is_not_null()
            ).then(digest)
        ),
    )
    return told.sort("run")


def ordered(runs: pl.LazyFrame) -> pl.LazyFrame:
    """Return the runs in the order they happened, each with its line and where it breaks.

    Args:
        runs: Rows of ``run`` with ``path``, ``ingested_at`` and ``definition``.

    Returns:
        The columns of ``runs`` and ``seen_at, order, segment, breaks``: ``segment`` numbers the
        stretches of a line (suite, subject, arm) whose runs may be read on, ``breaks`` says why a
        run starts another one.
    """
    file = pl.col("path").str.split("/").list.last()
    seen = pl.coalesce(
        "started_at", file.str.extract(_DATE), pl.col("ingested_at").dt.strftime("%Y-%m-%dT%H:%M")
    )
    placed = (
        runs.with_columns(seen_at=seen)
        .sort("seen_at", "path", "position", "run", nulls_last=True)
        .with_columns(order=pl.int_range(pl.len(), dtype=pl.Int64))
    )
    differs = {name: _differs(name) for name in IDENTITY}
    said = [pl.when(differs[name]).then(pl.lit(text)) for name, text in IDENTITY.items()]
    return placed.with_columns(
        breaks=pl.concat_list(said).list.drop_nulls(),
        segment=pl.any_horizontal(differs.values())
        .cast(pl.Int64)
        .cum_sum()
        .over(_LINE, order_by="order"),
    )


def _differs(name: str) -> pl.Expr:
    """Whether a run of a line has another value than the one before it."""
    before = pl.col(name).shift(1).over(_LINE, order_by="order")
    first = pl.col("order") == pl.col("order").min().over(_LINE)
    return ~first & pl.col(name).ne_missing(before)


def strips(cells: pl.LazyFrame, runs: pl.LazyFrame) -> pl.LazyFrame:
    """Return one row per (item, variants, run): how the cell stood, and whether that is new.

    Args:
        cells: ``run, item, variants``, and how many trials were measured and passed.
        runs: Rows of :func:`ordered`, of the runs that are read; suspect ones left out.

    Returns:
        ``item, variants, run, order, passed, measured, trials, state, changed``; ``state`` is
        passed, failed, mixed or ungraded, ``changed`` says that the rate moved since the last
        graded run of the same line and segment.
    """
    passed, measured = pl.col("passed"), pl.col("measured")
    line = ["item", "variants", *_LINE, "segment"]
    rate = pl.when(measured > 0).then(passed / measured)
    state = (
        pl.when(measured == 0)
        .then(pl.lit("ungraded"))
        .when(passed == measured)
        .then(pl.lit("passed"))
        .when(passed == 0)
        .then(pl.lit("failed"))
        .otherwise(pl.lit("mixed"))
    )
    before = pl.col("rate").forward_fill().shift(1).over(line, order_by="order")
    return (
        cells.join(runs.select("run", "order", "segment", *_LINE), on="run")
        .with_columns(state=state, rate=rate)
        .with_columns(changed=((pl.col("rate") - before).abs() > CLOSE).fill_null(value=False))
        .sort("item", "variants", "order")
        .select(
            *("item", "variants", "run", "order", "passed", "measured", "trials", "state"),
            "changed",
        )
    )


def listed(strips: pl.LazyFrame) -> pl.LazyFrame:
    """Return the cells, those that changed most often first: ``item, variants, changes``."""
    unsteady = pl.col("state").is_in(["mixed", "failed"])
    return (
        strips.group_by("item", "variants")
        .agg(
            changes=pl.col("changed").sum().cast(pl.Int64),
            unsteady=unsteady.sum().cast(pl.Int64),
        )
        .sort("changes", "unsteady", "item", "variants", descending=[True, True, False, False])
    )
