"""The runs and cells that the rows of a file fall into, and what each declares."""

from collections.abc import Iterator
from typing import Final

import msgspec

from ingest.cut import payload
from ingest.formats.trial_row import dialects
from ingest.formats.trial_row.shapes import Shape
from ingest.naming import run_id
from ingest.records import ORDINAL_BITS, Definition, Item, Run, Turn, key

NAME: Final = "trial-row"
MOST_TRIALS: Final = 1 << ORDINAL_BITS

RunKey = tuple[str, int | None, str | None, str | None, str | None]
"""Dialect, version, tool, model, arm."""


class OpenRun:
    """A run while its rows come in."""

    def __init__(self, report: str, identity: RunKey) -> None:
        """Name the run after its report and identity."""
        self.identity = identity
        self.position: int | None = None
        dialect, version, *rest = identity
        self.run = run_id(report, NAME, dialect, None if version is None else str(version), *rest)
        self.first = key(self.run, 0)
        self.trials = 0
        self.turns = 0
        self.rejected = 0
        self.items = 0
        self.definitions = 0
        self.bounds: dict[str, None] = {}

    def place(self) -> int:
        """Return the order of the run in its report, known once it has a row."""
        return -1 if self.position is None else self.position

    def next_trial(self) -> int:
        """Return the number of a new trial."""
        if self.trials >= MOST_TRIALS:
            key(self.run, self.trials)
        self.trials += 1
        return self.first + self.trials - 1

    def row(self, report: str) -> Run:
        """Return the row of this run."""
        dialect, version, tool, model, arm = self.identity
        return Run(
            run=self.run,
            report=report,
            position=self.place(),
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
            settled=self.trials,
            turns=self.turns,
            begun=self.trials,
            rejected=self.rejected,
            fingerprint=None,
            config=f"[{','.join(self.bounds)}]" if self.bounds else None,
            definition=None,
        )


class Cell:
    """One scenario in one run: its repetitions, and the definitions of its checks.

    Attributes:
        differs: How checks with these names differ from those the scenario declared first; empty
            when they do not.
    """

    __slots__ = ("begun", "definitions", "differs", "item", "run", "seen")

    def __init__(self, run: OpenRun, item: str) -> None:
        """Start without rows."""
        self.run = run
        self.item = item
        self.begun = False
        self.seen: dict[int | None, int] = {}
        self.differs: dict[frozenset[str] | None, str] = {}
        self.definitions: dict[str, int] = {}

    def begin(self) -> Item:
        """Return the row of the scenario, now that it has a trial."""
        self.begun = True
        self.differs[None] = ""
        position = self.run.items
        self.run.items += 1
        return Item(self.run.run, self.item, position, None, None, [], None, None, [], None, None)

    def define(self, shape: Shape) -> Iterator[Definition]:
        """Yield a row for each check, fault and code not seen in this cell before."""
        for wanted, check in zip(shape.wanted, shape.checks, strict=True):
            if wanted not in self.definitions:
                number = key(self.run.run, self.run.definitions)
                self.run.definitions += 1
                self.definitions[wanted] = number
                told = (check.name, check.fault, check.code)
                yield _definition(self.run.run, number, self.item, *told)


def turn_row(run: str, trial: int, place: int, raw: msgspec.Raw) -> Turn:
    """Return one command of the live runner and what came of it."""
    entry = payload(raw) or ""
    command = dialects.members(raw).get("command") if entry.startswith("{") else None
    return Turn(
        run=run,
        trial=trial,
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


def _definition(
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
