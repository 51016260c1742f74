"""What a comparison page is about: a baseline, the sides held against it, and what is read of them.

Every figure comes from ``sides``, as on the command line; here it is kept per version of the store.
"""

from pathlib import Path
from typing import Any, Final, NamedTuple

import polars as pl
import streamlit as st

from dashboard import figures, runtable, sides, wording
from dashboard.data import MOST_KEPT, Source, rulebook
from dashboard.decisions import CompareLink
from dashboard.errors import InputError
from dashboard.link import ReliabilityLink
from dashboard.runtable import Run
from ingest import store
from queries import categories, marks, reliability

MOST_SIDES: Final = 6

Ids = tuple[str, ...]
Key = tuple[Ids, ...]


class Side(NamedTuple):
    """One side of a comparison: a run, or all runs of a subject in one suite."""

    name: str
    runs: pl.DataFrame
    place: int
    """Its place in the palette of subjects; the baseline is the first."""

    @property
    def ids(self) -> Ids:
        """The ids of its runs."""
        return tuple(self.runs["run"])

    @property
    def row(self) -> Run:
        """Its newest run, which says what there is to say of all."""
        return self.runs.row(0, named=True)

    @property
    def title(self) -> str:
        """How it is called in a table."""
        file = wording.file_name(self.row["path"] or "")
        return str(self.row["subject"] or file.partition(".json")[0])

    @property
    def detail(self) -> str:
        """What tells it from others of its name."""
        many = self.runs.height
        return (
            f"{many} runs of {runtable.suite(self.row)}" if many > 1 else runtable.caption(self.row)
        )

    @property
    def href(self) -> str:
        """The address of its own rates."""
        return ReliabilityLink(run=self.ids).href


class Contrast(NamedTuple):
    """The sides that were found, and in words what could not be."""

    base: Side
    others: list[Side]
    control: tuple[pl.DataFrame, pl.DataFrame] | None
    problems: list[str]

    def sides(self, other: Side) -> sides.Sides:
        """Return the baseline against one of the others."""
        return sides.Sides(self.base.runs, other.runs, self.control)

    @property
    def all(self) -> list[Side]:
        """The baseline and the others."""
        return [self.base, *self.others]


def chosen(at: Source, link: CompareLink) -> Contrast | None:
    """Return the sides an address names; null where the baseline is none, or not there."""
    if link.base is None:
        return None
    db = Path(at.path)
    problems: list[str] = []
    control = link.control if len(link.control) == 2 else None
    try:
        base = sides.chosen(db, link.base, link.base, None, link.suite).base
    except InputError:
        return None
    runs = figures.known(db)
    others: list[Side] = []
    pair = None
    for name in link.run[:MOST_SIDES]:
        try:
            found, pair = _against(db, _within(link, name, runs, base), name, control, problems)
        except InputError as error:
            problems.append(f"{name}: {error}")
        else:
            others.append(Side(name, found, len(others) + 1))
    return Contrast(Side(link.base, base, 0), others, pair, problems)


def _within(link: CompareLink, name: str, runs: pl.DataFrame, base: pl.DataFrame) -> CompareLink:
    """A subject may have runs of several suites: those of the baseline's are meant."""
    if link.suite is not None or runs.filter(pl.col("subject") == name).is_empty():
        return link
    return link.but(suite=base["suite"][0])


def _against(
    db: Path, link: CompareLink, name: str, control: Ids | None, problems: list[str]
) -> tuple[pl.DataFrame, tuple[pl.DataFrame, pl.DataFrame] | None]:
    """A control pair that cannot be used is said, and the comparison made without one."""
    base = str(link.base)
    try:
        found = sides.chosen(db, base, name, control, link.suite)
    except InputError as error:
        if control is None:
            raise
        found = sides.chosen(db, base, name, None, link.suite)
        problem = f"the control pair cannot be used: {error}"
        if problem not in problems:
            problems.append(problem)
    return found.current, found.control


def paired(at: Source, of: sides.Sides) -> sides.Paired:
    """Return what may be compared."""
    return _paired(at, _key(of), of)


def compared(at: Source, of: sides.Sides) -> sides.Compared:
    """Return every figure about two sides."""
    return _compared(at, _key(of), of)


def measured(at: Source, of: sides.Sides, pairs: pl.DataFrame) -> pl.DataFrame:
    """Return per category the cells that measured it."""
    return _measured(at, _key(of), of, pairs)


def _key(of: sides.Sides) -> Key:
    control = of.control or ()
    return tuple(tuple(side["run"]) for side in (of.base, of.current, *control))


@st.cache_resource(max_entries=MOST_KEPT, show_spinner=False)
def _paired(at: Source, ids: Key, _of: sides.Sides) -> sides.Paired:  # noqa: ARG001
    return sides.pair(Path(at.path), _of)


@st.cache_resource(max_entries=MOST_KEPT, show_spinner="Comparing…")
def _compared(at: Source, ids: Key, _of: sides.Sides) -> sides.Compared:  # noqa: ARG001
    return sides.compare(Path(at.path), _of, rulebook())


@st.cache_resource(max_entries=MOST_KEPT, show_spinner=False)
def _measured(
    at: Source,
    ids: Key,  # noqa: ARG001 (the key of the cache)
    _of: sides.Sides,
    _pairs: pl.DataFrame,
) -> pl.DataFrame:
    return sides.category_cells(Path(at.path), _of, _pairs, rulebook())


class Beside(NamedTuple):
    """What stands beside the rates, per run."""

    refused: dict[str, dict[str, Any]]
    discards: dict[str, dict[str, Any]]


@st.cache_resource(max_entries=MOST_KEPT, show_spinner=False)
def beside(at: Source, ids: Ids) -> Beside:
    """Return refused proposals and discarded answers of these runs."""
    with store.open_reader(Path(at.path)) as reader:
        trials = reader.table("trial", runs=ids)
        discards = reader.table("discard", runs=ids)
        frames = pl.collect_all(
            [reliability.refused(trials), reliability.discards(trials, discards)]
        )
    return Beside(*({row["run"]: row for row in frame.to_dicts()} for frame in frames))


@st.cache_resource(max_entries=MOST_KEPT, show_spinner=False)
def tags(at: Source, ids: Ids) -> pl.DataFrame:
    """Return the tags of each item of these runs."""
    with store.open_reader(Path(at.path)) as reader:
        items = reader.frame("item", ("item", "tags"), runs=ids)
    return items.explode("tags").drop_nulls("tags").unique().sort("tags", "item")


def repetitions(
    at: Source, ids: Ids, shown: pl.DataFrame, category: str | None
) -> tuple[pl.DataFrame, pl.DataFrame | None]:
    """Return the trials of the shown cells, and what their criteria of a category came to."""
    cells = shown.select("item", "variants").lazy()
    with store.open_reader(Path(at.path)) as reader:
        trials = reader.table("trial", runs=ids)
        own = marks.trials(trials, cells)
        if category is None:
            return own.collect(), None
        items = reader.frame("item", ("run", "item", "tags"), runs=ids).lazy()
        runs = reader.frame("run", runs=ids).lazy()
        definitions = reader.frame("definition", runs=ids).lazy()
        assigned = categories.assign(definitions, items, runs, rulebook())
        checks = reader.table("check", runs=ids)
        judged = marks.in_category(checks, trials, cells, assigned, category)
        both = pl.collect_all([own, judged])
        return both[0], both[1]
