"""The result half of an evaluation report: cases, their turns, the criteria evaluated on them."""

from collections.abc import Iterable, Sequence
from typing import Any, Final, NamedTuple

import msgspec

from ingest.cut import RAW_LIST, cutter, list_cutter, payload
from ingest.expression import Demand, Node, flatten, siblings
from ingest.faults import RecordInvalid, join
from ingest.formats.evaluation_report.models import AssertionResult, Case
from ingest.formats.evaluation_report.suite import Book, Plan, text
from ingest.records import GRADED, OUTCOMES, Check, Outcome, Row, Trial, Turn, key

_case: Final = cutter(Case)
_children: Final = list_cutter(AssertionResult)
UNSETTLED: Final = frozenset({"pending", "running"})


class Progress(NamedTuple):
    """How far a snapshot had got: settled and begun trials, and turns recorded."""

    settled: int
    begun: int
    turns: int


class ReadCase(NamedTuple):
    """One case as rows.

    Attributes:
        rows: The trial, its turns and its checks.
        size: Length of the payloads among them.
        identity: Scenario, variants and repetition: what may not come twice in one report.
        native_id: The case id as written.
        status: The native status.
        turns: Number of turns.
        notes: Rules broken that do not refuse the case, as (rule, place, message).
    """

    rows: list[Row]
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

    def suite_checks(self, raw: msgspec.Raw) -> tuple[list[Row], int]:
        """Return the results of the suite's own criteria as rows, with their payload size.

        Raises:
            RecordInvalid: When a result does not have the shape of its model.
        """
        results = _children(raw).records
        rows = _CheckRows(self.run, None, graded=False)
        rows.add(results, self.book.whole, "run", None, "assertions")
        return rows.rows, rows.size


class _CaseRows:
    """The rows of one case while they are made."""

    def __init__(
        self, reader: CaseReader, case: Any, ordinal: int, place: str, raw: msgspec.Raw
    ) -> None:
        self.case = case
        self.run = reader.run
        self.trial = key(reader.run, ordinal)
        self.place = place
        self.raw = raw
        self.plan = reader.book.plans.get(case.scenario_id)
        self.outcome: Outcome = case.status if case.status in OUTCOMES else "unknown"
        self.notes: list[tuple[str, str, str]] = []
        self.turns: list[Row] = []
        self.size = 0

    def read(self, *, listed: bool) -> ReadCase:
        case = self.case
        checks = _CheckRows(self.run, self.trial, graded=self.outcome in GRADED)
        for place, turn in enumerate(case.turns):
            self._turn(place, turn)
            demands = self.plan.steps.get(turn.step_id, ()) if self.plan else ()
            checks.add(turn.assertions, demands, "turn", place, f"turns[{place}].assertions")
        whole = self.plan.whole if self.plan else ()
        checks.add(case.assertions, whole, "trial", None, "assertions")
        self._doubts()
        trial = self._trial(checks, keep=not (listed and checks.listed))
        variants = _variants(case.variants)
        return ReadCase(
            rows=[trial, *self.turns, *checks.rows],
            size=self.size + checks.size,
            identity=(case.scenario_id, variants, case.repetition),
            native_id=case.id,
            status=case.status,
            turns=len(case.turns),
            notes=self.notes,
        )

    def _turn(self, place: int, turn: Any) -> None:
        payloads = [payload(each) for each in (turn.input, turn.observation, turn.checkpoint)]
        size = sum(len(each) for each in payloads if each is not None)
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
                input=payloads[0],
                observation=payloads[1],
                checkpoint=payloads[2],
            )
        )

    def _trial(self, checks: "_CheckRows", *, keep: bool) -> Trial:
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


class _CheckRows:
    """Check rows of one trial (or of the run), numbered in pre-order."""

    def __init__(self, run: str, trial: int | None, *, graded: bool) -> None:
        self.run = run
        self.trial = trial
        self.graded = graded
        self.rows: list[Row] = []
        self.size = 0
        self.listed = True
        self.first_error: tuple[str, str] | None = None

    def add(
        self,
        results: Sequence[Any],
        demands: Sequence[Demand],
        scope: str,
        turn: int | None,
        place: str,
    ) -> None:
        for index, (result, demand) in enumerate(siblings(results, demands)):
            try:
                nodes = flatten(result, demand, self._read_children)
            except RecordInvalid as error:
                raise error.within(f"{place}[{index}].children") from None
            start = len(self.rows)
            definition = key(self.run, demand.definition) if demand else None
            for node in nodes:
                self.rows.append(self._row(node, start, definition, scope, turn, result.id))
            if nodes[0].errored and self.first_error is None:
                self.first_error = (nodes[0].result.error_code, f"{scope}-criterion")

    def _read_children(self, result: Any) -> Sequence[Any]:
        if result.children is None:
            return ()
        records, listed = _children(result.children)
        self.listed = self.listed and listed
        return records

    def _row(
        self,
        node: Node,
        start: int,
        definition: int | None,
        scope: str,
        turn: int | None,
        criterion: str,
    ) -> Check:
        result, demand = node.result, node.demand
        found = result.actual
        actual = payload(found.value) if found is not None and found.present else None
        expected, evidence = payload(result.expected), payload(result.evidence)
        self.size += sum(len(each) for each in (actual, expected, evidence) if each is not None)
        label = result.label
        return Check(
            run=self.run,
            trial=self.trial,
            definition=definition,
            position=len(self.rows),
            parent=None if node.parent is None else start + node.parent,
            scope=scope,
            turn=turn,
            criterion=criterion,
            path=node.path,
            id=result.id,
            label=demand.label if label is None and demand else label,
            kind=node.kind,
            operator=demand.operator if demand else None,
            target=demand.target if demand else None,
            evaluator=demand.evaluator if demand else None,
            passed=result.passed,
            errored=result.error_code is not None,
            error_code=result.error_code,
            decisive=node.decisive,
            negated=node.negated,
            graded=self.graded,
            unfinished=False,
            fault=None,
            code=None,
            reason=None,
            actual_present=None if found is None else found.present,
            actual=actual,
            expected=expected,
            evidence=evidence,
        )


def progress(statuses: Iterable[str], turns: int) -> Progress:
    """Return how far a run had got, from its cases' native statuses."""
    known = list(statuses)
    return Progress(
        settled=sum(status not in UNSETTLED for status in known),
        begun=sum(status != "pending" for status in known),
        turns=turns,
    )


def raw_cases(cases: msgspec.Raw) -> list[msgspec.Raw]:
    """Return the cases of a report, unread."""
    return RAW_LIST.decode(cases)


def _resolve_error(case: Any, checks: _CheckRows) -> tuple[str | None, str | None]:
    """Return the code that explains a trial and where it was written: trial, turn, or criterion."""
    if case.error_code is not None:
        return case.error_code, "trial"
    for turn in case.turns:
        if turn.error_code is not None:
            return turn.error_code, "turn"
    return checks.first_error or (None, None)


def _variants(variants: dict[str, str]) -> str:
    return text(dict(sorted(variants.items()))) if variants else "{}"
