"""Which category each criterion, failure and stop belongs to, and the rule that says so.

Rules are applied when a figure is computed, so a changed rule needs no new ingest.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Final

import polars as pl

from queries.rules import (
    CATEGORIES,
    LEAF_FIELDS,
    STOP_FIELDS,
    Category,
    Rule,
    RuleBook,
    RulesError,
    read,
    shipped,
)

__all__ = [
    "CATEGORIES",
    "RECORDED",
    "STOPPED",
    "UNMAPPED",
    "Category",
    "Rule",
    "RuleBook",
    "RulesError",
    "assign",
    "codes",
    "read",
    "shipped",
]

UNMAPPED: Final = "unmapped"
RECORDED: Final[Mapping[str, tuple[Category, ...]]] = {
    "sample-report": (
        "side_effect_integrity",
        "operational_claim_integrity",
        "semantic_interpretation",
        "clarification",
        "unmapped",
    ),
    "trial-row": (
        "side_effect_integrity",
        "operational_claim_integrity",
        "semantic_interpretation",
        "abandonment",
        "tool_fault",
        "unmapped",
    ),
}
"""Categories a format reports failures of: present in its runs whether or not one occurred."""
STOPPED: Final[Mapping[str, tuple[Category, ...]]] = {"trial-row": ("provider_failure",)}
"""Categories a format only ever stops trials for: shown, without a rate."""


def _glob(column: pl.Expr, pattern: str) -> pl.Expr:
    """Match a whole text, ``*`` standing for any characters and ``?`` for one."""
    if not re.search(r"[*?]", pattern):
        return column == pattern
    parts = {"*": ".*", "?": "."}
    regex = "".join(
        parts.get(piece) or pl.escape_regex(piece) for piece in re.split(r"([*?])", pattern)
    )
    return column.str.contains(rf"(?s)\A{regex}\z")


def _path(pointer: str) -> pl.Expr:
    """Match the first segments of a JSON array of names and positions."""
    segments = [pl.escape_regex(segment) for segment in pointer.split("/")[1:]]
    array = r"\s*,\s*".join(rf'(?:"{segment}"|{segment})' for segment in segments)
    return pl.col("target").str.contains(rf"\A\s*\[\s*{array}\s*[,\]]")


def _text(column: str) -> Callable[[str], pl.Expr]:
    return lambda value: _glob(pl.col(column), value)


_MATCH: Final[Mapping[str, Callable[[str], pl.Expr]]] = {
    "format": lambda value: pl.col("format") == value,
    "dialect": pl.col("dialect").str.split(" + ").list.contains,
    "suite": _text("suite"),
    "item": _text("item"),
    "tag": lambda value: pl.col("tags").list.eval(_glob(pl.element(), value)).list.any(),
    "criterion": _text("criterion"),
    "expectation": _text("expectation"),
    "fault": lambda value: pl.col("fault") == value,
    "code": _text("code"),
    "evaluator": _text("evaluator"),
    "path": _path,
    "error_code": _text("error_code"),
    "outcome": lambda value: (pl.col("outcome") == value) | (pl.col("native_status") == value),
}


def _first(numbered: list[tuple[int, Rule]]) -> pl.Expr:
    """Return the number of the first rule that matches a row; null when none does."""
    found = pl.lit(None, dtype=pl.Int64)
    for number, rule in reversed(numbered):
        conditions = [_MATCH[field](value) for field, value in rule.wanted().items()]
        holds = pl.all_horizontal(conditions)
        found = pl.when(holds).then(pl.lit(number, pl.Int64)).otherwise(found)
    return found


def _passes(rules: RuleBook) -> Iterator[tuple[bool, list[tuple[int, Rule]]]]:
    """Yield each book's rules about whole criteria, then its rules about leaves."""
    for book in sorted({placed.book for placed in rules}):
        for leaves in (False, True):
            yield (
                leaves,
                [
                    (number, placed.rule)
                    for number, placed in enumerate(rules)
                    if placed.book == book
                    and not placed.rule.wanted().keys() & STOP_FIELDS
                    and bool(placed.rule.wanted().keys() & LEAF_FIELDS) == leaves
                ],
            )


def _named(frame: pl.LazyFrame, rules: RuleBook) -> pl.LazyFrame:
    """Add ``category`` and ``rule`` of the rule whose number is in the column ``number``."""
    table = pl.LazyFrame(
        {
            "number": range(len(rules)),
            "category": [placed.rule.category for placed in rules],
            "rule": [placed.name for placed in rules],
        },
        schema={"number": pl.Int64, "category": pl.String, "rule": pl.String},
    )
    return frame.join(table, on="number", how="left", maintain_order="left").drop("number")


def _in_context(frame: pl.LazyFrame, items: pl.LazyFrame, runs: pl.LazyFrame) -> pl.LazyFrame:
    return frame.join(items.select("run", "item", "tags"), on=["run", "item"], how="left").join(
        runs.select("run", "format", "dialect", "suite"), on="run", how="left"
    )


def assign(
    definitions: pl.LazyFrame, items: pl.LazyFrame, runs: pl.LazyFrame, rulebook: RuleBook
) -> pl.LazyFrame:
    """Return the category of every turn and trial criterion, and the rule that says so.

    The suite's own criteria have none. A trial-row check that never failed has one only when a rule
    names it: that format records a category with the failure.

    Returns:
        ``run, definition, category, rule``; ``rule`` is null where no rule matched.
    """
    nodes = _in_context(definitions.filter(pl.col("scope") != "run"), items, runs)
    size = max(len(rulebook), 1)
    columns = []
    for place, (leaves, numbered) in enumerate(_passes(rulebook)):
        first = _first(numbered)
        if leaves:
            first = pl.when("leaf").then(first + pl.col("position").cast(pl.Int64) * size)
        columns.append(first.alias(f"pass{place}"))
    names = [f"pass{place}" for place in range(len(columns))]
    found = (
        nodes.with_columns(columns)
        .group_by("run", "definition")
        .agg(
            pl.col(names).min(),
            ((pl.col("format") == "trial-row") & pl.col("fault").is_null()).all().alias("unfailed"),
        )
        .with_columns((pl.coalesce(pl.lit(None, pl.Int64), *names) % size).alias("number"))
    )
    return (
        _named(found, rulebook)
        .filter(pl.col("rule").is_not_null() | ~pl.col("unfailed"))
        .select("run", "definition", pl.col("category").fill_null(UNMAPPED), "rule")
        .sort("run", "definition")
    )


def codes(
    stops: pl.LazyFrame, items: pl.LazyFrame, runs: pl.LazyFrame, rulebook: RuleBook
) -> pl.LazyFrame:
    """Add ``category`` and ``rule`` to trials that stopped or criteria that errored.

    Args:
        stops: Any rows with ``run, item, outcome, native_status, error_code``.
        items: Rows of the table ``item``.
        runs: Rows of the view ``run``.
        rulebook: Rules in force.

    Returns:
        The rows. A code no rule knows is unmapped; a row without a code that no rule matches has no
        category.
    """
    numbered = [
        (number, placed.rule)
        for number, placed in enumerate(rulebook)
        if placed.rule.wanted().keys() & STOP_FIELDS
    ]
    context = _in_context(stops, items, runs).with_columns(_first(numbered).alias("number"))
    coded = pl.when(pl.col("error_code").is_not_null()).then(pl.lit(UNMAPPED))
    return (
        _named(context, rulebook)
        .with_columns(pl.coalesce("category", coded))
        .drop("tags", "format", "dialect", "suite")
    )
