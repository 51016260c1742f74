"""The shape of a sample report as pydantic models.

Vocabularies the format closes (expectations, judge criteria, provenance) are read as plain text: an
unknown word is kept as itself.
"""

from typing import Annotated

from pydantic import Field

from ingest.cut import INT64_MAX, Count, Integer, Nested, Payload, Record


class Report(Record):
    """The envelope."""

    suite: str
    generated_at: str | None = None
    config: Payload = None
    items: Nested


class FingerprintPart(Record):
    """The digest of one part of an item's definition."""

    part: str
    digest: str
    provenance: str = "authored"


class Fingerprint(Record):
    """All parts; none at all means unknown."""

    parts: list[FingerprintPart] = []


class ReportItem(Record):
    """One item; its samples are read one by one."""

    id: str
    name: str | None = None
    tags: list[str] = []
    fingerprint: Fingerprint | None = None
    samples: Nested = []


class Failure(Record):
    """One expectation that did not hold."""

    expectation: str
    expected: str | None = None
    actual: str | None = None
    subject: str | None = None


class Verdict(Record):
    """What a judge said."""

    score: Integer
    reason: str | None = None


class JudgeVote(Record):
    """One vote; without a verdict it failed."""

    vote: Integer | None = None
    verdict: Verdict | None = None
    error: str | None = None


class Judged(Record):
    """All votes on one criterion of one sample."""

    criterion: str
    votes: list[JudgeVote] = []


class Tasks(Record):
    """Per task whether it was decided right; null where the item states nothing it decides."""

    segment: bool | None = None
    route: bool | None = None
    locate: bool | None = None
    extract: bool | None = None


class Sample(Record):
    """One execution of an item."""

    sample: Annotated[int, Field(ge=1, le=INT64_MAX)]
    failures: list[Failure] = []
    harness_error: str | None = None
    signature: str | None = None
    judge: list[Judged] = []
    provider_failures: Count = 0
    cards_created: Count = 0
    acts_proposed: Count = 0
    acts_refused: Count = 0
    commands_journaled: Count = 0
    abandoned: bool = False
    discarded_answers: list[str] = []
    answer: Payload = None
    tasks: Tasks | None = None
