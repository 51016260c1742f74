"""Sorts rows into runs, refuses or flags them, and writes their trials."""

from collections.abc import Collection, Sequence
from typing import Any, Final, NamedTuple

import msgspec

from ingest.batch import Batch, Chunk, Source, Value
from ingest.cut import payload
from ingest.derive import MEMBER, count_members
from ingest.faults import RecordInvalid
from ingest.formats.trial_row import dialects, rules
from ingest.formats.trial_row.columns import Columns
from ingest.formats.trial_row.dialects import Seen
from ingest.formats.trial_row.runs import NAME, Cell, OpenRun, RunKey, turn_row
from ingest.formats.trial_row.shapes import (
    Listed,
    Lists,
    Shape,
    Shapes,
    key_of,
    key_of_contract,
)
from ingest.surrogates import REPLACED, without_lone
from ingest.twice import refuse_repeated

__all__ = ["NAME", "RowReader"]

REMEDY: Final = "correct this row at its writer; the other rows were loaded"
_shapes: Final = Shapes()
_lists: Final = Lists()


class Owner(NamedTuple):
    """Whose row was refused; not certain when the row does not say clearly."""

    tool: str | None
    model: str | None
    certain: bool = True


class RowReader:
    """Reads the rows of one file."""

    def __init__(self, source: Source, batch: Batch) -> None:
        """Start without runs."""
        self.report = source.report
        self.batch = batch
        self.form = ""
        self.runs: dict[RunKey, OpenRun] = {}
        self.cells: dict[tuple[Any, ...], Cell] = {}
        self.declared: dict[tuple[str | None, str], tuple[str, frozenset[str]]] = {}
        self.tools: dict[str, str | None] = {}
        self.waiting: list[tuple[int, Value, Seen]] = []
        self.refused: list[Owner] = []
        self.columns = Columns()
        self.begun = 0
        self.size = 0

    def read(self, chunk: Chunk) -> None:
        """Read consecutive rows."""
        self.form = chunk.form
        for number, data in zip(chunk.numbers, chunk.values, strict=True):
            try:
                self._read_row(number, data)
            except RecordInvalid as error:
                self._invalid(number, data, error)
            except RecursionError:
                message = "the row is nested too deeply"
                self._refuse(number, data, "too-deep", message, _owner(data))
        self._flush()

    def finish(self) -> None:
        """Place the absent cells, which name no tool, and write the runs."""
        for number, data, seen in self.waiting:
            self._keep_seen(number, data, seen._replace(tool=self.tools.get(seen.name)))
        self._flush()
        runs = sorted((run for run in self.runs.values() if run.trials), key=OpenRun.place)
        for owner in self.refused:
            for run in _owners(runs, owner):
                run.rejected += 1
        batch = self.batch
        batch.dialects = list(dict.fromkeys(run.identity[0] for run in runs))
        versions = [run.identity[1] for run in runs if run.identity[1] is not None]
        batch.version = max(versions, default=None)
        batch.add(run.row(self.report) for run in runs)

    def _flush(self) -> None:
        columns, self.columns = self.columns, Columns()
        size, self.size = self.size, 0
        self.batch.add_columns(columns, size)

    def _read_row(self, number: int, data: Value) -> None:
        record = dialects.outer(data)
        listed = None if record is None else _lists.of(record.checks)
        if listed is None:
            self._read(number, data)
        else:
            self._read_contract(number, data, record, listed)

    def _invalid(self, number: int, data: Value, error: RecordInvalid) -> None:
        """Refuse a row; but one with half a character in it is read without that half."""
        place = self.form.format(number)
        mended = without_lone(bytes(data))
        if mended != data:
            self.batch.flag(place, "lone-surrogate", REPLACED)
            try:
                self._read_row(number, mended)
            except RecordInvalid as other:
                error = other
            else:
                return
        self.batch.reject_record(place, error, REMEDY, data, rules.shape_rule(error))
        self.refused.append(_owner(data))

    def _read_contract(self, number: int, data: Value, record: Any, listed: Listed) -> None:
        """Read a row written to the contract and to nothing else: the quick way for the many."""
        keep = record.notes is not None or record.fixture_root is not None
        varying = listed.given
        if keep:
            varying += (record.notes is not None) + (record.fixture_root is not None)
        shape_key = key_of_contract(record, listed.number)
        shape = _shapes.get(shape_key)
        if shape is None:
            whole = dialects.whole(data)
            seen = dialects.from_contract(whole, listed=True, data=data)
            shape = _shapes.learn(shape_key, seen)
            shape.members = count_members(whole) - varying
        text = data if type(data) is bytes else bytes(data)
        if text.count(MEMBER) != shape.members + varying:
            refuse_repeated(text)
        whose = (dialects.CONTRACT, record.report_version, record.tool, record.model, None)
        cell = self._cell(*whose, record.name)
        self._keep(number, data, shape, cell, record.repetition, listed.reasons, keep=keep)

    def _read(self, number: int, data: Value) -> None:
        seen = dialects.read(data)
        refuse_repeated(bytes(data))
        if seen.status == "absent" and seen.tool is None:
            self.waiting.append((number, data, seen))
        else:
            self._keep_seen(number, data, seen)

    def _keep_seen(self, number: int, data: Value, seen: Seen) -> None:
        shape_key = key_of(seen)
        shape = _shapes.get(shape_key) or _shapes.learn(shape_key, seen)
        whose = (seen.dialect, seen.version, seen.tool, seen.model, seen.arm)
        cell = self._cell(*whose, seen.name)
        reasons = [check.reason for check in seen.checks]
        trial = self._keep(number, data, shape, cell, seen.repetition, reasons, keep=seen.raw)
        if trial is not None and seen.replay:
            run = cell.run
            turns = [turn_row(run.run, trial, n, raw) for n, raw in enumerate(seen.replay)]
            run.turns += len(turns)
            self.columns.turns[len(self.columns) - 1] = len(turns)
            self.batch.add(turns, sum(turn.bytes for turn in turns))

    def _cell(self, *place: *tuple[*RunKey, str]) -> Cell:
        cell = self.cells.get(place)
        if cell is None:
            *identity, item = place
            run_key: RunKey = tuple(identity)  # type: ignore[assignment]
            run = self.runs.get(run_key)
            if run is None:
                run = self.runs[run_key] = OpenRun(self.report, run_key)
            cell = self.cells[place] = Cell(run, item)
        return cell

    def _keep(
        self,
        number: int,
        data: Value,
        shape: Shape,
        cell: Cell,
        repetition: int | None,
        reasons: Sequence[str | None],
        *,
        keep: bool,
    ) -> int | None:
        """Take a row unless a rule refuses it; return its trial."""
        run = cell.run
        if shape.refused is not None:
            owner = Owner(*run.identity[2:4])
            self._refuse(number, data, shape.refused.rule, shape.refused.message, owner)
            return None
        first = cell.seen.setdefault(repetition, number)
        if first != number:
            message = self._repeated(cell, repetition, first)
            self._refuse(number, data, "duplicate-key", message, Owner(*run.identity[2:4]))
            return None
        known = cell.definitions
        try:
            differs = cell.differs[shape.names]
            definitions = [known[each] for each in shape.wanted]
        except KeyError:
            differs = self._define(number, shape, cell)
            definitions = [known[each] for each in shape.wanted]
        trial = run.next_trial()
        columns = self.columns
        if keep:
            columns.raw[len(columns)] = self._raw(data)
        columns.add(self.form, number, shape, cell, trial, repetition)
        columns.definitions.extend(definitions)
        columns.reasons.extend(reasons)
        if shape.implied:
            columns.reasons.append(shape.checks[-1].reason)
        if shape.bounds is not None:
            run.bounds[shape.bounds] = None
        if shape.doubts or differs:
            self._flag(number, shape, differs, run.run, trial)
        return trial

    def _raw(self, data: Value) -> str:
        text = payload(msgspec.Raw(bytes(data).strip())) or ""
        self.size += len(text)
        return text

    def _define(self, number: int, shape: Shape, cell: Cell) -> str:
        """Define in a cell what it has not had yet of a shape; return how its checks differ."""
        run = cell.run
        if not cell.begun:
            if run.position is None:
                run.position = self.begun
                self.begun += 1
            if run.identity[2] is not None:
                self.tools.setdefault(cell.item, run.identity[2])
            self.batch.add([cell.begin()])
        self.batch.add(cell.define(shape))
        differs = cell.differs.get(shape.names)
        if differs is None:
            differs = cell.differs[shape.names] = self._differs(number, shape.names or (), cell)
        return differs

    def _differs(self, number: int, names: Collection[str], cell: Cell) -> str:
        """Say how the checks of a row differ from those of the first row of its scenario."""
        place = self.form.format(number)
        key = (cell.run.identity[2], cell.item)
        where, first = self.declared.setdefault(key, (place, frozenset(names)))
        if names == first:
            return ""
        differ = ", ".join(sorted(first.symmetric_difference(names)))
        return f"declares other checks than {where or 'the first row'} of this scenario: {differ}"

    def _flag(self, number: int, shape: Shape, differs: str, run: str, trial: int) -> None:
        place = self.form.format(number)
        for broken in shape.doubts:
            self.batch.flag(place, broken.rule, broken.message, run, trial)
        if differs:
            self.batch.flag(place, "B14", differs, run, trial)

    def _refuse(
        self,
        number: int,
        data: Value,
        rule: str,
        message: str,
        owner: Owner,
    ) -> None:
        self.batch.reject(self.form.format(number), rule, message, REMEDY, data)
        self.refused.append(owner)

    def _repeated(self, cell: Cell, repetition: int | None, first: int) -> str:
        place = self.form.format(first) or "an earlier row"
        named: list[Any] = [cell.run.identity[2], cell.item, cell.run.identity[3], repetition]
        return f"the same trial as {place}: tool, name, model, repetition = {named}"


def _owners(runs: Sequence[OpenRun], owner: Owner) -> Sequence[OpenRun]:
    """Return the runs a refused row may belong to: all it could mean when it does not say."""
    if owner.certain:
        return [run for run in runs if run.identity[2:4] == (owner.tool, owner.model)]
    same = [run for run in runs if run.identity[2] == owner.tool]
    return same or runs


def _owner(data: Value) -> Owner:
    """Return tool and model of a refused row as far as they can be read."""
    try:
        row = dialects.members(data)
        tool, model = (
            msgspec.json.decode(row[name]) if name in row else None for name in ("tool", "model")
        )
    except (RecordInvalid, RecursionError, msgspec.DecodeError, UnicodeDecodeError):
        return Owner(None, None, certain=False)
    if not isinstance(tool, str):
        return Owner(None, None, certain=False)
    certain = isinstance(model, str) or "model" not in row
    return Owner(tool, model if isinstance(model, str) else None, certain)
