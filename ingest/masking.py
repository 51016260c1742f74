"""Replaces ids that differ from run to run, so that two equal behaviours count as one.

Masked are uuids and hexadecimal strings of sixteen digits or more (with at least one digit among
them, so that a long word is left alone). Both counts, raw and masked, are shown; the raw one is the
parity figure.
"""

import re
from typing import Final

_UUID: Final = r"[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}"
_HEX: Final = r"(?=[0-9a-fA-F]*[0-9])[0-9a-fA-F]{16,}"
_ID: Final = re.compile(rf"(?<![0-9A-Za-z])(?:{_UUID}|{_HEX})(?![0-9A-Za-z])")
PLACEHOLDER: Final = "<id>"


def mask(text: str) -> str:
    """Return the text with every run-specific id replaced by one placeholder."""
    return _ID.sub(PLACEHOLDER, text)
