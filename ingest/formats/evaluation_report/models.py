"""The shape of an evaluation report, ``schemaVersion`` 1, as pydantic models.

Closed vocabularies of the format (statuses, kinds, operators) are read as plain text: a newer
writer's word is kept and shown as unknown, never refused. Members that every writer of the format
emits but that no figure needs (summary, fingerprint, dates) may be missing; that is flagged.
"""

from typing import Any

from pydantic import ConfigDict, Field
from pydantic.alias_generators import to_camel

from ingest.cut import Count, Nested, Payload, Record


class Member(Record):
    """Base of the records of this format, whose members are written in camel case."""

    model_config = ConfigDict(alias_generator=to_camel)


class Target(Member):
    """What was evaluated."""

    id: str
    fingerprint: str | None = None


class Report(Member):
    """The envelope; the suite and the cases are split off and read one by one."""

    schema_version: int
    run_id: str
    suite: Payload
    fingerprint: str | None = None
    started_at: str | None = None
    status: str
    finished_at: str | None = None
    resumed_from: str | None = None
    target: Target
    cases: Nested
    summary: dict[str, int] | None = None
    assertions: Nested = []


class Actual(Member):
    """What a check found at its path: no ``value`` is nothing there, a null one is a null."""

    present: bool
    value: Payload = None


class AssertionResult(Member):
    """One evaluated node; its children are read when they are needed."""

    id: str
    label: str | None = None
    passed: bool
    actual: Actual | None = None
    expected: Payload = None
    evidence: Payload = None
    children: Nested = []
    error_code: str | None = None


class Turn(Member):
    """One exchange."""

    step_id: str
    turn_id: str | None = None
    input: Payload = None
    status: str
    observation: Payload = None
    assertions: list[AssertionResult] = []
    error_code: str | None = None
    duration_ms: Count | None = None
    checkpoint: Payload = None


class Case(Member):
    """One repetition of one combination of variants of one scenario."""

    id: str
    scenario_id: str
    name: str | None = None
    repetition: Count
    variants: dict[str, str] = {}
    thread_id: str | None = None
    status: str
    turns: list[Turn]
    assertions: list[AssertionResult] = []
    error_code: str | None = None
    skip_reason: str | None = None


class Assertion(Member):
    """One node of a definition."""

    id: str
    label: str | None = None
    kind: str
    path: list[str | int] | None = None
    operator: str | None = None
    value: Any = None
    assertions: list["Assertion"] = []
    assertion: "Assertion | None" = None
    evaluator: str | None = None
    parameters: Any = None


class Step(Member):
    """One step of a scenario; its inputs stay in the suite as written."""

    id: str
    assertions: list[Assertion] = []


class Scenario(Member):
    """One item of a suite."""

    id: str
    name: str | None = None
    write_policy: str | None = None
    description: str | None = None
    tags: list[str] = []
    metadata: Any = None
    skip_reason: str | None = None
    assertions: list[Assertion] = []
    steps: list[Step] = Field(default_factory=list)


class Suite(Member):
    """The complete definition snapshot."""

    id: str
    name: str | None = None
    assertions: list[Assertion] = []
    scenarios: list[Scenario]
