"""The result half of an evaluation report: cases, their turns, the criteria evaluated on them."""

from collections.abc import Iterable
from typing import Any, Final, NamedTuple

import msgspec

from ingest.cut import cutter, list_cutter, payload, payloads
from ingest.derive import MEMBER, own_members
from ingest.faults import join
from ingest.formats.evaluation_report.checks import Checks, Found
from ingest.formats.evaluation_report.models import AssertionResult, Case
from ingest.formats.evaluation_report.suite import Book, Plan, text
from ingest.records import GRADED, OUTCOMES, Outcome, Row, Trial, Turn, key
from ingest.twice import refuse_repeated

_case: Final = cutter(Case, once=False)
_results: Final = list_cutter(AssertionResult)
_PAYLOADS: Final = frozenset(payloads(Case))
_IN_TEXT: Final = MEMBER.decode()
UNSETTLED: Final = frozenset({"pending", "running"})


class Progress(NamedTuple):
    """How far a snapshot had got: settled and begun trials, and turns recorded."""

    settled: int
    begun: int
    turns: int


class ReadCase(NamedTuple):
    """One case as rows.

    Attributes:
        rows: The trial and its turns.
        checks: Its checks.
        size: Length of the payloads among them.
        identity: Scenario, variants and repetition: what may not come twice in one report.
        native_id: The case id as written.
        status: The native status.
        turns: Number of turns.
        notes: Rules broken that do not refuse the case, as (rule, place, message).
    """

    rows: list[Row]
    checks: list[Found]
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

    def suite_checks(self, raw: msgspec.Raw) -> tuple[list[Found], int]:
        """Return the results of the suite's own criteria as rows, with their payload size.

        Raises:
            RecordInvalid: When a result does not have the shape of its model.
        """
        results = _results(raw).records
        rows = Checks(self.run, self.book.forms, None, graded=False)
        rows.add(results, self.book.whole, "run", None, "assertions")
        return rows.rows, rows.size


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
        self.raw = raw
        self.plan = reader.book.plans.get(case.scenario_id)
        self.outcome: Outcome = case.status if case.status in OUTCOMES else "unknown"
        self.notes: list[tuple[str, str, str]] = []
        self.turns: list[Row] = []
        self.size = 0
        self.members = own_members(case) + len(case.variants)

    def read(self, *, listed: bool) -> ReadCase:
        case = self.case
        checks = Checks(self.run, self.forms, self.trial, graded=self.outcome in GRADED)
        for place, turn in enumerate(case.turns):
            self._turn(place, turn)
            demands = self.plan.steps.get(turn.step_id, ()) if self.plan else ()
            checks.add(turn.assertions, demands, "turn", place, f"turns[{place}].assertions")
        whole = self.plan.whole if self.plan else ()
        checks.add(case.assertions, whole, "trial", None, "assertions")
        self._refuse_repeated(checks, listed=listed)
        self._doubts()
        trial = self._trial(checks, keep=not (listed and checks.listed))
        variants = _variants(case.variants)
        return ReadCase(
            rows=[trial, *self.turns],
            checks=checks.rows,
            size=self.size + checks.size,
            identity=(case.scenario_id, variants, case.repetition),
            native_id=case.id,
            status=case.status,
            turns=len(case.turns),
            notes=self.notes,
        )

    def _refuse_repeated(self, checks: Checks, *, listed: bool) -> None:
        """Refuse the case when a member in it is written twice: look closely only if it may be."""
        if listed and checks.listed:
            text = bytes(self.raw)
            if self.members + checks.members == text.count(MEMBER):
                return
        refuse_repeated(bytes(self.raw), _PAYLOADS)

    def _turn(self, place: int, turn: Any) -> None:
        texts = [payload(each) for each in (turn.input, turn.observation, turn.checkpoint)]
        size = sum(len(each) for each in texts if each is not None)
        within = sum(each.count(_IN_TEXT) for each in texts if each is not None)
        self.members += own_members(turn) + within
        self.size += size
        self.turns.append(
            Turn(
                run=self.run,
                trial=self.trial,
                turn=place,
                step=turn.step_id,
                native_id=turn.turn_id,
                status=turn.status,
                error_code=turn.error_code,
                duration_ms=turn.duration_ms,
                observed=turn.observation is not None,
                bytes=size,
                input=texts[0],
                observation=texts[1],
                checkpoint=texts[2],
            )
        )

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
            raw=bytes(self.raw).decode() if keep else None,
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
