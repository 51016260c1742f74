"""`unaveraged gate`: whether a run may merge, as an exit code and as text."""

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from dashboard import text, wording
from dashboard.commands import options
from dashboard.errors import InputError

if TYPE_CHECKING:
    from dashboard.gating import Gated
    from queries.rules import RuleBook

EXPLAINED: Final = (
    text.Column("rule"),
    text.Column("about"),
    text.Column("verdict"),
    text.Column("from"),
)


@click.command
@options.run_arguments
@click.option("--policy", "policy_file", type=options.FILE, metavar="FILE", help="A policy (TOML).")
@click.option("--baseline", metavar="RUN", help="Refuse what got worse than this run.")
@options.control
@options.markdown
@options.pages
@click.option(
    "--junit",
    type=options.FILE,
    metavar="FILE",
    help="Write the rulings and failing criteria as JUnit XML too.",
)
@click.option("--explain", is_flag=True, help="Print what every rule was decided from.")
@options.rule_files
@options.counted
@options.json_output
def gate(
    *,
    runs: tuple[str, ...],
    policy_file: Path | None,
    baseline: str | None,
    control: tuple[str, str] | None,
    as_markdown: bool,
    pages: str | None,
    junit: Path | None,
    explain: bool,
    rule_files: tuple[Path, ...],
    db: Path,
    as_json: bool,
) -> None:
    """Decide whether runs may merge.

    Exit code 0 pass, 1 fail, 3 not enough evidence.
    """
    from dashboard import figures, gating, pair_shapes

    against = None if baseline is None else gating.Baseline(baseline, control)
    policy, rules = gating.policy(policy_file), figures.rules(rule_files)
    gated = gating.decide(db, runs, policy, rules, against)
    if junit is not None:
        _write_junit(junit, db, gated, rules)
    if as_json:
        text.say_json(pair_shapes.gate(gated))
    elif as_markdown:
        _say_comment(db, gated, pages)
    else:
        for each in gated:
            _say_run(each.run, each.outcome.to_json(), explain=explain)
    sys.exit(gating.EXITS[gating.verdict(gated)])


def _write_junit(path: Path, db: Path, gated: list["Gated"], rules: "RuleBook") -> None:
    from dashboard import junit

    try:
        junit.write(path, db, gated, rules)
    except OSError as error:
        raise InputError(f"{path} cannot be written: {error.strerror or error}") from error


def _say_comment(db: Path, gated: list["Gated"], pages: str | None) -> None:
    from dashboard import comment, figures, gating

    links = comment.Links(pages, figures.item_ids(db, [each.run["run"] for each in gated]))
    for line in comment.gate(gated, gating.verdict(gated), links):
        text.say(line)


def _say_run(run: Mapping[str, Any], outcome: Mapping[str, Any], *, explain: bool) -> None:
    text.say(f"{outcome['verdict']}: {text.heading(run)}")
    for member, word in (("violations", "fails"), ("undecided", "cannot say")):
        for ruling in outcome[member]:
            text.say(
                text.shown(f"  {word}  {ruling['rule']} [{ruling['scope']}]: {ruling['detail']}")
            )
    for row in outcome["exclusions"]:
        told = f"{row['item']}: {wording.plural(row['trials'], 'trial')} skipped, {row['reason']}"
        text.say(text.shown(f"  excluded  {told}"))
    if explain:
        text.say_table(EXPLAINED, map(_row, outcome["explained"]))


def _row(ruling: Mapping[str, Any]) -> tuple[str, ...]:
    counts = ", ".join(f"{name} {_number(value)}" for name, value in ruling["counts"].items())
    detail = f"{ruling['detail']} ({counts})" if counts else ruling["detail"]
    return (
        ruling["rule"],
        text.shown(ruling["scope"]),
        ruling["verdict"],
        text.shown(detail),
    )


def _number(value: object) -> str:
    return f"{value:.4g}" if isinstance(value, float) else text.shown(value)
