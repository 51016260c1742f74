"""`unaveraged forget`: take a report and its runs out of the store."""

from pathlib import Path

import click

from dashboard import text
from dashboard.commands import options


@click.command
@click.argument("report")
@options.store
@options.json_output
def forget(*, report: str, db: Path, as_json: bool) -> None:
    """Take a report and its runs out of the store.

    REPORT is its file, the start of its hash, or one of its runs.
    """
    from dashboard import figures, selection
    from ingest.store import Writer

    meant = selection.report(figures.known(db), figures.reports(db), report)
    trials = Writer(db).forget(meant["report"])
    if as_json:
        text.say_json({"report": meant["report"], "path": meant["path"], "trials": trials})
    else:
        text.say(f"{text.shown(meant['path'])} forgotten ({text.plural(trials, 'trial')})")
