"""Which runs a page shows: those its address names, else the latest, and it says which."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields
from typing import Final, NamedTuple

import polars as pl

from dashboard import runtable, wording
from dashboard.decisions import JudgesLink, RoutingLink, TrialsLink, VarianceLink
from dashboard.link import FailuresLink, ReliabilityLink, SearchLink
from dashboard.parts import Badge, Pick, Piece
from dashboard.runtable import Run
from ingest.records import trial_number

RunsLink = (
    ReliabilityLink
    | FailuresLink
    | SearchLink
    | VarianceLink
    | JudgesLink
    | TrialsLink
    | RoutingLink
)
MOST_RUNS: Final = 6
MOST_ALIKE: Final = 60
_NARROWING: Final = (
    *("category", "item", "tag", "variant", "outcome", "criterion", "fault", "code", "error_code"),
    *("mark", "q"),
)
_FILTERS: Final = ("show", "suite", "subject", *_NARROWING)


class Picked(NamedTuple):
    """The runs a page shows, and the words that say so."""

    runs: Sequence[Run]
    says: list[Piece]
    badges: list[Badge]

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids of the runs."""
        return tuple(run["run"] for run in self.runs)


def of_runs(
    runs: pl.DataFrame,
    asked: Sequence[str],
    *,
    suite: str | None = None,
    subject: str | None = None,
) -> Picked:
    """Return the runs an address asks for; without any, the latest that no report replaces."""
    if asked:
        known = {run["run"]: run for run in runs.iter_rows(named=True)}
        found = [known[run] for run in asked if run in known]
        return _picked(found[:MOST_RUNS], "", len(asked) - len(found), len(found) - MOST_RUNS)
    current = runs.filter(pl.col("superseded_by").is_null())
    if suite is None and subject is None:
        finished = current.filter(pl.col("status").is_null() | (pl.col("status") != "running"))
        latest = (current if finished.is_empty() else finished).head(1)
        return _picked([*latest.iter_rows(named=True)], "the latest run, as none is chosen", 0, 0)
    fitting = runtable.narrowed(current, suite, subject)
    found = [*fitting.head(MOST_RUNS).iter_rows(named=True)]
    return _picked(found, "", 0, fitting.height - MOST_RUNS)


def _picked(runs: Sequence[Run], why: str, unknown: int, over: int) -> Picked:
    if len(runs) == 1:
        run = runs[0]
        says = [
            Piece(run["subject"] or "no subject", strong=True),
            Piece(runtable.suite(run)),
        ]
        if run["started_at"]:
            when = wording.moment(run["started_at"])
            says.append(Piece(when, tone="dim", title=run["started_at"]))
        file = wording.file_name(run["path"] or "")
        says.append(Piece(file, file=True, title=runtable.provenance(run)))
    else:
        says = [Piece(wording.plural(len(runs), "run"))]
    if why:
        says.append(Piece(why, tone="dim"))
    badges = runtable.status(runs[0]) if len(runs) == 1 else []
    partial = sum(run["rejected"] > 0 for run in runs)
    if partial and len(runs) > 1:
        badges.append(Badge(f"{wording.plural(partial, 'run')} incomplete", "warn"))
    if unknown:
        text = f"{wording.plural(unknown, 'run')} of this address not in the store"
        badges.append(Badge(text, "warn"))
    if over > 0:
        badges.append(Badge(f"{wording.plural(over, 'older run')} not shown", "warn"))
    return Picked(runs, says, badges)


def picks(link: RunsLink, runs: Iterable[Run]) -> list[Pick]:
    """Return what an address selects, each with the address without it."""
    chosen = [
        Pick(
            "",
            run["subject"] or "no subject",
            link.but(run=tuple(one for one in link.run if one != run["run"])).href,
            runtable.caption(run, file=False),
        )
        for run in runs
        if run["run"] in link.run
    ]
    for field in fields(link):
        value = getattr(link, field.name)
        if field.name in _FILTERS and value is not None:
            text = wording.category(value) if field.name == "category" else value
            name = "text" if field.name == "q" else wording.spoken(field.name)
            chosen.append(Pick(name, text, link.but(**{field.name: None, "page": 1}).href))
    return chosen


def narrowed(link: FailuresLink) -> str:
    """Return the words that say a list is empty under filters, when there are any."""
    return " under these filters" if any(getattr(link, name) for name in _NARROWING) else ""


def names(runs: Iterable[Run]) -> Mapping[str, str]:
    """Return how each run is called in a list of several."""
    return {run["run"]: f"{run['subject'] or 'no subject'} · {runtable.suite(run)}" for run in runs}


def run_of(runs: pl.DataFrame, case: str | None) -> Run | None:
    """Return the run that a trial's name belongs to, null where the name or the run is unknown."""
    try:
        trial_number(case or "")
    except ValueError:
        return None
    found = runs.filter(pl.col("run") == (case or "").partition("-")[0])
    return None if found.is_empty() else found.row(0, named=True)


def all_runs(
    runs: pl.DataFrame, asked: Sequence[str], suite: str | None, subject: str | None
) -> pl.DataFrame:
    """Return the runs an address asks for; without any, all that no report replaces."""
    if asked:
        return runs.filter(pl.col("run").is_in(list(asked)))
    return runtable.narrowed(runs.filter(pl.col("superseded_by").is_null()), suite, subject)


def same_suite(runs: pl.DataFrame, run: Run) -> list[str]:
    """Return the run and the current runs of its suite and format, newest first."""
    alike = runs.filter(
        pl.col("suite").eq_missing(run["suite"]),
        pl.col("format") == run["format"],
        pl.col("superseded_by").is_null(),
    )
    return [run["run"], *(one for one in alike["run"].head(MOST_ALIKE) if one != run["run"])]


def case_picks(run: Run | None) -> list[Pick]:
    """Return the run of a case, for the rail."""
    if run is None:
        return []
    name, words = run["subject"] or "no subject", runtable.caption(run, file=False)
    return [Pick("", name, None, words, FailuresLink(run=(run["run"],)).href)]
