"""Reading a store from Python: the figures of the pages and commands, as Polars frames.

    from dashboard.api import open_store

    store = open_store("unaveraged.duckdb")
    store.reliability(runs=["swift-model"]).categories

A run is named as on the command line: by its id or the start of it, its file or its subject.
Nothing here keeps the store open or changes it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from dashboard import (
    battery,
    brief,
    figures,
    gating,
    repeated,
    sides,
    trial_document,
    unmet,
)
from dashboard.export import tables, write
from dashboard.export.about import Selection
from dashboard.export.formats import Format
from ingest import store as stores
from queries import cases
from queries.rules import RuleBook

Names = Sequence[str] | None
Files = Sequence[Path | str]

_TRIAL: tuple[str, ...] = (
    *("run", "trial", "item", "variants", "repetition", "outcome", "native_status", "error_code"),
    *("error_scope", "reason", "bound_reached", "unfinished", "graded", "turns", "duration_ms"),
)


@dataclass(frozen=True)
class Store:
    """A store that is read; every call sees it as it is then."""

    path: Path

    def runs(self) -> pl.DataFrame:
        """Return one row a run: its file, suite, subject, status and counts."""
        return figures.runs(self.path).overview

    def reliability(self, runs: Names = None, categories: Files = ()) -> figures.Reliability:
        """Return how often each category held, and what stands beside it, each a frame.

        Args:
            runs: Runs by name; without, every run that no later report replaces.
            categories: Files of category rules that come before the shipped ones.
        """
        return figures.reliability(self.path, self._chosen(runs), _rules(categories))

    def failures(
        self,
        runs: Names = None,
        *,
        category: Names = None,
        item: Names = None,
        categories: Files = (),
    ) -> pl.DataFrame:
        """Return one row a criterion that failed or errored, with what decided it."""
        chosen, rules = self._chosen(runs), _rules(categories)
        return unmet.failures(self.path, chosen, rules, categories=category, items=item)

    def variance(self, runs: Names = None, categories: Files = ()) -> repeated.Variance:
        """Return how much repetitions differ: per cell, and per category of a run."""
        return repeated.variance(self.path, self._chosen(runs), _rules(categories))

    def votes(self, runs: Names = None, threshold: int = 3) -> repeated.Votes:
        """Return what judges said: per criterion, and per item of it."""
        return repeated.votes(self.path, self._chosen(runs), threshold)

    def routing(self, runs: Names = None, channels: Path | None = None) -> battery.Routed:
        """Return who has to act on what trial rows found."""
        known = battery.channels(channels)
        return battery.route(self.path, self._chosen(runs), known, battery.now())

    def compare(
        self,
        base: str,
        current: str,
        control: tuple[str, str] | None = None,
        *,
        suite: str | None = None,
        categories: Files = (),
    ) -> sides.Compared:
        """Return what differs between two runs or subjects, on the cells they share."""
        chosen = sides.chosen(self.path, base, current, control, suite)
        return sides.compare(self.path, chosen, _rules(categories))

    def gate(
        self,
        runs: Sequence[str],
        policy: Path | None = None,
        *,
        baseline: str | None = None,
        control: tuple[str, str] | None = None,
        categories: Files = (),
    ) -> list[gating.Gated]:
        """Return what a policy makes of each run; without one, the strict policy."""
        against = None if baseline is None else gating.Baseline(baseline, control)
        known, rules = gating.policy(policy), _rules(categories)
        return gating.decide(self.path, runs, known, rules, against)

    def trials(self, runs: Names = None) -> pl.DataFrame:
        """Return one row a trial, with its criteria counted."""
        ids = self._chosen(runs)["run"].to_list()
        with stores.open_reader(self.path) as reader:
            trial = reader.frame("trial", _TRIAL, runs=ids).lazy()
            item = reader.frame("item", ("run", "item", "name", "tags"), runs=ids).lazy()
            check = reader.frame(
                "check", ("trial", "parent", "scope", "passed", "errored"), runs=ids
            ).lazy()
        return cases.listing(trial, item, check).collect()

    def trial(self, name: str, turn: int | None = None, path: str = "") -> Any:
        """Return a trial as JSON values, a turn of it, or what a JSON pointer points at."""
        return trial_document.read(self.path, name, turn, path)

    def brief(
        self, run: str, *, item: Names = None, limit: int = brief.MOST, budget: int = brief.BUDGET
    ) -> dict[str, Any]:
        """Return what failed in a run, why, how often, and what to run again."""
        asked = brief.Asked(tuple(item or ()), limit, budget)
        return brief.of(self.path, run, _rules(()), asked)

    def table(self, name: str, runs: Names = None) -> pl.DataFrame:
        """Return the exact rows that `unaveraged export NAME` writes."""
        return tables.build(self.path, name, Selection(tuple(runs or ()))).frame()

    def export(self, name: str, form: Format, runs: Names = None) -> bytes:
        """Return what `unaveraged export NAME --format FORM` writes."""
        return write.exported(tables.build(self.path, name, Selection(tuple(runs or ()))), form)

    def _chosen(self, names: Names) -> pl.DataFrame:
        return figures.chosen(self.path, names)


def open_store(path: Path | str) -> Store:
    """Return a store to read.

    Raises:
        StoreError: When there is none, or it cannot be read.
    """
    found = Path(path)
    with stores.open_reader(found):
        return Store(found)


def _rules(files: Files) -> RuleBook:
    return figures.rules([Path(file) for file in files])
