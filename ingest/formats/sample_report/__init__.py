"""Sample reports: one file is one run of one suite, a sample is one trial of an item.

The format has no model and no run id; the user says the subject. Its closed vocabularies are open
here: an unknown expectation or judge criterion is kept as itself.
"""

from typing import Any, Final

import msgspec

from ingest.batch import Batch, Document, Source
from ingest.cut import RAW_LIST, RAW_OBJECT, a_list, cutter, payload
from ingest.faults import RecordInvalid
from ingest.formats.sample_report.models import Report, ReportItem, Sample
from ingest.formats.sample_report.rows import (
    answer_row,
    check_row,
    definition_row,
    trial_row,
    vote_rows,
)
from ingest.naming import run_id
from ingest.records import GRADED, Discard, Item, Outcome, Part, Row, Run, key

NAME = "sample-report"
TITLE = "sample report (members suite, config, items[].samples)"
REMEDY: Final = "write the report again with its own writer; the rest of the report was loaded"
_NO_SAMPLES: Final = b"[]"

_report: Final = cutter(Report)
_item: Final = cutter(ReportItem)
_sample: Final = cutter(Sample)


def claims(members: frozenset[str]) -> bool:
    """Return whether a JSON object with these members is meant to be of this format."""
    return "items" in members and bool(members & {"suite", "config", "generated_at"})


def read(source: Source, batch: Batch) -> None:
    """Read every report of a file into rows."""
    for position, document in enumerate(source.documents):
        try:
            record, listed = _report(document.data)
            a_list(record.items, "items")
        except RecordInvalid as error:
            batch.reject_record(document.place, error, "write the report again", document.data)
            continue
        if not listed:
            members = RAW_OBJECT.decode(document.data)
            extra = {name: raw for name, raw in members.items() if name not in Report.model_fields}
            batch.extra = msgspec.json.encode(extra).decode()
            batch.flag(
                document.place, "unknown-member", f"members of a newer writer: {sorted(extra)}"
            )
        _ReportReader(source, batch, document, position).read(record)


class _ReportReader:
    """Reads the items of one report, numbering its trials and the expectations seen."""

    def __init__(self, source: Source, batch: Batch, document: Document, position: int) -> None:
        self.batch = batch
        self.document = document
        self.position = position
        self.report = source.report
        self.run = run_id(source.report, NAME, str(position))
        self.trials = 0
        self.settled = 0
        self.turns = 0
        self.rejected = 0
        self.definitions: dict[tuple[str, str], int] = {}
        self.doubted = False

    def read(self, record: Any) -> None:
        seen: dict[str, str] = {}
        for position, raw in enumerate(RAW_LIST.decode(record.items)):
            place = self._place(f"items[{position}]")
            try:
                item, listed = _item(raw)
                a_list(item.samples or _NO_SAMPLES, "samples")
            except RecordInvalid as error:
                self._reject(place, error, raw, _samples_of(raw))
                continue
            if seen.setdefault(item.id, place) != place:
                message = f"the same item as {seen[item.id]}: {item.id!r}"
                self._refuse(place, message, raw, _samples_of(raw))
                continue
            self._doubt(place, listed=listed)
            self._item(item, position)
            self._samples(item, place)
        self.batch.add([self._row(record)])

    def _item(self, item: Any, position: int) -> None:
        self.batch.add(
            [
                Item(
                    self.run,
                    item.id,
                    position,
                    item.name,
                    None,
                    list(item.tags),
                    None,
                    None,
                    [],
                    None,
                    None,
                )
            ]
        )
        parts = item.fingerprint.parts if item.fingerprint else []
        self.batch.add(
            Part(self.run, item.id, each.part, each.digest, each.provenance) for each in parts
        )

    def _samples(self, item: Any, above: str) -> None:
        seen: dict[int, str] = {}
        for position, raw in enumerate(RAW_LIST.decode(item.samples or _NO_SAMPLES)):
            place = f"{above}.samples[{position}]"
            try:
                sample, listed = _sample(raw)
                rows = self._rows(item.id, sample, place, None if listed else payload(raw))
            except RecordInvalid as error:
                self._reject(place, error, raw)
                continue
            if seen.setdefault(sample.sample, place) != place:
                self._refuse(
                    place, f"the same sample as {seen[sample.sample]}: {sample.sample}", raw
                )
                continue
            self._doubt(place, listed=listed)
            self.trials += 1
            self.batch.add(rows, len(bytes(raw)))

    def _rows(self, item: str, sample: Any, place: str, raw: str | None) -> list[Row]:
        trial = key(self.run, self.trials)
        answer = payload(sample.answer)
        outcome: Outcome = "failed" if sample.failures else "passed"
        if sample.harness_error is not None:
            outcome = "error"
        rows: list[Row] = [trial_row(self.run, trial, item, sample, place, outcome, raw)]
        rows.extend(self._failures(trial, item, sample.failures, graded=outcome in GRADED))
        rows.extend(vote_rows(self.run, trial, sample.judge))
        rows.extend(
            Discard(self.run, trial, index, code)
            for index, code in enumerate(sample.discarded_answers)
        )
        if answer is not None and answer != "null":
            self.turns += 1
            rows.append(answer_row(self.run, trial, answer))
        return rows

    def _failures(self, trial: int, item: str, failures: list[Any], *, graded: bool) -> list[Row]:
        rows: list[Row] = []
        for index, failure in enumerate(failures):
            wanted = (item, failure.expectation)
            if wanted not in self.definitions:
                self.definitions[wanted] = key(self.run, len(self.definitions))
                self.batch.add([definition_row(self.run, self.definitions[wanted], *wanted)])
            rows.append(
                check_row(self.run, trial, self.definitions[wanted], index, failure, graded=graded)
            )
        return rows

    def _doubt(self, place: str, *, listed: bool) -> None:
        """Say once where a newer writer's members begin; they are kept wherever they are."""
        if not listed and not self.doubted:
            self.doubted = True
            self.batch.flag(place, "unknown-member", "members of a newer writer", self.run)

    def _reject(self, place: str, error: RecordInvalid, raw: msgspec.Raw, samples: int = 1) -> None:
        self.rejected += samples
        self.batch.reject_record(place, error, _remedy(samples), raw)

    def _refuse(self, place: str, message: str, raw: msgspec.Raw, samples: int = 1) -> None:
        self.rejected += samples
        self.batch.reject(place, "duplicate-key", message, _remedy(samples), raw)

    def _place(self, inner: str) -> str:
        return f"{self.document.place} {inner}".strip()

    def _row(self, record: Any) -> Run:
        return Run(
            run=self.run,
            report=self.report,
            position=self.position,
            format=NAME,
            dialect=None,
            version=None,
            suite=record.suite,
            suite_name=None,
            suite_digest=None,
            subject=None,
            subject_fingerprint=None,
            native_run=None,
            arm=None,
            status=None,
            started_at=record.generated_at,
            finished_at=None,
            resumed_from=None,
            settled=self.trials,
            turns=self.turns,
            begun=self.trials,
            rejected=self.rejected,
            fingerprint=None,
            config=payload(record.config),
            definition=None,
        )


def _samples_of(item: msgspec.Raw) -> int:
    """Return how many samples go with an item that is refused; at least one, the item itself."""
    try:
        return max(1, len(RAW_LIST.decode(RAW_OBJECT.decode(item)["samples"])))
    except (KeyError, msgspec.DecodeError):
        return 1


def _remedy(samples: int) -> str:
    return REMEDY if samples == 1 else f"{REMEDY}, but not the {samples} samples of this item"
