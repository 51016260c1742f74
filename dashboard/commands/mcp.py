"""`unaveraged mcp`: the store as tools of a coding agent."""

from pathlib import Path

import click

from dashboard.commands import options
from dashboard.errors import InputError


@click.command
@options.store
def mcp(*, db: Path) -> None:
    """Serve the store to a coding agent.

    Speaks the Model Context Protocol over standard input and output.
    """
    from ingest import store

    with store.open_reader(db):
        pass
    try:
        from dashboard import agent
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] != "mcp":
            raise
        raise InputError("mcp takes the package mcp: install unaveraged[agent]") from error
    agent.server(db).run("stdio")
