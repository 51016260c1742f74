"""Answers of bounded size: a list in as many rows as fit, and how to ask for the others."""

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

from dashboard import bounded, text

MOST_BYTES: Final = 20_000
"""What one answer may hold, in UTF-8."""
ROW: Final = 3_000
"""Characters of one row."""
_SPARE: Final = 400


def rows(head: Mapping[str, Any], name: str, every: Sequence[Any], offset: int, ask: str) -> str:
    """Return a head and rows from `offset` on as JSON.

    Args:
        head: What stands before the rows.
        name: What the rows are called.
        every: All rows.
        offset: The first one wanted.
        ask: The tool to call for the others.
    """
    room = MOST_BYTES - _SPARE - _size(head)
    shown: list[Any] = []
    for row in every[offset:]:
        short = bounded.fitting(row, ROW)
        room -= _size(short) + 2
        if room < 0 and shown:
            break
        shown.append(short)
    answer = dict(head) | {name: shown, "rows_in_all": len(every)}
    after = offset + len(shown)
    if after < len(every):
        answer["more"] = f"{len(every) - after} more rows: {ask} with offset={after}"
    return whole(answer)


def whole(answer: object, pointer: str = "") -> str:
    """Return a value as JSON, what does not fit named with its size and pointer."""
    limit = MOST_BYTES
    while True:
        written = text.json_line(bounded.fitting(answer, limit, pointer))
        if len(written.encode()) <= MOST_BYTES:
            return written
        limit = limit * 2 // 3


def _size(value: object) -> int:
    return len(json.dumps(value, ensure_ascii=False).encode())
