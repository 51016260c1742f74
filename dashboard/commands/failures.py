"""`unaveraged failures`: each criterion that failed or errored, with what decided it."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import click

from dashboard import text, wording
from dashboard.commands import options

EVALUATED: Final = '"evaluator"'
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
@click.option(
    "--category",
    "categories",
    multiple=True,
    metavar="NAME",
    help="Only this category; can be repeated.",
)
@click.option(
    "--item", "items", multiple=True, metavar="ID", help="Only this item; can be repeated."
)
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
    from dashboard import diverged, figures, shapes

    chosen = figures.chosen(db, runs)
    rulebook = figures.rules(rule_files)
    found = figures.failures(db, chosen, rulebook, categories=categories, items=items)
    if as_json:
        first = diverged.of(db, found) if divergence else None
        text.say_json(shapes.failures(found, first))
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
        text.shown(failure["item"]) + _variants(failure["variants"]),
        wording.NOTHING if repetition is None else str(repetition),
        text.shown(failure["step"]),
        text.shown(failure["criterion"]) + (" (errored)" if failure["errored"] else ""),
        text.shown(failure["category"]),
        _evidence(failure),
    )


def _variants(variants: str) -> str:
    named = json.loads(variants).items()
    return "".join(f" {text.shown(step)}={text.shown(name)}" for step, name in named)


def _evidence(failure: Mapping[str, Any]) -> str:
    """Whose fault, what was expected and found, and why: what of it the report says."""
    blamed = " ".join(filter(None, (failure["fault"], failure["code"])))
    told = [blamed, _difference(failure), failure["reason"] or ""]
    leaves = [_leaf(leaf) for leaf in failure["decisive"]]
    return text.shown("; ".join(filter(None, told)) or "; ".join(leaves), text.CELL)


def _difference(failure: Mapping[str, Any]) -> str:
    """What a single deciding leaf expected and found; an evaluator only says yes or no."""
    expected, actual = failure["expected"], failure["actual"]
    if expected is None:
        return "" if actual is None else f"got {actual}"
    if actual is None and EVALUATED in expected:
        return ""
    return f"expected {expected}, " + ("nothing there" if actual is None else f"got {actual}")


def _leaf(leaf: Mapping[str, Any]) -> str:
    held = "held, and must not: " if leaf["negated"] else ""
    code = f" ({leaf['error_code']})" if leaf["error_code"] else ""
    return f"{held}{leaf['path']}{code}"
