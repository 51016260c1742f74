"""`unaveraged demo`: the sample reports in a browser, at once.

Its store is made anew each time, in the user's cache folder, so that it always shows the samples of
this version and leaves nothing in the folder it is called from.
"""

import os
import re
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import click

from dashboard.commands import options
from dashboard.commands.open_pages import serve
from dashboard.errors import InputError

SUBJECT_FROM: Final = re.compile(r"-x\d+-(.+)\.json$")
"""Sample reports name their subject in the file name only."""


@click.command
@click.option(
    "--db",
    type=options.FILE,
    metavar="FILE",
    help="Add the samples to this store, not to a fresh one in the cache folder.",
)
@options.port
@options.no_browser
def demo(*, db: Path | None, port: int | None, no_browser: bool) -> None:
    """Load the sample reports and open them in a browser."""
    store = _load_anew(_cached()) if db is None else _load(db)
    serve(store, port, open_browser=not no_browser)


def samples() -> Path:
    """Return the folder of the sample reports, in an installation or in a checkout.

    Raises:
        InputError: When this installation has none.
    """
    package = Path(__file__).parent.parent
    for folder in (package / "sample_reports", package.parent / "sample_reports"):
        if folder.is_dir():
            return folder
    raise InputError(f"no sample reports beside {package}; install the whole distribution again")


def _load_anew(store: Path) -> Path:
    """Make the store beside its place and move it there, so that an open page sees no gap."""
    try:
        store.parent.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(dir=store.parent) as folder:
            _load(Path(folder) / store.name).replace(store)
    except OSError as error:
        raise InputError(f"no store can be made at {store}: {error}; name one with --db") from error
    return store


def _load(store: Path) -> Path:
    from ingest import load

    load.load_paths([str(samples())], store, said=load.Said(subject_from=SUBJECT_FROM))
    return store


def _cached() -> Path:
    """The demo's store in the cache folder of the user."""
    caches = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(caches) / "unaveraged" / "demo.duckdb"
