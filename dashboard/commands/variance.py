"""`unaveraged variance`: how much repetitions of the same thing differ, or that one cannot say."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import click

from dashboard import text, wording
from dashboard.commands import options

Row = Mapping[str, Any]

CATEGORIES: Final = (
    text.Column("category"),
    text.Column("cells", right=True),
    text.Column("repetitions", right=True),
    text.Column("always/never/mixed", right=True),
    text.Column("rerun error", right=True),
    text.Column("pairs that differ", right=True),
    text.Column("between items", right=True),
    text.Column("pass@k, pass^k at the largest k"),
    text.Column("why unknown"),
)
CELLS: Final = (
    text.Column("item"),
    text.Column("passed", right=True),
    text.Column("ungraded", right=True),
    text.Column("flaky"),
    text.Column("behaviours", right=True),
    text.Column("ids masked", right=True),
    text.Column("pairs that differ", right=True),
    text.Column("may still fail", right=True),
    text.Column("why unknown"),
)


@click.command
@options.run_names
@options.rule_files
@options.counted
@options.json_output
def variance(
    *, runs: tuple[str, ...], rule_files: tuple[Path, ...], db: Path, as_json: bool
) -> None:
    """Show how much repetitions of the same thing differ."""
    from dashboard import figures, pair_shapes, repeated

    chosen = figures.chosen(db, runs)
    found = pair_shapes.variance(repeated.variance(db, chosen, figures.rules(rule_files)))
    if as_json:
        text.say_json(found)
        return
    if chosen.is_empty():
        text.say(text.NO_RUN)
    by_run = {part: text.by_run(rows) for part, rows in found.items()}
    for row in chosen.to_dicts():
        text.say(text.heading(row))
        own = {part: rows.get(row["run"], []) for part, rows in by_run.items()}
        text.say_table(CATEGORIES, map(_category, own["categories"]))
        text.say_table(CELLS, map(_cell, own["cells"]))


def _category(row: Row) -> tuple[str, ...]:
    least, most = row["repetitions_least"], row["repetitions_most"]
    return (
        text.shown(row["category"]),
        str(row["cells"]),
        str(least) if least == most else f"{least} to {most}",
        f"{row['always_passed']}/{row['never_passed']}/{row['mixed']}",
        _points(row["rerun_error"]),
        wording.percent(row["pair_disagreement"]),
        wording.percent(row["item_share"]),
        _attempts(row["attempts"]),
        text.shown(row["reason"]),
    )


def _attempts(attempts: list[Row] | None) -> str:
    if not attempts:
        return wording.NOTHING
    last = attempts[-1]
    return f"{wording.percent(last['any'])}, {wording.percent(last['all'])} at k = {last['k']}"


def _points(value: float | None) -> str:
    return wording.NOTHING if value is None else f"{100 * value:.1f} pts"


def _cell(row: Row) -> tuple[str, ...]:
    variants = json.dumps(row["variants"], ensure_ascii=False) if row["variants"] else ""
    return (
        text.shown(f"{row['item']} {variants}".strip()),
        f"{row['passed']}/{row['measured']}",
        str(row["ungraded"]),
        "flaky" if row["flaky"] else "",
        str(row["distinct_behaviours"]),
        str(row["distinct_behaviours_masked"]),
        wording.percent(row["pair_disagreement"]),
        wording.percent(row["stable_so_far"]),
        text.shown(row["reason"]),
    )
