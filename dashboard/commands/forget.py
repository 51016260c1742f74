"""`unaveraged forget`: take a report, or all that are old, out of the store."""

from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import click

from dashboard import text
from dashboard.commands import options

COLUMNS: Final = (
    text.Column("report", whole=True),
    text.Column("runs", right=True),
    text.Column("latest run"),
    text.Column("file"),
)


@click.command
@click.argument("report", required=False)
@click.option(
    "--older-than",
    metavar="AGE",
    help="All reports whose runs are older than this: hours, days or weeks, as in 90d.",
)
@click.option(
    "--keep-latest",
    type=click.IntRange(min=1),
    is_flag=False,
    flag_value=1,
    metavar="[N]",
    help="With --older-than: keep the newest N current runs of each suite and subject; one "
    "without a number.",
)
@click.option("--dry-run", is_flag=True, help="Say what would go, and take nothing away.")
@options.store
@options.lake_folder
@options.json_output
def forget(
    *,
    report: str | None,
    older_than: str | None,
    keep_latest: int | None,
    dry_run: bool,
    db: Path,
    lake: Path | None,
    as_json: bool,
) -> None:
    """Take a report, or all old ones, out of a store or lake.

    REPORT is its file, the start of its hash, or one of its runs. A run is as old as its end, else
    its start, else the loading of its report; a report goes when all its runs may go. What people
    said of runs and failures is kept.
    """
    if (report is None) == (older_than is None):
        raise click.UsageError("name one REPORT, or give --older-than AGE")
    if older_than is None and keep_latest is not None:
        raise click.UsageError("--keep-latest goes with --older-than")
    db = lake or db
    if report is not None:
        _one(db, report, dry_run=dry_run, as_json=as_json)
    else:
        _old(db, older_than or "", keep_latest or 0, dry_run=dry_run, as_json=as_json)


def _one(db: Path, report: str, *, dry_run: bool, as_json: bool) -> None:
    from dashboard import figures, selection

    runs = figures.known(db)
    meant = selection.report(runs, figures.reports(db), report)
    path = meant["path"]
    if dry_run:
        own = [row["run"] for row in runs.to_dicts() if row["report"] == meant["report"]]
        if as_json:
            text.say_json({"report": meant["report"], "path": path, "runs": own})
        else:
            runs_told = text.plural(len(own), "run")
            text.say(f"{text.shown(path)} would be forgotten ({runs_told})")
        return
    trials = _take(db, meant["report"])
    if as_json:
        text.say_json({"report": meant["report"], "path": path, "trials": trials})
    else:
        text.say(f"{text.shown(path)} forgotten ({text.plural(trials, 'trial')})")


def _old(db: Path, written: str, latest: int, *, dry_run: bool, as_json: bool) -> None:
    from dashboard import figures, retention

    age = retention.age(written)
    plan = retention.plan(figures.known(db), age, latest, datetime.now(UTC))
    gone = plan.reports["report"].to_list()
    trials = None
    if gone and not dry_run:
        trials = _take(db, *gone)
    if as_json:
        rows = [row | {"when": row["when"].isoformat()} for row in plan.reports.to_dicts()]
        shape = {"dry_run": dry_run, "reports": rows, "runs": plan.gone, "kept": plan.kept}
        text.say_json(shape | {"trials": trials})
        return
    if gone:
        text.say_table(
            COLUMNS,
            map(_report, plan.reports.to_dicts()),
        )
    done = "would be forgotten" if dry_run else "forgotten"
    told = f"{text.plural(len(gone), 'report')}, {text.plural(len(plan.gone), 'run')} {done}"
    told += "" if trials is None else f" ({text.plural(trials, 'trial')})"
    text.say(f"{told}; {text.plural(len(plan.kept), 'run')} kept")


def _take(db: Path, *reports: str) -> int:
    from dashboard import kept
    from ingest.store import Writer, lake

    if lake.is_lake(db):
        return sum(lake.forget_now(db, report) for report in reports)
    trials = Writer(db, waiting=_waiting).forget(*reports)
    kept.prune(db)
    return trials


def _report(row: Mapping[str, Any]) -> tuple[str, ...]:
    when = f"{row['when']:%Y-%m-%d %H:%M}"
    return row["report"][:10], str(row["runs"]), when, text.shown(row["path"])


def _waiting(holder: str) -> None:
    text.note(f"waiting for {holder}, which holds the store")
