"""Addresses of the pages a decision is made on: comparisons, repetitions, judges, time, work."""

from dataclasses import dataclass
from typing import ClassVar

from dashboard.link import Link


@dataclass(frozen=True, kw_only=True)
class CompareLink(Link):
    """One baseline, and what is held against it: runs by id, or a subject over its runs.

    ``cell`` names cells that are open, each by one of its trials.
    """

    PATH: ClassVar[str] = "compare"

    base: str | None = None
    run: tuple[str, ...] = ()
    control: tuple[str, ...] = ()
    suite: str | None = None
    category: str | None = None
    tag: str | None = None
    show: str | None = None
    sort: str | None = None
    q: str | None = None
    cell: tuple[str, ...] = ()
    page: int = 1


@dataclass(frozen=True, kw_only=True)
class VarianceLink(Link):
    """How much the repetitions of a run differ; ``cell`` is open, named by one of its trials."""

    PATH: ClassVar[str] = "variance"

    run: tuple[str, ...] = ()
    show: str | None = None
    q: str | None = None
    cell: str | None = None
    page: int = 1


@dataclass(frozen=True, kw_only=True)
class JudgesLink(Link):
    """What the judges of a run said."""

    PATH: ClassVar[str] = "judges"

    run: tuple[str, ...] = ()
    criterion: str | None = None
    item: str | None = None
    threshold: int = 3
    show: str | None = None
    page: int = 1


@dataclass(frozen=True, kw_only=True)
class TrialsLink(Link):
    """Every planned trial of some runs, and what became of it."""

    PATH: ClassVar[str] = "trials"

    run: tuple[str, ...] = ()
    outcome: str | None = None
    q: str | None = None
    page: int = 1


@dataclass(frozen=True, kw_only=True)
class HistoryLink(Link):
    """The runs of a suite over time."""

    PATH: ClassVar[str] = "history"

    suite: str | None = None
    subject: str | None = None
    q: str | None = None
    page: int = 1


@dataclass(frozen=True, kw_only=True)
class RoutingLink(Link):
    """Who has to act on what trial rows found."""

    PATH: ClassVar[str] = "routing"

    run: tuple[str, ...] = ()
