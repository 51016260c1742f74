"""`unaveraged show`: any piece of the evidence of a trial, in bounded size."""

from pathlib import Path

import click

from dashboard import text
from dashboard.commands import options


@click.command
@click.argument("trial")
@click.option(
    "--turn",
    type=click.IntRange(0),
    metavar="N",
    help="One turn, counted from 0, with its observation.",
)
@click.option("--path", metavar="POINTER", default="", help="Only this JSON pointer of it.")
@click.option(
    "--limit",
    type=click.IntRange(200),
    default=16_000,
    show_default=True,
    metavar="CHARACTERS",
    help="What does not fit is named, with its size and its pointer.",
)
@options.store
def show(*, trial: str, turn: int | None, path: str, limit: int, db: Path) -> None:
    """Print any piece of a trial as JSON."""
    from dashboard import bounded, trial_document

    found = trial_document.read(db, trial, turn, path)
    text.say(text.indented(bounded.fitting(found, limit, path)))
