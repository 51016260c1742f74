"""Reads a row of any dialect into one shape; nothing else knows how the dialects differ."""

from typing import Any, Final, NamedTuple

import msgspec

from ingest.cut import RAW_OBJECT, Value, cutter, decoder, judge, payload
from ingest.faults import Fault, RecordInvalid
from ingest.formats.trial_row.models import AbsentRow, ContractRow, LiveRow, OuterRow, ReplayRow
from ingest.malformed import explain

CONTRACT: Final = "contract"
LIVE_RUNNER: Final = "live-runner"
REPLAY_REPORT: Final = "replay-report"
VERSION: Final = 1
_BOUNDS: Final = {"turn_cap": "max_turns", "token_budget_chars": "token_budget"}
"""The live runner's bounds in contract words; ``command_timeout_ms`` is per command and stays."""

_outer: Final = decoder(OuterRow)
_inner: Final = decoder(ContractRow)
_contract: Final = cutter(ContractRow)
_live: Final = cutter(LiveRow)
_absent: Final = cutter(AbsentRow)
_replay: Final = cutter(ReplayRow)


class SeenCheck(NamedTuple):
    """One check, whoever wrote it."""

    name: str
    passed: bool
    fault: str | None
    code: str | None
    reason: str | None


class Seen(NamedTuple):
    """One row, whoever wrote it.

    Attributes:
        raw: Whether the row as written holds something no column takes.
        implied_code: The code of an invalid answer written at the row itself.
        replay: Raw turns of the live runner.
    """

    dialect: str
    version: int | None
    tool: str | None
    name: str
    model: str | None
    arm: str | None
    repetition: int | None
    status: str
    checks: list[SeenCheck]
    bounds: dict[str, Any]
    bound_reached: str | None
    retry_delay_ms: int | None
    implied_code: str | None
    replay: list[msgspec.Raw]
    raw: bool


def outer(data: Value) -> Any:
    """Return the derived record of a row that is written to the contract, its checks unread.

    None when it is not. Whether it names a member twice is left to the caller.
    """
    try:
        return _outer.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return None


def whole(data: Value) -> Any:
    """Return the derived record of a row whose outer record and checks are known to be right."""
    return _inner.decode(data)


def read(data: Value) -> Seen:
    """Read a row of any dialect.

    Raises:
        RecordInvalid: With every fault of its shape.
    """
    row = members(data)
    dialect = dialect_of(row)
    if dialect == LIVE_RUNNER:
        return read_live(data, row)
    if dialect == REPLAY_REPORT:
        return read_replay(data)
    return from_contract(*_contract(data), data)


def members(data: Value) -> dict[str, msgspec.Raw]:
    """Return the members of a row, undecoded.

    Raises:
        RecordInvalid: When it is not a JSON object.
    """
    try:
        return RAW_OBJECT.decode(data)
    except msgspec.ValidationError as error:
        raise RecordInvalid([Fault("", "json", f"a row must be a JSON object: {error}")]) from None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise RecordInvalid([explain(bytes(data), error)]) from None


def dialect_of(row: dict[str, msgspec.Raw]) -> str:
    """Return the dialect a row is written in, from the members it has."""
    if "scenario" in row and "name" not in row:
        return LIVE_RUNNER
    if "report_version" not in row and {"passed", "failures"} <= row.keys():
        return REPLAY_REPORT
    return CONTRACT


def from_contract(record: Any, listed: bool, data: Value) -> Seen:  # noqa: FBT001
    """Read a contract row from its derived record.

    Raises:
        RecordInvalid: When its bounds are no object.
    """
    delay = record.retry_delay_secs
    bounds = msgspec.json.decode(record.bounds)
    if not isinstance(bounds, dict):
        judge(ContractRow, bytes(data))
    return Seen(
        dialect=CONTRACT,
        version=record.report_version,
        tool=record.tool,
        name=record.name,
        model=record.model,
        arm=None,
        repetition=record.repetition,
        status=record.status,
        checks=[
            SeenCheck(each.name, each.status == "passed", each.fault, each.code, each.reason)
            for each in record.checks
        ],
        bounds=bounds,
        bound_reached=record.bound_reached,
        retry_delay_ms=None if delay is None else round(delay * 1000),
        implied_code=None,
        replay=[],
        raw=not listed or record.notes is not None or record.fixture_root is not None,
    )


def read_live(data: Value, row: dict[str, msgspec.Raw]) -> Seen:
    """Read a row of the live runner; an absent cell is a row without checks.

    Raises:
        RecordInvalid: With every fault of its shape.
    """
    if payload(row.get("kind")) == '"absent"':
        return _read_absent(data)
    record = _live(data).record
    reached = record.reached_bound
    delay = record.rate_limit_delay_ms
    return Seen(
        dialect=LIVE_RUNNER,
        version=record.report_version,
        tool=record.tool,
        name=record.scenario,
        model=record.model,
        arm=record.arm,
        repetition=record.repetition,
        status=record.status,
        checks=[_live_check(check) for check in record.checks],
        bounds={_BOUNDS.get(name, name): value for name, value in record.bounds.items()},
        bound_reached=None if reached is None else _BOUNDS.get(reached, reached),
        retry_delay_ms=None if delay is None else round(delay),
        implied_code=record.fault_code,
        replay=list(record.replay),
        raw=True,
    )


def read_replay(data: Value) -> Seen:
    """Read a row of the replay tier.

    Raises:
        RecordInvalid: With every fault of its shape.
    """
    record, listed = _replay(data)
    return Seen(
        dialect=REPLAY_REPORT,
        version=None,
        tool=None,
        name=record.name,
        model=record.model,
        arm=None,
        repetition=None,
        status="passed" if record.passed else "failed",
        checks=[_replay_check(each) for each in record.failures],
        bounds={},
        bound_reached=None,
        retry_delay_ms=None,
        implied_code=None,
        replay=[],
        raw=not listed,
    )


def _read_absent(data: Value) -> Seen:
    record, listed = _absent(data)
    return Seen(
        dialect=LIVE_RUNNER,
        version=VERSION if record.report_version is None else record.report_version,
        tool=record.tool,
        name=record.scenario,
        model=record.model,
        arm=record.arm,
        repetition=record.repetition,
        status="absent",
        checks=[],
        bounds={},
        bound_reached=None,
        retry_delay_ms=None,
        implied_code=None,
        replay=[],
        raw=not listed,
    )


def _live_check(check: Any) -> SeenCheck:
    fault = None if check.passed else _fault(check.code)
    return SeenCheck(check.name, check.passed, fault, check.code, check.reason)


def _replay_check(failure: Any) -> SeenCheck:
    code = failure.taxonomy_code
    return SeenCheck(
        failure.check, passed=False, fault=_fault(code), code=code, reason=failure.reason
    )


def _fault(code: str | None) -> str:
    """Return who is at fault where the dialect only writes a code for the agent's faults."""
    return "tool" if code is None else "agent"
