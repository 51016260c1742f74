"""`unaveraged open`: the pages, on this machine only."""

import socket
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final

import click

from dashboard import text
from dashboard.commands import options
from dashboard.commands.options import DEFAULT_PORT
from dashboard.errors import InputError
from ingest.errors import StoreBusy

PORTS_TRIED: Final = 50


@click.command("open")
@options.store
@options.port
@options.no_browser
@options.rule_files
@options.channels
def open_pages(
    *,
    db: Path,
    port: int | None,
    no_browser: bool,
    rule_files: tuple[Path, ...],
    channels: Path | None,
) -> None:
    """Open the pages of a store in a browser; Ctrl-C ends them."""
    from dashboard import inforce
    from ingest import store

    settings = inforce.settings(rule_files, channels)

    # A writer that holds the store now will be done when somebody looks.
    with suppress(StoreBusy), store.open_reader(db):
        pass
    serve(db, port, open_browser=not no_browser, settings=settings)


def serve(
    db: Path,
    port: int | None,
    *,
    open_browser: bool,
    settings: Mapping[str, str] | None = None,
) -> None:
    """Serve the pages of a store until interrupted; ``settings`` are the server's variables.

    Raises:
        InputError: When the port is taken, or the server ends by itself.
    """
    from dashboard import server

    chosen = _first_free() if port is None else port
    if port is not None and not _is_free(port):
        raise InputError(
            f"port {port} is taken; give another one, or none to use the next free one"
        )
    text.say(f"{text.shown(db)} is at http://{server.ADDRESS}:{chosen} (Ctrl-C ends it)")
    code = server.serve(db, chosen, open_browser, settings)
    if code:
        raise InputError(f"the server of the pages ended with code {code}; its message is above")


def _first_free() -> int:
    for port in range(DEFAULT_PORT, DEFAULT_PORT + PORTS_TRIED):
        if _is_free(port):
            return port
    last = DEFAULT_PORT + PORTS_TRIED - 1
    raise InputError(f"ports {DEFAULT_PORT} to {last} are all taken; give a free one with --port")


def _is_free(port: int) -> bool:
    from dashboard.server import ADDRESS

    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((ADDRESS, port))
        except OSError:
            return False
    return True
