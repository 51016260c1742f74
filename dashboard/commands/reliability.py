"""`unaveraged reliability`: per run, how often each category holds, and what stands beside it.

Every figure is printed with its counts. There is no total row: the categories are not of one kind.
"""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import click

from dashboard import text, wording
from dashboard.commands import options

Row = Mapping[str, Any]

MEASURES: Final = (
    text.Column("held", right=True),
    text.Column("rate", right=True),
    text.Column("these items again", right=True),
    text.Column("items like these", right=True),
    text.Column("bounds", right=True),
    text.Column("failing", right=True),
    text.Column("failures", right=True),
    text.Column("ungraded", right=True),
    text.Column("errored", right=True),
    text.Column("stopped", right=True),
)
CATEGORIES: Final = (text.Column("category", whole=True), *MEASURES)
BY: Final[Mapping[str, Sequence[str]]] = {
    "item": ("category", "item"),
    "tag": ("category", "tag"),
    "axis": ("axis", "value", "code"),
}
RATES: Final = (
    text.Column("share of trials"),
    text.Column("count", right=True),
    text.Column("rate", right=True),
)
VOTES: Final = (
    text.Column("judges' votes"),
    text.Column("judged", right=True),
    text.Column("mean", right=True),
    text.Column("lowest", right=True),
    text.Column("highest", right=True),
    text.Column("spread of votes", right=True),
    text.Column("failed votes", right=True),
)
BESIDE: Final = (
    text.Column("beside the rates"),
    text.Column("count", right=True),
    text.Column("what"),
)


@click.command
@options.run_names
@options.rule_files
@click.option(
    "--by",
    type=click.Choice(list(BY)),
    help="The same for each item, each tag, or each of the format's own words.",
)
@options.counted
@options.json_output
def reliability(
    *,
    runs: tuple[str, ...],
    rule_files: tuple[Path, ...],
    by: str | None,
    db: Path,
    as_json: bool,
) -> None:
    """Show how often each category holds, the ungraded beside it."""
    from dashboard import figures, shapes

    chosen = figures.chosen(db, runs)
    rulebook = figures.rules(rule_files)
    found = shapes.reliability(figures.reliability(db, chosen, rulebook))
    if by is not None:
        found[f"by_{by}"] = shapes.category_rows(figures.breakdown(db, chosen, rulebook, by))
    if as_json:
        text.say_json(found | {"incomplete": shapes.incomplete(chosen)})
        return
    if chosen.is_empty():
        text.say(text.NO_RUN)
    by_run = {part: text.by_run(rows) for part, rows in found.items()}
    for number, row in enumerate(chosen.to_dicts()):
        if number:
            text.say()
        text.say(text.heading(row))
        _say_run({part: rows.get(row["run"], []) for part, rows in by_run.items()})


def _say_run(found: Mapping[str, Sequence[Row]]) -> None:
    _say(CATEGORIES, found["categories"], _category)
    for by, names in BY.items():
        columns = (*(text.Column(name, whole=name == "category") for name in names), *MEASURES)
        _say(columns, found.get(f"by_{by}", ()), _placed(names))
    _say(RATES, found["rates"], _rate)
    _say(VOTES, found["votes"], _vote)
    beside = [
        *map(_refused, found["refused_proposals"]),
        *map(_discarded, found["discarded_answers"]),
        *map(_task, found["tasks"]),
    ]
    _say(BESIDE, beside, tuple)


def _say(
    columns: Sequence[text.Column], rows: Sequence[Any], as_cells: Callable[[Any], Sequence[str]]
) -> None:
    if rows:
        text.say_table(columns, map(as_cells, rows))


def _placed(names: Sequence[str]) -> Callable[[Row], Sequence[str]]:
    """Return what writes a row after the columns that place it."""

    def cells(row: Row) -> tuple[str, ...]:
        places = (text.shown(row[name]) if row[name] is not None else "" for name in names)
        return (*places, *_measures(row))

    return cells


def _category(row: Row) -> tuple[str, ...]:
    return text.shown(row["category"]), *_measures(row)


def _measures(row: Row) -> tuple[str, ...]:
    of = row["graded"] if row["covered"] is None else row["covered"]
    measured = row["rate"] is not None
    return (
        f"{of - row['failing_trials']}/{of}" if measured else wording.NOTHING,
        wording.percent(row["rate"]) if measured else _why_no_rate(row),
        _interval(row, "again"),
        _interval(row, "items"),
        wording.span(row["low"], row["high"]) if row["low"] != row["high"] else "",
        _with(row["failing_trials"], row["unfinished_trials"], "cut short"),
        _with(row["failures"], row["failures_ungraded"], "more in ungraded"),
        str(row["ungraded_relevant"]),
        str(row["errored_criteria"]),
        str(row["stopped_trials"]),
    )


def _interval(row: Row, question: str) -> str:
    low, high = row[f"{question}_low"], row[f"{question}_high"]
    return wording.NOTHING if low is None else wording.span(low, high)


def _why_no_rate(row: Row) -> str:
    """Nothing was graded, or the graded trials hold no criterion of the category."""
    checked = row["covered"] is None or row["ungraded_relevant"] or not row["graded"]
    return wording.NOTHING if checked else "not checked"


def _with(number: int, beside: int, what: str) -> str:
    return f"{number} ({beside} {what})" if beside else str(number)


def _rate(row: Row) -> tuple[str, ...]:
    return text.shown(row["name"]), f"{row['count']}/{row['trials']}", wording.percent(row["rate"])


def _vote(row: Row) -> tuple[str, ...]:
    return (
        text.shown(row["criterion"]),
        str(row["judged"]),
        _score(row["mean_score"]),
        _score(row["min_score"]),
        _score(row["max_score"]),
        _score(row["mean_vote_spread"]),
        str(row["failed_votes"]),
    )


def _score(score: float | None) -> str:
    return wording.NOTHING if score is None else f"{score:.2f}".removesuffix(".00")


def _refused(row: Row) -> tuple[str, str, str]:
    return "refused proposals", f"{row['count']}/{row['measured']}", "of the measured trials"


def _discarded(row: Row) -> tuple[str, str, str]:
    codes = ", ".join(f"{text.shown(code)}×{number}" for code, number in row["codes"])  # noqa: RUF001
    return "discarded answers", f"{row['count']}/{row['measured']}", codes or wording.NOTHING


def _task(row: Row) -> tuple[str, str, str]:
    return f"task {text.shown(row['task'])}", f"{row['passed']}/{row['scored']}", "passed of scored"
