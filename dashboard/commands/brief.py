"""`unaveraged brief`: what failed, why, how often, and what to run again."""

from pathlib import Path

import click

from dashboard import text
from dashboard.commands import options


@click.command
@options.run_name
@options.items
@click.option(
    "--limit",
    type=click.IntRange(1),
    default=40,
    show_default=True,
    metavar="N",
    help="Failing criteria, and errored ones, at most.",
)
@click.option(
    "--budget",
    type=click.IntRange(200),
    default=8000,
    show_default=True,
    metavar="TOKENS",
    help="About how long it may be; the most decisive come first.",
)
@click.option(
    "--format", "form", type=click.Choice(["md", "json"]), default="md", show_default=True
)
@options.rule_files
@options.store
def brief(
    *,
    run: str,
    items: tuple[str, ...],
    limit: int,
    budget: int,
    form: str,
    rule_files: tuple[Path, ...],
    db: Path,
) -> None:
    """Tell what failed in a run, with the evidence."""
    from dashboard import brief as briefs
    from dashboard import brief_text, figures

    asked = briefs.Asked(items, limit, budget)
    found = briefs.of(db, run, figures.rules(rule_files), asked)
    if form == "json":
        text.say_json(found)
    else:
        for line in brief_text.lines(found):
            text.say(line)
