"""Finds members that a JSON object names twice: which of the two holds is undefined, so neither is.

Parsers take one silently. Payloads are kept as written and may repeat what they like.
"""

import json
from collections.abc import Collection
from typing import Any, NamedTuple

from ingest.faults import Fault, RecordInvalid

SHOWN = 40


class _Twice(NamedTuple):
    path: str
    first: str
    second: str


def refuse_repeated(data: bytes, payloads: Collection[str] = ()) -> None:
    """Refuse a record in which an object outside of its payloads names a member twice.

    Raises:
        RecordInvalid: With the member's path and both values.
    """

    def look(pairs: list[tuple[str, Any]]) -> Any:
        seen: dict[str, Any] = {}
        for name, value in pairs:
            if name in seen:
                return _Twice(name, _text(seen[name]), _text(value))
            seen[name] = value
        for name, value in pairs:
            if name not in payloads and (inner := _within(name, value)) is not None:
                return inner
        return seen

    try:
        found = _within("", json.loads(data, object_pairs_hook=look))
    except (ValueError, RecursionError):
        return
    if found is not None:
        message = f"the member is written twice, as {found.first} and as {found.second}"
        raise RecordInvalid([Fault(found.path, "repeated-member", message)])


def _within(name: str, value: Any) -> _Twice | None:
    """Return a repetition found inside a member, seen from outside of it."""
    if isinstance(value, _Twice):
        return value._replace(path=f"{name}.{value.path}".lstrip("."))
    if isinstance(value, list):
        for place, each in enumerate(value):
            if (found := _within(f"{name}[{place}]", each)) is not None:
                return found
    return None


def _text(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= SHOWN else f"{text[: SHOWN - 1]}…"
