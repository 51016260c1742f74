"""The gate over a store: what each run is judged by, and the verdict of all."""

from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import polars as pl

from dashboard import figures, selection, sides
from dashboard.errors import InputError
from ingest import store
from queries import changes, gate, gate_counts
from queries.gate_rulings import Against, Evidence, Verdict
from queries.policy import Policy, PolicyError
from queries.rules import RuleBook

EXITS: dict[Verdict, int] = {"pass": 0, "fail": 1, "inconclusive": 3}
"""2 is for what a person can mend: a wrong option, a missing file."""


class Baseline(NamedTuple):
    """What a run is held against: a baseline, and a control pair that measured the noise."""

    name: str
    control: tuple[str, str] | None = None


class Gated(NamedTuple):
    """The outcome of one run."""

    run: dict[str, Any]
    outcome: gate.Outcome


def policy(path: Path | None) -> Policy:
    """Return the policy of a file; without one, the strict policy.

    Raises:
        InputError: When the file cannot be read or is no policy.
    """
    if path is None:
        return Policy()
    try:
        return Policy.read(path.read_text("utf-8"), str(path))
    except (OSError, UnicodeDecodeError, PolicyError) as error:
        raise InputError(f"this policy cannot be used: {error}") from error


def decide(
    db: Path, names: Sequence[str], known: Policy, rulebook: RuleBook, baseline: Baseline | None
) -> list[Gated]:
    """Return what the policy makes of each run that is meant.

    Raises:
        InputError: When a name fits nothing or too much, or a baseline cannot be compared.
    """
    every = figures.known(db)
    wanted = selection.several(every, names)
    if baseline is not None and len(wanted) > 1:
        raise InputError(f"a baseline is for one run, and {len(wanted)} are meant")
    runs = every.filter(pl.col("run").is_in(wanted))
    found = figures.reliability(db, runs, rulebook)
    overview = figures.runs(db)
    cells = _cells(db, every.filter(pl.col("report").is_in(runs["report"].implode())))
    gated = []
    for run in overview.overview.filter(pl.col("run").is_in(wanted)).to_dicts():
        evidence = Evidence(
            run=run,
            cells=_rows(cells, run["run"]),
            categories=_rows(found.categories, run["run"]),
            rates=_rows(found.rates, run["run"]),
            votes=_rows(found.votes, run["run"]),
            suite_failures=_rows(overview.suite_failures, run["run"]),
            against=baseline and _against(db, baseline, run["run"], known, rulebook),
        )
        gated.append(Gated(run, gate.decide(known, evidence)))
    return gated


def verdict(gated: Collection[Gated]) -> Verdict:
    """Return the verdict of several runs: the worst of theirs."""
    found = {each.outcome.verdict for each in gated}
    worst: Sequence[Verdict] = ("fail", "inconclusive")
    return next((each for each in worst if each in found), "pass")


def _rows(frame: pl.DataFrame, run: str) -> list[dict[str, Any]]:
    return frame.filter(pl.col("run") == run).to_dicts()


def _cells(db: Path, runs: pl.DataFrame) -> pl.DataFrame:
    """Count the cells of whole reports: the grid of trial rows spans the models of a file."""
    names = runs["run"].to_list()
    with store.open_reader(db) as reader:
        configs = reader.frame("run", ("run", "config"), runs=names)
        items = reader.frame("item", ("run", "item"), runs=names)
        told = runs.drop("config", strict=False).join(configs, on="run")
        trials = reader.table("trial", runs=names)
        return gate_counts.cells(told.lazy(), items.lazy(), trials).collect()


def _against(db: Path, baseline: Baseline, run: str, known: Policy, rulebook: RuleBook) -> Against:
    tolerances = changes.Tolerances(pass_rate=known.pass_rate_epsilon)
    limits = sides.Limits(tolerances, known.max_excluded_share)
    both = sides.chosen(db, baseline.name, run, baseline.control)
    found = sides.compare(db, both, rulebook, limits)
    return Against(
        found.headline.row(0, named=True), found.changes.to_dicts(), found.categories.to_dicts()
    )
