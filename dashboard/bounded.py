"""JSON in as much room as there is: what does not fit says how large it is and where to ask."""

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from dashboard import wording
from dashboard.errors import InputError

MOST_NAMED: Final = 12


class _Level(NamedTuple):
    """How much is kept: levels, members of an object, elements of a list, characters of a text."""

    deep: int
    members: int
    elements: int
    long: int


_LEVELS: Final = (
    _Level(40, 400, 400, 8_000),
    _Level(12, 200, 80, 2_000),
    _Level(8, 120, 40, 800),
    _Level(6, 80, 24, 400),
    _Level(5, 60, 16, 240),
    _Level(4, 48, 12, 160),
    _Level(3, 40, 8, 100),
    _Level(2, 32, 5, 80),
    _Level(1, 24, 4, 60),
    _Level(1, 8, 3, 40),
)


def fitting(value: object, limit: int, pointer: str = "") -> object:
    """Return a JSON value in at most about `limit` characters.

    Args:
        value: What `json.loads` gives.
        limit: Characters of its JSON.
        pointer: JSON pointer of the value, from which those of what is left out are made.
    """
    if _length(value) <= limit:
        return value
    for level in _LEVELS:
        kept = _kept(value, level, pointer)
        if _length(kept) <= limit:
            return kept
    return _told(value, pointer)


def _kept(value: object, level: _Level, pointer: str) -> object:
    if isinstance(value, str):
        if len(value) <= level.long:
            return value
        return f"{value[: level.long]}… ({_told(value, pointer)})"
    if not isinstance(value, (Mapping, list)) or not value:
        return value
    if level.deep == 0:
        return _told(value, pointer)
    below = level._replace(deep=level.deep - 1)
    if isinstance(value, Mapping):
        named = list(value.items())
        members = {
            name: _kept(member, below, under(pointer, name))
            for name, member in named[: level.members]
        }
        return members | _more(len(named) - level.members, "members", pointer)
    elements = [
        _kept(element, below, under(pointer, place))
        for place, element in enumerate(value[: level.elements])
    ]
    more = _more(len(value) - level.elements, "elements", pointer)
    return [*elements, more] if more else elements


def _more(number: int, what: str, pointer: str) -> dict[str, str]:
    return {"…": f"{number} more {what} at {pointer or '/'}"} if number > 0 else {}


def _told(value: object, pointer: str) -> str:
    """Say what a value is, how large, and where it is."""
    where = f"at {pointer or '/'}"
    if isinstance(value, Mapping):
        return f"… object of {len(value)} members, {_size(value)} {where}"
    if isinstance(value, list):
        return f"… list of {len(value)} elements, {_size(value)} {where}"
    return f"… {len(str(value))} characters {where}"


def _size(value: object) -> str:
    return wording.size(_length(value)).replace("\u202f", "")


def _length(value: object) -> int:
    return len(json.dumps(value, ensure_ascii=False))


def under(pointer: str, name: str | int) -> str:
    """Return the JSON pointer of a member or an element."""
    return f"{pointer}/{str(name).replace('~', '~0').replace('/', '~1')}"


def at(value: object, pointer: str) -> object:
    """Return what a JSON pointer points at.

    Raises:
        InputError: When nothing is there; the message says how far it leads and what is there.
    """
    if pointer in ("", "/"):
        return value
    if not pointer.startswith("/"):
        raise InputError(f"{pointer!r} is no JSON pointer: it starts with /, as /observation")
    here = ""
    for part in pointer.split("/")[1:]:
        name = part.replace("~1", "/").replace("~0", "~")
        if isinstance(value, Mapping) and name in value:
            value = value[name]
        elif isinstance(value, list) and name.isdecimal() and int(name) < len(value):
            value = value[int(name)]
        else:
            raise InputError(f"nothing is at {pointer}: {here or '/'} {_holds(value)}")
        here = under(here, name)
    return value


def _holds(value: object) -> str:
    if isinstance(value, Mapping):
        names: Sequence[Any] = list(value)
        more = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
        return f"has {', '.join(map(str, names[:MOST_NAMED]))}{more}" if names else "is empty"
    if isinstance(value, list):
        return f"has the elements 0 to {len(value) - 1}" if value else "is empty"
    return "is a single value"
