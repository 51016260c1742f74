"""The result half of an evaluation report: cases, their turns, the criteria evaluated on them."""

from collections.abc import Iterable
from typing import Any, Final, NamedTuple

import msgspec

from ingest.cut import cutter, list_cutter, payload, payloads
from ingest.derive import surely_once
from ingest.faults import join
from ingest.formats.evaluation_report.checks import Checks, TakeText
from ingest.formats.evaluation_report.columns import Columns
from ingest.formats.evaluation_report.models import AssertionResult, Case
from ingest.formats.evaluation_report.suite import Book, Plan, text
from ingest.records import GRADED, OUTCOMES, Outcome, Trial, key
from ingest.twice import refuse_repeated

_case: Final = cutter(Case, once=False)
_results: Final = list_cutter(AssertionResult)
_PAYLOADS: Final = frozenset(payloads(Case))
UNSETTLED: Final = frozenset({"pending", "running"})


class Progress(NamedTuple):
    """How far a snapshot had got: settled and begun trials, and turns recorded."""

    settled: int
    begun: int
    turns: int


class ReadCase(NamedTuple):
    """One case as rows.

    Attributes:
        trial: The trial.
        columns: Its turns and checks.
        size: Length of the case as written.
        identity: Scenario, variants and repetition: what may not come twice in one report.
        native_id: The case id as written.
        status: The native status.
        turns: Number of turns.
        notes: Rules broken that do not refuse the case, as (rule, place, message).
    """

    trial: Trial
    columns: Columns
    size: int
    identity: tuple[str, str, int]
    native_id: str
    status: str
    turns: int
    notes: list[tuple[str, str, str]]


class CaseReader:
    """Turns raw cases of one run into rows."""

    def __init__(self, run: str, book: Book) -> None:
        """Remember the run and what its suite demands."""
        self.run = run
        self.book = book

    def read(self, raw: msgspec.Raw, ordinal: int, place: str) -> ReadCase:
        """Return one case as rows.

        Raises:
            RecordInvalid: When the case does not have the shape of its model.
        """
        case, listed = _case(raw)
        return _CaseRows(self, case, ordinal, place, raw).read(listed=listed)

    def suite_checks(self, raw: msgspec.Raw) -> Columns:
        """Return the results of the suite's own criteria as rows.

        Raises:
            RecordInvalid: When a result does not have the shape of its model.
        """
        results = _results(raw).records
        columns = Columns()
        rows = Checks(columns, self.book.forms, (self.run, None), _text, graded=False)
        rows.add(results, self.book.whole, "run", None, "assertions")
        return columns


class _CaseRows:
    """The rows of one case while they are made."""

    def __init__(
        self, reader: CaseReader, case: Any, ordinal: int, place: str, raw: msgspec.Raw
    ) -> None:
        self.case = case
        self.run = reader.run
        self.forms = reader.book.forms
        self.trial = key(reader.run, ordinal)
        self.place = place
        self.raw = bytes(raw)
        self.plan = reader.book.plans.get(case.scenario_id)
        self.outcome: Outcome = case.status if case.status in OUTCOMES else "unknown"
        self.notes: list[tuple[str, str, str]] = []
        self.columns = Columns()
        self.take = _taking(self.raw)

    def read(self, *, listed: bool) -> ReadCase:
        case, owner = self.case, (self.run, self.trial)
        graded = self.outcome in GRADED
        checks = Checks(self.columns, self.forms, owner, self.take, graded=graded)
        for place, turn in enumerate(case.turns):
            self._turn(place, turn)
            demands = self.plan.steps.get(turn.step_id, ()) if self.plan else ()
            checks.add(turn.assertions, demands, "turn", place, f"turns[{place}].assertions")
        whole = self.plan.whole if self.plan else ()
        checks.add(case.assertions, whole, "trial", None, "assertions")
        listed = listed and checks.listed
        if not (listed and checks.once and surely_once(case, self.raw)):
            refuse_repeated(self.raw, _PAYLOADS)
        self._doubts()
        variants = _variants(case.variants)
        return ReadCase(
            trial=self._trial(checks, keep=not listed),
            columns=self.columns,
            size=len(self.raw),
            identity=(case.scenario_id, variants, case.repetition),
            native_id=case.id,
            status=case.status,
            turns=len(case.turns),
            notes=self.notes,
        )

    def _turn(self, place: int, turn: Any) -> None:
        take = self.take
        told = (turn.step_id, turn.turn_id, turn.status, turn.error_code, turn.duration_ms)
        payloads = (turn.input, turn.observation, turn.checkpoint)
        texts = [None if each is None else take(each) for each in payloads]
        self.columns.turns.append((self.run, self.trial, place, *told, *texts))

    def _trial(self, checks: Checks, *, keep: bool) -> Trial:
        case = self.case
        code, scope = _resolve_error(case, checks)
        durations = [turn.duration_ms for turn in case.turns if turn.duration_ms is not None]
        return Trial(
            run=self.run,
            trial=self.trial,
            item=case.scenario_id,
            variants=_variants(case.variants),
            repetition=case.repetition,
            native_id=case.id,
            thread=case.thread_id,
            outcome=self.outcome,
            graded=self.outcome in GRADED,
            native_status=case.status,
            error_code=code,
            error_scope=scope,
            reason=case.skip_reason,
            bound_reached=None,
            unfinished=False,
            retry_delay_ms=None,
            duration_ms=sum(durations) if durations else None,
            turns=len(case.turns),
            signature=None,
            masked_signature=None,
            provider_failures=None,
            cards_created=None,
            acts_proposed=None,
            acts_refused=None,
            commands_journaled=None,
            abandoned=None,
            discards=None,
            task_segment=None,
            task_route=None,
            task_locate=None,
            task_extract=None,
            bounds=None,
            place=self.place,
            raw=self.raw.decode() if keep else None,
        )

    def _doubts(self) -> None:
        """Note what a reader of this case should know; none of it refuses the case."""
        case = self.case
        if self.outcome == "unknown":
            self._note("status", "status", f"unknown case status {case.status!r}")
        if self.plan is None:
            self._note(
                "scenario", "scenarioId", f"scenario {case.scenario_id!r} is not in the suite"
            )
        else:
            self._doubt_steps(self.plan)
        if case.skip_reason == "":
            self._note("empty-skip-reason", "skipReason", "the skip reason is empty")
        if case.error_code == "" or any(turn.error_code == "" for turn in case.turns):
            self._note("empty-error-code", "errorCode", "an error code is empty")

    def _doubt_steps(self, plan: Plan) -> None:
        steps = [step.id for step in plan.scenario.steps]
        taken = [turn.step_id for turn in self.case.turns]
        if taken != steps[: len(taken)]:
            self._note(
                "step-order", "turns", f"turns {taken} are no beginning of the steps {steps}"
            )

    def _note(self, rule: str, place: str, message: str) -> None:
        self.notes.append((rule, join(self.place, place), message))


def _taking(case: bytes) -> TakeText:
    """Return what takes payloads of a case: one look at all of it is enough when it is text."""
    try:
        if not case.isascii():
            case.decode()
    except UnicodeDecodeError:
        return _text
    return bytes


def _text(raw: msgspec.Raw) -> bytes:
    payload(raw)
    return bytes(raw)


def progress(statuses: Iterable[str], turns: int) -> Progress:
    """Return how far a run had got, from its cases' native statuses."""
    known = list(statuses)
    return Progress(
        settled=sum(status not in UNSETTLED for status in known),
        begun=sum(status != "pending" for status in known),
        turns=turns,
    )


def _resolve_error(case: Any, checks: Checks) -> tuple[str | None, str | None]:
    """Return the code that explains a trial and where it was written: trial, turn, or criterion."""
    if case.error_code is not None:
        return case.error_code, "trial"
    for turn in case.turns:
        if turn.error_code is not None:
            return turn.error_code, "turn"
    return checks.first_error or (None, None)


def _variants(variants: dict[str, str]) -> str:
    return text(dict(sorted(variants.items()))) if variants else "{}"
