"""What failures are counted by: the category, or the words a format itself has."""

from typing import Final

import polars as pl

from queries import categories as rules
from queries import tally
from queries.cells import Labels
from queries.counting import Table, counted

PLACES: Final = {category: place for place, category in enumerate(rules.CATEGORIES)}
AXES: Final = ("criterion", "fault", "expectation", "error_code")
"""The native axis of evaluation reports, trial rows and sample reports; codes occur in all."""
_NOWHERE: Final = -1
_NAMES: Final = ("axis", "value", "code")


def place(category: str) -> pl.Expr:
    """Return the number of a category."""
    return pl.col(category).replace_strict(PLACES, default=None, return_dtype=pl.Int64)


def always(runs: pl.LazyFrame) -> pl.LazyFrame:
    """Return the categories a run has whatever came out; ``measured`` where a rate makes sense."""
    fixed = pl.LazyFrame(
        [
            (form, PLACES[category], measured)
            for table, measured in ((rules.RECORDED, True), (rules.STOPPED, False))
            for form, names in table.items()
            for category in names
        ],
        schema={"format": pl.String, "place": pl.Int64, "measured": pl.Boolean},
        orient="row",
    )
    return runs.select("run", "format").join(fixed, on="format").drop("format")


def of_categories(
    runs: pl.LazyFrame, items: pl.LazyFrame, definitions: pl.LazyFrame, rulebook: rules.RuleBook
) -> Labels:
    """Number each definition by its category."""
    roots = definitions.filter(pl.col("position") == 0).select("definition", "item")
    places = (
        rules.assign(definitions, items, runs, rulebook)
        .join(roots, on="definition")
        .select("run", "definition", "item", place=place("category"))
    )
    recorded = always(runs).filter("measured").select("run", "place")
    measured = pl.concat([recorded, places.select("run", "place")]).unique()
    return Labels(places, measured, PLACES[rules.UNMAPPED])


def native(
    runs: pl.LazyFrame, definitions: pl.LazyFrame, codes: pl.LazyFrame
) -> tuple[Labels, pl.LazyFrame]:
    """Number each definition by its format's own words for it; return those words by number.

    An evaluation report's failures are counted by criterion, a sample report's by expectation, a
    trial row's by fault and code. ``codes`` are the error codes that occurred.
    """
    form = pl.col("format")
    named = (
        definitions.filter((pl.col("position") == 0) & (pl.col("scope") != "run"))
        .join(runs.select("run", "format"), on="run")
        .select(
            "run",
            "definition",
            "item",
            axis=form.replace_strict(
                {"evaluation-report": "criterion", "trial-row": "fault"},
                default="expectation",
                return_dtype=pl.String,
            ),
            value=pl.when(form == "evaluation-report")
            .then("criterion")
            .when(form == "trial-row")
            .then("fault")
            .otherwise("expectation"),
            code=pl.when(form == "trial-row").then("code"),
        )
        .filter(pl.col("value").is_not_null())
    )
    told = codes.select(axis=pl.lit("error_code"), value="error_code", code=pl.lit(None, pl.String))
    words = (
        pl.concat([named.select(_NAMES), told])
        .unique()
        .sort(_NAMES)
        .with_row_index("place")
        .with_columns(pl.col("place").cast(pl.Int64))
    )
    places = named.join(words, on=_NAMES, nulls_equal=True).select(
        "run", "definition", "item", "place"
    )
    return Labels(places, places.select("run", "place").unique(), _NOWHERE), words


def category_stops(
    runs: pl.LazyFrame,
    items: pl.LazyFrame,
    trials: Table,
    checks: Table,
    rulebook: rules.RuleBook,
) -> pl.LazyFrame:
    """Count stopped trials and errored criteria per (run, item, place of their category)."""
    none = pl.lit(None, dtype=pl.String)
    broken = counted(tally.errored, checks, trials).with_columns(outcome=none, native_status=none)
    rows = pl.concat([counted(tally.stops, trials), broken], how="diagonal")
    named = rules.codes(rows, items, runs, rulebook).with_columns(place=place("category"))
    return _summed(named.filter(pl.col("category").is_not_null()))


def code_stops(trials: Table, checks: Table) -> pl.LazyFrame:
    """Count stopped trials and errored criteria per (run, item, error_code)."""
    rows = [counted(tally.stops, trials), counted(tally.errored, checks, trials)]
    coded = pl.concat(rows, how="diagonal").filter(pl.col("error_code").is_not_null())
    return _summed(coded, "error_code")


def _summed(rows: pl.LazyFrame, by: str = "place") -> pl.LazyFrame:
    sums = pl.col("trials", "errored_criteria").sum()
    return rows.group_by("run", "item", by).agg(sums).rename({"trials": "stopped_trials"})
