"""One recorded value as it was written: what it is called, its text, and how much is shown."""

from collections.abc import Mapping
from json import dumps
from textwrap import dedent
from typing import Any, Final, NamedTuple

import polars as pl

from dashboard import casebook, wording
from dashboard.casebook import Case
from dashboard.data import Source
from dashboard.link import CaseLink, RawLink
from dashboard.markup import Exact

SHOWN: Final = 256_000
"""Characters that are shown without being asked for."""
PAYLOADS: Final = ("input", "observation", "checkpoint")
_TEXTS: Final = ("criterion", "path", "id", "label", "kind", "operator", "error_code", "reason")
_FLAGS: Final = ("passed", "errored", "decisive", "negated")
_VALUES: Final = ("target", "expected", "actual", "evidence")


class Raw(NamedTuple):
    """A value as it was written."""

    title: str
    file: str
    text: str
    back: str


class Shown(NamedTuple):
    """The part of it that is drawn."""

    text: str
    exact: Exact | None
    says: str
    more: str


def read(at: Source, link: RawLink, run: str, trial: int) -> Raw | None:
    """Return the value an address asks for, null when there is none."""
    case = CaseLink(case=link.case)
    if link.part in PAYLOADS:
        turn = max(0, (link.turn or 1) - 1)
        text = casebook.payload(at, run, trial, turn, link.part)
        title = f"{link.part} of turn {turn + 1}"
        file = f"{link.case}-turn-{turn + 1}-{link.part}.json"
        back = f"{case.but(turn=turn + 1).href}#turn-{turn + 1}"
        return None if text is None else Raw(title, file, text, back)
    found = casebook.case(at, run, trial, None) if link.position is not None else None
    text = None if found is None else criterion(found, link.position or 0)
    if text is None:
        return None
    name = f"{link.case}-criterion-{link.position}.json"
    return Raw("criterion", name, text, f"{case.href}#c{link.position}")


def criterion(found: Case, position: int) -> str | None:
    """Return a criterion and everything below it as JSON, values as they were written."""
    own = found.tree.filter(pl.col("position") == position)
    if own.is_empty():
        return None
    path = own["path"].item()
    below = found.tree.filter(
        (pl.col("path") == path) | pl.col("path").str.starts_with(f"{path}/"),
        pl.col("turn").eq_missing(own["turn"].item()),
        pl.col("criterion") == own["criterion"].item(),
    )
    nodes = ",\n".join(_node(row) for row in below.iter_rows(named=True))
    return f"[\n{nodes}\n]"


def _node(row: Mapping[str, Any]) -> str:
    members = [(name, dumps(row[name], ensure_ascii=False)) for name in _TEXTS if row[name]]
    members += [(name, dumps(row[name])) for name in _FLAGS]
    members += [(name, row[name]) for name in _VALUES if row[name] is not None]
    return "{" + ", ".join(f'"{name}": {text}' for name, text in members) + "}"


def shown(raw: Raw, link: RawLink) -> Shown:
    """Return the part of a value that is drawn, and the address that draws all of it."""
    size = wording.size(len(raw.text.encode()))
    if len(raw.text) <= SHOWN or link.all:
        return Shown(_outdented(raw.text), Exact(raw.text), size, "")
    says = f"The first {wording.size(SHOWN)} of {size}. The file holds all of it."
    return Shown(_outdented(raw.text[:SHOWN]), None, says, link.but(all=True).href)


def _outdented(text: str) -> str:
    """Return JSON as far to the left as it goes: it was indented where it stood in its file.

    No string of JSON holds a line break, so only the blanks between its values are touched.
    """
    first, line, rest = text.partition("\n")
    return first + line + dedent(rest) if line else first
