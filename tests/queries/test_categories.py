"""What each shipped rule catches, and what none does."""

from typing import Any, Final

import polars as pl
import pytest
from polars.testing import assert_frame_equal

from queries import categories
from tests import builders
from tests.builders import RUN
from tests.queries.sorting import EVALUATION, ROW, SAMPLE, assigned, stopped

DEMANDS: Final[dict[str, tuple[str, dict[str, Any]]]] = {
    "C commands": (SAMPLE, {"expectation": "commands"}),
    "C forbidden command": (SAMPLE, {"expectation": "forbidden_command"}),
    "C events": (SAMPLE, {"expectation": "events"}),
    "C forbidden event": (SAMPLE, {"expectation": "forbidden_event"}),
    "C truncated ledger": (SAMPLE, {"expectation": "truncated_ledger"}),
    "C case revision": (SAMPLE, {"expectation": "case_revision"}),
    "C case state": (SAMPLE, {"expectation": "case_state"}),
    "C workflow state": (SAMPLE, {"expectation": "workflow_state"}),
    "C case count": (SAMPLE, {"expectation": "case_count"}),
    "C outcome": (SAMPLE, {"expectation": "outcome"}),
    "C response blocks": (SAMPLE, {"expectation": "response_blocks"}),
    "C turn phase": (SAMPLE, {"expectation": "turn_phase"}),
    "C acts": (SAMPLE, {"expectation": "acts"}),
    "C target resolution": (SAMPLE, {"expectation": "target_resolution"}),
    "C interaction status": (SAMPLE, {"expectation": "interaction_status"}),
    "B tool fault": (ROW, {"fault": "tool"}),
    "B state machine": (ROW, {"fault": "agent", "code": "ERR_STATE_MACHINE_VIOLATION"}),
    "B managed block": (ROW, {"fault": "agent", "code": "ERR_MANAGED_BLOCK_CORRUPTION"}),
    "B hallucination": (ROW, {"fault": "agent", "code": "ERR_TOOL_EXECUTION_HALLUCINATION"}),
    "B hint": (ROW, {"fault": "agent", "code": "ERR_ENVELOPE_HINT_BLINDNESS"}),
    "B doc drift": (ROW, {"fault": "agent", "code": "ERR_DOC_DRIFT_BLINDNESS"}),
    "B discovery": (ROW, {"fault": "agent", "code": "ERR_TOOL_DISCOVERY_FAILURE"}),
    "B recovery": (ROW, {"fault": "agent", "code": "ERR_CONTEXT_RECOVERY_FAILURE"}),
    "B action format": (ROW, {"fault": "agent", "code": "ERR_ACTION_FORMAT_VIOLATION"}),
    "A response interaction": (EVALUATION, {"target": '["response","interaction","kind"]'}),
    "A interaction": (EVALUATION, {"target": '[ "interaction" ]'}),
    "A response": (EVALUATION, {"target": '["response","message"]'}),
    "A facts": (EVALUATION, {"target": '["facts",0,"value"]'}),
    "A effects": (EVALUATION, {"target": '["effects"]'}),
    "A checkpoint": (EVALUATION, {"target": '["checkpoint","interaction"]'}),
    "A agenda": (EVALUATION, {"target": '["agenda"]'}),
    "A events": (EVALUATION, {"target": '["events"]'}),
    "A capabilities": (EVALUATION, {"target": '["capabilities"]'}),
    "A plan": (EVALUATION, {"target": '["plan","steps"]'}),
}
STOPS: Final[dict[str, tuple[str, dict[str, Any]]]] = {
    "B rate limit": (ROW, {"outcome": "rate_limited"}),
    "B http error": (ROW, {"outcome": "error", "native_status": "http_error"}),
    "A evaluator broke": (EVALUATION, {"error_code": "EVALUATOR_RESULT_INVALID"}),
    "A transport": (EVALUATION, {"error_code": "EVALUATION_TRANSPORT_FAILED"}),
    "A session": (EVALUATION, {"error_code": "EVALUATION_SESSION_FAILED"}),
    "A timeout": (EVALUATION, {"error_code": "EVALUATION_TIMEOUT"}),
    "A early completion": (EVALUATION, {"error_code": "EVALUATION_EARLY_COMPLETION"}),
}
CONTRACT_C: Final = {
    "side_effect_integrity": {
        *("commands", "forbidden_command", "events", "forbidden_event", "truncated_ledger"),
        *("case_revision", "case_state", "workflow_state", "case_count"),
    },
    "operational_claim_integrity": {"outcome", "response_blocks", "turn_phase"},
    "semantic_interpretation": {"acts", "target_resolution"},
    "clarification": {"interaction_status"},
}


def test_every_shipped_rule_has_a_case_here_and_a_name_of_its_own() -> None:
    names = [placed.name for placed in categories.shipped()]

    assert len(set(names)) == len(names)
    assert set(names) == DEMANDS.keys() | STOPS.keys()


@pytest.mark.parametrize("name", DEMANDS)
def test_a_shipped_rule_catches_its_criterion(name: str) -> None:
    form, node = DEMANDS[name]
    category = {placed.name: placed.rule.category for placed in categories.shipped()}[name]

    assert assigned(form, node) == (category, name)


@pytest.mark.parametrize("name", STOPS)
def test_a_shipped_rule_catches_its_stop(name: str) -> None:
    form, columns = STOPS[name]
    category = {placed.name: placed.rule.category for placed in categories.shipped()}[name]

    assert stopped(form, **columns) == (category, name)


def test_expectations_fall_where_their_contract_says() -> None:
    found: dict[str, set[str]] = {}
    for placed in categories.shipped():
        if placed.rule.expectation:
            found.setdefault(placed.rule.category, set()).add(placed.rule.expectation)

    assert found == CONTRACT_C


@pytest.mark.parametrize(
    ("form", "node"),
    [
        (SAMPLE, {"expectation": "latency"}),
        (ROW, {"fault": "agent", "code": "ERR_BRAND_NEW"}),
        (EVALUATION, {"target": '["catalogue","count"]'}),
        (EVALUATION, {"target": "[]"}),
        (EVALUATION, {"target": '["responses"]'}),
        (EVALUATION, {"target": '["other","facts"]'}),
        (EVALUATION, {"kind": "custom", "evaluator": "shop.tone"}),
        (EVALUATION, {"expectation": "commands"}),
    ],
)
def test_what_no_rule_knows_is_unmapped(form: str, node: dict[str, Any]) -> None:
    assert assigned(form, node) == ("unmapped", None)


def test_an_unknown_code_is_unmapped_and_a_stop_without_one_has_no_category() -> None:
    assert stopped(EVALUATION, outcome="error", error_code="SHOP_CLOSED") == ("unmapped", None)
    assert stopped(EVALUATION, outcome="skipped") == (None, None)


def test_the_first_leaf_a_rule_matches_decides() -> None:
    composite = [
        {"kind": "any", "leaf": False},
        {"position": 1, "path": "criterion/a", "target": '["catalogue"]'},
        {"position": 2, "path": "criterion/b", "target": '["interaction"]'},
        {"position": 3, "path": "criterion/c", "target": '["facts"]'},
    ]

    assert assigned(EVALUATION, *composite) == ("clarification", "A interaction")
    assert assigned(EVALUATION, *reversed(composite)) == ("clarification", "A interaction")


def test_the_suites_own_criteria_and_unfailed_row_checks_have_no_category() -> None:
    form = pl.LazyFrame({"run": [RUN], "format": [ROW], "dialect": [None], "suite": ["s"]})
    definitions = builders.definitions(
        {"definition": 1, "fault": None},
        {"definition": 2, "fault": "tool"},
        {"definition": 3, "scope": "run", "item": None},
    )

    found = categories.assign(definitions, builders.items({}), form, categories.shipped())

    assert_frame_equal(
        found.collect(),
        pl.DataFrame(
            {
                "run": [RUN],
                "definition": [2],
                "category": ["tool_fault"],
                "rule": ["B tool fault"],
            }
        ),
    )
