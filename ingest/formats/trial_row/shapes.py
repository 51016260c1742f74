"""What a row says apart from which trial it is: judged once, however many rows say the same.

A battery repeats few things in many rows. Whatever the rules look at is a row's *shape*; the rules
run when a shape is first seen, and every later row of that shape shares the verdict.
"""

from collections.abc import Hashable, Sequence
from typing import Any, Final, NamedTuple, TypeVar

import msgspec

from ingest.cut import Strictly
from ingest.derive import struct_of
from ingest.formats.trial_row import dialects, rules
from ingest.formats.trial_row.dialects import Seen, SeenCheck
from ingest.formats.trial_row.models import Check
from ingest.formats.trial_row.rules import Broken
from ingest.records import GRADED, Outcome

MOST: Final = 50_000
_Key = TypeVar("_Key")
_Value = TypeVar("_Value")
_checks_of: Final = msgspec.json.Decoder(list[struct_of(Check, forbid=True, strict=Strictly)])  # type: ignore[misc]
_OUTCOMES: Final[dict[str, Outcome]] = {
    "passed": "passed",
    "failed": "failed",
    "invalid_output": "failed",
    "rate_limited": "rate_limited",
}
_LIVE_OUTCOMES: Final[dict[str, Outcome]] = {**_OUTCOMES, "http_error": "error", "absent": "absent"}


class Shape:
    """Everything the rows of one shape have in common.

    Attributes:
        refused: The rule that refuses such a row, if one does.
        doubts: The rules it breaks without being refused.
        checks: Its checks without their reasons, the one an invalid answer implies among them.
        implied: Whether the last check is implied, and not written.
        names: The checks it declares; None when it does not say.
        wanted: For each check its name, fault and code, as one text: what has a definition of its
            own in a cell. Looked up for every check of every row: a text hashes once, a tuple anew.
        members: Number of members of such a row, without those that may or may not be there.
    """

    __slots__ = (
        "bound_reached",
        "bounds",
        "checks",
        "doubts",
        "graded",
        "implied",
        "members",
        "names",
        "outcome",
        "reason",
        "refused",
        "retry_delay_ms",
        "status",
        "unfinished",
        "wanted",
    )

    def __init__(self, seen: Seen) -> None:
        """Judge the first row of this shape."""
        known = _LIVE_OUTCOMES if seen.dialect == dialects.LIVE_RUNNER else _OUTCOMES
        self.outcome: Outcome = known.get(seen.status, "unknown")
        self.graded = self.outcome in GRADED
        self.status = seen.status
        self.reason = "invalid_output" if seen.status == "invalid_output" else None
        self.bound_reached = seen.bound_reached
        self.unfinished = seen.bound_reached is not None or seen.status == "invalid_output"
        self.retry_delay_ms = seen.retry_delay_ms
        self.bounds = msgspec.json.encode(seen.bounds).decode() if seen.bounds else None
        self.refused: Broken | None = rules.refused_by(seen)
        self.doubts = () if self.refused else tuple(rules.doubts(seen))
        self.names: frozenset[str] | None = None
        if seen.checks and seen.dialect != dialects.REPLAY_REPORT:
            self.names = frozenset(check.name for check in seen.checks)
        self.members = 0
        self.checks = _checks(seen)
        self.wanted = [repr((check.name, check.fault, check.code)) for check in self.checks]
        self.implied = len(self.checks) > len(seen.checks)


class Shapes:
    """The shapes seen so far; forgotten when there are too many to be worth keeping."""

    def __init__(self) -> None:
        """Start with none."""
        self._known: dict[Hashable, Shape] = {}
        self.get = self._known.get
        """Returns the shape with a key, None when it was not seen."""

    def learn(self, key: Hashable, seen: Seen) -> Shape:
        """Judge a row of a shape not seen before."""
        shape = _room(self._known)[key] = Shape(seen)
        return shape


class Listed(NamedTuple):
    """The checks of a row, as far as its shape is concerned.

    Attributes:
        number: Equal for lists that differ in nothing but their reasons.
        reasons: The reason of each check.
        given: How many reasons are written.
    """

    number: int
    reasons: Sequence[str | None]
    given: int


class Lists:
    """The lists of checks seen so far: most rows pass, and then lists repeat to the letter."""

    def __init__(self) -> None:
        """Start with none."""
        self._numbers: dict[Hashable, int] = {}
        self._count = 0
        self._written: dict[bytes, Listed] = {}

    def of(self, raw: msgspec.Raw) -> Listed | None:
        """Return a list of checks, None when it is not written to the contract."""
        text = bytes(raw)
        known = self._written.get(text)
        return known if known is not None else self._learn(text)

    def _learn(self, text: bytes) -> Listed | None:
        try:
            checks = _checks_of.decode(text)
        except (msgspec.DecodeError, UnicodeDecodeError):
            return None
        reasons = [check.reason for check in checks]
        given = len(reasons) - reasons.count(None)
        key = tuple([(check.name, check.status, check.fault, check.code) for check in checks])
        number = self._numbers.get(key)
        if number is None:
            self._count += 1
            number = _room(self._numbers)[key] = self._count
        listed = Listed(number, reasons, given)
        if not given:
            _room(self._written)[text] = listed
        return listed


def _room(known: dict[_Key, _Value]) -> dict[_Key, _Value]:
    """Return what is known, emptied when it is so much that it is not worth keeping."""
    if len(known) >= MOST:
        known.clear()
    return known


def key_of_contract(record: Any, checks: int) -> Hashable:
    """Return what the rules look at of a contract row, from its record and its list of checks."""
    return (
        record.report_version,
        record.status,
        record.model is None,
        record.repetition is None,
        record.bound_reached,
        record.retry_delay_secs,
        bytes(record.bounds),
        checks,
    )


def key_of(seen: Seen) -> Hashable:
    """Return what the rules look at of a row of any dialect."""
    return (
        seen.dialect,
        seen.version,
        seen.status,
        seen.model is None,
        seen.repetition is None,
        seen.bound_reached,
        seen.retry_delay_ms,
        seen.implied_code,
        msgspec.json.encode(seen.bounds),
        *[check[:4] for check in seen.checks],
    )


def _checks(seen: Seen) -> tuple[SeenCheck, ...]:
    """Return the checks; an invalid answer counts exactly one action-format fault."""
    written = tuple(seen.checks)
    code = seen.implied_code or rules.ACTION_FORMAT
    if seen.status != "invalid_output" or any(check.code == code for check in written):
        return written
    implied = SeenCheck("invalid_output", False, "agent", code, "the answer had no valid form")  # noqa: FBT003
    return (*written, implied)
