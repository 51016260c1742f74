"""`unaveraged runs`: what the store holds, counts beside counts."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import click

from dashboard import text, wording
from dashboard.commands import options
from ingest.records import GRADED

COLUMNS: Final = (
    text.Column("run", whole=True),
    text.Column("suite"),
    text.Column("subject"),
    text.Column("status"),
    text.Column("items", right=True),
    text.Column("trials", right=True),
    text.Column("passed", right=True),
    text.Column("ungraded"),
    text.Column("failing", right=True),
    text.Column("errored", right=True),
    text.Column("suite's own"),
    text.Column("started"),
    text.Column("read as"),
    text.Column("report"),
)


@click.command
@options.counted
@options.json_output
def runs(*, db: Path, as_json: bool) -> None:
    """List the runs, with outcomes and criteria as counts."""
    from dashboard import figures, shapes

    listed = shapes.runs(figures.runs(db))
    if as_json:
        text.say_json(listed)
        return
    if not listed:
        text.say(text.NO_RUN)
        return
    text.say_table(COLUMNS, map(_row, listed))


def _row(run: Mapping[str, Any]) -> tuple[str, ...]:
    outcomes = run["outcomes"]
    graded = outcomes.get("passed", 0) + outcomes.get("failed", 0)
    ungraded = {name: number for name, number in outcomes.items() if name not in GRADED}
    return (
        run["run"],
        text.shown(run["suite"]),
        text.shown(text.subject(run)),
        _status(run),
        str(run["items"]),
        str(run["trials"]),
        f"{outcomes.get('passed', 0)}/{graded}",
        text.counted(ungraded) or wording.NOTHING,
        str(run["criteria"]["failing"]),
        str(run["criteria"]["errored"]),
        text.counted(run["suite_criteria"]) or wording.NOTHING,
        text.shown(wording.moment(run["started_at"])),
        text.shown(wording.read_as(run)),
        text.shown(wording.file_name(run["path"])),
    )


def _status(run: Mapping[str, Any]) -> str:
    parts = [text.shown(run["status"])] if run["status"] else []
    if run["superseded"]:
        parts.append(f"replaced by {run['superseded_by']}")
    if run["rejected"]:
        parts.append(f"incomplete, {run['rejected']} not loaded")
    return ", ".join(parts) or wording.NOTHING
