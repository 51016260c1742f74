"""The shape of trial rows: the contract of ``report_version`` 1 and two dialects seen in the wild.

A contract row omits what it does not say and never holds null; the dialects do not promise that.
"""

from typing import Annotated, Any, Literal

from ingest.cut import Count, Integer, Nested, Payload, Record, Strictly
from ingest.derive import VERBATIM


class Check(Strictly):
    """One declared check."""

    name: str
    status: Literal["passed", "failed"]
    fault: str | None = None
    code: str | None = None
    reason: str | None = None


class ContractRow(Strictly):
    """One trial as the contract describes it."""

    report_version: Integer
    name: str
    tool: str
    status: str
    checks: list[Check]
    bounds: Annotated[dict[str, Any], VERBATIM]
    model: str | None = None
    repetition: Count | None = None
    bound_reached: str | None = None
    retry_delay_secs: float | None = None
    notes: str | None = None
    fixture_root: str | None = None


class OuterRow(ContractRow):
    """A contract row whose checks are not looked at yet."""

    checks: Nested


class LiveCheck(Record):
    """One check of the live runner: whether it passed, and a code when the agent is at fault."""

    name: str
    passed: bool
    code: str | None = None
    reason: str | None = None


class LiveRow(Record):
    """One trial as the live runner writes it."""

    kind: str | None = None
    report_version: Integer
    scenario: str
    tool: str
    status: str
    checks: list[LiveCheck]
    bounds: dict[str, Any]
    model: str | None = None
    repetition: Count | None = None
    arm: str | None = None
    reached_bound: str | None = None
    rate_limit_delay_ms: float | None = None
    fault_code: str | None = None
    replay: list[Payload] = []
    sandbox: Payload = None
    token_estimate: Payload = None
    timed_out_step: Payload = None


class AbsentRow(Record):
    """A cell of the grid the live runner declares but did not run."""

    kind: Literal["absent"]
    scenario: str
    report_version: Integer | None = None
    tool: str | None = None
    model: str | None = None
    repetition: Count | None = None
    arm: str | None = None


class ReplayFailure(Record):
    """One failed check of a replay report."""

    check: str
    taxonomy_code: str | None = None
    reason: str | None = None


class ReplayRow(Record):
    """One trial as the replay tier reports it: failures only, passing checks unknown."""

    name: str
    passed: bool
    failures: list[ReplayFailure]
    model: str | None = None
