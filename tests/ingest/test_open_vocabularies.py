"""What a sample report leaves out or words anew: what is in the file, and what is said of it."""

from pathlib import Path
from typing import Any, Final, NamedTuple

import pytest

from tests.ingest.figures import Said, agree, said
from tests.ingest.stores import Row

SILENT: Final[Row] = {"sample": 1, "signature": "did it"}


def report(*samples: Row, **item: Any) -> Row:
    held = {"id": "one", "name": "One", "samples": list(samples)} | item
    return {
        "suite": "loans",
        "generated_at": "2026-01-02T00:00:00.000000000Z",
        "config": {},
        "items": [held],
    }


def sample(**members: Any) -> Row:
    return SILENT | members


def failing(expectation: str) -> Row:
    return sample(failures=[{"expectation": expectation, "expected": "x", "actual": "y"}])


def voted(*votes: Row, criterion: str = "tone") -> Row:
    return sample(judge=[{"criterion": criterion, "votes": list(votes)}])


def vote(number: int, score: int) -> Row:
    return {"vote": number, "verdict": {"score": score, "reason": "so"}}


def part(**members: Any) -> Row:
    return {"fingerprint": {"parts": [{"part": "turn", "digest": "d" * 64} | members]}}


CATEGORY_OF: Final = {
    **dict.fromkeys(
        (
            "commands",
            "forbidden_command",
            "events",
            "forbidden_event",
            "truncated_ledger",
            "case_revision",
            "case_state",
            "workflow_state",
            "case_count",
        ),
        "side_effect_integrity",
    ),
    **dict.fromkeys(("outcome", "response_blocks", "turn_phase"), "operational_claim_integrity"),
    **dict.fromkeys(("acts", "target_resolution"), "semantic_interpretation"),
    "interaction_status": "clarification",
    "never_heard_of": "unmapped",
}


class Case(NamedTuple):
    """What is in the file, and what is said of it."""

    what: str
    document: Row
    said: list[tuple[str, Row, Row | int]]


TABLE: Final = [
    *(
        Case(
            f"expectation {name}",
            report(failing(name)),
            [
                ("category", {"category": category}, {"failing_trials": 1, "failures": 1}),
                ("definition", {}, {"expectation": name}),
            ],
        )
        for name, category in CATEGORY_OF.items()
    ),
    Case(
        "no counters",
        report(sample()),
        [
            (
                "trial",
                {},
                {
                    "outcome": "passed",
                    "provider_failures": 0,
                    "cards_created": 0,
                    "acts_proposed": 0,
                    "acts_refused": 0,
                    "commands_journaled": 0,
                    "abandoned": False,
                    "discards": 0,
                },
            ),
            ("rate", {"name": "abandonment"}, {"count": 0, "trials": 1}),
            ("refused", {}, {"count": 0, "measured": 1}),
        ],
    ),
    Case(
        "no failures and no judge",
        report(sample()),
        [("check", {}, 0), ("vote", {}, 0), ("overview", {}, {"passed": 1, "measured": 1})],
    ),
    Case(
        "no tasks: none is decided",
        report(sample()),
        [
            ("trial", {}, {"task_segment": None, "task_extract": None}),
            ("task", {"task": "segment"}, {"scored": 0}),
        ],
    ),
    Case(
        "a task that is null is not decided",
        report(sample(tasks={"segment": True, "route": None, "locate": False, "extract": None})),
        [
            ("task", {"task": "segment"}, {"passed": 1, "scored": 1}),
            ("task", {"task": "locate"}, {"passed": 0, "scored": 1}),
            ("task", {"task": "route"}, {"scored": 0}),
        ],
    ),
    Case(
        "no tags and no fingerprint",
        report(sample()),
        [("item", {}, {"tags": [], "name": "One"}), ("part", {}, 0)],
    ),
    Case(
        "a fingerprint without parts is unknown",
        report(sample(), fingerprint={"parts": []}),
        [("part", {}, 0)],
    ),
    Case(
        "a part without provenance was authored",
        report(sample(), **part()),
        [("part", {}, {"provenance": "authored", "part": "turn"})],
    ),
    Case(
        "a provenance nobody knows",
        report(sample(), **part(provenance="dreamed")),
        [("part", {}, {"provenance": "dreamed"})],
    ),
    Case(
        "a part nobody knows",
        report(sample(), **part(part="weather")),
        [("part", {}, {"part": "weather"})],
    ),
    Case(
        "a harness error measured nothing",
        report(sample(harness_error="no room", acts_refused=1)),
        [
            ("trial", {}, {"outcome": "error", "graded": False, "reason": "no room"}),
            ("overview", {}, {"trials": 1, "measured": 0, "passed": 0}),
            ("refused", {}, {"count": 0, "measured": 0}),
        ],
    ),
    Case(
        "a judge criterion nobody knows",
        report(voted(vote(1, 4), criterion="novelty")),
        [("judge", {"criterion": "novelty"}, {"judged": 1}), ("vote", {}, {"score": 4})],
    ),
    Case(
        "a judge criterion named like a category is none",
        report(voted(vote(1, 1), criterion="operational_claim_integrity")),
        [
            ("judge", {"criterion": "operational_claim_integrity"}, {"judged": 1}),
            ("category", {"category": "operational_claim_integrity"}, {"failing_trials": 0}),
        ],
    ),
    Case(
        "a vote without a verdict failed",
        report(voted({"vote": 1, "error": "no answer"})),
        [
            ("vote", {}, {"score": None, "error": "no answer"}),
            ("judge", {"criterion": "tone"}, {"judged": 1, "failed_votes": 1}),
        ],
    ),
    Case(
        "the repetition of a sample starts at nought",
        report(sample(sample=3)),
        [("trial", {}, {"repetition": 2})],
    ),
    Case(
        "discarded answers keep order and repeats",
        report(sample(discarded_answers=["b", "a", "b"])),
        [
            ("trial", {}, {"discards": 3}),
            ("discard", {"position": 2}, {"code": "b"}),
            ("discarded", {}, {"count": 1, "measured": 1}),
        ],
    ),
    Case(
        "an answer is the only turn",
        report(sample(answer="here")),
        [("turn", {}, {"observation": '"here"'}), ("trial", {}, {"turns": 1})],
    ),
    Case(
        "an item without samples",
        report(),
        [("overview", {}, {"items": 1, "items_without_trials": 1, "trials": 0})],
    ),
    Case(
        "a member of a newer writer in a sample",
        report(sample(mood="bright"), sample(sample=2, mood="bright")),
        [
            ("trial", {"repetition": 0}, {"outcome": "passed"}),
            ("flag", {}, {"rule": "unknown-member", "place": "items[0].samples[0]"}),
        ],
    ),
    Case(
        "a member of a newer writer at an item",
        report(sample(), owner="us"),
        [("flag", {}, {"rule": "unknown-member", "place": "items[0]"})],
    ),
    Case(
        "a member of a newer writer at the top",
        report(sample()) | {"tool": "x"},
        [
            ("flag", {}, {"rule": "unknown-member"}),
            ("report", {}, {"extra": '{"tool":"x"}'}),
        ],
    ),
    Case(
        "a sample that comes twice",
        report(sample(), sample()),
        [
            ("rejection", {}, {"rule": "duplicate-key", "place": "items[0].samples[1]"}),
            ("run", {}, {"rejected": 1}),
        ],
    ),
]


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Said]:
    folder: Path = tmp_path_factory.mktemp("vocabularies")
    documents = {
        f"{place}.json": each.document | {"suite": f"loans-{place}"}
        for place, each in enumerate(TABLE)
    }
    return said(folder, documents)


@pytest.mark.parametrize(
    "place", [pytest.param(place, id=each.what) for place, each in enumerate(TABLE)]
)
def test_what_is_said_of_it(found: dict[str, Said], place: int) -> None:
    for table, where, wanted in TABLE[place].said:
        agree(found[f"{place}.json"], table, where, wanted)
