"""What a coding agent needs to mend a run: each failing criterion, its evidence, what to rerun.

Failures of a cell that share criterion and evidence are one entry, which says in how many of the
cell's graded repetitions it failed. Business failures, errored criteria and trials that never
finished are three lists: only the first says something about the subject.
"""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import polars as pl

from dashboard import brief_entry, figures, selection, text, trial_document, unmet, wording
from ingest import store
from ingest.records import trial_name
from queries import cases
from queries import entries as entries_query
from queries import rules as rulebooks

Record = dict[str, Any]

TOKEN: Final = 4
"""Characters a token has, about."""
MOST: Final = 40
BUDGET: Final = 8_000
_TRIAL: Final = (
    *("run", "trial", "item", "variants", "repetition", "outcome", "graded", "error_code"),
    *("reason", "bound_reached", "unfinished"),
)
_INCOMPLETE: Final = ("outcome", "error_code", "reason")


class Asked(NamedTuple):
    """How much of a run is wanted."""

    items: tuple[str, ...] = ()
    limit: int = MOST
    budget: int = BUDGET


def of(db: Path, name: str, rulebook: rulebooks.RuleBook, asked: Asked) -> Record:
    """Return the brief of one run, the entries that decide most first.

    Raises:
        InputError: When no run, or more than one, or no item of it is called that.
    """
    run = selection.one(figures.known(db), name)
    chosen = figures.chosen(db, [run["run"]])
    failures = unmet.failures(db, chosen, rulebook, items=asked.items)
    with store.open_reader(db) as reader:
        trials = reader.frame("trial", _TRIAL, runs=(run["run"],))
        ranked = entries_query.entries(failures.lazy(), trials.lazy()).collect()
        shown = ranked.group_by("errored", maintain_order=True).head(asked.limit)
        entries = brief_entry.read(reader, run["run"], shown, trials)
    if asked.items:
        trials = trials.filter(pl.col("item").is_in(list(asked.items)))
    brief = _head(run, trials) | {
        "failures": [],
        "errored": [],
        "incomplete": _incomplete(trials),
        "suite_failures": _suite(db, run["run"]),
        "rerun": _rerun(failures, trials),
    }
    return _within(brief, entries, ranked["errored"].to_list(), asked)


def _head(run: Mapping[str, Any], trials: pl.DataFrame) -> Record:
    counts = dict(trials.group_by("outcome").len().iter_rows())
    return {
        "run": run["run"],
        "suite": run["suite"],
        "subject": text.subject(run),
        "status": run["status"],
        "file": wording.file_name(run["path"]),
        "replaced_by": run["superseded_by"],
        "records_not_loaded": run["rejected"],
        "outcomes": {name: int(number) for name, number in wording.in_order(counts)},
    }


def _incomplete(trials: pl.DataFrame) -> list[Record]:
    """Return the trials without a grade, by how they ended."""
    rows = (
        trials.filter(~pl.col("graded"))
        .sort("trial")
        .group_by(_INCOMPLETE, maintain_order=True)
        .agg(pl.col("trial"), pl.col("item").unique(maintain_order=True))
    )
    return [
        {name: row[name] for name in _INCOMPLETE if row[name] is not None}
        | {
            "number": len(row["trial"]),
            "items": row["item"],
            "trials": [trial_name(one) for one in row["trial"][: brief_entry.MOST_TRIALS]],
        }
        for row in rows.to_dicts()
    ]


def _suite(db: Path, run: str) -> list[Record]:
    """Return the criteria of the suite itself that failed or errored."""
    with store.open_reader(db) as reader:
        checks = reader.frame("check", runs=(run,), where={"scope": "run"})
    roots = trial_document.criteria(cases.tree(checks.lazy()).collect().iter_rows(named=True))
    return [brief_entry.shortened(root) for root in roots if not root["passed"]]


def _rerun(failures: pl.DataFrame, trials: pl.DataFrame) -> Record:
    """Return the items to run again: of what failed, errored, or never finished unreviewed."""
    errored = failures.filter("errored")["item"]
    failed = failures.filter(~pl.col("errored"))["item"]
    incomplete = trials.filter(~pl.col("graded") & (pl.col("outcome") != "skipped"))["item"]
    return {
        "failed": _ids(failed),
        "errored": _ids(errored),
        "incomplete": _ids(incomplete),
        "all": _ids(pl.concat([failed, errored, incomplete])),
    }


def _ids(items: pl.Series) -> list[str]:
    return items.unique(maintain_order=True).to_list()


def _within(
    brief: Record, entries: Sequence[Record], errored: Sequence[bool], asked: Asked
) -> Record:
    """Add entries as long as there is room, and say how many there are besides."""
    room = asked.budget * TOKEN - len(json.dumps(brief, ensure_ascii=False))
    for entry in entries:
        room -= len(json.dumps(entry, ensure_ascii=False))
        if room < 0 and (brief["failures"] or brief["errored"]):
            break
        brief["errored" if entry["errored"] else "failures"].append(entry)
    brief["not_shown"] = {
        name: errored.count(broken) - len(brief[name])
        for name, broken in (("failures", False), ("errored", True))
    }
    if any(brief["not_shown"].values()):
        brief["ask_for_more"] = (
            f"unaveraged brief {brief['run']} --budget {asked.budget * 4} --limit {asked.limit * 4}"
            " or --item ID for one item"
        )
    return brief
