"""`unaveraged trials`: what was planned against what came out."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import click

from dashboard import text, wording
from dashboard.commands import options

Row = Mapping[str, Any]

_COUNTS: Final = (
    text.Column("planned", right=True),
    text.Column("recorded", right=True),
    text.Column("passed", right=True),
    text.Column("errored or stopped", right=True),
    text.Column("skipped", right=True),
    text.Column("never ran", right=True),
    text.Column("of these waiting", right=True),
    text.Column("twice", right=True),
)
CELLS: Final = (text.Column("item"), *_COUNTS, text.Column("repetitions"))
RUN: Final = (*_COUNTS, text.Column("planned is"))


@click.command
@options.run_names
@options.counted
@options.json_output
def trials(*, runs: tuple[str, ...], db: Path, as_json: bool) -> None:
    """Show which planned trials were recorded, and how each ended."""
    from dashboard import figures, planned, time_shapes

    chosen = figures.chosen(db, runs)
    found = time_shapes.trials(planned.read(db, chosen, figures.known(db)))
    if as_json:
        text.say_json(found)
        return
    if chosen.is_empty():
        text.say(text.NO_RUN)
    for row, about in zip(chosen.to_dicts(), found["runs"], strict=True):
        text.say(text.heading(row))
        text.say_table(RUN, [(*_counts(about), about["plan"])])
        text.say_table(CELLS, [_cell(one) for one in found["cells"] if one["run"] == row["run"]])


def _cell(row: Row) -> tuple[str, ...]:
    variants = json.dumps(row["variants"], ensure_ascii=False) if row["variants"] else ""
    marks = [wording.sign(one["outcome"]).mark for one in row["repetitions"]]
    return (
        text.shown(f"{row['item']} {variants}".strip()),
        *_counts(row),
        " ".join(marks) or "no trial",
    )


def _counts(row: Row) -> tuple[str, ...]:
    names = ("unmeasured", "skipped", "missing", "waiting", "duplicates")
    return (
        str(row["planned"]),
        str(row["trials"]),
        f"{row['passed']}/{row['graded']}",
        *(str(row[name]) for name in names),
    )
