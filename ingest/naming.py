"""Names that are the same in every store: runs by what they are, not by when they were loaded."""

import hashlib

from ingest.records import RUN_DIGITS


def run_id(report: str, *identity: str | None) -> str:
    """Return the id of a run: a hash of its report and what tells it from the report's others."""
    text = "\x1f".join((report, *("\x00" if part is None else part for part in identity)))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:RUN_DIGITS]
