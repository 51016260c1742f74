"""The failures page: what did not pass, by list and by cause, down to the repetitions of each cell.

A list is a frame of hits: one row for each failed or errored criterion, or for each trial that
ended in some other way. All lists are grouped and drawn alike.
"""

from collections.abc import Mapping
from typing import Final, NamedTuple

import polars as pl

from dashboard import wording
from dashboard.casebook import Failures
from dashboard.link import FailuresLink, Tab

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
    failures = found.failures.filter(_wanted(link), _mentions(link.q, texts))
    told = ("item", "item_name", "error_code", "reason", "bound_reached")
    trials = found.trials.rename({"trial": "trial_number"}).filter(
        _wanted(link), _mentions(link.q, told)
    )
    criteria = failures.with_columns(
        kind=pl.col("category").fill_null(""),
        name="criterion",
        detail=pl.concat_str("error_code", "fault", "code", separator=" ", ignore_nulls=True),
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


def _wanted(link: FailuresLink) -> pl.Expr:
    conditions = [
        pl.col(name) == value
        for name, value in (
            ("category", link.category),
            ("item", link.item),
            ("outcome", link.outcome),
        )
        if value is not None
    ]
    if link.tag is not None:
        conditions.append(pl.col("tags").list.contains(link.tag))
    return pl.all_horizontal(pl.lit(value=True), *conditions)


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


def choices(found: Failures, column: str) -> dict[str, str]:
    """Return the values that the trials of a filter's column have."""
    values = found.trials[column].drop_nulls().unique().sort().to_list()
    return {value: value for value in values}


def tags(found: Failures) -> dict[str, str]:
    """Return the tags of the items."""
    values = found.trials["tags"].explode().drop_nulls().unique().sort().to_list()
    return {value: value for value in values}


def categories(found: Failures) -> dict[str, str]:
    """Return the categories that occur, as people say them."""
    names = pl.concat([found.failures["category"], found.trials["category"]]).drop_nulls()
    return {name: wording.category(name) for name in names.unique().sort().to_list()}
