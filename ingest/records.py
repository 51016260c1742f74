"""The rows between readers and the store: one type a table, fields in ``schema.sql``'s order.

Plain named tuples, since an ingest makes millions of them. What may stand in a field is decided by
the pydantic models of the formats; what a column means is said in ``schema.sql``.
"""

import re
from typing import Final, Literal, NamedTuple

Payload = str
"""JSON text exactly as written."""

Outcome = Literal[
    "passed",
    "failed",
    "error",
    "blocked",
    "skipped",
    "cancelled",
    "pending",
    "running",
    "rate_limited",
    "absent",
    "unknown",
]
OUTCOMES: Final[tuple[Outcome, ...]] = (
    "passed",
    "failed",
    "error",
    "blocked",
    "skipped",
    "cancelled",
    "pending",
    "running",
    "rate_limited",
    "absent",
    "unknown",
)
GRADED: Final[frozenset[str]] = frozenset({"passed", "failed"})

ORDINAL_BITS: Final = 22
RUN_DIGITS: Final = 10
_TRIAL_NAME: Final = re.compile(rf"[0-9a-f]{{{RUN_DIGITS}}}-[0-9]{{1,7}}")


def key(run: str, ordinal: int) -> int:
    """Return the store-wide number of the ``ordinal``-th trial or definition of a run.

    Raises:
        OverflowError: When a run has more than 2**22 of them.
    """
    if ordinal >> ORDINAL_BITS:
        raise OverflowError(f"a run holds at most {1 << ORDINAL_BITS} trials")
    return int(run, 16) << ORDINAL_BITS | ordinal


def trial_name(number: int) -> str:
    """Return how a trial is called in addresses and JSON: its run and its place in it."""
    return f"{run_of(number)}-{number & ((1 << ORDINAL_BITS) - 1)}"


def run_of(number: int) -> str:
    """Return the run of a trial or definition with this number."""
    return f"{number >> ORDINAL_BITS:0{RUN_DIGITS}x}"


def trial_number(name: str) -> int:
    """Return the number behind :func:`trial_name`.

    Raises:
        ValueError: When the name is not of that form.
    """
    if not _TRIAL_NAME.fullmatch(name):
        raise ValueError(f"{name!r} is no trial: expected ten hexadecimal digits, '-', a number")
    run, _, ordinal = name.partition("-")
    number = int(ordinal)
    if number >> ORDINAL_BITS:
        raise ValueError(f"{name!r} is no trial: the number after '-' is too large")
    return key(run, number)


class Run(NamedTuple):
    """One execution of a suite against one subject (table ``run_loaded``)."""

    run: str
    report: str
    position: int
    format: str
    dialect: str | None
    version: int | None
    suite: str | None
    suite_name: str | None
    suite_digest: str | None
    subject: str | None
    subject_fingerprint: str | None
    native_run: str | None
    arm: str | None
    status: str | None
    started_at: str | None
    finished_at: str | None
    resumed_from: str | None
    settled: int
    turns: int
    begun: int
    rejected: int
    fingerprint: str | None
    config: Payload | None
    definition: Payload | None


class Item(NamedTuple):
    """One scenario of a run."""

    run: str
    item: str
    position: int
    name: str | None
    description: str | None
    tags: list[str]
    write_policy: str | None
    skip_reason: str | None
    steps: list[str]
    digest: str | None
    metadata: Payload | None


class Part(NamedTuple):
    """One fingerprint part of an item."""

    run: str
    item: str
    part: str
    digest: str
    provenance: str


class Definition(NamedTuple):
    """One node of what a criterion demands."""

    run: str
    definition: int
    position: int
    leaf: bool
    scope: str
    item: str | None
    step: str | None
    criterion: str
    path: str
    label: str | None
    kind: str
    operator: str | None
    target: str | None
    evaluator: str | None
    expectation: str | None
    fault: str | None
    code: str | None
    value: Payload | None


class Trial(NamedTuple):
    """One repetition of one cell."""

    run: str
    trial: int
    item: str
    variants: str
    repetition: int | None
    native_id: str | None
    thread: str | None
    outcome: Outcome
    graded: bool
    native_status: str | None
    error_code: str | None
    error_scope: str | None
    reason: str | None
    bound_reached: str | None
    unfinished: bool
    retry_delay_ms: int | None
    duration_ms: int | None
    turns: int
    signature: str | None
    masked_signature: str | None
    provider_failures: int | None
    cards_created: int | None
    acts_proposed: int | None
    acts_refused: int | None
    commands_journaled: int | None
    abandoned: bool | None
    discards: int | None
    task_segment: bool | None
    task_route: bool | None
    task_locate: bool | None
    task_extract: bool | None
    bounds: str | None
    place: str
    raw: Payload | None


class Turn(NamedTuple):
    """One exchange of a trial."""

    run: str
    trial: int
    turn: int
    step: str | None
    native_id: str | None
    status: str | None
    error_code: str | None
    duration_ms: int | None
    observed: bool
    bytes: int
    input: Payload | None
    observation: Payload | None
    checkpoint: Payload | None


class Check(NamedTuple):
    """One node of an evaluated criterion."""

    run: str
    trial: int | None
    definition: int | None
    position: int
    parent: int | None
    scope: str
    turn: int | None
    criterion: str
    path: str
    id: str
    label: str | None
    kind: str
    operator: str | None
    target: str | None
    evaluator: str | None
    passed: bool
    errored: bool
    error_code: str | None
    decisive: bool
    negated: bool
    graded: bool
    unfinished: bool
    fault: str | None
    code: str | None
    reason: str | None
    actual_present: bool | None
    actual: Payload | None
    expected: Payload | None
    evidence: Payload | None


class Vote(NamedTuple):
    """One judge opinion about one trial on one judge criterion."""

    run: str
    trial: int
    criterion: str
    position: int
    vote: int | None
    score: int | None
    reason: str | None
    error: str | None


class Discard(NamedTuple):
    """One discarded answer."""

    run: str
    trial: int
    position: int
    code: str


class Flag(NamedTuple):
    """Something kept although it breaks a rule of its contract."""

    report: str
    run: str | None
    trial: int | None
    place: str
    rule: str
    message: str


Row = Run | Item | Part | Definition | Trial | Turn | Check | Vote | Discard | Flag

TABLES: Final[dict[type[Row], str]] = {
    Run: "run_loaded",
    Item: "item",
    Part: "part",
    Definition: "definition",
    Trial: "trial",
    Turn: "turn",
    Check: "check",
    Vote: "vote",
    Discard: "discard",
    Flag: "flag",
}
"""Table of each row type."""
