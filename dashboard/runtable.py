"""The table of runs: which are listed, and what each row says."""

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

import polars as pl

from dashboard import wording
from dashboard.link import FailuresLink, OverviewLink, RejectionsLink, ReliabilityLink
from dashboard.parts import Badge

Run = Mapping[str, Any]
"""A row of the frame of known runs."""

MOST_OPTIONS: Final = 1000
_CALM: Final = frozenset({"completed", None})
_SEARCHED: Final = ("suite", "suite_name", "subject", "path", "run", "native_run")


class Row(NamedTuple):
    """One run of the table."""

    run: str
    href: str
    suite: str
    subject: str | None
    when: str
    badges: list[Badge]
    outcomes: list[tuple[str, int]]
    failing: int
    errored: int
    failed_href: str
    errored_href: str
    repetitions: int
    path: str
    provenance: str
    superseded_by: str | None


def listed(runs: pl.DataFrame, link: OverviewLink) -> pl.DataFrame:
    """Return the runs that an address asks for."""
    if not link.superseded:
        runs = runs.filter(pl.col("superseded_by").is_null())
    return narrowed(runs, link.suite, link.subject).filter(_mentions(link.q))


def narrowed(runs: pl.DataFrame, suite: str | None, subject: str | None) -> pl.DataFrame:
    """Return the runs of a suite and a subject, where these are given."""
    for column, value in (("suite", suite), ("subject", subject)):
        if value is not None:
            runs = runs.filter(pl.col(column) == value)
    return runs


def _mentions(text: str | None) -> pl.Expr:
    if not text:
        return pl.lit(value=True)
    return pl.any_horizontal(
        pl.col(column)
        .str.to_lowercase()
        .str.contains(text.lower(), literal=True)
        .fill_null(value=False)
        for column in _SEARCHED
    )


class Note(NamedTuple):
    """A sentence under the table, with an address to go on to."""

    text: str
    href: str
    link: str


def notes(
    runs: pl.DataFrame, rows: pl.DataFrame, link: OverviewLink, rejections: int
) -> list[Note]:
    """Return what must be said about the runs and things that the table does not list."""
    said = []
    if rows.is_empty():
        said.append(Note("No run is like that.", OverviewLink().href, "Show all"))
    everything = link.but(superseded=True, page=1)
    if hidden := listed(runs, everything).height - rows.height:
        them = wording.plural(hidden, "run is", "runs are")
        why = "a later report of the same run replaces " + ("it" if hidden == 1 else "each")
        said.append(Note(f"{them} not listed: {why}.", everything.href, "Show all"))
    if rejections:
        them = wording.plural(rejections, "thing was", "things were")
        said.append(Note(f"{them} not loaded.", RejectionsLink().href, "See why"))
    return said


def choices(runs: pl.DataFrame, column: str) -> dict[str, str]:
    """Return the values of a column to choose from, in alphabetical order."""
    return {value: value for value in sorted(runs[column].drop_nulls().unique().to_list())}


def rows(runs: pl.DataFrame, counts: pl.DataFrame, outcomes: pl.DataFrame) -> list[Row]:
    """Return the rows of the table for these runs, in their order."""
    shown = runs.select("run").lazy()
    counted = counts.lazy().join(shown, on="run", how="semi").collect()
    by_run = {row["run"]: row for row in counted.iter_rows(named=True)}
    ended: dict[str, dict[str, int]] = {}
    for row in outcomes.join(runs, on="run", how="semi").iter_rows(named=True):
        ended.setdefault(row["run"], {})[row["outcome"]] = row["trials"]
    return [
        _row(run, by_run.get(run["run"], {}), ended.get(run["run"], {}))
        for run in runs.iter_rows(named=True)
    ]


def _row(run: Run, counts: Mapping[str, int], outcomes: dict[str, int]) -> Row:
    name = run["run"]
    return Row(
        run=name,
        href=ReliabilityLink(run=(name,)).href,
        suite=suite(run),
        subject=run["subject"],
        when=wording.moment(run["started_at"]),
        badges=status(run),
        outcomes=wording.in_order(outcomes),
        failing=counts.get("criteria_failing", 0),
        errored=counts.get("criteria_errored", 0),
        failed_href=FailuresLink(run=(name,)).href,
        errored_href=FailuresLink(run=(name,), tab="errored").href,
        repetitions=counts.get("repetitions", 0),
        path=run["path"] or "",
        provenance=provenance(run),
        superseded_by=run["superseded_by"],
    )


def suite(run: Run) -> str:
    """Return how the suite of a run is called on pages."""
    return run["suite"] or "no suite named"


def status(run: Run) -> list[Badge]:
    """Return what must be known about a run before its figures are read."""
    found = []
    if run["status"]:
        found.append(Badge(run["status"], "" if run["status"] in _CALM else "warn"))
    if run["superseded_by"]:
        found.append(
            Badge(
                "superseded",
                "warn",
                f"A later report of this run replaces it: {run['superseded_by']}",
            )
        )
    found += incomplete(run)
    if run["arm"]:
        found.append(Badge(f"{run['arm']} arm"))
    if run["dialect"] and run["dialect"] != "contract":
        found.append(Badge(run["dialect"], "", "The dialect of the format that this report is in"))
    return found


def incomplete(run: Run) -> list[Badge]:
    """Return the remark that something of a run could not be loaded, where that is so."""
    told = f"{wording.plural(run['rejected'], 'trial')} could not be loaded"
    return [Badge("incomplete", "warn", told)] if run["rejected"] else []


def provenance(run: Run) -> str:
    """Return where a run came from: its file, what it was read as, its hash, and when."""
    when = run["ingested_at"]
    return "\n".join(
        [
            run["path"] or "",
            f"read as {wording.read_as(run)}",
            f"sha256 {run['report']}",
            f"loaded {when:%Y-%m-%d %H:%M} UTC" if when else "",
        ]
    )


def caption(run: Run, *, file: bool = True) -> str:
    """Return what tells a run from others of its subject, on one line."""
    parts = [suite(run)]
    if run["arm"]:
        parts.append(f"{run['arm']} arm")
    if run["started_at"]:
        parts.append(wording.moment(run["started_at"]))
    if file or len(parts) == 1:
        parts.append(wording.file_name(run["path"] or ""))
    return " · ".join(parts)


def options(runs: pl.DataFrame) -> dict[str, str]:
    """Return runs to choose from, each with the words that tell it from others."""
    rows = runs.head(MOST_OPTIONS).iter_rows(named=True)
    return {run["run"]: f"{run['subject'] or 'no subject'} · {caption(run)}" for run in rows}
