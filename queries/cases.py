"""One trial among its siblings, and the criteria of a trial as the trees they were written as."""

from typing import Final

import polars as pl

from queries import grain, tally

_LISTING: Final = (
    *("run", "trial", "item", "item_name", "variants", "repetition", "outcome", "native_status"),
    *("error_code", "error_scope", "reason", "bound_reached", "unfinished", "graded", "turns"),
    *("duration_ms", "criteria", "failing", "errored", "tags", "trial_number"),
)
_TREE: Final = (
    *("run", "trial", "position", "parent", "depth", "role", "note", "scope", "turn", "criterion"),
    *("path", "id", "label", "kind", "operator", "target", "evaluator", "passed", "errored"),
    *("error_code", "decisive", "negated", "fault", "code", "reason", "actual_present", "actual"),
    *("expected", "evidence"),
)

NOTES: Final = {
    "forbidden": "held, where the `not` above it wanted it to fail",
    "alternative": "failed, but another alternative held",
    "wanted": "failed, as the `not` above it wants",
    "broken": "failed, but the criterion errored: nothing was decided",
    "aside": "failed inside a branch that did not decide the outcome",
    "carries": "carries the error of a check below it",
}
"""Why a node that looks wrong did not matter, or one that looks right did."""


def listing(trials: pl.LazyFrame, items: pl.LazyFrame, checks: pl.LazyFrame) -> pl.LazyFrame:
    """Return one row per trial, with its item and its criteria counted."""
    named = items.select("run", "item", "tags", item_name="name")
    return (
        trials.join(named, on=["run", "item"], how="left")
        .join(tally.criteria_by_trial(checks), on="trial", how="left")
        .with_columns(
            pl.col("criteria", "failing", "errored").fill_null(0),
            trial=grain.trial_name(),
            trial_number="trial",
        )
        .select(_LISTING)
        .sort("run", "trial_number")
    )


def siblings(trials: pl.LazyFrame, trial: int) -> pl.LazyFrame:
    """Return the trials of the cell that ``trial`` belongs to, itself among them, in order."""
    cell = ["run", "item", "variants"]
    own = trials.filter(pl.col("trial") == trial).select(cell)
    return (
        trials.join(own, on=cell, how="semi")
        .select(
            "run",
            grain.trial_name().alias("trial"),
            "item",
            "variants",
            "repetition",
            "outcome",
            "error_code",
            trial_number="trial",
        )
        .sort("run", "trial_number")
    )


def tree(checks: pl.LazyFrame) -> pl.LazyFrame:
    """Return the nodes of every criterion in reading order, each with the part it plays.

    ``role`` is decisive (explains why the criterion failed or errored), failing (a failed step on
    the way there), errored (carries an error up), context (failed without deciding anything) or
    passed.
    ``note`` says why a node that looks wrong did not matter.
    """
    nodes = _with_roots(checks)
    key = ["run", "trial", "scope", "root", "path"]
    above = nodes.select(
        *("run", "trial", "scope"),
        parent="position",
        parent_kind="kind",
        parent_passed="passed",
    )
    leading = _leading(nodes).with_columns(leads=True)
    return (
        nodes.join(leading, on=key, how="left", nulls_equal=True)
        .join(above, on=["run", "trial", "scope", "parent"], how="left", nulls_equal=True)
        .with_columns(pl.col("leads").fill_null(value=False))
        .with_columns(role=_role())
        .with_columns(note=_note())
        .select(_TREE)
        .sort("run", "trial", "position")
    )


def _with_roots(checks: pl.LazyFrame) -> pl.LazyFrame:
    """Add each node's depth, and the position and error of the criterion it belongs to."""
    is_root = pl.col("parent").is_null()
    below = pl.col("path").str.count_matches("/", literal=True).cast(pl.Int64)
    inside = below - pl.col("criterion").str.count_matches("/", literal=True)
    criterion = ["run", "trial", "scope"]
    root, broken = (pl.when(is_root).then(column) for column in ("position", "errored"))
    return checks.with_columns(
        depth=pl.when(is_root).then(0).otherwise(inside),
        root=root.forward_fill().over(criterion, order_by="position"),
        root_errored=broken.forward_fill().over(criterion, order_by="position"),
    )


def _leading(nodes: pl.LazyFrame) -> pl.LazyFrame:
    """Return the nodes that hold a decisive leaf: every beginning of such a leaf's path."""
    key = ["run", "trial", "scope", "root"]
    names = pl.col("path").str.split("/")
    return (
        nodes.filter("decisive")
        .select(*key, names=names, length=pl.int_ranges(1, names.list.len()))
        .explode("length")
        .filter(pl.col("length").is_not_null())
        .select(*key, path=pl.col("names").list.head("length").list.join("/"))
        .unique()
    )


def _role() -> pl.Expr:
    failed = ~pl.col("passed")
    return (
        pl.when("decisive")
        .then(pl.lit("decisive"))
        .when("errored")
        .then(pl.lit("errored"))
        .when(failed & pl.col("leads"))
        .then(pl.lit("failing"))
        .when(failed)
        .then(pl.lit("context"))
        .otherwise(pl.lit("passed"))
    )


def _note() -> pl.Expr:
    context = pl.col("role") == "context"
    matters = pl.col("decisive") | pl.col("leads")
    return (
        pl.when(pl.col("role") == "errored")
        .then(pl.lit(NOTES["carries"]))
        .when(matters & pl.col("passed"))
        .then(pl.lit(NOTES["forbidden"]))
        .when(context & pl.col("root_errored"))
        .then(pl.lit(NOTES["broken"]))
        .when(context & (pl.col("parent_kind") == "not") & pl.col("parent_passed"))
        .then(pl.lit(NOTES["wanted"]))
        .when(context & (pl.col("parent_kind") == "any") & pl.col("parent_passed"))
        .then(pl.lit(NOTES["alternative"]))
        .when(context)
        .then(pl.lit(NOTES["aside"]))
    )
