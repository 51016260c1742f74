"""Where an exported table comes from, and what is not in it: read once for every table."""

from collections.abc import Iterable, Iterator, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final, NamedTuple

import polars as pl

from dashboard import figures, text, wording
from dashboard.errors import InputError
from dashboard.export.table import About, Column, RuleLine, Source
from ingest import store
from queries import rules as rulebooks
from queries import runs as runs_query

TOOL: Final = "unaveraged"
_GRADED: Final = frozenset({"passed", "failed"})


class Selection(NamedTuple):
    """What a person asked to export.

    Attributes:
        control: A pair of runs that measured the noise.
        channels: A file of channels, for routing.
    """

    runs: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    items: tuple[str, ...] = ()
    rule_files: tuple[Path, ...] = ()
    control: tuple[str, str] | None = None
    channels: Path | None = None


class Chosen(NamedTuple):
    """The runs that are meant, the rules in force, and the description of both."""

    db: Path
    runs: pl.DataFrame
    rulebook: rulebooks.RuleBook
    selection: Selection
    about: About

    @property
    def ids(self) -> list[str]:
        """The ids of the runs."""
        return self.runs["run"].to_list()

    def named(self, found: pl.DataFrame, columns: Sequence[Column]) -> pl.DataFrame:
        """Return these columns of rows that have a run, in the order of the runs, named."""
        order = {run: place for place, run in enumerate(self.ids)}
        names = self.runs.select("run", "suite", subject=_subject())
        return (
            found.join(names, on="run", how="left")
            .sort(pl.col("run").replace_strict(order, return_dtype=pl.Int64), maintain_order=True)
            .select(column.name for column in columns)
        )

    def kept(self, found: pl.DataFrame, column: str, values: Sequence[str]) -> pl.DataFrame:
        """Return the rows that a filter of the selection keeps; all where it names nothing."""
        return found.filter(pl.col(column).is_in(list(values))) if values else found


def choose(db: Path, selection: Selection) -> Chosen:
    """Return the runs that are meant, with the description that every table of them carries.

    Raises:
        InputError: When a name fits no run or more than one, or the rules cannot be used.
    """
    known = figures.known(db)
    replaced = known.clear() if selection.runs else known
    return described(db, figures.chosen(db, selection.runs), selection, replaced)


def described(db: Path, runs: pl.DataFrame, selection: Selection, known: pl.DataFrame) -> Chosen:
    """Return these runs with their description.

    Args:
        db: The store.
        runs: The runs that are meant.
        selection: What was asked for.
        known: Runs of which those that are replaced are said to be left out.

    Raises:
        InputError: When no category is called that, or the rules cannot be used.
    """
    rulebook = figures.rules(selection.rule_files)
    _refuse_unknown(selection.categories)
    about = About(
        runs=tuple(map(_source, runs.to_dicts())),
        filters=tuple(_filters(selection)),
        excluded=tuple(_excluded(db, known, runs)),
        rules=tuple(_rules(rulebook, set(runs["format"]))),
        tool=f"{TOOL} {version(TOOL)}",
    )
    return Chosen(db, runs, rulebook, selection, about)


def _refuse_unknown(categories: Iterable[str]) -> None:
    for name in categories:
        if name not in rulebooks.CATEGORIES:
            there = ", ".join(rulebooks.CATEGORIES)
            raise InputError(f"no category is called {name!r} here; there is {there}")


def _subject() -> pl.Expr:
    arm = pl.format("{} ({})", pl.col("subject").fill_null("no subject"), "arm")
    return pl.when(pl.col("arm").is_not_null()).then(arm).otherwise("subject")


def _source(run: dict[str, Any]) -> Source:
    return Source(
        run=run["run"],
        suite=run["suite"],
        subject=text.subject(run) if run["subject"] or run["arm"] else None,
        status=run["status"],
        started_at=run["started_at"],
        file=wording.file_name(run["path"]),
        sha256=run["report"],
    )


def _filters(selection: Selection) -> Iterator[str]:
    for what, names in (
        ("only these runs", selection.runs),
        ("only these categories", selection.categories),
        ("only these items", selection.items),
    ):
        if names:
            yield f"{what}: {', '.join(names)}"


def _excluded(db: Path, known: pl.DataFrame, runs: pl.DataFrame) -> Iterator[str]:
    for run in known.filter(pl.col("superseded_by").is_not_null()).to_dicts():
        file = wording.file_name(run["path"])
        yield f"run {run['run']} (file {file}): replaced by run {run['superseded_by']}"
    open_, errored = _unmeasured(db, runs["run"].to_list())
    for run in runs.to_dicts():
        counts = {
            row["outcome"]: row["trials"]
            for row in open_.filter(pl.col("run") == run["run"]).to_dicts()
        }
        if counts:
            named = wording.in_order(counts)
            words = ", ".join(f"{n} {wording.sign(name).word}" for name, n in named)
            number = text.plural(sum(counts.values()), "trial")
            yield f"run {run['run']}: {number} not graded ({words}): in no rate, beside it"
        broken = errored.filter(pl.col("run") == run["run"]).height
        if broken:
            number = "1 criterion" if broken == 1 else f"{broken} criteria"
            yield f"run {run['run']}: {number} errored: neither passed nor failed"
        if run["rejected"]:
            number = text.plural(run["rejected"], "record")
            yield f"run {run['run']}: {number} could not be loaded: the run is incomplete"


def _unmeasured(db: Path, runs: Sequence[str]) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Return ungraded trials per (run, outcome), and the criteria that errored."""
    with store.open_reader(db) as reader:
        trial = reader.frame("trial", ("run", "outcome"), runs=runs)
        check = reader.frame(
            "check", ("run", "parent", "scope"), runs=runs, where={"errored": True}
        )
    outcomes = runs_query.outcomes(trial.lazy()).collect()
    criteria = pl.col("parent").is_null() & (pl.col("scope") != "run")
    return outcomes.filter(~pl.col("outcome").is_in(_GRADED)), check.filter(criteria)


def _rules(book: rulebooks.RuleBook, formats: set[str]) -> Iterator[RuleLine]:
    """Yield the rules that can match something in runs of these formats."""
    for placed in book:
        if placed.rule.format is None or placed.rule.format in formats:
            when = ", ".join(f"{name} = {value}" for name, value in placed.rule.wanted().items())
            yield RuleLine(placed.rule.category, placed.name, when)
