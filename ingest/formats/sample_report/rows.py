"""The store's rows of one sample: its trial, failures, votes and answer."""

from typing import Any, Final

import msgspec

from ingest.masking import mask
from ingest.records import GRADED, Check, Definition, Outcome, Row, Trial, Turn, Vote

TASKS: Final = ("segment", "route", "locate", "extract")


def trial_row(
    run: str, trial: int, item: str, sample: Any, place: str, outcome: Outcome, raw: str | None
) -> Trial:
    """Return the trial of a sample; its 1-based number becomes a 0-based repetition."""
    segment, route, locate, extract = (getattr(sample.tasks, task, None) for task in TASKS)
    signature = sample.signature
    return Trial(
        run=run,
        trial=trial,
        item=item,
        variants="{}",
        repetition=sample.sample - 1,
        native_id=None,
        thread=None,
        outcome=outcome,
        graded=outcome in GRADED,
        native_status=None,
        error_code=None,
        error_scope=None,
        reason=sample.harness_error,
        bound_reached=None,
        unfinished=False,
        retry_delay_ms=None,
        duration_ms=None,
        turns=int(sample.answer is not None),
        signature=signature,
        masked_signature=None if signature is None else mask(signature),
        provider_failures=sample.provider_failures,
        cards_created=sample.cards_created,
        acts_proposed=sample.acts_proposed,
        acts_refused=sample.acts_refused,
        commands_journaled=sample.commands_journaled,
        abandoned=sample.abandoned,
        discards=len(sample.discarded_answers),
        task_segment=segment,
        task_route=route,
        task_locate=locate,
        task_extract=extract,
        bounds=None,
        place=place,
        raw=raw,
    )


def check_row(
    run: str, trial: int, definition: int, index: int, failure: Any, *, graded: bool
) -> Check:
    """Return the check of one failure; only failures are recorded."""
    return Check(
        run=run,
        trial=trial,
        definition=definition,
        position=index,
        parent=None,
        scope="trial",
        turn=None,
        criterion=failure.expectation,
        path=failure.expectation,
        id=failure.expectation,
        label=failure.subject,
        kind="expectation",
        operator=None,
        target=None,
        evaluator=None,
        passed=False,
        errored=False,
        error_code=None,
        decisive=True,
        negated=False,
        graded=graded,
        unfinished=False,
        fault=None,
        code=None,
        reason=None,
        actual_present=failure.actual is not None,
        actual=_json(failure.actual),
        expected=_json(failure.expected),
        evidence=None,
    )


def definition_row(run: str, definition: int, item: str, expectation: str) -> Definition:
    """Return the definition of an expectation of an item, made when it is first seen failing."""
    return Definition(
        run=run,
        definition=definition,
        position=0,
        leaf=True,
        scope="trial",
        item=item,
        step=None,
        criterion=expectation,
        path=expectation,
        label=None,
        kind="expectation",
        operator=None,
        target=None,
        evaluator=None,
        expectation=expectation,
        fault=None,
        code=None,
        value=None,
    )


def vote_rows(run: str, trial: int, judged: list[Any]) -> list[Row]:
    """Return one row a vote; a criterion judged without votes leaves one row without a vote."""
    rows: list[Row] = []
    for position, outcome in enumerate(judged):
        if not outcome.votes:
            rows.append(Vote(run, trial, outcome.criterion, position, None, None, None, None))
        for index, vote in enumerate(outcome.votes, 1):
            score = vote.verdict.score if vote.verdict else None
            reason = vote.verdict.reason if vote.verdict else None
            number = index if vote.vote is None else vote.vote
            rows.append(
                Vote(run, trial, outcome.criterion, position, number, score, reason, vote.error)
            )
    return rows


def answer_row(run: str, trial: int, answer: str) -> Turn:
    """Return the recorded answer as the only turn of its trial."""
    return Turn(
        run=run,
        trial=trial,
        turn=0,
        step=None,
        native_id=None,
        status=None,
        error_code=None,
        duration_ms=None,
        observed=True,
        bytes=len(answer),
        input=None,
        observation=answer,
        checkpoint=None,
    )


def _json(value: str | None) -> str | None:
    return None if value is None else msgspec.json.encode(value).decode()
