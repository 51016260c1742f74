"""Evaluation reports (``schemaVersion`` 1): one file is one run of one suite against one target.

The envelope and the suite are read whole, the cases one by one, their payloads not at all.
"""

from collections.abc import Iterator, Mapping
from typing import Any, Final

import msgspec

from ingest.batch import Batch, Document, Source
from ingest.cut import RAW_LIST, Cut
from ingest.expression import TooDeep
from ingest.faults import RecordInvalid
from ingest.formats.evaluation_report.cases import CaseReader, Progress, ReadCase, progress
from ingest.formats.evaluation_report.envelope import envelope_of, extra, members_of
from ingest.formats.evaluation_report.suite import Book, book_of
from ingest.large import give_back, offset
from ingest.naming import run_id
from ingest.records import Definition, Run

NAME = "evaluation-report"
TITLE = "evaluation report (members schemaVersion, runId, suite, target, cases)"
VERSION: Final = 1
RUN_STATUSES: Final = frozenset({"running", "completed", "cancelled", "limited"})
REMEDY: Final = "write the report again with its own writer; the rest of the report was loaded"

GIVE_BACK: Final = 8 * 1024 * 1024


def claims(members: frozenset[str]) -> bool:
    """Return whether a JSON object with these members is meant to be of this format."""
    return "cases" in members and bool(members & {"suite", "runId", "target"})


def read(source: Source, batch: Batch) -> None:
    """Read every report of a file into rows."""
    batch.version = VERSION
    for position, document in enumerate(source.documents):
        try:
            members = members_of(document)
            cut = envelope_of(document, members)
        except RecordInvalid as error:
            batch.reject_record(document.place, error, "write the report again", document.data)
            continue
        if cut.record.schema_version != VERSION:
            batch.reject(
                document.place,
                "unsupported-version",
                f"schemaVersion is {cut.record.schema_version}, this tool reads {VERSION}",
                "use a version of the tool that reads it, or write it with an older writer",
                document.data,
            )
            continue
        _ReportReader(source, batch, document, position, cut, members).read()


class _ReportReader:
    """Reads one report while its run row is being put together."""

    def __init__(
        self,
        source: Source,
        batch: Batch,
        document: Document,
        position: int,
        cut: Cut,
        members: Mapping[str, msgspec.Raw],
    ) -> None:
        self.batch = batch
        self.document = document
        self.position = position
        self.record: Any = cut.record
        self.members = members
        self.listed = cut.listed
        self.report = source.report
        self.run = run_id(source.report, NAME, str(position))
        self.rejected = 0

    def read(self) -> None:
        """Read the definitions, then the cases one by one, then the run itself."""
        try:
            book = book_of(bytes(self.members["suite"]))
        except RecordInvalid as error:
            remedy = "write the report again: without its suite no case can be read"
            error = error.within("suite")
            self.batch.reject_record(self.document.place, error, remedy, self.members["suite"])
            return
        self.batch.add(book.items(self.run))
        definitions = book.definitions(self.run)
        if definitions is not None:
            self.batch.add_frame(Definition, definitions)
        reader = CaseReader(self.run, book)
        reached = self._cases(reader)
        self._suite_checks(reader)
        self._doubts(reached[1])
        self.batch.add([self._row(book, reached[0])])
        if not self.listed:
            self.batch.extra = extra(self.members)

    def _cases(self, reader: CaseReader) -> tuple[Progress, list[str]]:
        statuses: list[str] = []
        turns = 0
        seen: dict[object, str] = {}
        for ordinal, raw in enumerate(self._raw_cases()):
            place = self._place(f"cases[{ordinal}]")
            try:
                case = reader.read(raw, ordinal, place)
            except RecordInvalid as error:
                self._reject(place, error, raw)
                continue
            except (TooDeep, RecursionError):
                self._refuse(place, "too-deep", "a criterion is nested too deeply", raw)
                continue
            first = seen.setdefault(case.identity, place)
            if first != place:
                self._refuse(
                    place, "duplicate-key", f"the same case as {first}: {case.identity}", raw
                )
                continue
            statuses.append(case.status)
            turns += case.turns
            self._keep(case)
        return progress(statuses, turns), statuses

    def _raw_cases(self) -> Iterator[msgspec.Raw]:
        """Yield the cases, unread; the memory of those that are done is given back."""
        data, cases = self.document.data, self.members["cases"]
        start = done = offset(cases, data)
        for raw in RAW_LIST.decode(cases):
            yield raw
            done += memoryview(raw).nbytes
            if done - start > GIVE_BACK:
                give_back(data, start, done)
                start = done

    def _keep(self, case: ReadCase) -> None:
        self.batch.add([case.trial])
        self.batch.add_columns(case.columns, case.size)
        for rule, where, message in case.notes:
            self.batch.flag(where, rule, message, self.run)

    def _suite_checks(self, reader: CaseReader) -> None:
        if self.record.assertions is None:
            return
        try:
            self.batch.add_columns(reader.suite_checks(self.record.assertions), 0)
        except RecordInvalid as error:
            self._reject(self._place("assertions"), error, self.record.assertions)
        except (TooDeep, RecursionError):
            place = self._place("assertions")
            self._refuse(
                place, "too-deep", "a criterion is nested too deeply", self.record.assertions
            )

    def _reject(self, place: str, error: RecordInvalid, raw: msgspec.Raw) -> None:
        self.rejected += 1
        self.batch.reject_record(place, error, REMEDY, raw)

    def _refuse(self, place: str, rule: str, message: str, raw: msgspec.Raw) -> None:
        self.rejected += 1
        self.batch.reject(place, rule, message, REMEDY, raw)

    def _doubts(self, statuses: list[str]) -> None:
        record, flags = self.record, []
        if record.status not in RUN_STATUSES:
            flags.append(("status", "status", f"unknown run status {record.status!r}"))
        if (record.finished_at is None) != (record.status == "running"):
            flags.append(
                ("finished-at", "finishedAt", "present exactly when the run is not running")
            )
        if record.summary is None:
            flags.append(("summary", "summary", "the summary is missing"))
        elif not self.rejected and _miscounted(record.summary, statuses):
            flags.append(
                ("summary", "summary", "the summary does not count the cases of the report")
            )
        for rule, place, message in flags:
            self.batch.flag(self._place(place), rule, message, self.run)

    def _place(self, inner: str) -> str:
        return f"{self.document.place} {inner}".strip()

    def _row(self, book: Book, reached: Progress) -> Run:
        record = self.record
        return Run(
            run=self.run,
            report=self.report,
            position=self.position,
            format=NAME,
            dialect=None,
            version=VERSION,
            suite=book.suite.id,
            suite_name=book.suite.name,
            suite_digest=book.digest,
            subject=record.target.id,
            subject_fingerprint=record.target.fingerprint,
            native_run=record.run_id,
            arm=None,
            status=record.status,
            started_at=record.started_at,
            finished_at=record.finished_at,
            resumed_from=record.resumed_from,
            settled=reached.settled,
            turns=reached.turns,
            begun=reached.begun,
            rejected=self.rejected,
            fingerprint=record.fingerprint,
            config=None,
            definition=book.text,
        )


def _miscounted(summary: dict[str, int], statuses: list[str]) -> bool:
    counted = {status: statuses.count(status) for status in summary if status != "total"}
    return counted != {key: n for key, n in summary.items() if key != "total"} or summary.get(
        "total", len(statuses)
    ) != len(statuses)
