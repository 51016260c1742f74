"""`unaveraged check`: whether reports keep the rules of their format, with nothing stored."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from dashboard import text
from dashboard.commands import options
from dashboard.commands.ingest import NO_FILES, NO_REPORT, SOMETHING_REJECTED, line, refuse_absent
from dashboard.errors import InputError

if TYPE_CHECKING:
    from ingest.checking import Checked


@click.command
@click.argument("paths", metavar="PATH...", nargs=-1, required=True)
@click.option("--verbose", "-v", is_flag=True, help="Print what was kept with a flag, too.")
@options.json_output
def check(*, paths: tuple[str, ...], verbose: bool, as_json: bool) -> None:
    """Say what an ingest would refuse or flag, and store nothing.

    Exit code 1 when something would be refused: for the tests of whatever writes reports.
    """
    from ingest.checking import check_paths

    refuse_absent(paths)
    checked = list(check_paths(paths))
    if as_json:
        text.say_json([each.to_json() for each in checked])
    else:
        _say(checked, verbose=verbose)
    rules = [refused.rule for each in checked for refused in each.rejected]
    if all(rule == NO_FILES for rule in rules) and len(rules) == len(checked):
        raise InputError(
            f"no file is in {', '.join(paths)}; give files or a folder that holds some"
        )
    if any(rule != NO_REPORT for rule in rules):
        raise SystemExit(SOMETHING_REJECTED)


def _say(checked: "Sequence[Checked]", *, verbose: bool) -> None:
    for each in checked:
        for refused in each.rejected:
            text.note(line(refused))
        for flag in each.flags if verbose else ():
            place = f" {text.shown(flag.place)}" if flag.place else ""
            told = f"{flag.rule}: {text.shown(flag.message)}"
            text.note(f"{text.shown(each.path)}{place}: kept, flagged {told}")
    read = [each for each in checked if each.format]
    runs, trials = sum(each.runs for each in read), sum(each.trials for each in read)
    counted = f"{text.plural(runs, 'run')}, {text.plural(trials, 'trial')}"
    text.say(f"{text.plural(len(read), 'report')} can be loaded ({counted})")
    rules = [refused.rule for each in checked for refused in each.rejected]
    aside = rules.count(NO_REPORT)
    text.say(f"{len(rules) - aside} rejected")
    flags = sum(len(each.flags) for each in checked)
    text.say(f"{flags} flagged" + (" (--verbose lists them)" if flags and not verbose else ""))
    if aside:
        text.say(f"{text.plural(aside, 'other file')} left aside")
