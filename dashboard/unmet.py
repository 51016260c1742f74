"""Criteria that failed or errored, with what decided each: at once, or in parts of bounded size.

Of the checks only those are read that can explain a failure, and of a long list only some trials at
a time.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import polars as pl

from dashboard import selection
from dashboard.errors import InputError
from dashboard.marked import marked
from ingest import store, subjects
from ingest.records import key
from queries import evidence as evidence_query
from queries import rules as rulebooks

MOST_NAMED: Final = 12
TRIALS_AT_ONCE: Final = 20_000
"""Trials of which a long list holds the rows in memory."""
Tell = Callable[[int, int, int], None]
"""Hears how many of how many trials are done, and how many rows the last of them gave."""

_ITEM: Final = ("run", "item", "tags")
_TRIAL: Final = (
    *("run", "trial", "item", "variants", "repetition", "outcome", "graded", "native_status"),
    "error_code",
)
EVIDENCE: Final = (
    *("run", "trial", "definition", "position", "parent", "scope", "turn", "criterion", "path"),
    *("label", "kind", "operator", "target", "evaluator", "passed", "errored", "error_code"),
    *("decisive", "negated", "unfinished", "fault", "code", "reason"),
    *("actual_present", "actual", "expected"),
)
UNMET: Final = (
    {"passed": False},
    {"passed": True, "errored": True},
    {"passed": True, "errored": False, "decisive": True},
)
"""Nodes that failed, broke, or held where they must not; the others explain no failure."""


def failures(
    db: Path,
    runs: pl.DataFrame,
    rulebook: rulebooks.RuleBook,
    *,
    categories: Collection[str] | None = None,
    items: Collection[str] | None = None,
    item: str | None = None,
) -> pl.DataFrame:
    """Return the criteria of these runs that failed or errored, with what decided each.

    With ``item`` no more than its trials is read; it need not be there.

    Raises:
        InputError: When no category or no item of these runs is called that.
    """
    ids = runs["run"].to_list()
    with store.open_reader(db) as reader:
        tables = _unmet(reader, ids) if item is None else _of_item(reader, ids, item)
    _refuse_unknown("category", categories, rulebooks.CATEGORIES)
    _refuse_unknown("item", items, sorted(set(tables.items["item"])))
    found = _failures(runs, tables, rulebook, categories, items)
    return marked(found, runs, subjects.read_notes(db))


class Unmet(NamedTuple):
    """What the failures of some trials are computed from."""

    items: pl.DataFrame
    trials: pl.DataFrame
    turns: pl.DataFrame
    checks: pl.DataFrame
    definitions: pl.DataFrame


def _unmet(reader: store.Reader, ids: Sequence[str], span: range | None = None) -> Unmet:
    trials = reader.frame("trial", _TRIAL, runs=ids, span=span)
    return _beside(reader, ids, trials, span=span)


def _of_item(reader: store.Reader, ids: Sequence[str], item: str) -> Unmet:
    trials = reader.frame("trial", _TRIAL, runs=ids, where={"item": item})
    return _beside(reader, ids, trials, trials=trials["trial"].to_list())


def _beside(reader: store.Reader, ids: Sequence[str], own: pl.DataFrame, **among: Any) -> Unmet:
    """Return what explains these trials; ``among`` says to the store which they are."""
    return Unmet(
        reader.frame("item", _ITEM, runs=ids),
        own,
        reader.frame("turn", ("run", "trial", "turn", "step"), runs=ids, **among),
        pl.concat(
            reader.frame("check", EVIDENCE, runs=ids, where=where, **among) for where in UNMET
        ),
        reader.frame("definition", runs=ids),
    )


def _failures(
    runs: pl.DataFrame,
    tables: Unmet,
    rulebook: rulebooks.RuleBook,
    categories: Collection[str] | None,
    items: Collection[str] | None,
) -> pl.DataFrame:
    item, trial, turn, check, definition = (frame.lazy() for frame in tables)
    found = evidence_query.failures(runs.lazy(), item, trial, turn, check, definition, rulebook)
    if categories:
        found = found.filter(pl.col("category").is_in(list(categories)))
    if items:
        found = found.filter(pl.col("item").is_in(list(items)))
    return found.collect()


def in_parts(
    db: Path,
    runs: pl.DataFrame,
    rulebook: rulebooks.RuleBook,
    *,
    categories: Collection[str] | None = None,
    items: Collection[str] | None = None,
    tell: Tell | None = None,
) -> Iterator[pl.DataFrame]:
    """Yield what :func:`failures` returns, run by run in the order given, in bounded parts.

    There is at least one part. The store stays open until the last, so that all are of one state of
    it.

    Raises:
        InputError: When no category or no item of these runs is called that.
    """
    _refuse_unknown("category", categories, rulebooks.CATEGORIES)
    with store.open_reader(db) as reader:
        ids = runs["run"].to_list()
        there = set(reader.frame("item", ("item",), runs=ids)["item"])
        _refuse_unknown("item", items, sorted(there))
        sizes = {run: reader.frame("trial", ("run",), runs=(run,)).height for run in ids}
        notes, whole, done = subjects.read_notes(db), sum(sizes.values()), 0
        for run, span in _spans(sizes):
            tables = _unmet(reader, (run,), span)
            own = runs.filter(pl.col("run") == run)
            found = _failures(own, tables, rulebook, categories, items)
            done += tables.trials.height
            if tell is not None:
                tell(done, whole, found.height)
            yield marked(found, own, notes)


def _spans(sizes: Mapping[str, int]) -> Iterator[tuple[str, range]]:
    """Yield the trials of each run some at a time; a part without any where there is no run."""
    for run, size in sizes.items():
        for start in range(key(run, 0), key(run, 0) + max(size, 1), TRIALS_AT_ONCE):
            yield run, range(start, start + TRIALS_AT_ONCE)
    if not sizes:
        yield "", range(0)


def _refuse_unknown(kind: str, wanted: Collection[str] | None, there: Sequence[str]) -> None:
    for name in wanted or ():
        if name not in there:
            known = selection.listed(there, MOST_NAMED) or "none"
            raise InputError(f"no {kind} is called {name!r} here; there is {known}")
