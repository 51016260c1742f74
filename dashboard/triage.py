"""The failures page: what did not pass, by list and by cause, down to the repetitions of each cell.

A list is a frame of hits: one row for each failed or errored criterion, or for each trial that
ended in some other way. All lists are grouped and drawn alike.
"""

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

import polars as pl

from dashboard import jsontree, wording
from dashboard.casebook import Failures
from dashboard.link import FailuresLink, Tab, anchor
from dashboard.marked import DETAIL

TITLES: Final[Mapping[Tab, str]] = {
    "failed": "Failed criteria",
    "errored": "Errored",
    "never": "Never ran",
    "bound": "Stopped by a bound",
    "suite": "Suite criteria",
}
LEGENDS: Final[Mapping[Tab, str]] = {
    "failed": "Marks, one a repetition: ● failed this criterion for this reason · ○ graded, did "
    "not · ◌ not graded. Each ● opens its case.",
    "errored": "The measurement broke, or the trial ended in an error: neither passed nor failed, "
    "in no rate. Marks: ● this happened · ○ other graded repetitions · ◌ others.",
    "never": "Blocked, skipped, cancelled, never started or never answered: no evidence either "
    "way, in no rate. Marks: ● ended so · ○ other graded repetitions · ◌ others.",
    "bound": "Cut short by a bound or by an answer that could not be read: what was looked for in "
    "later steps is missing because the trial stopped. Marks: ● cut short · ○ ran on · ◌ not "
    "graded.",
    "suite": "Criteria over a whole run: they count in no category, change no trial, and no filter "
    "but the choice of runs touches them.",
}
NOTHING: Final[Mapping[Tab, str]] = {
    "failed": "No criterion failed",
    "errored": "Nothing errored",
    "never": "Every trial ran",
    "bound": "No trial was stopped by a bound",
    "suite": "No suite here has criteria of its own",
}

GROUP: Final = ("kind", "name", "detail")
_OF_CRITERIA: Final = ("criterion", "fault", "code")
ENDED: Final = ("passed", "failed", "error")
_SHOWN: Final = (
    *(
        "run",
        "item",
        "variants",
        "trial_number",
        "turn",
        "position",
        "cause",
        "rule",
        "category",
        "label",
    ),
    *("expected", "actual", "reason", "evaluator", "target", "operator", "decisive", "errored"),
)


class Lists(NamedTuple):
    """The hits of every list, under the filters of the address."""

    failed: pl.DataFrame
    errored: pl.DataFrame
    never: pl.DataFrame
    bound: pl.DataFrame
    suite: pl.DataFrame


def lists(found: Failures, link: FailuresLink) -> Lists:
    """Return what each list holds under the filters of an address."""
    texts = ("item", "criterion", "label", "code", "error_code", "reason", "expected", "actual")
    of_criteria = _equal(link, (*_OF_CRITERIA, "error_code"))
    failures = found.failures.filter(_wanted(link, found), of_criteria, _mentions(link.q, texts))
    told = ("item", "item_name", "error_code", "reason", "bound_reached")
    trials = found.trials.rename({"trial": "trial_number"}).filter(
        _wanted(link, found),
        _equal(link, ("error_code",)),
        pl.lit(not any(getattr(link, name) for name in _OF_CRITERIA)),
        _mentions(link.q, told),
    )
    criteria = failures.with_columns(
        kind=pl.col("category").fill_null(""),
        name="criterion",
        detail=DETAIL,
    ).select(*GROUP, *_SHOWN)
    errors = pl.col("outcome") == "error"
    measured = trials.join(criteria.filter("errored"), on="trial_number", how="anti")
    return Lists(
        criteria.filter(~pl.col("errored")),
        pl.concat([criteria.filter("errored"), _ended(measured.filter(errors))], how="diagonal"),
        _ended(trials.filter(~pl.col("outcome").is_in(ENDED))),
        _ended(
            trials.filter(pl.col("bound_reached").is_not_null() | pl.col("unfinished")),
            kind=pl.lit("cut short"),
            name=pl.coalesce("bound_reached", "reason", "native_status"),
        ),
        found.suite,
    )


def _wanted(link: FailuresLink, found: Failures) -> pl.Expr:
    conditions = [_equal(link, ("category", "item", "outcome"))]
    if link.tag is not None:
        conditions.append(pl.col("tags").list.contains(link.tag))
    if link.variant is not None:
        fitting = [cell for cell in _cells(found) if link.variant in variants_of(cell)]
        conditions.append(pl.col("variants").is_in(fitting))
    return pl.all_horizontal(*conditions)


def _equal(link: FailuresLink, names: tuple[str, ...]) -> pl.Expr:
    asked = [(name, getattr(link, name)) for name in names]
    conditions = [pl.col(name) == value for name, value in asked if value is not None]
    return pl.all_horizontal(pl.lit(value=True), *conditions)


def _cells(found: Failures) -> list[str]:
    return list(found.trials["variants"].unique())


def variants_of(cell: str) -> list[str]:
    """Return the choices of a cell, as step=variant."""
    chosen = jsontree.parse(cell)
    pairs = chosen.pairs if isinstance(chosen, jsontree.Members) else []
    return [f"{step}={jsontree.flat(variant)}" for step, variant in pairs]


def _mentions(text: str | None, columns: tuple[str, ...]) -> pl.Expr:
    if not text:
        return pl.lit(value=True)
    return pl.any_horizontal(
        pl.col(name)
        .str.to_lowercase()
        .str.contains(text.lower(), literal=True)
        .fill_null(value=False)
        for name in columns
    )


def _ended(trials: pl.DataFrame, **named: pl.Expr) -> pl.DataFrame:
    """Return trials as hits: grouped by how they ended, then by their code or reason."""
    reason = pl.coalesce("error_code", "reason", "native_status", pl.lit("no reason recorded"))
    columns = {"kind": pl.col("outcome"), "name": reason} | named
    told = pl.col("reason") != pl.col("name")
    null = pl.lit(None, dtype=pl.String)
    return trials.with_columns(
        **columns, detail=pl.lit(""), turn=None, position=None, label=null, errored=False
    ).select(
        *GROUP,
        *("run", "item", "variants", "trial_number", "label", "rule", "category", "errored"),
        cause=pl.when(told).then("reason").fill_null(""),
        reason=pl.when(told).then("reason"),
        error_code="error_code",
    )


def of(found: Lists, tab: Tab) -> pl.DataFrame:
    """Return the hits of one list."""
    hits: pl.DataFrame = getattr(found, tab)
    return hits


def within(hits: pl.DataFrame, group: Mapping[str, Any]) -> pl.DataFrame:
    """Return the hits of one group."""
    return hits.filter(pl.all_horizontal(pl.col(name) == group[name] for name in GROUP))


def anchor_of(group: Mapping[str, Any]) -> str:
    """Return the name of the place of a group on the page."""
    return anchor("g", *(group[name] for name in GROUP))


def ranked(hits: pl.DataFrame) -> pl.DataFrame:
    """Return the groups of a list, those that hit most cells first."""
    cell = pl.struct("run", "item", "variants")
    return (
        hits.group_by(GROUP, maintain_order=True)
        .agg(
            pl.len().cast(pl.Int64).alias("hits"),
            cell.n_unique().cast(pl.Int64).alias("cells"),
            pl.col("trial_number").n_unique().cast(pl.Int64).alias("trials"),
            pl.col("label").drop_nulls().first(),
            pl.col("rule").drop_nulls().first(),
            pl.col("category").drop_nulls().first(),
        )
        .sort("cells", "hits", *GROUP, descending=[True, True, False, False, False])
    )


def choices(found: Failures) -> dict[str, dict[str, str]]:
    """Return the values that can be chosen in every filter, with the words for them."""
    failures, trials = found.failures, found.trials
    columns = {
        "category": pl.concat([failures["category"], trials["category"]]),
        "item": trials["item"],
        "tag": trials["tags"].explode(),
        "variant": pl.Series(
            [one for cell in _cells(found) for one in variants_of(cell)], dtype=pl.String
        ),
        "outcome": trials["outcome"],
        "criterion": failures["criterion"],
        "fault": failures["fault"],
        "code": failures["code"],
        "error_code": pl.concat([failures["error_code"], trials["error_code"]]),
    }
    return {name: _named(name, column) for name, column in columns.items()}


def _named(name: str, column: pl.Series) -> dict[str, str]:
    values = column.drop_nulls().unique().sort().to_list()
    return {one: wording.category(one) if name == "category" else one for one in values}
