"""Trial rows (``report_version``): one row is one trial; a file holds one, an array, or lines.

Rows have no run id, so the file is the run: the rows of one file with one tool, model, arm, dialect
and version are a run. A row that cannot be kept is refused alone.
"""

from typing import Any, Final

import msgspec

from ingest.batch import Batch, Document, Source
from ingest.cut import RecordInvalid, payload
from ingest.formats.trial_row import dialects, rules
from ingest.formats.trial_row.dialects import Seen, SeenCheck
from ingest.naming import run_id
from ingest.records import GRADED, Check, Definition, Item, Outcome, Row, Run, Trial, Turn, key

NAME = "trial-row"
TITLE = "trial rows (members report_version, name, tool, status, checks, bounds)"
REMEDY: Final = "correct this row at its writer; the other rows were loaded"
_OUTCOMES: Final[dict[str, Outcome]] = {
    "passed": "passed",
    "failed": "failed",
    "invalid_output": "failed",
    "rate_limited": "rate_limited",
}
_LIVE_OUTCOMES: Final[dict[str, Outcome]] = {**_OUTCOMES, "http_error": "error", "absent": "absent"}

RunKey = tuple[str, int | None, str | None, str | None, str | None]
"""Dialect, version, tool, model, arm."""


def claims(members: frozenset[str]) -> bool:
    """Return whether a JSON object with these members is meant to be a trial row."""
    return (
        "report_version" in members
        or {"passed", "failures"} <= members
        or {"kind", "scenario"} <= members
        or ({"tool", "checks"} <= members)
        or ({"scenario", "checks"} <= members)
    )


def read(source: Source, batch: Batch) -> None:
    """Read every row of a file into rows of the store."""
    reader = _RowReader(source, batch)
    for document in source.documents:
        reader.read(document)
    reader.finish()


class _OpenRun:
    """A run while its rows come in."""

    def __init__(self, report: str, position: int, identity: RunKey) -> None:
        self.identity = identity
        self.position = position
        dialect, version, *rest = identity
        self.run = run_id(report, NAME, dialect, None if version is None else str(version), *rest)
        self.trials = 0
        self.turns = 0
        self.rejected = 0
        self.items: dict[str, int] = {}
        self.definitions: dict[tuple[str, str, str | None, str | None], int] = {}
        self.bounds: dict[str, None] = {}


class _RowReader:
    """Sorts rows into runs, refuses or flags them, and writes their trials."""

    def __init__(self, source: Source, batch: Batch) -> None:
        self.source = source
        self.batch = batch
        self.runs: dict[RunKey, _OpenRun] = {}
        self.seen: dict[object, str] = {}
        self.declared: dict[tuple[str | None, str], tuple[str, frozenset[str]]] = {}
        self.tools: dict[str, str | None] = {}
        self.waiting: list[tuple[Document, Seen]] = []
        self.refused: list[tuple[str | None, str | None]] = []

    def read(self, document: Document) -> None:
        try:
            seen = self._seen(document)
        except RecordInvalid as error:
            rule = rules.shape_rule(error)
            self.batch.reject_record(document.place, error, REMEDY, document.data, rule)
            self.refused.append(_owner(document))
            return
        except RecursionError:
            self._refuse(document, "too-deep", "the row is nested too deeply", None)
            return
        if (broken := rules.refused_by(seen)) is not None:
            self._refuse(document, broken.rule, broken.message, seen)
            return
        if seen.status == "absent" and seen.tool is None:
            self.waiting.append((document, seen))
            return
        self._keep(document, seen)

    def finish(self) -> None:
        """Place the absent cells, which name no tool, and write the runs."""
        for document, seen in self.waiting:
            self._keep(document, seen._replace(tool=self.tools.get(seen.name)))
        for tool, model in self.refused:
            for run in self._owners(tool, model):
                run.rejected += 1
        self.batch.add(_run_row(self.source.report, run) for run in self.runs.values())
        self.batch.dialects = list(dict.fromkeys(run.identity[0] for run in self.runs.values()))
        versions = [run.identity[1] for run in self.runs.values() if run.identity[1] is not None]
        self.batch.version = max(versions, default=None)

    def _seen(self, document: Document) -> Seen:
        row = dialects.members(document.data)
        dialect = dialects.dialect_of(row)
        if dialect == dialects.LIVE_RUNNER:
            return dialects.read_live(document.data, row)
        if dialect == dialects.REPLAY_REPORT:
            return dialects.read_replay(document.data)
        return dialects.read_contract(document.data)

    def _keep(self, document: Document, seen: Seen) -> None:
        identity: RunKey = (seen.dialect, seen.version, seen.tool, seen.model, seen.arm)
        cell = (identity, seen.name, seen.repetition)
        first = self.seen.setdefault(cell, document.place)
        if first != document.place:
            self._refuse(document, "duplicate-key", _repeated(seen, first), seen)
            return
        if identity not in self.runs:
            self.runs[identity] = _OpenRun(self.source.report, len(self.runs), identity)
        run = self.runs[identity]
        if seen.tool is not None:
            self.tools.setdefault(seen.name, seen.tool)
        trial = key(run.run, run.trials)
        run.trials += 1
        rows, size = _TrialRows(run, trial, document, seen).rows()
        self.batch.add(rows, size)
        for broken in rules.doubts(seen):
            self.batch.flag(document.place, broken.rule, broken.message, run.run, trial)
        self._compare_declared(document, seen, run.run, trial)

    def _compare_declared(self, document: Document, seen: Seen, run: str, trial: int) -> None:
        """Flag a row that declares other checks than the first row of its scenario."""
        if not seen.checks or seen.dialect == dialects.REPLAY_REPORT:
            return
        names = frozenset(check.name for check in seen.checks)
        place, first = self.declared.setdefault((seen.tool, seen.name), (document.place, names))
        if names != first:
            differ = ", ".join(sorted(names ^ first))
            message = (
                f"declares other checks than {place or 'the first row'} of this scenario: {differ}"
            )
            self.batch.flag(document.place, "B14", message, run, trial)

    def _refuse(self, document: Document, rule: str, message: str, seen: Seen | None) -> None:
        self.batch.reject(document.place, rule, message, REMEDY, document.data)
        self.refused.append((seen.tool, seen.model) if seen else (None, None))

    def _owners(self, tool: str | None, model: str | None) -> list[_OpenRun]:
        """Return the runs a refused row may belong to: all of the file when it does not say."""
        exact = [run for run in self.runs.values() if run.identity[2:4] == (tool, model)]
        return exact or ([] if tool else list(self.runs.values()))


class _TrialRows:
    """Makes the rows of one trial."""

    def __init__(self, run: _OpenRun, trial: int, document: Document, seen: Seen) -> None:
        self.run = run
        self.trial = trial
        self.document = document
        self.seen = seen
        known = _LIVE_OUTCOMES if seen.dialect == dialects.LIVE_RUNNER else _OUTCOMES
        self.outcome: Outcome = known.get(seen.status, "unknown")
        self.unfinished = seen.bound_reached is not None or seen.status == "invalid_output"
        self.made: list[Row] = []
        self.size = 0

    def rows(self) -> tuple[list[Row], int]:
        seen, run = self.seen, self.run
        if seen.name not in run.items:
            run.items[seen.name] = len(run.items)
            position = run.items[seen.name]
            self.made.append(
                Item(run.run, seen.name, position, None, None, [], None, None, [], None, None)
            )
        if seen.bounds:
            run.bounds.setdefault(_text(seen.bounds))
        self.made.append(self._trial())
        for position, check in enumerate(self._checks()):
            self.made.append(self._check(position, check))
        for place, raw in enumerate(seen.replay):
            self.made.append(self._turn(place, raw))
        run.turns += len(seen.replay)
        return self.made, self.size

    def _checks(self) -> list[SeenCheck]:
        """Return the checks; an invalid answer counts exactly one action-format fault."""
        seen = self.seen
        if seen.status != "invalid_output":
            return seen.checks
        code = seen.implied_code or rules.ACTION_FORMAT
        if any(check.code == code for check in seen.checks):
            return seen.checks
        implied = SeenCheck("invalid_output", False, "agent", code, "the answer had no valid form")  # noqa: FBT003
        return [*seen.checks, implied]

    def _check(self, position: int, check: SeenCheck) -> Check:
        return Check(
            run=self.run.run,
            trial=self.trial,
            definition=self._definition(check),
            position=position,
            parent=None,
            scope="trial",
            turn=None,
            criterion=check.name,
            path=check.name,
            id=check.name,
            label=None,
            kind="check",
            operator=None,
            target=None,
            evaluator=None,
            passed=check.passed,
            errored=False,
            error_code=None,
            decisive=not check.passed,
            negated=False,
            graded=self.outcome in GRADED,
            unfinished=self.unfinished,
            fault=check.fault,
            code=check.code,
            reason=check.reason,
            actual_present=None,
            actual=None,
            expected=None,
            evidence=None,
        )

    def _definition(self, check: SeenCheck) -> int:
        wanted = (self.seen.name, check.name, check.fault, check.code)
        known = self.run.definitions
        if wanted not in known:
            known[wanted] = key(self.run.run, len(known))
            self.made.append(_definition_row(self.run.run, known[wanted], *wanted))
        return known[wanted]

    def _turn(self, place: int, raw: msgspec.Raw) -> Turn:
        entry = payload(raw) or ""
        self.size += len(entry)
        command = dialects.members(raw).get("command") if entry.startswith("{") else None
        return Turn(
            run=self.run.run,
            trial=self.trial,
            turn=place,
            step=None,
            native_id=None,
            status=None,
            error_code=None,
            duration_ms=None,
            observed=True,
            bytes=len(entry),
            input=payload(command),
            observation=entry,
            checkpoint=None,
        )

    def _trial(self) -> Trial:
        seen = self.seen
        raw = payload(msgspec.Raw(bytes(self.document.data))) if seen.raw else None
        self.size += len(raw or "")
        return Trial(
            run=self.run.run,
            trial=self.trial,
            item=seen.name,
            variants="{}",
            repetition=seen.repetition,
            native_id=None,
            thread=None,
            outcome=self.outcome,
            graded=self.outcome in GRADED,
            native_status=seen.status,
            error_code=None,
            error_scope=None,
            reason="invalid_output" if seen.status == "invalid_output" else None,
            bound_reached=seen.bound_reached,
            unfinished=self.unfinished,
            retry_delay_ms=seen.retry_delay_ms,
            duration_ms=None,
            turns=len(seen.replay),
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
            bounds=_text(seen.bounds) if seen.bounds else None,
            place=self.document.place,
            raw=raw,
        )


def _run_row(report: str, run: _OpenRun) -> Run:
    dialect, version, tool, model, arm = run.identity
    return Run(
        run=run.run,
        report=report,
        position=run.position,
        format=NAME,
        dialect=dialect,
        version=version,
        suite=tool,
        suite_name=None,
        suite_digest=None,
        subject=model,
        subject_fingerprint=None,
        native_run=None,
        arm=arm,
        status=None,
        started_at=None,
        finished_at=None,
        resumed_from=None,
        settled=run.trials,
        turns=run.turns,
        begun=run.trials,
        rejected=run.rejected,
        fingerprint=None,
        config=f"[{','.join(run.bounds)}]" if run.bounds else None,
        definition=None,
    )


def _definition_row(
    run: str, definition: int, item: str, name: str, fault: str | None, code: str | None
) -> Definition:
    return Definition(
        run=run,
        definition=definition,
        position=0,
        leaf=True,
        scope="trial",
        item=item,
        step=None,
        criterion=name,
        path=name,
        label=None,
        kind="check",
        operator=None,
        target=None,
        evaluator=None,
        expectation=None,
        fault=fault,
        code=code,
        value=None,
    )


def _owner(document: Document) -> tuple[str | None, str | None]:
    """Return tool and model of a refused row as far as they can be read."""
    try:
        row = dialects.members(document.data)
    except RecordInvalid:
        return None, None
    found = [row.get("tool"), row.get("model")]
    names = [msgspec.json.decode(raw) if raw is not None else None for raw in found]
    tool, model = (name if isinstance(name, str) else None for name in names)
    return tool, model


def _repeated(seen: Seen, first: str) -> str:
    named: list[Any] = [seen.tool, seen.name, seen.model, seen.repetition]
    return f"the same trial as {first or 'an earlier row'}: tool, name, model, repetition = {named}"


def _text(bounds: dict[str, Any]) -> str:
    return msgspec.json.encode(bounds).decode()
