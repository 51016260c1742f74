"""`unaveraged lake`: the tables of stores as Parquet, shared by machines, kept as the archive."""

from pathlib import Path

import click

from dashboard import text
from dashboard.commands import options

WAIT = 30.0

folder = click.argument("folder", metavar="DIR", type=options.FILE)
wait = click.option(
    "--wait",
    type=click.FloatRange(min=0),
    metavar="SECONDS",
    default=WAIT,
    show_default=True,
    help="How long to wait for another process that holds the store.",
)


@click.group
def lake() -> None:
    """Keep stores as Parquet files that machines share."""


@lake.command
@folder
@options.store
@wait
@options.json_output
def sync(*, folder: Path, db: Path, wait: float, as_json: bool) -> None:
    """Bring a lake up to the store: what is new in it, and what it has forgotten.

    Reports that only the lake holds, such as those of other machines, stay.
    """
    from dashboard.meter import Meter
    from ingest.store import lake
    from ingest.subjects import sayings

    with Meter("rows") as meter:
        done = lake.sync(db, folder, wait, sayings(db), meter)
    if as_json:
        text.say_json(done._asdict())
        return
    text.say(
        f"{text.shown(folder)}: {text.plural(len(done.written), 'report')} written "
        f"({done.bytes / 1e6:.1f} MB), {done.unchanged} unchanged, {len(done.forgotten)} forgotten"
    )


@lake.command
@folder
@options.store
@wait
@options.json_output
def restore(*, folder: Path, db: Path, wait: float, as_json: bool) -> None:
    """Rebuild a store from a lake: every report that the store lacks."""
    from dashboard.meter import Meter
    from ingest.store import lake

    with Meter("rows") as meter:
        done = lake.restore(folder, db, wait, meter)
    if as_json:
        text.say_json(done._asdict())
        return
    told = text.plural(len(done.written), "report")
    text.say(f"{text.shown(db)}: {told} restored, {done.unchanged} already there")
