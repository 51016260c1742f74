"""`unaveraged ingest`: report files into the store, a line on whatever was not loaded."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import click

from dashboard import text
from dashboard.commands import options
from dashboard.commands.label import SUBJECT, pairs_of
from dashboard.errors import InputError
from ingest.errors import StoreBusy

if TYPE_CHECKING:
    from ingest.errors import Rejection
    from ingest.load import LoadResult, Said

NO_REPORT: Final = "not-a-report"
"""Rule of a file that lies in a folder of reports and is none: said, but no fault."""
NO_FILES: Final = "no-reports"
"""Rule of a folder that holds no file at all."""
SOMETHING_REJECTED: Final = 1


@click.command
@click.argument("paths", metavar="PATH...", nargs=-1, required=True)
@click.option("--subject", metavar="NAME", help="The subject of reports that name none.")
@click.option(
    "--subject-from",
    metavar="REGEX",
    help="The same from the file name: its group, or all that fits where it has none.",
)
@click.option(
    "--label",
    "labels",
    multiple=True,
    metavar="KEY=VALUE",
    help="A label of the runs; can be repeated.",
)
@click.option(
    "--wait",
    type=click.FloatRange(min=0),
    metavar="SECONDS",
    default=30,
    show_default=True,
    help="How long to wait for a store that is in use.",
)
@click.option(
    "--watch", is_flag=True, help="Then go on with what is added or changes, until Ctrl-C."
)
@click.option("--verbose", "-v", is_flag=True, help="Print a line for each file.")
@options.store
@options.json_output
def ingest(
    *,
    paths: tuple[str, ...],
    subject: str | None,
    subject_from: str | None,
    labels: tuple[str, ...],
    wait: float,
    watch: bool,
    verbose: bool,
    db: Path,
    as_json: bool,
) -> None:
    """Load report files, and folders of them at any depth.

    A report that is in the store already changes nothing. Whatever is not loaded is said, with
    why and what to do about it.
    """
    refuse_absent(paths)
    order = _Order(db, _said(subject, subject_from, labels), wait, verbose)
    if watch:
        if as_json or "-" in paths:
            raise InputError("--watch follows files and prints lines: neither --json nor -")
        _say(_follow(paths, order))
        return
    result = _load(paths, order)
    if as_json:
        text.say_json(_shape(result))
    else:
        _say_refused(result)
        _say(result)
    if _is_empty(result):
        raise InputError(
            f"no file is in {', '.join(paths)}; give files or a folder that holds some"
        )
    if any(refused.rule != NO_REPORT for refused in result.rejected):
        raise SystemExit(SOMETHING_REJECTED)


class _Order(NamedTuple):
    """What is to be done with the files, whichever they are."""

    db: Path
    said: "Said"
    wait: float
    verbose: bool


def _load(paths: Sequence[str], order: _Order) -> "LoadResult":
    from dashboard.progress import Progress
    from ingest import load

    with Progress(paths, order.db, verbose=order.verbose) as progress:
        return load.load_paths(
            paths,
            order.db,
            said=order.said,
            on_event=progress,
            wait=order.wait,
            waiting=progress.waiting,
        )


def _follow(paths: Sequence[str], order: _Order) -> "LoadResult":
    from dashboard.watching import Followed, follow

    first = True

    def load(changed: Sequence[str]) -> "LoadResult | None":
        try:
            return _load(changed, order)
        except StoreBusy as error:
            text.note(f"{text.shown(error)}; trying again")
            return None

    def say(result: "LoadResult") -> None:
        nonlocal first
        _say_refused(result)
        if first:
            _say(result)
            text.say(f"following {', '.join(map(text.shown, paths))}; Ctrl-C ends it")
        else:
            _say_loaded(result)
        first = False

    return follow(Followed(paths, order.db), paths, load, say)


def line(refused: "Rejection") -> str:
    """Return a rejection as the one line that says what, where, why and what to do."""
    place = f" {text.shown(refused.place)}" if refused.place else ""
    told = f"{text.shown(refused.message)} -> {text.shown(refused.remedy)}"
    return f"{text.shown(refused.path)}{place}: {refused.rule}: {told}"


def _is_empty(result: "LoadResult") -> bool:
    """Return whether there was not one file to look at."""
    seen = bool(result.loaded or result.unchanged)
    return not seen and all(refused.rule == NO_FILES for refused in result.rejected)


def refuse_absent(paths: Sequence[str]) -> None:
    """A path that is not there beside others is a rejection; alone, nothing can be done."""
    if not any(path == "-" or Path(path).exists() for path in paths):
        raise InputError(f"nothing is at {', '.join(paths)}; give files or folders that exist")


def _said(subject: str | None, pattern: str | None, labels: Sequence[str]) -> "Said":
    from ingest.load import Said

    if subject is not None and pattern is not None:
        raise InputError("--subject and --subject-from both name the subject; give one of them")
    try:
        compiled = None if pattern is None else re.compile(pattern)
    except re.error as error:
        raise InputError(f"--subject-from {pattern!r} is no regular expression: {error}") from error
    said = pairs_of(labels)
    if SUBJECT in said:
        raise InputError("a subject is no label; name it with --subject or --subject-from")
    return Said(subject, compiled, said)


def _shape(result: "LoadResult") -> dict[str, list[dict[str, Any]]]:
    return {
        "loaded": [each.to_json() for each in result.loaded],
        "unchanged": [each.to_json() for each in result.unchanged],
        "rejected": [each.to_json() for each in result.rejected],
    }


def _say_refused(result: "LoadResult") -> None:
    for refused in result.rejected:
        text.note(line(refused))


def _say_loaded(result: "LoadResult") -> None:
    for each in result.loaded:
        counted = f"{text.plural(each.runs, 'run')}, {text.plural(each.trials, 'trial')}"
        text.say(f"loaded {text.shown(each.path)} ({counted})")


def _say(result: "LoadResult") -> None:
    runs = sum(loaded.runs for loaded in result.loaded)
    trials = sum(loaded.trials for loaded in result.loaded)
    counted = f"{text.plural(runs, 'run')}, {text.plural(trials, 'trial')}"
    text.say(f"{text.plural(len(result.loaded), 'report')} loaded ({counted})")
    text.say(f"{text.plural(len(result.unchanged), 'report')} unchanged")
    aside = sum(refused.rule == NO_REPORT for refused in result.rejected)
    text.say(f"{len(result.rejected) - aside} rejected")
    if aside:
        text.say(f"{text.plural(aside, 'other file')} left aside")
