"""Lone surrogates: escapes that JSON allows and no text can hold.

Writers in JavaScript emit them for strings cut in the middle of a character. They are read as the
replacement character, and the report says so.
"""

import re
from typing import Final

_ESCAPE: Final = re.compile(
    rb"\\u[dD][89aAbB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}"
    rb"|\\u[dD][89a-fA-F][0-9a-fA-F]{2}"
    rb"|\\."
)
_PAIR: Final = 12
REPLACED: Final = "halves of characters (lone surrogates) were replaced by U+FFFD"


def without_lone(data: bytes) -> bytes:
    """Return JSON with every escape that is half a character replaced; lengths stay the same."""
    if b"\\ud" not in data and b"\\uD" not in data:
        return data
    return _ESCAPE.sub(_replacement, data)


def _replacement(found: re.Match[bytes]) -> bytes:
    text = found[0]
    is_half = text[:3].lower() == b"\\ud" and len(text) < _PAIR
    return b"\\ufffd" if is_half else text
