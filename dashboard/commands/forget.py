"""`unaveraged forget`: take a report and its runs out of the store."""

from pathlib import Path

import click

from dashboard import text
from dashboard.commands import options


@click.command
@click.argument("report")
@options.store
@options.lake_folder
@options.json_output
def forget(*, report: str, db: Path, lake: Path | None, as_json: bool) -> None:
    """Take a report and its runs out of the store, or out of a lake.

    REPORT is its file, the start of its hash, or one of its runs.
    """
    from dashboard import figures, selection

    where = lake or db
    meant = selection.report(figures.known(where), figures.reports(where), report)
    trials = _forget(where, meant["report"])
    if as_json:
        text.say_json({"report": meant["report"], "path": meant["path"], "trials": trials})
    else:
        text.say(f"{text.shown(meant['path'])} forgotten ({text.plural(trials, 'trial')})")


def _forget(where: Path, report: str) -> int:
    from ingest.store import Writer, lake

    return lake.forget_now(where, report) if lake.is_lake(where) else Writer(where).forget(report)
