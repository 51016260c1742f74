"""The rules a trial row must keep; their numbers are those of the contract.

A broken rule either refuses the row (:class:`Refusal`) or is noted beside it.
"""

import re
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from ingest.faults import Fault, RecordInvalid
from ingest.formats.trial_row.dialects import CONTRACT, LIVE_RUNNER, VERSION, Seen, SeenCheck

STATUSES: Final = frozenset({"passed", "failed", "rate_limited", "invalid_output"})
LIVE_STATUSES: Final = STATUSES | {"http_error", "absent"}
ACTION_FORMAT: Final = "ERR_ACTION_FORMAT_VIOLATION"
HALLUCINATION: Final = "ERR_TOOL_EXECUTION_HALLUCINATION"
CODES: Final = frozenset(
    {
        "ERR_ENVELOPE_HINT_BLINDNESS",
        "ERR_STATE_MACHINE_VIOLATION",
        "ERR_MANAGED_BLOCK_CORRUPTION",
        HALLUCINATION,
        "ERR_CONTEXT_RECOVERY_FAILURE",
        "ERR_TOOL_DISCOVERY_FAILURE",
        "ERR_DOC_DRIFT_BLINDNESS",
        ACTION_FORMAT,
    }
)
BOUNDS: Final = ("max_turns", "timeout_secs", "token_budget")
MIN_RETRY_MS: Final = 2000
_CODE: Final = re.compile(r"ERR_[A-Z_]+")


_OF_ANY_FORMAT: Final = frozenset({"truncated", "repeated-member", "not-a-number", "encoding"})
"""Rules that no contract needs to state."""


class Broken(NamedTuple):
    """One broken rule."""

    rule: str
    message: str


def shape_rule(error: RecordInvalid) -> str:
    """Return the number of the rule that a row of the wrong shape breaks."""
    first: Fault = error.faults[0]
    if first.rule in _OF_ANY_FORMAT:
        return first.rule
    if any(fault.rule == "null" for fault in error.faults):
        return "B2"
    return "B12" if first.place == "repetition" else "B1"


def refused_by(row: Seen) -> Broken | None:
    """Return the first rule that refuses the row, if any."""
    return next(_refusals(row), None)


def _refusals(row: Seen) -> Iterator[Broken]:
    if row.dialect == CONTRACT and (where := _null(row.bounds, "bounds")):
        yield Broken("B2", f"{where} is null; omit it")
    for check in row.checks:
        yield from _check_refusals(check)
    failing = [check.name for check in row.checks if not check.passed]
    if row.status == "passed" and failing:
        yield Broken("B7", f"status is passed, but check {failing[0]!r} failed")
    if row.status == "passed" and row.bound_reached is not None:
        yield Broken("B7", f"status is passed, but bound_reached is {row.bound_reached!r}")
    if row.bound_reached is not None and row.status != "failed":
        yield Broken("B9", f"bound_reached is {row.bound_reached!r}, but status is {row.status!r}")
    if row.status == "rate_limited" and (row.implied_code or any(_blamed(c) for c in row.checks)):
        yield Broken("B10", "status is rate_limited, but a fault or code is recorded")


def _check_refusals(check: SeenCheck) -> Iterator[Broken]:
    if check.passed and check.fault is not None:
        yield Broken("B4", f"check {check.name!r} passed, but has fault {check.fault!r}")
    if not check.passed and check.fault not in ("agent", "tool"):
        found = "no fault" if check.fault is None else f"fault {check.fault!r}"
        yield Broken("B4", f"check {check.name!r} failed with {found}; expected agent or tool")
    if check.fault == "agent" and check.code is None:
        yield Broken("B5", f"check {check.name!r} blames the agent without a code")
    if check.fault != "agent" and check.code is not None:
        yield Broken("B5", f"check {check.name!r} has code {check.code!r} without an agent fault")


def doubts(row: Seen) -> Iterator[Broken]:
    """Yield the rules a row breaks without being refused."""
    yield from _status_doubts(row)
    yield from _code_doubts(row)
    yield from _attribution_doubts(row)
    names = [check.name for check in row.checks]
    if len(set(names)) != len(names):
        twice = next(name for name in names if names.count(name) > 1)
        yield Broken("B14", f"check {twice!r} is declared more than once")
    if row.version is not None and row.version != VERSION:
        yield Broken("B18", f"report_version is {row.version}: kept in a section of its own")


def _status_doubts(row: Seen) -> Iterator[Broken]:
    if row.status not in (LIVE_STATUSES if row.dialect == LIVE_RUNNER else STATUSES):
        yield Broken("B3", f"unknown status {row.status!r}: kept outside every rate")
    if row.status == "failed" and row.bound_reached is None and all(c.passed for c in row.checks):
        yield Broken("B8", "status is failed, but no check failed and no bound was reached")
    if row.bound_reached is not None and row.bound_reached not in row.bounds:
        yield Broken("B9", f"bound_reached {row.bound_reached!r} is none of the row's bounds")
    if row.status == "rate_limited" and row.retry_delay_ms is None:
        yield Broken("B11", "status is rate_limited, but no retry delay is recorded")
    if row.retry_delay_ms is not None and row.retry_delay_ms < MIN_RETRY_MS:
        yield Broken("B11", f"the retry delay is {row.retry_delay_ms} ms, less than {MIN_RETRY_MS}")


def _code_doubts(row: Seen) -> Iterator[Broken]:
    for code in [*(check.code for check in row.checks), row.implied_code]:
        if code is not None and code not in CODES:
            kind = "unknown" if _CODE.fullmatch(code) else "malformed"
            yield Broken("B6", f"{kind} code {code!r}")
        if code == HALLUCINATION and row.model is not None:
            yield Broken("B16", f"{code} on an attributed row: it belongs to replays")
        if code == ACTION_FORMAT and row.model is None:
            yield Broken("B16", f"{code} on a row without a model: it belongs to live trials")


def _attribution_doubts(row: Seen) -> Iterator[Broken]:
    if row.dialect == CONTRACT and (row.model is None) != (row.repetition is None):
        yield Broken("B12", "model and repetition come together; only one of them is present")
    if row.model is None:
        return
    missing = [bound for bound in BOUNDS if bound not in row.bounds]
    if row.dialect == CONTRACT and missing:
        yield Broken("B13", f"an attributed row without bounds {', '.join(missing)}")
    if row.status == "passed" and not row.checks:
        yield Broken("B15", "a passed attributed row without checks establishes nothing")


def _blamed(check: SeenCheck) -> bool:
    return check.fault is not None or check.code is not None


def _null(value: Any, place: str) -> str:
    """Return the path of the first null inside a value; empty when there is none."""
    if value is None:
        return place
    members = (
        value.items()
        if isinstance(value, dict)
        else enumerate(value)
        if isinstance(value, list)
        else ()
    )
    return next((found for name, each in members if (found := _null(each, f"{place}.{name}"))), "")
