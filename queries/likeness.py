"""Where two JSON values differ once what differs between any two runs is set aside.

Ids and times are compared by the part they play: an id of one side must stand wherever the other
side's stands, whatever it is; of times and token counts only that there is one. Whoever compares
several payloads of the same two trials keeps one :class:`Likeness`, so that an id stays the same
from turn to turn.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

TIME: Final = r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d)?"
"""A moment, to the second: a day or an hour may be what a conversation is about."""
_NAMES: Final = ("At", "Ms", "_at", "_ms", "[Tt]imestamp", "[Dd]uration", "[Ll]atency", "[Tt]okens")
# Shorter ones than counting behaviours sets aside: here an id must also stand where it did.
_SHAPES: Final = (
    r"[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}",
    r"(?=[a-fA-F]*[0-9])(?=[0-9]*[a-fA-F])[0-9a-fA-F]{8,}",
    r"(?=[a-fA-F]*[0-9])[0-9a-fA-F]{12,}",
    r"(?<=[A-Za-z][-_.:])(?=[a-fA-F]*[0-9])[0-9a-fA-F]{8,}",
)


def ids(*shapes: str) -> str:
    """Return the pattern of an id that differs run by run; ``shapes`` are taken for ids too."""
    return rf"(?<![0-9A-Za-z])(?:{'|'.join((*_SHAPES, *shapes))})(?![0-9A-Za-z])"


def spent(*names: str) -> str:
    """Return the pattern of a member that says when, how long or at what cost, never what."""
    return rf"(?:{'|'.join((*_NAMES, '^at', *names))})$"


_TIME: Final = re.compile(TIME)
_SPENT: Final = re.compile(spent())
_ID: Final = re.compile(ids())
ABSENT: Final = object()
"""Stands for a value that one side does not have."""


class Difference(NamedTuple):
    """A place where two values differ: JSON pointer, and what either side has there."""

    path: str
    other: str | None
    own: str | None


class Likeness:
    """Compares the payloads of two trials, remembering which of their ids stand for each other."""

    def __init__(self) -> None:
        """Know no ids yet."""
        self._own: dict[str, str] = {}
        self._other: dict[str, str] = {}

    def differences(self, other: Any, own: Any, path: str = "") -> Iterator[Difference]:
        """Yield the places where ``own`` differs from ``other``, in reading order."""
        if isinstance(other, Mapping) and isinstance(own, Mapping):
            yield from self._members(other, own, path)
        elif isinstance(other, list) and isinstance(own, list):
            yield from self._elements(other, own, path)
        elif not self._alike(other, own, path):
            yield Difference(path, _text(other), _text(own))

    def _members(
        self, other: Mapping[str, Any], own: Mapping[str, Any], path: str
    ) -> Iterator[Difference]:
        """Compare members by name, those named by an id by the rest of their name."""
        shared = other.keys() & own.keys()
        left, right = (
            [name for name in sorted(side) if name not in shared] for side in (other, own)
        )
        named = {name: name for name in shared} | dict(self._renamed(left, right))
        for name in sorted(named):
            yield from self.differences(other[name], own[named[name]], _step(path, named[name]))
        for name in left:
            if name not in named:
                yield Difference(_step(path, name), _text(other[name]), None)
        for name in right:
            if name not in named.values():
                yield Difference(_step(path, name), None, _text(own[name]))

    def _renamed(self, left: Sequence[str], right: Sequence[str]) -> Iterator[tuple[str, str]]:
        """Pair names that hold an id and are equal without it, in order."""
        waiting = [name for name in right if _ID.search(name)]
        for name in filter(_ID.search, left):
            wanted = _ID.split(name)
            match = next((each for each in waiting if _ID.split(each) == wanted), None)
            if match is not None:
                waiting.remove(match)
                if self._same_ids(name, match):
                    yield name, match

    def _elements(
        self, other: Sequence[Any], own: Sequence[Any], path: str
    ) -> Iterator[Difference]:
        for place in range(max(len(other), len(own))):
            left = other[place] if place < len(other) else ABSENT
            right = own[place] if place < len(own) else ABSENT
            yield from self.differences(left, right, _step(path, str(place)))

    def _alike(self, other: Any, own: Any, path: str) -> bool:
        if isinstance(other, str) and isinstance(own, str):
            return other == own or self._same_ids(
                _TIME.sub("<time>", other), _TIME.sub("<time>", own)
            )
        if isinstance(other, bool) or isinstance(own, bool) or ABSENT in (other, own):
            return other is own
        numbers = isinstance(other, int | float) and isinstance(own, int | float)
        spent = _SPENT.search(path.rpartition("/")[2])
        return bool(other == own or (numbers and spent))

    def _same_ids(self, other: str, own: str) -> bool:
        """Return whether two texts are equal but for ids, and those stand for each other."""
        if _ID.split(other) != _ID.split(own):
            return False
        pairs = zip(_ID.findall(other), _ID.findall(own), strict=True)
        return all(
            self._own.setdefault(left, right) == right
            and self._other.setdefault(right, left) == left
            for left, right in pairs
        )


def _step(path: str, name: str) -> str:
    return f"{path}/{name.replace('~', '~0').replace('/', '~1')}"


def _text(value: Any) -> str | None:
    return None if value is ABSENT else json.dumps(value, ensure_ascii=False)
