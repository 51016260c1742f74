"""What one JSON value has that another had not: added, changed and removed places."""

from collections.abc import Iterator
from typing import Final, Literal, NamedTuple

from dashboard import jsontree, wording
from dashboard.jsontree import Members, Value
from dashboard.lines import step
from dashboard.masks import alike, is_spent

MOST: Final = 120
_LONGEST: Final = 300
_OF_ITS_TURN: Final = frozenset({"events", "request", "turnId", "traceId"})
"""Members that tell of one turn alone and not of a state that goes on."""

Kind = Literal["added", "changed", "removed"]
MARKS: Final = {"added": "+", "changed": "~", "removed": "−"}  # noqa: RUF001


class Change(NamedTuple):
    """One place that is not as it was."""

    kind: Kind
    mark: str
    path: str
    before: str
    after: str


class Changes(NamedTuple):
    """What changed, and in words how much is left out."""

    since: str
    places: list[Change]
    more: str


def between(before: Value, after: Value, since: str) -> Changes:
    """Return what changed from one observation to the next."""
    found = list(_differences(before, after, ""))
    hidden = len(found) - MOST
    more = f"and {wording.plural(hidden, 'more change')}" if hidden > 0 else ""
    return Changes(since, found[:MOST], more)


def _differences(before: Value, after: Value, path: str) -> Iterator[Change]:
    if isinstance(before, Members) and isinstance(after, Members):
        yield from _members(dict(before.pairs), dict(after.pairs), path)
    elif isinstance(before, list) and isinstance(after, list):
        yield from _members(_numbered(before), _numbered(after), path)
    elif before != after and not alike(jsontree.flat(before), jsontree.flat(after)):
        yield _change("changed", path, jsontree.flat(before), jsontree.flat(after))


def _members(before: dict[str, Value], after: dict[str, Value], path: str) -> Iterator[Change]:
    for name in [*before, *(name for name in after if name not in before)]:
        here = step(path, name)
        if is_spent(name) or (not path and name in _OF_ITS_TURN):
            continue
        if name not in after:
            yield _change("removed", here, jsontree.flat(before[name]), "")
        elif name not in before:
            yield _change("added", here, "", jsontree.flat(after[name]))
        else:
            yield from _differences(before[name], after[name], here)


def _numbered(values: list[Value]) -> dict[str, Value]:
    return {str(place): one for place, one in enumerate(values)}


def _change(kind: Kind, path: str, before: str, after: str) -> Change:
    return Change(kind, MARKS[kind], path or "/", _cut(before), _cut(after))


def _cut(text: str) -> str:
    over = len(text) - _LONGEST
    return text if over <= 0 else f"{text[:_LONGEST]}… {wording.plural(over, 'more character')}"
