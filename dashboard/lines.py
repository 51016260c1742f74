"""A JSON value as lines of text, each of which knows the path of what stands on it."""

import json
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from dashboard import jsontree
from dashboard.jsontree import Members, Number, Value


class Line(NamedTuple):
    """One line: the path of its value, how deep it stands, and its text."""

    path: str
    depth: int
    text: str


@dataclass(frozen=True)
class Writer:
    """Writes values as lines, members in the order of their names.

    ``skip`` says which members are left out. Where ``opened`` is given, only objects and lists at
    one of these paths are written out; the others are one line each.
    """

    skip: Callable[[str], bool] = lambda _: False
    opened: Collection[str] | None = None

    def lines(self, value: Value) -> list[Line]:
        """Return the lines of a value."""
        return list(self._value(value, "", 0, "", ""))

    def _value(self, value: Value, path: str, depth: int, key: str, end: str) -> Iterator[Line]:
        pairs = self._pairs(value)
        if not pairs or self._closed(path) or depth > jsontree.DEEPEST:
            yield Line(path, depth, f"{key}{self._short(value)}{end}")
            return
        start, stop = ("{", "}") if isinstance(value, Members) else ("[", "]")
        yield Line(path, depth, f"{key}{start}")
        for place, (name, one) in enumerate(pairs, start=1):
            label = f"{_text(name)}: " if isinstance(value, Members) else ""
            comma = "," if place < len(pairs) else ""
            yield from self._value(one, step(path, name), depth + 1, label, comma)
        yield Line(path, depth, f"{stop}{end}")

    def _pairs(self, value: Value) -> list[tuple[str, Value]]:
        if isinstance(value, Members):
            return sorted(
                (pair for pair in value.pairs if not self.skip(pair[0])), key=lambda pair: pair[0]
            )
        if isinstance(value, list):
            return [(str(place), one) for place, one in enumerate(value)]
        return []

    def _closed(self, path: str) -> bool:
        return self.opened is not None and path not in self.opened

    def _short(self, value: Value) -> str:
        if not isinstance(value, (Members, list)):
            return _text(value)
        if self._pairs(value):
            return jsontree.brief(value)
        return "{}" if isinstance(value, Members) else "[]"


def _text(value: Value) -> str:
    if isinstance(value, str) and not isinstance(value, Number):
        return json.dumps(value, ensure_ascii=False)
    return jsontree.flat(value)


def step(path: str, name: str) -> str:
    """Return the JSON pointer of a member of what is at a path."""
    return f"{path}/{name.replace('~', '~0').replace('/', '~1')}"


def above(paths: Collection[str]) -> set[str]:
    """Return these paths and the paths of everything that holds them."""
    found = {""}
    for path in paths:
        names = path.split("/")
        found |= {"/".join(names[:length]) for length in range(1, len(names) + 1)}
    return found
