"""`unaveraged compact`: give back the room of what was taken out of the store."""

from pathlib import Path

import click

from dashboard import text, wording
from dashboard.commands import options


@click.command
@click.option(
    "--wait",
    type=click.FloatRange(min=0),
    default=30.0,
    show_default=True,
    metavar="SECONDS",
    help="How long to wait for a store that is in use.",
)
@options.store
@options.json_output
def compact(*, wait: float, db: Path, as_json: bool) -> None:
    """Give back the room of what was forgotten.

    The store is written anew, which needs room for the new file beside the old one. Nobody can use
    the store meanwhile; killed, it leaves the old file.
    """
    from ingest import store

    done = store.compact(
        db, wait, lambda holder: text.note(f"waiting for {holder}, which holds the store")
    )
    if as_json:
        text.say_json({"path": str(db), **done._asdict()})
    else:
        sizes = f"{wording.size(done.before)} before, {wording.size(done.after)} after"
        text.say(f"{text.shown(db)} written anew: {sizes}")
