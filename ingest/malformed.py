"""Says what is wrong with text that is not JSON, and where: as a path, not as a byte."""

import re
from typing import Final

from ingest.faults import Fault

_BYTE: Final = re.compile(r"\(byte (\d+)\)")
_TOKEN: Final = re.compile(rb'"(?:[^"\\]|\\.)*"|[\[\]{},:]')
_NUMBER: Final = re.compile(rb"-?(?:NaN|Infinity)")


def explain(data: bytes, error: Exception) -> Fault:
    """Return the fault that a JSON decoder's error stands for."""
    text = str(error)
    if isinstance(error, RecursionError):
        return Fault("", "too-deep", "the JSON is nested too deeply")
    if isinstance(error, UnicodeDecodeError) or "UTF-8" in text:
        return Fault("", "encoding", f"not UTF-8: {text}")
    if "truncated" in text:
        message = "it ends in the middle of a value: still being written, or cut off"
        return Fault("", "truncated", message)
    found = _BYTE.search(text)
    if found is None:
        return Fault("", "invalid-json", f"not JSON: {text}")
    offset = int(found[1])
    where = place_of(data, offset)
    for start in (offset, offset - 1):
        if (number := _NUMBER.match(data, max(start, 0))) is not None:
            message = f"{number[0].decode()} is no JSON number; leave the member out"
            return Fault(where, "not-a-number", message)
    return Fault(where, "invalid-json", f"not JSON: {text}")


def place_of(data: bytes, offset: int) -> str:
    """Return the path of the value that a byte of some JSON text belongs to."""
    path: list[str | int] = []
    key: bytes | None = None
    for token in _TOKEN.finditer(data, 0, offset):
        mark = token[0]
        if mark == b"{":
            path.append("")
        elif mark == b"[":
            path.append(0)
        elif mark in (b"}", b"]"):
            del path[-1:]
        elif mark == b"," and path and isinstance(path[-1], int):
            path[-1] += 1
        elif mark == b":" and path and key is not None:
            path[-1] = key.decode("utf-8", "replace")
        key = mark[1:-1] if mark.startswith(b'"') else None
    parts = (f"[{part}]" if isinstance(part, int) else f".{part}" for part in path)
    return "".join(parts).removeprefix(".")
