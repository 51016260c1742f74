"""The command line: `unaveraged` and its commands.

A new command is one module of `dashboard.commands` and one line here. What a person can mend is one
line on standard error and exit code 2; anything else is a bug, and traces.
"""

from typing import Final

import click

from dashboard import text
from dashboard.commands import (
    brief,
    check,
    compact,
    compare,
    demo,
    export,
    failures,
    forget,
    gate,
    history,
    ingest,
    label,
    lake,
    mcp,
    open_pages,
    reliability,
    routing,
    runs,
    show,
    stats,
    trials,
    variance,
    votes,
)
from dashboard.errors import InputError
from ingest.errors import StoreError

MENDABLE: Final = (StoreError, InputError)
COMMANDS: Final = (
    demo.demo,
    ingest.ingest,
    check.check,
    open_pages.open_pages,
    runs.runs,
    reliability.reliability,
    failures.failures,
    variance.variance,
    votes.votes,
    compare.compare,
    gate.gate,
    trials.trials,
    history.history,
    routing.routing,
    brief.brief,
    show.show,
    export.export,
    mcp.mcp,
    label.label,
    lake.lake,
    forget.forget,
    compact.compact,
    stats.stats,
)


class Commands(click.Group):
    """Runs a command and turns what a person can mend into one clear line."""

    def invoke(self, ctx: click.Context) -> object:
        """Run the command that was asked for."""
        try:
            return super().invoke(ctx)
        except MENDABLE as error:
            text.note(f"unaveraged: {text.shown(error)}")
            raise SystemExit(2) from error

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 (the name is click's)
        """Return the commands in the order a newcomer meets them."""
        return list(self.commands)


@click.group(
    cls=Commands,
    commands={command.name or "": command for command in COMMANDS},
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(package_name="unaveraged", prog_name="unaveraged")
def app() -> None:
    """Reads agent-evaluation reports and shows every figure at its own grain."""


def main() -> None:
    """Run the command line."""
    app(prog_name="unaveraged")


if __name__ == "__main__":
    main()
