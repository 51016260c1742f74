"""Words and marks: how an outcome, a category, a count, a rate or a time is written on a page.

Every outcome has its own mark beside its colour, so that a page reads the same in grey. A rate
says 0 or 100 per cent only where it is exactly that.
"""

import re
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from ingest.records import OUTCOMES

NOTHING: Final = "–"  # noqa: RUF001 (a dash that no number starts with)


class Sign(NamedTuple):
    """How an outcome looks: its mark, its word, and the class that colours it."""

    mark: str
    word: str
    tone: str


SIGNS: Final = {
    "passed": Sign("✓", "passed", "pass"),
    "failed": Sign("✗", "failed", "fail"),
    "error": Sign("!", "error", "err"),
    "blocked": Sign("■", "blocked", "blk"),
    "skipped": Sign(NOTHING, "skipped", "ctx"),
    "cancelled": Sign("⊘", "cancelled", "ctx"),
    "pending": Sign("○", "not run", "ctx"),
    "running": Sign("◔", "running", "ctx"),
    "rate_limited": Sign("⏱\ufe0e", "rate-limited", "lim"),
    "absent": Sign("∅", "absent", "ctx"),
    "unknown": Sign("?", "unknown status", "ctx"),
}
BOUND: Final = Sign("↯", "stopped by a bound", "err")
UNRECORDED: Final = Sign("·", "not recorded", "ctx")

_CATEGORIES: Final = {
    "side_effect_integrity": "side-effect integrity",
    "operational_claim_integrity": "operational claim",
    "semantic_interpretation": "semantic interpretation",
    "provider_failure": "provider failure",
    "user_experience": "user experience",
    "tool_fault": "tool fault",
    "evaluator_error": "evaluator error",
}


def sign(outcome: str | None) -> Sign:
    """Return the mark, word and tone of an outcome, a turn's status or a check's result."""
    return SIGNS.get(outcome or "", UNRECORDED)


def in_order(counts: dict[str, int]) -> list[tuple[str, int]]:
    """Return outcomes with their counts in the one order all pages use, empty ones left out."""
    known = [(name, counts[name]) for name in OUTCOMES if counts.get(name)]
    return known + sorted((name, n) for name, n in counts.items() if n and name not in SIGNS)


def category(name: str) -> str:
    """Return a category as people say it."""
    return _CATEGORIES.get(name, name.replace("_", " "))


def spoken(name: str | None) -> str:
    """Return a name of a vocabulary with its underscores as spaces."""
    return NOTHING if name is None else name.replace("_", " ")


def plural(number: int, noun: str, nouns: str | None = None) -> str:
    """Return a number with its noun, with thousands apart."""
    return f"{number:,} {noun if number == 1 else nouns or noun + 's'}".replace(",", "\u202f")


def count(number: int) -> str:
    """Return a number with its thousands apart."""
    return f"{number:,}".replace(",", "\u202f")


def percent(rate: float | None) -> str:
    """Return a rate in whole per cent, with a decimal where rounding would say 0 or 100."""
    if rate is None:
        return NOTHING
    whole = round(rate * 100)
    if rate > 0 and whole == 0:
        return "<0.1 %" if rate < 0.001 else f"{rate * 100:.1f} %"
    if rate < 1 and whole == 100:
        return ">99.9 %" if rate > 0.999 else f"{rate * 100:.1f} %"
    return f"{whole} %"


def span(low: float | None, high: float | None) -> str:
    """Return two rates as a range without repeating the sign."""
    if low is None or high is None:
        return ""
    return f"[{percent(low).removesuffix(' %')}–{percent(high).removesuffix(' %')}]"  # noqa: RUF001


def held(row: Mapping[str, Any]) -> str:
    """Return in how many trials a category held, of those that measured it."""
    basis = row["graded"] if row["covered"] is None else row["covered"]
    return f"{basis - row['failing_trials']}/{basis}"


def moved(row: Mapping[str, Any], side: str) -> str:
    """Return what a cell came to on one side of a change, never without the trials it is over.

    A rate as the counts it is of, a judge's score over its trials; ``side`` is before or after.
    """
    value, over = row.get(side), row.get(f"{side}_of")
    if value is None or over is None:
        return NOTHING
    if row["kind"].startswith("judge"):
        return f"{value:.2f} over {over}"
    return f"{round(value * over)}/{over}"


def duration(milliseconds: int | None) -> str:
    """Return a duration in the unit that a person would use."""
    if milliseconds is None:
        return ""
    if milliseconds < 1000:
        return f"{milliseconds} ms"
    seconds = milliseconds / 1000
    return f"{seconds:.1f} s" if seconds < 100 else f"{seconds / 60:.0f} min"


def size(octets: int) -> str:
    """Return a length in bytes, kilobytes or megabytes."""
    if octets < 1000:
        return plural(octets, "byte")
    return f"{octets / 1000:.0f} kB" if octets < 1_000_000 else f"{octets / 1_000_000:.1f} MB"


def moment(written: str | None) -> str:
    """Return the date and minute of a time as it is written in a report."""
    if written is None:
        return NOTHING
    found = re.match(r"(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)", written)
    return f"{found[1]} {found[2]}" if found else written[:32]


def read_as(run: Mapping[str, Any]) -> str:
    """Return the format of a run, with its dialect and version where it has these."""
    dialect = None if run["dialect"] == "contract" else run["dialect"]
    version = None if run["version"] is None else str(run["version"])
    return " ".join(part for part in (run["format"], dialect, version) if part)


def file_name(path: str) -> str:
    """Return the last part of a path."""
    return path.rstrip("/").rpartition("/")[2] or path
