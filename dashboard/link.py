"""Addresses: what a page shows, as a typed value that an address holds and gives back.

The address is the only state of what is shown. A value that no address can mean (a negative page,
an unknown tab) is dropped when the address is read, so that an old link still opens.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from hashlib import blake2s
from typing import ClassVar, Final, Literal, Self, cast, get_args
from urllib.parse import parse_qs, urlencode

Query = Mapping[str, Sequence[str]]

Tab = Literal["failed", "errored", "never", "bound", "suite"]
TABS: Final[tuple[Tab, ...]] = get_args(Tab)


@dataclass(frozen=True, kw_only=True)
class Link:
    """A view of the dashboard; each field is one parameter of its address."""

    PATH: ClassVar[str] = "./"

    @classmethod
    def from_query(cls, query: Query) -> Self:
        """Return the view an address asks for; what cannot be meant is left out."""
        given = {}
        for field in fields(cls):
            values = tuple(value for value in query.get(field.name, ()) if value)
            read = _READ[str(field.type)]
            if values and (value := read(values)) is not None:
                given[field.name] = value
        return cls(**given)

    @classmethod
    def from_text(cls, text: str) -> Self:
        """Return the view that the part of an address after the question mark asks for."""
        return cls.from_query(parse_qs(text, keep_blank_values=False))

    def to_query(self) -> dict[str, list[str]]:
        """Return the parameters of the address, those at their default left out."""
        query = {}
        for field in fields(self):
            value = getattr(self, field.name)
            if value != field.default:
                values = value if isinstance(value, tuple) else (value,)
                query[field.name] = ["1" if one is True else str(one) for one in values]
        return query

    @property
    def href(self) -> str:
        """The address, relative to any page of the dashboard."""
        return f"{self.PATH}?{self.text}" if self.text else self.PATH

    @property
    def text(self) -> str:
        """The part of the address after the question mark."""
        return urlencode(self.to_query(), doseq=True)

    def but(self, **changes: object) -> Self:
        """Return the same view with some fields changed."""
        return replace(self, **cast("dict[str, str]", changes))


def case_href(name: str) -> str:
    """Return the address of a case alone: a trial's name needs no quoting, and pages have many."""
    return f"{CaseLink.PATH}?case={name}"


def anchor(kind: str, *values: object) -> str:
    """Return the name of a place on a page that is the same in every store and every run."""
    text = "\x1f".join(map(str, values))
    return f"{kind}-{blake2s(text.encode('utf-8', 'replace'), digest_size=5).hexdigest()}"


def _text(values: Sequence[str]) -> str | None:
    return values[-1]


def _texts(values: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(values))


def _number(values: Sequence[str]) -> int | None:
    last = values[-1]
    return int(last) if last.isascii() and last.isdigit() and 0 < len(last) < 10 else None


def _page(values: Sequence[str]) -> int | None:
    return _number(values) or None


def _yes(values: Sequence[str]) -> bool:
    return values[-1].lower() in {"1", "true", "yes"}


def _tab(values: Sequence[str]) -> Tab | None:
    return next((tab for tab in TABS if tab == values[-1]), None)


_READ: Final = {
    str(str | None): _text,
    str(tuple[str, ...]): _texts,
    str(int | None): _number,
    str(int): _page,
    str(bool): _yes,
    str(Tab): _tab,
}


@dataclass(frozen=True, kw_only=True)
class OverviewLink(Link):
    """The runs of the store."""

    q: str | None = None
    suite: str | None = None
    subject: str | None = None
    superseded: bool = False
    page: int = 1


@dataclass(frozen=True, kw_only=True)
class ReliabilityLink(Link):
    """The category rows of one or more runs; ``asks`` names the question of the intervals."""

    PATH: ClassVar[str] = "reliability"

    run: tuple[str, ...] = ()
    asks: str | None = None


@dataclass(frozen=True, kw_only=True)
class FailuresLink(Link):
    """What failed, errored or never ran, by cause."""

    PATH: ClassVar[str] = "failures"

    run: tuple[str, ...] = ()
    suite: str | None = None
    subject: str | None = None
    category: str | None = None
    item: str | None = None
    tag: str | None = None
    variant: str | None = None
    outcome: str | None = None
    criterion: str | None = None
    fault: str | None = None
    code: str | None = None
    error_code: str | None = None
    mark: str | None = None
    q: str | None = None
    marking: str | None = None
    tab: Tab = "failed"
    page: int = 1


@dataclass(frozen=True, kw_only=True)
class CaseLink(Link):
    """One trial, turn by turn."""

    PATH: ClassVar[str] = "case"

    case: str | None = None
    turn: int | None = None
    find: str | None = None
    changes: bool = False
    within: str | None = None
    """The list of failures it was opened from: the address of that list without its path."""


@dataclass(frozen=True, kw_only=True)
class RawLink(Link):
    """One recorded value as it was written."""

    PATH: ClassVar[str] = "raw"

    case: str | None = None
    turn: int | None = None
    part: str | None = None
    position: int | None = None
    all: bool = False


@dataclass(frozen=True, kw_only=True)
class DivergenceLink(Link):
    """One trial beside another of the same cell, from the first turn that differs."""

    PATH: ClassVar[str] = "divergence"

    case: str | None = None
    other: str | None = None
    turn: int | None = None
    ids: bool = False
    spent: bool = False
    equal: bool = False


@dataclass(frozen=True, kw_only=True)
class SearchLink(Link):
    """Where a text stands in what the trials said and were told."""

    PATH: ClassVar[str] = "search"

    run: tuple[str, ...] = ()
    suite: str | None = None
    subject: str | None = None
    item: str | None = None
    tag: str | None = None
    outcome: str | None = None
    q: str | None = None
    regex: bool = False
    stop: bool = False
    page: int = 1


@dataclass(frozen=True, kw_only=True)
class RejectionsLink(Link):
    """What was not loaded, or was kept with a flag, and why."""

    PATH: ClassVar[str] = "rejections"

    rule: str | None = None
    flags: bool = False
    page: int = 1
