"""`unaveraged history`: the runs of a suite in order, and where one may not be read on."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import click

from dashboard import text, wording
from dashboard.commands import options

Row = Mapping[str, Any]

RUNS: Final = (
    text.Column("run"),
    text.Column("when"),
    text.Column("subject"),
    text.Column("passed", right=True),
    text.Column("ungraded", right=True),
    text.Column("suspect"),
    text.Column("breaks with the run before it"),
)
CATEGORIES: Final = (
    text.Column("category"),
    text.Column("run"),
    text.Column("held", right=True),
    text.Column("these items again", right=True),
)
CELLS: Final = (
    text.Column("item"),
    text.Column("changes", right=True),
    text.Column("passed of graded, run by run"),
)


@click.command
@click.argument("suite")
@click.option("--subject", metavar="NAME", help="Only runs of this subject.")
@options.rule_files
@options.counted
@options.json_output
def history(
    *, suite: str, subject: str | None, rule_files: tuple[Path, ...], db: Path, as_json: bool
) -> None:
    """Show the runs of a SUITE in order, and where they break."""
    from dashboard import figures, overtime, time_shapes

    own = overtime.runs_of(figures.known(db), suite, subject)
    read = overtime.read(db, own)
    rates = figures.reliability(db, read.runs, figures.rules(rule_files))
    found = time_shapes.history(suite, read, rates)
    if as_json:
        text.say_json(found)
        return
    if read.older:
        text.say(f"{text.plural(read.older, 'older run')} not shown")
    text.say_table(RUNS, map(_run, found["runs"]))
    measured = [row for row in found["categories"] if row["rate"] is not None]
    text.say_table(CATEGORIES, map(_category, measured))
    sound = [row["run"] for row in found["runs"] if not row["suspect"]]
    text.say_table(CELLS, [_cell(row, sound) for row in found["cells"]])


def _run(row: Row) -> tuple[str, ...]:
    return (
        row["run"],
        text.shown(wording.moment(row["seen_at"])),
        text.shown(text.subject(row)),
        f"{row['passed']}/{row['graded']}",
        str(row["trials"] - row["graded"]),
        "suspect" if row["suspect"] else "",
        "; ".join(row["breaks"]),
    )


def _category(row: Row) -> tuple[str, ...]:
    low, high = row["again_low"], row["again_high"]
    again = wording.NOTHING if low is None else f"{low:.3f} to {high:.3f}"
    return row["category"], row["run"], wording.held(row), again


def _cell(row: Row, runs: list[str]) -> tuple[str, ...]:
    variants = json.dumps(row["variants"], ensure_ascii=False) if row["variants"] else ""
    stood = {one["run"]: f"{one['passed']}/{one['measured']}" for one in row["runs"]}
    return (
        text.shown(f"{row['item']} {variants}".strip()),
        str(row["changes"]),
        "  ".join(stood.get(run, wording.NOTHING) for run in runs),
    )
