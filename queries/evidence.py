"""Criteria that failed or errored, the leaves that explain each, and what they have in common."""

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any, Final

import polars as pl

from ingest.masking import mask
from queries import categories as rules
from queries import grain

_LEAF: Final = ("path", "negated", "error_code")
_ROOT: Final = (
    *("run", "trial", "position", "scope", "turn", "criterion", "errored", "definition"),
    *("label", "kind", "operator", "target", "evaluator", "unfinished"),
    *("fault", "code", "reason", "error_code"),
)
_FAILURE: Final = (
    *("run", "item", "variants", "repetition", "trial", "scope", "turn", "step", "criterion"),
    *("errored", "category", "rule", "decisive", "fault", "code", "expected", "actual", "reason"),
    *("label", "kind", "operator", "target", "evaluator", "unfinished", "definition", "position"),
    *("outcome", "error_code", "cause", "tags", "trial_number"),
)
_SUITE: Final = (
    *("run", "position", "criterion", "errored", "decisive", "expected", "actual"),
    *("label", "kind", "operator", "target", "evaluator", "error_code", "definition", "cause"),
)
_EXAMPLE: Final = (
    *("rule", "label", "kind", "scope", "decisive", "expected", "actual", "error_code"),
    *("trial", "position"),
)


def failures(
    runs: pl.LazyFrame,
    items: pl.LazyFrame,
    trials: pl.LazyFrame,
    turns: pl.LazyFrame,
    checks: pl.LazyFrame,
    definitions: pl.LazyFrame,
    rulebook: rules.RuleBook,
) -> pl.LazyFrame:
    """Return one row per turn or trial criterion that failed or errored.

    ``decisive`` lists the leaves that explain it; ``expected`` and ``actual`` are those of the only
    one, null when there are several. ``cause`` is equal where those leaves, their values (ids
    masked), fault and code are.
    """
    roots = _unmet(checks).filter(pl.col("scope") != "run").select(_ROOT)
    rows = (
        _explained(roots, checks, by="trial")
        .join(
            trials.select("trial", "item", "variants", "repetition", "outcome"),
            on="trial",
            how="left",
        )
        .join(turns.select("trial", "turn", "step"), on=["trial", "turn"], how="left")
        .join(items.select("run", "item", "tags"), on=["run", "item"], how="left")
    )
    return (
        _categorised(rows, runs, items, definitions, rulebook)
        .with_columns(trial=grain.trial_name(), trial_number="trial")
        .select(_FAILURE)
        .sort("run", "trial_number", "position")
    )


def suite(checks: pl.LazyFrame) -> pl.LazyFrame:
    """Return one row per criterion of the suite itself that failed or errored."""
    roots = _unmet(checks).filter(pl.col("scope") == "run").select(_ROOT)
    own = checks.filter(pl.col("scope") == "run")
    return _explained(roots, own, by="run").select(_SUITE).sort("run", "position")


def decisive(checks: pl.LazyFrame) -> pl.LazyFrame:
    """Return the leaves that explain why a turn or trial criterion failed or errored, one a row."""
    own = checks.filter(pl.col("scope") != "run")
    leaves = _leaves(own, _unmet(own), by="trial")
    return leaves.select(
        *("run", "trial", "criterion_position", "position", "criterion", "path", "negated"),
        *("label", "kind", "operator", "target", "evaluator", "passed", "error_code"),
        *("actual_present", "actual", "expected"),
    ).sort("run", "trial", "position")


def groups(failures: pl.LazyFrame) -> pl.LazyFrame:
    """Return one row per criterion and cause: how many trials and cells it reached, and an example.

    Failures of a run share a row only when category, criterion, fault, code and cause are equal.
    What stands beside the counts is of the first failure of the row.
    """
    return _grouped(failures, grain.KEYS["evidence.groups"])


def criteria(failures: pl.LazyFrame) -> pl.LazyFrame:
    """Return the rows of :func:`groups` with causes put together: one row per criterion."""
    return _grouped(failures, grain.KEYS["evidence.criteria"])


def _grouped(failures: pl.LazyFrame, key: tuple[str, ...]) -> pl.LazyFrame:
    counts = ("trials", "cells", "items", "failures")
    return (
        failures.sort("run", "trial_number", "position")
        .group_by(key, maintain_order=True)
        .agg(
            *(pl.col(column).first() for column in _EXAMPLE),
            trials=_distinct(pl.col("trial_number")),
            cells=_distinct(pl.struct("item", "variants")),
            items=_distinct(pl.col("item")),
            failures=pl.len().cast(pl.Int64),
        )
        .select(*key, *counts, *_EXAMPLE)
        .sort(key)
    )


def _distinct(values: pl.Expr) -> pl.Expr:
    return values.n_unique().cast(pl.Int64)


def _unmet(checks: pl.LazyFrame) -> pl.LazyFrame:
    return checks.filter(pl.col("parent").is_null() & (pl.col("errored") | ~pl.col("passed")))


def _leaves(checks: pl.LazyFrame, roots: pl.LazyFrame, by: str) -> pl.LazyFrame:
    """Return decisive leaves with their criterion's position: the last criterion before them."""
    starts = roots.select(by, "position", criterion_position="position").sort("position")
    return (
        checks.filter(pl.col("decisive"))
        .sort("position")
        .join_asof(starts, on="position", by=by, strategy="backward", check_sortedness=False)
        .filter(pl.col("criterion_position").is_not_null())
    )


def _explained(roots: pl.LazyFrame, checks: pl.LazyFrame, by: str) -> pl.LazyFrame:
    """Add ``decisive``, ``expected``, ``actual`` and ``cause`` to unmet criteria."""
    single = pl.len() == 1
    facts = pl.struct(*_LEAF, "expected", "actual", "actual_present")
    grouped = (
        _leaves(checks, roots, by)
        .sort(by, "position")
        .group_by(by, "criterion_position", maintain_order=True)
        .agg(
            pl.struct(_LEAF).alias("decisive"),
            pl.when(single).then(pl.col("expected").first()).alias("expected"),
            pl.when(single).then(pl.col("actual").first()).alias("actual"),
            facts.alias("facts"),
        )
        .rename({"criterion_position": "position"})
    )
    subject = pl.when(pl.col("kind") == "expectation").then("label").alias("subject")
    told = pl.struct("fault", "code", subject, "facts")
    return roots.join(grouped, on=[by, "position"], how="left").with_columns(
        pl.col("decisive").fill_null([]),
        cause=told.map_batches(_digests, return_dtype=pl.String),
    )


def _digests(causes: pl.Series) -> pl.Series:
    """Name every cause; equal ones, of which there are many, are named once."""
    if causes.is_empty():
        return pl.Series(causes.name, [], dtype=pl.String)
    keys = causes.struct.json_encode()
    first = pl.DataFrame({"key": keys}).with_row_index().unique("key", maintain_order=True)
    names = [_digest(causes[place]) for place in first["index"]]
    return keys.replace_strict(first["key"], names, return_dtype=pl.String).alias(causes.name)


def _digest(cause: Mapping[str, Any]) -> str:
    """Name a cause by a digest that no version of a library changes."""
    leaves: Sequence[Mapping[str, Any]] = cause["facts"] or ()
    told = [
        [cause["fault"], cause["code"], cause["subject"]],
        *(list(leaf.values()) for leaf in leaves),
    ]
    return hashlib.sha256(mask(repr(told)).encode()).hexdigest()[:12]


def _categorised(
    rows: pl.LazyFrame,
    runs: pl.LazyFrame,
    items: pl.LazyFrame,
    definitions: pl.LazyFrame,
    rulebook: rules.RuleBook,
) -> pl.LazyFrame:
    """Add ``category`` and ``rule``: of the definition, or of the code of an errored criterion."""
    assigned = rules.assign(definitions, items, runs, rulebook)
    unmet = rows.filter(~pl.col("errored")).join(
        assigned.select("definition", "category", "rule"), on="definition", how="left"
    )
    broken = rows.filter("errored").with_columns(
        trial_outcome="outcome",
        outcome=pl.lit(None, pl.String),
        native_status=pl.lit(None, pl.String),
    )
    coded = (
        rules.codes(broken.drop("tags"), items, runs, rulebook)
        .with_columns(outcome="trial_outcome")
        .drop("trial_outcome", "native_status")
        .join(items.select("run", "item", "tags"), on=["run", "item"], how="left")
    )
    return pl.concat([unmet, coded], how="diagonal").with_columns(
        pl.col("category").fill_null(rules.UNMAPPED)
    )
