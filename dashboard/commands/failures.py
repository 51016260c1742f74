"""`unaveraged failures`: each criterion that failed or errored, with what decided it."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import click

from dashboard import grounds, text, wording
from dashboard.commands import options

COLUMNS: Final = (
    text.Column("trial", whole=True),
    text.Column("item"),
    text.Column("rep", right=True),
    text.Column("step"),
    text.Column("criterion"),
    text.Column("category", whole=True),
    text.Column("evidence"),
)


@click.command
@options.run_names
@options.categories
@options.items
@click.option(
    "--divergence", is_flag=True, help="With --json: where a trial first left a passing one's way."
)
@options.rule_files
@options.store
@options.json_output
def failures(
    *,
    runs: tuple[str, ...],
    categories: tuple[str, ...],
    items: tuple[str, ...],
    divergence: bool,
    rule_files: tuple[Path, ...],
    db: Path,
    as_json: bool,
) -> None:
    """List the criteria that failed or errored, with the evidence."""
    from dashboard import diverged, figures, shapes, unmet

    chosen = figures.chosen(db, runs)
    rulebook = figures.rules(rule_files)
    found = unmet.failures(db, chosen, rulebook, categories=categories, items=items)
    if as_json:
        first = diverged.of(db, found) if divergence else None
        partial = set(shapes.incomplete(chosen))
        listed = shapes.failures(found, first)
        text.say_json([each | {"incomplete": each["run"] in partial} for each in listed])
        return
    if found.is_empty():
        text.say(f"No criterion failed or errored in {text.plural(chosen.height, 'run')}.")
    for row in chosen.to_dicts():
        of_run = found.filter(found["run"] == row["run"])
        if not of_run.is_empty():
            text.say(text.heading(row))
            text.say_table(COLUMNS, map(_row, of_run.to_dicts()))


def _row(failure: Mapping[str, Any]) -> tuple[str, ...]:
    repetition = failure["repetition"]
    return (
        failure["trial"],
        text.shown(failure["item"]) + grounds.variants(failure["variants"]),
        wording.NOTHING if repetition is None else str(repetition),
        text.shown(failure["step"]),
        text.shown(failure["criterion"]) + (" (errored)" if failure["errored"] else ""),
        text.shown(failure["category"]),
        grounds.evidence(failure),
    )
